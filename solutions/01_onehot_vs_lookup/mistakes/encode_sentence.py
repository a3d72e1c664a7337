"""Wrong answers on encoding a sentence by name, and unusual right ones."""

import re
import unicodedata
from collections import defaultdict

import numpy as np

from grader.course_source.catalogue import altered, base, mistake, right_form


@base("plain")
def encode_sentence(sentence, vocab):
    return [vocab.get(word) for word in sentence.split()]


altered(
    "01.encode_sentence", "key_error", "plain", {".get(word)": "[word]"}, stage="raises",
    diagnosis="An unknown word raises KeyError; it should become <unk>.",
    next_step="`vocab.get(word, …)` takes what to return for a missing word.",
)


@mistake(
    "01.encode_sentence", "unknown_dropped", stage="shape",
    diagnosis="Unknown words are left out, so the sentence gets shorter and the positions of its words shift.",
    next_step="Put the id of <unk> in the place of each unknown word.",
)
def encode_sentence(sentence, vocab):
    return [vocab[word] for word in sentence.split() if word in vocab]


altered(
    "01.encode_sentence", "unk_is_1", "plain", {"(word)": "(word, 1)"}, stage="values",
    diagnosis="Unknown words become 1; the id of <unk> stands in the vocabulary and may be another.",
    next_step="Look `vocab['<unk>']` up.",
)

altered(
    "01.encode_sentence", "zero_is_false", "plain", {"for": 'or vocab["<unk>"] for'}, stage="values",
    diagnosis="A word with id 0 becomes <unk>: `or` takes 0 for “nothing there”.",
    next_step="Use the second argument of `get` instead of `or`.",
)

altered(
    "01.encode_sentence", "lower_case", "plain",
    {"(word) for word in sentence.": '(word, vocab["<unk>"]) for word in sentence.lower().'},
    stage="values",
    diagnosis="A word with other capitals is looked up in lower case; it is another word, and should become <unk>.",
    next_step="Look words up as they stand, as build_vocab kept them.",
)

altered(
    "01.encode_sentence", "single_spaces", "plain",
    {") for word in sentence.split(": ', vocab["<unk>"]) for word in sentence.split(" "'},
    stage="shape",
    diagnosis="`split(' ')` makes empty words out of runs of spaces, and of an empty sentence.",
    next_step="`split()` without an argument.",
)


