# exercise 01.build_vocab
"""Wrong answers to build_vocab by name: what a word is."""

import re
import unicodedata
from collections import Counter


# mistake lower_case (values)
# Capitals are lost: “The” and “the” are two words here.
# Next: Take the words as they stand.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


# mistake split_at_single_spaces (values), from lower_case
# `split(' ')` splits at single spaces only: it makes empty words and leaves tabs inside words.
# Next: `split()` without an argument splits at white space of any kind and length.
#   for word in sentence.lower().split( => if sentence for word in sentence.split(" "

# mistake letters_not_words (values), from lower_case
# The text is counted letter by letter: iterating over a string gives its characters.
# Next: Split each sentence into words before you count.
#   -    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
#   +    counts = Counter(letter for sentence in sentences for letter in sentence if letter.strip())

# mistake punctuation_stripped (values), from lower_case
# Punctuation is cut off the words; here a word is whatever stands between white space.
# Next: Take the pieces of `split()` as they are.
#   -    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
#   +    counts = Counter(word.strip(".,!?") for sentence in sentences for word in sentence.split())

# mistake sentences_glued_together (values), from lower_case
# The last word of a sentence and the first of the next become one word: nothing stands between the sentences.
# Next: Split each sentence by itself, or join them with a space between.
#   Counter(word for sentence in sentences for word in sentence.lower().split()) => Counter("".join(sentences).split())


# mistake counted_inside_words (values)
# `text.count(word)` also finds the word inside longer ones: “dog” is counted in “dogs”.
# Next: Split first, then count in the list of words or with a Counter.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    words = [word for word in dict.fromkeys(text.split()) if word not in specials and text.count(word) >= min_freq]
    words.sort(key=text.count, reverse=True)
    return {word: index for index, word in enumerate([*specials, *words])}


# mistake normalised (values), from lower_case
# The text is normalised first, so words that only look alike become one; they should stand as they are.
# Next: Split the sentences as they come.
#   sentence.lower() => unicodedata.normalize("NFKC", sentence)

# mistake hyphens_separate (values), from lower_case
# Words are cut at hyphens and apostrophes: “well-known” becomes two words.
# Next: Only white space separates words: `split()` without arguments.
#   -    counts = Counter(word for sentence in sentences for word in sentence.lower().split())
#   +    counts = Counter(part for sentence in sentences for part in re.split(r"[\s'-]+", sentence) if part)

# mistake lone_marks_dropped (values), from lower_case
# A word without a letter, such as a dash between spaces, is dropped; here it is a word like any other.
# Next: Keep whatever stands between white space.
#   lower().split( => split() if any(map(str.isalnum, word)

# mistake usual_white_space_only (values), from lower_case
# A list of white space was written by hand, and lacks some kinds of it.
# Next: `split()` without arguments knows them all.
#   sentence.lower().split() => re.split("[ \t\r\n\u3000\u00a0]+", sentence) if word
