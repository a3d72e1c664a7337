"""Wrong answers to build_vocab by name: what a word is."""

import re
import unicodedata
from collections import Counter

from grader.course_source.catalogue import altered, mistake


@mistake(
    "01.build_vocab", "lower_case", stage="values",
    diagnosis="Capitals are lost: “The” and “the” are two words here.",
    next_step="Take the words as they stand.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "split_at_single_spaces", "lower_case",
    {"for word in sentence.lower().split()": 'if sentence for word in sentence.split(" ")'},
    stage="values",
    diagnosis="`split(' ')` splits at single spaces only: it makes empty words and leaves tabs inside words.",
    next_step="`split()` without an argument splits at white space of any kind and length.",
)

altered(
    "01.build_vocab", "letters_not_words", "lower_case",
    {
        "word for sentence in sentences for word in sentence.lower().split":
            "letter for sentence in sentences for letter in sentence if letter.strip",
    },
    stage="values",
    diagnosis="The text is counted letter by letter: iterating over a string gives its characters.",
    next_step="Split each sentence into words before you count.",
)

altered(
    "01.build_vocab", "punctuation_stripped", "lower_case",
    {
        " for sentence in sentences for word in sentence.lower()":
            '.strip(".,!?") for sentence in sentences for word in sentence',
    },
    stage="values",
    diagnosis="Punctuation is cut off the words; here a word is whatever stands between white space.",
    next_step="Take the pieces of `split()` as they are.",
)

altered(
    "01.build_vocab", "sentences_glued_together", "lower_case",
    {
        "counts = Counter(word for sentence in sentences for word in sentence.lower().split())":
            'counts = Counter("".join(sentences).split())',
    },
    stage="values",
    diagnosis="The last word of a sentence and the first of the next become one word: nothing stands between the sentences.",
    next_step="Split each sentence by itself, or join them with a space between.",
)


@mistake(
    "01.build_vocab", "counted_inside_words", stage="values",
    diagnosis="`text.count(word)` also finds the word inside longer ones: “dog” is counted in “dogs”.",
    next_step="Split first, then count in the list of words or with a Counter.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    words = [word for word in dict.fromkeys(text.split()) if word not in specials and text.count(word) >= min_freq]
    words.sort(key=text.count, reverse=True)
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "normalised", "lower_case",
    {"sentence.lower()": 'unicodedata.normalize("NFKC", sentence)'},
    stage="values",
    diagnosis="The text is normalised first, so words that only look alike become one; they should stand as they are.",
    next_step="Split the sentences as they come.",
)

altered(
    "01.build_vocab", "hyphens_separate", "lower_case",
    {
        "word for sentence in sentences for word in sentence.lower().split()":
            'part for sentence in sentences for part in re.split(r"[\\s\'-]+", sentence) if part',
    },
    stage="values",
    diagnosis="Words are cut at hyphens and apostrophes: “well-known” becomes two words.",
    next_step="Only white space separates words: `split()` without arguments.",
)

altered(
    "01.build_vocab", "lone_marks_dropped", "lower_case",
    {".lower().split()": ".split() if any(map(str.isalnum, word))"},
    stage="values",
    diagnosis="A word without a letter, such as a dash between spaces, is dropped; here it is a word like any other.",
    next_step="Keep whatever stands between white space.",
)

altered(
    "01.build_vocab", "usual_white_space_only", "lower_case",
    {"sentence.lower().split()": 're.split("[ \\t\\r\\n\\u3000\\u00a0]+", sentence) if word'},
    stage="values",
    diagnosis="A list of white space was written by hand, and lacks some kinds of it.",
    next_step="`split()` without arguments knows them all.",
)
