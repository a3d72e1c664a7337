# exercise 01.build_vocab
"""Wrong answers to build_vocab by name: order, options, specials."""

from collections import Counter


# base most_common
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
        if count >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


# mistake order_of_appearance (values), from most_common
# Words get their ids as they come along; frequent words should come first.
# Next: Count all words first and give out ids afterwards.
#   -    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
#   +    counts = Counter(" ".join(sentences).split())
#   +    for word in counts:
#   count >= min_freq => counts[word] >= min_freq


# base plain
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


# mistake rare_words_first (values), from plain
# The sort runs from rare to frequent.
# Next: Sort by falling count: `reverse=True`, or the negative count as key. What does that do to ties?
#   word, count in counts.most_common() if count => word in sorted(counts, key=counts.get) if counts[word]

# mistake ties_by_alphabet (values), from plain
# Words of one frequency are sorted by their letters; they should keep the order of first appearance.
# Next: Sort by the count alone; a stable sort leaves ties as they were.
#   -    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
#   +    order = sorted(counts, key=lambda word: (-counts[word], word))
#   +    words = [word for word in order if counts[word] >= min_freq and word not in specials]

# mistake ties_reversed (values), from plain
# Words of one frequency come in reverse: the last to appear stands first.
# Next: Reverse the key (-count), not the sorted list: reversing the list turns ties round as well.
#   -    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
#   +    order = sorted(counts, key=lambda word: counts[word])[::-1]
#   +    words = [word for word in order if counts[word] >= min_freq and word not in specials]

# mistake min_freq_exclusive (values), from plain
# Words counted exactly min_freq times are dropped; they should stay.
# Next: “At least” is >=.
#   count >= min_freq => count > min_freq

# mistake min_freq_ignored (values), from plain
# Every word stays, whatever min_freq says.
# Next: Leave out words whose count is below min_freq.
#   count in counts.most_common() if count >= min_freq and => _ in counts.most_common() if

# mistake specials_fixed (values), from most_common
# The four usual specials are built in; the argument `specials` is ignored.
# Next: Use the parameter, and try `specials=()`.
#   {word: index for index, word in enumerate(specials)} => {"<pad>": 0, "<unk>": 1, "<bos>": 2, "<eos>": 3}

# mistake specials_last (values), from plain
# The specials stand behind the words.
# Next: Give the specials ids 0, 1, 2, … before any word gets one.
#   *specials, *words => *words, *specials

# mistake special_in_text_moves (values), from plain
# A special that occurs in the text is given a second, later id, and leaves a hole.
# Next: Skip words that are specials when you hand out the words' ids.
#   count >= min_freq and word not in specials => count >= min_freq

# mistake counts_as_ids (values), from most_common
# Words map to their counts instead of to ids.
# Next: Number the sorted words with `enumerate`.
#   len(vocab) => count

# mistake special_is_overwritten (values), from most_common
# A special that occurs in the text is given a new id, which the next word then shares.
# Next: Give an id only to words that have none: `if word not in vocab`.
#   count >= min_freq and word not in vocab => count >= min_freq

# mistake special_leaves_a_hole (values), from most_common
# A special that occurs in the text keeps its id and uses a number up all the same: the ids have a hole.
# Next: Number the words after the specials among them are gone, or take `len(vocab)` as the next id.
#   -    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
#   +    counts = Counter(word for sentence in sentences for word in sentence.split())
#   +    for index, (word, count) in enumerate(counts.most_common(), start=len(specials)):
#   len(vocab) => index

# mistake usual_specials_skipped (values), from plain
# Words that look like a special are left out, although `specials` does not name them.
# Next: Compare with the argument `specials`, not with names or brackets of your own.
#        counts = Counter(word for sentence in sentences for word in sentence.split())
#   +    for special in ("<pad>", "<unk>", "<bos>", "<eos>"):
#   +        counts.pop(special, None)

# mistake no_specials_means_the_usual (values), from plain
# An empty `specials` is taken for a missing one, and the usual four come back.
# Next: `specials or …` replaces an empty tuple too; the default belongs in the signature.
#    def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
#   +    specials = specials or ("<pad>", "<unk>", "<bos>", "<eos>")

# mistake sentences_counted (values), from plain
# It is counted in how many sentences a word occurs, not how often.
# Next: Count every occurrence: “狗 狗” counts two.
#   sentence.split() => dict.fromkeys(sentence.split())

