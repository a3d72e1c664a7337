# exercise 01.encode_sentence
import re
import unicodedata
from collections import defaultdict

import numpy as np


# base plain
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]


# mistake key_error (raises), from plain
# An unknown word raises KeyError; it should become <unk>.
# Next: `vocab.get(word, …)` takes what to return for a missing word.
#   vocab.get(word, vocab["<unk>"]) => vocab[word]


# mistake unknown_dropped (shape)
# Unknown words are left out, so the sentence gets shorter and the positions of its words shift.
# Next: Put the id of <unk> in the place of each unknown word.
def encode_sentence(sentence, vocab):
    return [vocab[word] for word in sentence.split() if word in vocab]


# mistake unk_is_1 (values), from plain
# Unknown words become 1; the id of <unk> stands in the vocabulary and may be another.
# Next: Look `vocab['<unk>']` up.
#   vocab["<unk>"] => 1

# mistake zero_is_false (values), from plain
# A word with id 0 becomes <unk>: `or` takes 0 for “nothing there”.
# Next: Use the second argument of `get` instead of `or`.
#   vocab.get(word, vocab["<unk>"]) => vocab.get(word) or vocab["<unk>"]

# mistake lower_case (values), from plain
# A word with other capitals is looked up in lower case; it is another word, and should become <unk>.
# Next: Look words up as they stand, as build_vocab kept them.
#   sentence.split => sentence.lower().split

# mistake single_spaces (shape), from plain
# `split(' ')` makes empty words out of runs of spaces, and of an empty sentence.
# Next: `split()` without an argument.
#   sentence.split() => sentence.split(" ")


# mistake letters (shape)
# The sentence is read letter by letter.
# Next: Split it into words first.
def encode_sentence(sentence, vocab):
    return [vocab.get(letter, vocab["<unk>"]) for letter in sentence if letter != " "]


# mistake places_in_the_vocabulary (values)
# A word's position in the dict is taken for its id.
# Next: The ids are the dict's values.
def encode_sentence(sentence, vocab):
    words = list(vocab)
    return [words.index(word if word in vocab else "<unk>") for word in sentence.split()]


# mistake repeats_dropped (shape), from plain
# A word that occurs twice is encoded once.
# Next: Go over the words of the sentence, not over a set or dict of them.
#   sentence.split() => dict.fromkeys(sentence.split())

# mistake none_for_unknown (type), from plain
# Unknown words become None: that is what `get` returns when it is not told otherwise.
# Next: Give `get` its second argument, the id of <unk>.
#   word, vocab["<unk>"] => word

# mistake name_instead_of_id (type), from plain
# Unknown words become the string “<unk>”; its id was asked for.
# Next: `vocab['<unk>']` is the id that belongs to the name.
#   vocab["<unk>"] => "<unk>"

# mistake unknown_words_are_added (values, property), from plain
# Unknown words are given new ids and put into the caller's vocabulary; a trained table has no rows for them.
# Next: `get` looks up and changes nothing; `setdefault` writes.
#   vocab.get(word, vocab["<unk>"]) => vocab.setdefault(word, len(vocab))

# mistake setdefault (property), from plain
# The ids are right, but `setdefault` writes every unknown word into the caller's vocabulary.
# Next: Use `get`: it looks up and changes nothing.
#   vocab.get => vocab.setdefault


# mistake bos_and_eos_added (shape)
# <bos> and <eos> are put around the sentence; here each word becomes one id and nothing is added.
# Next: Leave them out: later notebooks add them where they are wanted.
def encode_sentence(sentence, vocab):
    ids = [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]
    return [vocab.get("<bos>", 2), *ids, vocab.get("<eos>", 3)]


# mistake punctuation_stripped (values), from plain
# A word with punctuation is looked up without it; “dog,” is another word than “dog”.
# Next: Look the pieces of `split()` up as they are, as build_vocab counted them.
#   word, vocab["<unk>"] => word.strip(".,!?"), vocab["<unk>"]

# mistake only_spaces_separate (shape), from plain
# Tabs and line ends do not separate words here.
# Next: `split()` without an argument splits at white space of any kind.
#   word in sentence.split() => word in sentence.split(" ") if word

# mistake ascii_white_space (shape), from plain
# Only the white space of English text separates words here; the wide space of Chinese text (U+3000) does, too.
# Next: `split()` without an argument, or `\s+` in a regular expression, knows white space of any kind.
#   word in sentence.split() => word in re.split(r"[ \t\r\n]+", sentence) if word


# mistake normalised (values)
# Words are normalised before they are looked up: one that only looks like a known word gets its id.
# Next: Look the words up as they stand.
def encode_sentence(sentence, vocab):
    words = unicodedata.normalize("NFKC", sentence).split()
    return [vocab.get(word, vocab["<unk>"]) for word in words]


# mistake usual_white_space_only (shape)
# A list of white space was written by hand, and lacks some kinds of it.
# Next: `split()` without arguments knows them all.
def encode_sentence(sentence, vocab):
    words = re.split("[ \t\r\n\u3000]+", sentence)
    return [vocab.get(word, vocab["<unk>"]) for word in words if word]


# mistake ends_at_eos (shape)
# Everything behind <eos> is left out; here it is a word like any other.
# Next: Every word of the sentence gets its id.
def encode_sentence(sentence, vocab):
    ids = []
    for word in sentence.split():
        ids.append(vocab.get(word, vocab["<unk>"]))
        if word == "<eos>":
            break
    return ids


# mistake characters (shape)
# The sentence is read character by character, spaces included.
# Next: Going through a string gives its characters; `sentence.split()` gives its words.
def encode_sentence(sentence, vocab):
    return [vocab.get(character, vocab["<unk>"]) for character in sentence]


# mistake stripped_and_single_spaces (shape), from plain
# `split(' ')` splits at single spaces only: a run of them makes empty words, and tabs stay inside words.
# Next: `split()` without an argument splits at white space of any kind and length, and needs no `strip`.
#   sentence.split() => sentence.strip().split(" ")


# right form loop
def encode_sentence(sentence, vocab):
    ids = []
    for word in sentence.split():
        if word in vocab:
            ids.append(vocab[word])
        else:
            ids.append(vocab["<unk>"])
    return ids


# right form tuple_and_try
def encode_sentence(sentence, vocab):
    def look_up(word):
        try:
            return vocab[word]
        except KeyError:
            return vocab["<unk>"]

    return tuple(map(look_up, re.findall(r"\S+", sentence)))


# right form defaultdict
def encode_sentence(sentence, vocab):
    table = defaultdict(lambda: vocab["<unk>"], vocab)
    print(len(table))
    return [table[word] for word in sentence.split()]


# right form numbers_of_numpy
def encode_sentence(sentence, vocab, unknown="<unk>"):
    ids = np.array([vocab[word if word in vocab else unknown] for word in sentence.split()], dtype=np.int64)
    return list(ids)


# right form matches_of_a_pattern
def encode_sentence(sentence, vocab):
    unknown = vocab["<unk>"]
    return tuple(vocab[match.group()] if match.group() in vocab else unknown for match in re.finditer(r"\S+", sentence))


# right form letter_by_letter
def encode_sentence(sentence, vocab):
    ids, word = [], ""
    for letter in sentence + " ":
        if not letter.isspace():
            word += letter
        elif word:
            ids.append(vocab.get(word, vocab["<unk>"]))
            word = ""
    return ids
