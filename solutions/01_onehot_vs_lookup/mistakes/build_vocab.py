"""Wrong answers to build_vocab by name: order, options, specials."""

from collections import Counter

from grader.course_source.catalogue import mistake


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


@mistake(
    "01.build_vocab", "special_is_overwritten", stage="values",
    diagnosis="A special that occurs in the text is given a new id, which the next word then shares.",
    next_step="Give an id only to words that have none: `if word not in vocab`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
        if count >= min_freq:
            vocab[word] = len(vocab)
    return vocab


@mistake(
    "01.build_vocab", "special_leaves_a_hole", stage="values",
    diagnosis="A special that occurs in the text keeps its id and uses a number up all the same: the ids have a hole.",
    next_step="Number the words after the specials among them are gone, or take `len(vocab)` as the next id.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    counts = Counter(word for sentence in sentences for word in sentence.split())
    for index, (word, count) in enumerate(counts.most_common(), start=len(specials)):
        if count >= min_freq and word not in vocab:
            vocab[word] = index
    return vocab


@mistake(
    "01.build_vocab", "usual_specials_skipped", stage="values",
    diagnosis="Words that look like a special are left out, although `specials` does not name them.",
    next_step="Compare with the argument `specials`, not with names or brackets of your own.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    for special in ("<pad>", "<unk>", "<bos>", "<eos>"):
        counts.pop(special, None)
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "no_specials_means_the_usual", stage="values",
    diagnosis="An empty `specials` is taken for a missing one, and the usual four come back.",
    next_step="`specials or …` replaces an empty tuple too; the default belongs in the signature.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    specials = specials or ("<pad>", "<unk>", "<bos>", "<eos>")
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "sentences_counted", stage="values",
    diagnosis="It is counted in how many sentences a word occurs, not how often.",
    next_step="Count every occurrence: “狗 狗” counts two.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in dict.fromkeys(sentence.split()))
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "ids_to_words", stage="values",
    diagnosis="The dict runs from id to word; it should lead from a word to its id.",
    next_step="Swap key and value: `{word: index for index, word in enumerate(…)}`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return dict(enumerate([*specials, *words]))


@mistake(
    "01.build_vocab", "ties_by_last_appearance", stage="values",
    diagnosis="Words of one frequency stand in the order in which they were last seen; the first appearance decides.",
    next_step="Add to the count that is there: taking a key out of a dict and putting it back moves it to the end.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = {}
    for sentence in sentences:
        for word in sentence.split():
            counts[word] = counts.pop(word, 0) + 1
    order = sorted(counts, key=counts.get, reverse=True)
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "ties_by_reaching_min_freq", stage="values",
    diagnosis="Words of one frequency stand in the order in which they reached min_freq; the first appearance decides.",
    next_step="Note a word when it is first seen, and leave the rare ones out at the end.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts, kept = Counter(), []
    for sentence in sentences:
        for word in sentence.split():
            counts[word] += 1
            if counts[word] == min_freq and word not in specials:
                kept.append(word)
    kept.sort(key=lambda word: -counts[word])
    return {word: index for index, word in enumerate([*specials, *kept])}


@mistake(
    "01.build_vocab", "specials_must_be_frequent", stage="values",
    diagnosis="A special that occurs in the text fewer than min_freq times is left out; specials always stay.",
    next_step="Apply min_freq to the words alone.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    names = [name for name in specials if counts.get(name, min_freq) >= min_freq]
    names += [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {name: index for index, name in enumerate(names)}


@mistake(
    "01.build_vocab", "specials_only_as_a_tuple", stage="raises",
    diagnosis="`specials + words` joins two tuples; where specials is a list, it raises.",
    next_step="`[*specials, *words]` takes any sequence.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate(specials + tuple(words))}


@mistake(
    "01.build_vocab", "specials_extended", stage="property",
    diagnosis="`specials += words` makes a new tuple, but lengthens a list: the caller's own.",
    next_step="Build a new list, `[*specials, *words]`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    specials += tuple(words)
    return {word: index for index, word in enumerate(specials)}


@mistake(
    "01.build_vocab", "first_place_in_the_text", stage="values",
    diagnosis="A word's first position is looked for in the text, where it may stand inside a longer word before.",
    next_step="Look for the first position in the list of words; or sort by frequency alone, since `sorted` is stable.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    counts = Counter(text.split())
    words = [word for word in counts if counts[word] >= min_freq and word not in specials]
    words.sort(key=lambda word: (-counts[word], text.index(word)))
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "begins_like_a_special", stage="values",
    diagnosis="Words that only begin like a special are left out, too.",
    next_step="A special is a whole word: `word in specials`.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and not word.startswith(tuple(specials))]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "fifty_words_at_most", stage="values",
    diagnosis="Only the fifty most frequent words are kept; nobody asked for a limit.",
    next_step="`most_common()` without an argument gives all words.",
)  # fmt: skip
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common(50) if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}