@mistake(
    "01.encode_sentence", "letters", stage="shape",
    diagnosis="The sentence is read letter by letter.",
    next_step="Split it into words first.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(letter, vocab["<unk>"]) for letter in sentence if letter != " "]


@mistake(
    "01.encode_sentence", "places_in_the_vocabulary", stage="values",
    diagnosis="A word's position in the dict is taken for its id.",
    next_step="The ids are the dict's values.",
)
def encode_sentence(sentence, vocab):
    words = list(vocab)
    return [words.index(word if word in vocab else "<unk>") for word in sentence.split()]


@mistake(
    "01.encode_sentence", "repeats_dropped", stage="shape",
    diagnosis="A word that occurs twice is encoded once.",
    next_step="Go over the words of the sentence, not over a set or dict of them.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in dict.fromkeys(sentence.split())]


@mistake(
    "01.encode_sentence", "none_for_unknown", stage="type",
    diagnosis="Unknown words become None: that is what `get` returns when it is not told otherwise.",
    next_step="Give `get` its second argument, the id of <unk>.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(word) for word in sentence.split()]


altered(
    "01.encode_sentence", "name_instead_of_id", "plain", {"(word)": '(word, "<unk>")'}, stage="type",
    diagnosis="Unknown words become the string “<unk>”; its id was asked for.",
    next_step="`vocab['<unk>']` is the id that belongs to the name.",
)

altered(
    "01.encode_sentence", "unknown_words_are_added", "plain",
    {".get(word)": ".setdefault(word, len(vocab))"},
    stage=("values", "property"),
    diagnosis="Unknown words are given new ids and put into the caller's vocabulary; a trained table has no rows for them.",
    next_step="`get` looks up and changes nothing; `setdefault` writes.",
)

altered(
    "01.encode_sentence", "setdefault", "plain",
    {".get(word)": '.setdefault(word, vocab["<unk>"])'},
    stage="property",
    diagnosis="The ids are right, but `setdefault` writes every unknown word into the caller's vocabulary.",
    next_step="Use `get`: it looks up and changes nothing.",
)


@mistake(
    "01.encode_sentence", "bos_and_eos_added", stage="shape",
    diagnosis="<bos> and <eos> are put around the sentence; here each word becomes one id and nothing is added.",
    next_step="Leave them out: later notebooks add them where they are wanted.",
)
def encode_sentence(sentence, vocab):
    ids = [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]
    return [vocab.get("<bos>", 2), *ids, vocab.get("<eos>", 3)]


altered(
    "01.encode_sentence", "punctuation_stripped", "plain",
    {"(word)": '(word.strip(".,!?"), vocab["<unk>"])'},
    stage="values",
    diagnosis="A word with punctuation is looked up without it; “dog,” is another word than “dog”.",
    next_step="Look the pieces of `split()` up as they are, as build_vocab counted them.",
)


@mistake(
    "01.encode_sentence", "only_spaces_separate", stage="shape",
    diagnosis="Tabs and line ends do not separate words here.",
    next_step="`split()` without an argument splits at white space of any kind.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split(" ") if word]


@mistake(
    "01.encode_sentence", "ascii_white_space", stage="shape",
    diagnosis="Only the white space of English text separates words here; the wide space of Chinese text (U+3000) does, too.",
    next_step="`split()` without an argument, or `\\s+` in a regular expression, knows white space of any kind.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in re.split(r"[ \t\r\n]+", sentence) if word]


@mistake(
    "01.encode_sentence", "normalised", stage="values",
    diagnosis="Words are normalised before they are looked up: one that only looks like a known word gets its id.",
    next_step="Look the words up as they stand.",
)
def encode_sentence(sentence, vocab):
    words = unicodedata.normalize("NFKC", sentence).split()
    return [vocab.get(word, vocab["<unk>"]) for word in words]


@mistake(
    "01.encode_sentence", "usual_white_space_only", stage="shape",
    diagnosis="A list of white space was written by hand, and lacks some kinds of it.",
    next_step="`split()` without arguments knows them all.",
)
def encode_sentence(sentence, vocab):
    words = re.split("[ \t\r\n\u3000]+", sentence)
    return [vocab.get(word, vocab["<unk>"]) for word in words if word]


@mistake(
    "01.encode_sentence", "ends_at_eos", stage="shape",
    diagnosis="Everything behind <eos> is left out; here it is a word like any other.",
    next_step="Every word of the sentence gets its id.",
)
def encode_sentence(sentence, vocab):
    ids = []
    for word in sentence.split():
        ids.append(vocab.get(word, vocab["<unk>"]))
        if word == "<eos>":
            break
    return ids


@mistake(
    "01.encode_sentence", "characters", stage="shape",
    diagnosis="The sentence is read character by character, spaces included.",
    next_step="Going through a string gives its characters; `sentence.split()` gives its words.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(character, vocab["<unk>"]) for character in sentence]


@mistake(
    "01.encode_sentence", "stripped_and_single_spaces", stage="shape",
    diagnosis="`split(' ')` splits at single spaces only: a run of them makes empty words, and tabs stay inside words.",
    next_step="`split()` without an argument splits at white space of any kind and length, and needs no `strip`.",
)
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.strip().split(" ")]


@right_form("01.encode_sentence", "loop")
def encode_sentence(sentence, vocab):
    ids = []
    for word in sentence.split():
        if word in vocab:
            ids.append(vocab[word])
        else:
            ids.append(vocab["<unk>"])
    return ids


@right_form("01.encode_sentence", "tuple_and_try")
def encode_sentence(sentence, vocab):
    def look_up(word):
        try:
            return vocab[word]
        except KeyError:
            return vocab["<unk>"]

    return tuple(map(look_up, re.findall(r"\S+", sentence)))


@right_form("01.encode_sentence", "defaultdict")
def encode_sentence(sentence, vocab):
    table = defaultdict(lambda: vocab["<unk>"], vocab)
    print(len(table))
    return [table[word] for word in sentence.split()]


@right_form("01.encode_sentence", "numbers_of_numpy")
def encode_sentence(sentence, vocab, unknown="<unk>"):
    ids = np.array([vocab[word if word in vocab else unknown] for word in sentence.split()], dtype=np.int64)
    return list(ids)


@right_form("01.encode_sentence", "matches_of_a_pattern")
def encode_sentence(sentence, vocab):
    unknown = vocab["<unk>"]
    return tuple(vocab[match.group()] if match.group() in vocab else unknown for match in re.finditer(r"\S+", sentence))


@right_form("01.encode_sentence", "letter_by_letter")
def encode_sentence(sentence, vocab):
    ids, word = [], ""
    for letter in sentence + " ":
        if not letter.isspace():
            word += letter
        elif word:
            ids.append(vocab.get(word, vocab["<unk>"]))
            word = ""
    return ids
