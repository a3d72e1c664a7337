"""The micro-language: a small Chinese-English grammar, written for this course, about which everything is known.

Its sentences are ones that people say, its two sides order them differently, each sentence has one right translation,
and since all sentences can be listed, how well a next word can be guessed at best is a number: the floor under every
model's loss. Start with

    from embedding_course.data.micro import micro_language

    language = micro_language()
    language.pairs("train", 3)                   # sentences with their translations
    language.sentences("english", "test", 3)     # one side of them
    language.paraphrases("train", 3)             # groups of sentences that mean the same
    language.classes["english"]["animal"]        # words by class
    language.vocabulary["chinese"].encode(...)   # words to ids
    language.entropy(), language.entropy(2)      # nats per token, knowing all words before, or two
    language.occurrences("bat")                  # a word with two meanings, in sentences

The files: `words` and `phrases` hold the lexicon and noun phrases, `constructions` say a meaning in both languages,
`meanings` list what can be meant, `language` puts it together.
"""

from ..vocabulary import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary
from .language import LANGUAGES, SPLITS, MicroLanguage, Occurrence, Pair, micro_language
from .next_word import NextWord
from .word_classes import AMBIGUOUS

__all__ = [
    "AMBIGUOUS",
    "BOS",
    "EOS",
    "LANGUAGES",
    "PAD",
    "SPECIALS",
    "SPLITS",
    "UNK",
    "MicroLanguage",
    "NextWord",
    "Occurrence",
    "Pair",
    "Vocabulary",
    "micro_language",
]
