"""Provide the micro-language: a small Chinese-English grammar, written for this course, about which everything is known.

Its sentences are natural, the two languages order them differently, and each sentence has exactly one right translation.
All sentences can be listed, so the lowest possible loss of a next-word model is known: the floor of every model. Start with

    from embedding_course.data.micro import micro_language

    language = micro_language()
    language.pairs("train", 3)                   # sentences with their translations
    language.sentences("english", "test", 3)     # one side of them
    language.paraphrases("train", 3)             # groups of sentences that mean the same
    language.classes["english"]["animal"]        # words by class
    language.vocabulary["chinese"].encode(...)   # words to ids
    language.entropy(), language.entropy(2)      # nats per token, given all words before, or two
    language.occurrences("bat")                  # a word with two meanings, in sentences

`words` and `phrases` hold the lexicon and noun phrases, `constructions` express a meaning in both languages, `meanings`
list all meanings, and `language` puts them together.
"""

from ..vocabulary import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary
from .ambiguous_words import AMBIGUOUS
from .language import LANGUAGES, SPLITS, MicroLanguage, Occurrence, Pair, micro_language
from .next_word import NextWord

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
