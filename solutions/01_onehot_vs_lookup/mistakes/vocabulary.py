"""Wrong answers on vocabularies by name, and unusual right ones."""

import re
from collections import Counter, OrderedDict, defaultdict

from grader.catalogue import mistake, right_form, survivor

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>")


# --- 01.build_vocab


@mistake(
    "01.build_vocab", "order_of_appearance", stage="values",
    diagnosis="Words get their ids as they come along; frequent words should come first.",
    next_step="Count all words first and give out ids afterwards.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    counts = Counter(" ".join(sentences).split())
    for word in counts:
        if counts[word] >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


@mistake(
    "01.build_vocab", "rare_words_first", stage="values",
    diagnosis="The sort runs from rare to frequent.",
    next_step="Sort by falling count: `reverse=True`, or the negative count as key. What does that do to ties?",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word in sorted(counts, key=counts.get) if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "ties_by_alphabet", stage="values",
    diagnosis="Words of one frequency are sorted by their letters; they should keep the order of first appearance.",
    next_step="Sort by the count alone; a stable sort leaves ties as they were.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    order = sorted(counts, key=lambda word: (-counts[word], word))
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "ties_reversed", stage="values",
    diagnosis="Words of one frequency come in reverse: the last to appear stands first.",
    next_step="Reverse the key (-count), not the sorted list: reversing the list turns ties round as well.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    order = sorted(counts, key=lambda word: counts[word])[::-1]
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "min_freq_exclusive", stage="values",
    diagnosis="Words counted exactly min_freq times are dropped; they should stay.",
    next_step="“At least” is >=.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count > min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "min_freq_ignored", stage="values",
    diagnosis="Every word stays, whatever min_freq says.",
    next_step="Leave out words whose count is below min_freq.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, _ in counts.most_common() if word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "specials_fixed", stage="values",
    diagnosis="The four usual specials are built in; the argument `specials` is ignored.",
    next_step="Use the parameter, and try `specials=()`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {"<pad>": 0, "<unk>": 1, "<bos>": 2, "<eos>": 3}
    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
        if count >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


@mistake(
    "01.build_vocab", "specials_last", stage="values",
    diagnosis="The specials stand behind the words.",
    next_step="Give the specials ids 0, 1, 2, … before any word gets one.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*words, *specials])}


@mistake(
    "01.build_vocab", "special_in_text_moves", stage="values",
    diagnosis="A special that occurs in the text is given a second, later id, and leaves a hole.",
    next_step="Skip words that are specials when you hand out the words' ids.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq]
    return {word: index for index, word in enumerate([*specials, *words])}


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
    "01.build_vocab", "counts_as_ids", stage="values",
    diagnosis="Words map to their counts instead of to ids.",
    next_step="Number the sorted words with `enumerate`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
        if count >= min_freq and word not in vocab:
            vocab[word] = count
    return vocab


@right_form("01.build_vocab", "loop_with_get")
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>"), verbose=False):
    counts = {}
    for sentence in sentences:
        for word in sentence.split():
            counts[word] = counts.get(word, 0) + 1
    vocab = {}
    for special in specials:
        vocab[special] = len(vocab)
    for word in sorted(counts, key=lambda entry: counts[entry], reverse=True):
        if counts[word] >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


@right_form("01.build_vocab", "regular_expression_and_first_places")
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    words = re.findall(r"\S+", "\n".join(sentences))
    first = {}
    for place, word in enumerate(words):
        first.setdefault(word, place)
    kept = {word for word in first if words.count(word) >= min_freq} - set(specials)
    order = list(specials) + sorted(kept, key=lambda word: (-words.count(word), first[word]))
    return OrderedDict((word, index) for index, word in enumerate(order))


@right_form("01.build_vocab", "round_by_round")
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = defaultdict(int)
    for word in " ".join(sentences).split():
        counts[word] += 1
    vocab = dict(zip(specials, range(len(specials))))
    for count in range(max(counts.values(), default=0), max(min_freq, 1) - 1, -1):
        for word in counts:
            if counts[word] == count and word not in vocab:
                vocab[word] = len(vocab)
    return vocab


survivor("01.build_vocab", "1 → 0", "Every word that occurs is counted at least once: at least 0 keeps the same words.")

# --- 01.encode_sentence


@mistake(
    "01.encode_sentence", "key_error", stage="raises",
    diagnosis="An unknown word raises KeyError; it should become <unk>.",
    next_step="`vocab.get(word, …)` takes what to return for a missing word.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab[word] for word in sentence.split()]


@mistake(
    "01.encode_sentence", "unknown_dropped", stage="shape",
    diagnosis="Unknown words are left out, so the sentence gets shorter and its places shift.",
    next_step="Put the id of <unk> in the place of each unknown word.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab[word] for word in sentence.split() if word in vocab]


@mistake(
    "01.encode_sentence", "unk_is_1", stage="values",
    diagnosis="Unknown words become 1; the id of <unk> stands in the vocabulary and may be another.",
    next_step="Look `vocab['<unk>']` up.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(word, 1) for word in sentence.split()]


@mistake(
    "01.encode_sentence", "zero_is_false", stage="values",
    diagnosis="A word with id 0 becomes <unk>: `or` takes 0 for “nothing there”.",
    next_step="Use the second argument of `get` instead of `or`.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(word) or vocab["<unk>"] for word in sentence.split()]


@mistake(
    "01.encode_sentence", "lower_case", stage="values",
    diagnosis="The sentence is lower-cased, so words with capitals are looked up under another name.",
    next_step="Look words up as they stand, as build_vocab kept them.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.lower().split()]


@mistake(
    "01.encode_sentence", "single_spaces", stage="shape",
    diagnosis="`split(' ')` makes empty words out of runs of spaces, and of an empty sentence.",
    next_step="`split()` without an argument.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split(" ")]


@mistake(
    "01.encode_sentence", "letters", stage="shape",
    diagnosis="The sentence is read letter by letter.",
    next_step="Split it into words first.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(letter, vocab["<unk>"]) for letter in sentence if letter != " "]


@mistake(
    "01.encode_sentence", "places_in_the_vocabulary", stage="values",
    diagnosis="A word's place in the dict is taken for its id.",
    next_step="The ids are the dict's values.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    words = list(vocab)
    return [words.index(word if word in vocab else "<unk>") for word in sentence.split()]


@mistake(
    "01.encode_sentence", "repeats_dropped", stage="shape",
    diagnosis="A word that occurs twice is encoded once.",
    next_step="Go over the words of the sentence, not over a set or dict of them.",
)  # fmt: skip
def encode_sentence(sentence, vocab):
    return [vocab.get(word, vocab["<unk>"]) for word in dict.fromkeys(sentence.split())]


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