# mistake ids_to_words (values), from plain
# The dict runs from id to word; it should lead from a word to its id.
# Next: Swap key and value: `{word: index for index, word in enumerate(…)}`.
#   {word: index for index, word in enumerate([*specials, *words])} => dict(enumerate([*specials, *words]))


# mistake ties_by_last_appearance (values)
# Words of one frequency stand in the order in which they were last seen; the first appearance decides.
# Next: Add to the count that is there: taking a key out of a dict and putting it back moves it to the end.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = {}
    for sentence in sentences:
        for word in sentence.split():
            counts[word] = counts.pop(word, 0) + 1
    order = sorted(counts, key=counts.get, reverse=True)
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


# mistake ties_by_reaching_min_freq (values)
# Words of one frequency stand in the order in which they reached min_freq; the first appearance decides.
# Next: Note a word when it is first seen, and leave the rare ones out at the end.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts, kept = Counter(), []
    for sentence in sentences:
        for word in sentence.split():
            counts[word] += 1
            if counts[word] == min_freq and word not in specials:
                kept.append(word)
    kept.sort(key=lambda word: -counts[word])
    return {word: index for index, word in enumerate([*specials, *kept])}


# mistake specials_must_be_frequent (values)
# A special that occurs in the text fewer than min_freq times is left out; specials always stay.
# Next: Apply min_freq to the words alone.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    names = [name for name in specials if counts.get(name, min_freq) >= min_freq]
    names += [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {name: index for index, name in enumerate(names)}


# mistake specials_only_as_a_tuple (raises), from plain
# `specials + words` joins two tuples; where specials is a list, it raises.
# Next: `[*specials, *words]` takes any sequence.
#   [*specials, *words] => specials + tuple(words)

# mistake specials_extended (property), from plain
# `specials += words` makes a new tuple, but lengthens a list: the caller's own.
# Next: Build a new list, `[*specials, *words]`.
#   -    return {word: index for index, word in enumerate([*specials, *words])}
#   +    specials += tuple(words)
#   +    return {word: index for index, word in enumerate(specials)}


# mistake first_place_in_the_text (values)
# A word's first position is looked for in the text, where it may stand inside a longer word before.
# Next: Look for the first position in the list of words; or sort by frequency alone, since `sorted` is stable.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    counts = Counter(text.split())
    words = [word for word in counts if counts[word] >= min_freq and word not in specials]
    words.sort(key=lambda word: (-counts[word], text.index(word)))
    return {word: index for index, word in enumerate([*specials, *words])}


# mistake begins_like_a_special (values), from plain
# Words that only begin like a special are left out, too.
# Next: A special is a whole word: `word in specials`.
#   word not in specials => not word.startswith(tuple(specials))

# mistake fifty_words_at_most (values), from plain
# Only the fifty most frequent words are kept; the task sets no limit.
# Next: `most_common()` without an argument gives all words.
#   counts.most_common() => counts.most_common(50)

# mistake ids_from_one (values), from plain
# The ids begin at 1; the first special has the id 0, as the first row of a table.
# Next: `enumerate` begins at 0 unless it is told otherwise.
#   [*specials, *words] => [*specials, *words], start=1

# mistake place_times_a_thousandth (values), from plain
# To break ties, you take a thousandth of a word's position off its count. From the thousandth word on, that is a whole
# occurrence.
# Next: `sorted` is stable: sort by the count alone, and equal counts keep the order of the Counter.
#   -    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
#   +    place = {word: index for index, word in enumerate(counts)}
#   +    words = [word for word in counts if counts[word] >= min_freq and word not in specials]
#   +    words.sort(key=lambda word: place[word] / 1000 - counts[word])


# mistake counts_times_a_hundred (values)
# To break ties, you count 100 for an occurrence and 1 for a position. From the hundredth word on, the position outweighs an
# occurrence.
# Next: `sorted` is stable: sort by the count alone, and equal counts keep the order of the Counter.
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    keys = {word: 100 * count - place for place, (word, count) in enumerate(counts.items())}
    words = sorted((word for word in counts if counts[word] >= min_freq and word not in specials), key=keys.get, reverse=True)
    return {word: index for index, word in enumerate([*specials, *words])}
