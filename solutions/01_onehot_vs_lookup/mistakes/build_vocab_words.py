"""Wrong answers to build_vocab by name: what a word is."""

import re
import unicodedata
from collections import Counter

from grader.course_source.catalogue import mistake


@mistake(
    "01.build_vocab", "lower_case", stage="values",
    diagnosis="Capitals are lost: “The” and “the” are two words here.",
    next_step="Take the words as they stand.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "split_at_single_spaces", stage="values",
    diagnosis="`split(' ')` splits at single spaces only: it makes empty words and leaves tabs inside words.",
    next_step="`split()` without an argument splits at white space of any kind and length.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences if sentence for word in sentence.split(" "))
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "letters_not_words", stage="values",
    diagnosis="The text is counted letter by letter: iterating over a string gives its characters.",
    next_step="Split each sentence into words before you count.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(letter for sentence in sentences for letter in sentence if letter.strip())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "punctuation_stripped", stage="values",
    diagnosis="Punctuation is cut off the words; here a word is whatever stands between white space.",
    next_step="Take the pieces of `split()` as they are.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word.strip(".,!?") for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "sentences_glued_together", stage="values",
    diagnosis="The last word of a sentence and the first of the next become one word: nothing stands between the sentences.",
    next_step="Split each sentence by itself, or join them with a space between.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter("".join(sentences).split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "counted_inside_words", stage="values",
    diagnosis="`text.count(word)` also finds the word inside longer ones: “dog” is counted in “dogs”.",
    next_step="Split first, then count in the list of words or with a Counter.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    words = [word for word in dict.fromkeys(text.split()) if word not in specials and text.count(word) >= min_freq]
    words.sort(key=text.count, reverse=True)
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "normalised", stage="values",
    diagnosis="The text is normalised first, so words that only look alike become one; they should stand as they are.",
    next_step="Split the sentences as they come.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in unicodedata.normalize("NFKC", sentence).split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "hyphens_separate", stage="values",
    diagnosis="Words are cut at hyphens and apostrophes: “well-known” becomes two words.",
    next_step="Only white space separates words: `split()` without arguments.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(part for sentence in sentences for part in re.split(r"[\s'-]+", sentence) if part)
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "lone_marks_dropped", stage="values",
    diagnosis="A word without a letter, such as a dash between spaces, is dropped; here it is a word like any other.",
    next_step="Keep whatever stands between white space.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split() if any(map(str.isalnum, word)))
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "usual_white_space_only", stage="values",
    diagnosis="A list of white space was written by hand, and lacks some kinds of it.",
    next_step="`split()` without arguments knows them all.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in re.split("[ \t\r\n\u3000\u00a0]+", sentence) if word)
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}
