"""Wrong answers to build_vocab by name: order, options, specials."""

from collections import Counter

from grader.course_source.catalogue import altered, base, mistake


@mistake(
    "01.build_vocab", "order_of_appearance", stage="values",
    diagnosis="Words get their ids as they come along; frequent words should come first.",
    next_step="Count all words first and give out ids afterwards.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {word: index for index, word in enumerate(specials)}
    counts = Counter(" ".join(sentences).split())
    for word in counts:
        if counts[word] >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


@base("plain")
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "rare_words_first", "plain",
    {", count in counts.most_common() if count": " in sorted(counts, key=counts.get) if counts[word]"},
    stage="values",
    diagnosis="The sort runs from rare to frequent.",
    next_step="Sort by falling count: `reverse=True`, or the negative count as key. What does that do to ties?",
)


@mistake(
    "01.build_vocab", "ties_by_alphabet", stage="values",
    diagnosis="Words of one frequency are sorted by their letters; they should keep the order of first appearance.",
    next_step="Sort by the count alone; a stable sort leaves ties as they were.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    order = sorted(counts, key=lambda word: (-counts[word], word))
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "ties_reversed", stage="values",
    diagnosis="Words of one frequency come in reverse: the last to appear stands first.",
    next_step="Reverse the key (-count), not the sorted list: reversing the list turns ties round as well.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    order = sorted(counts, key=lambda word: counts[word])[::-1]
    words = [word for word in order if counts[word] >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "min_freq_exclusive", "plain", {">= min_freq": "> min_freq"}, stage="values",
    diagnosis="Words counted exactly min_freq times are dropped; they should stay.",
    next_step="“At least” is >=.",
)

altered(
    "01.build_vocab", "min_freq_ignored", "plain",
    {"count in counts.most_common() if count >= min_freq and": "_ in counts.most_common() if"},
    stage="values",
    diagnosis="Every word stays, whatever min_freq says.",
    next_step="Leave out words whose count is below min_freq.",
)


@mistake(
    "01.build_vocab", "specials_fixed", stage="values",
    diagnosis="The four usual specials are built in; the argument `specials` is ignored.",
    next_step="Use the parameter, and try `specials=()`.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    vocab = {"<pad>": 0, "<unk>": 1, "<bos>": 2, "<eos>": 3}
    for word, count in Counter(w for s in sentences for w in s.split()).most_common():
        if count >= min_freq and word not in vocab:
            vocab[word] = len(vocab)
    return vocab


altered(
    "01.build_vocab", "specials_last", "plain", {"specials, *words": "words, *specials"}, stage="values",
    diagnosis="The specials stand behind the words.",
    next_step="Give the specials ids 0, 1, 2, … before any word gets one.",
)

altered(
    "01.build_vocab", "special_in_text_moves", "plain", {" and word not in specials": ""}, stage="values",
    diagnosis="A special that occurs in the text is given a second, later id, and leaves a hole.",
    next_step="Skip words that are specials when you hand out the words' ids.",
)


@mistake(
    "01.build_vocab", "counts_as_ids", stage="values",
    diagnosis="Words map to their counts instead of to ids.",
    next_step="Number the sorted words with `enumerate`.",
)
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
)
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
)
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
)
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
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    specials = specials or ("<pad>", "<unk>", "<bos>", "<eos>")
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "sentences_counted", "plain",
    {"sentence.split()": "dict.fromkeys(sentence.split())"},
    stage="values",
    diagnosis="It is counted in how many sentences a word occurs, not how often.",
    next_step="Count every occurrence: “狗 狗” counts two.",
)

altered(
    "01.build_vocab", "ids_to_words", "plain",
    {"{word: index for index, word in enumerate([*specials, *words])}": "dict(enumerate([*specials, *words]))"},
    stage="values",
    diagnosis="The dict runs from id to word; it should lead from a word to its id.",
    next_step="Swap key and value: `{word: index for index, word in enumerate(…)}`.",
)


@mistake(
    "01.build_vocab", "ties_by_last_appearance", stage="values",
    diagnosis="Words of one frequency stand in the order in which they were last seen; the first appearance decides.",
    next_step="Add to the count that is there: taking a key out of a dict and putting it back moves it to the end.",
)
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
)
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
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    names = [name for name in specials if counts.get(name, min_freq) >= min_freq]
    names += [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {name: index for index, name in enumerate(names)}


altered(
    "01.build_vocab", "specials_only_as_a_tuple", "plain",
    {"[*specials, *words]": "specials + tuple(words)"},
    stage="raises",
    diagnosis="`specials + words` joins two tuples; where specials is a list, it raises.",
    next_step="`[*specials, *words]` takes any sequence.",
)


@mistake(
    "01.build_vocab", "specials_extended", stage="property",
    diagnosis="`specials += words` makes a new tuple, but lengthens a list: the caller's own.",
    next_step="Build a new list, `[*specials, *words]`.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    specials += tuple(words)
    return {word: index for index, word in enumerate(specials)}


@mistake(
    "01.build_vocab", "first_place_in_the_text", stage="values",
    diagnosis="A word's first position is looked for in the text, where it may stand inside a longer word before.",
    next_step="Look for the first position in the list of words; or sort by frequency alone, since `sorted` is stable.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    text = " ".join(sentences)
    counts = Counter(text.split())
    words = [word for word in counts if counts[word] >= min_freq and word not in specials]
    words.sort(key=lambda word: (-counts[word], text.index(word)))
    return {word: index for index, word in enumerate([*specials, *words])}


altered(
    "01.build_vocab", "begins_like_a_special", "plain",
    {"word not in specials": "not word.startswith(tuple(specials))"},
    stage="values",
    diagnosis="Words that only begin like a special are left out, too.",
    next_step="A special is a whole word: `word in specials`.",
)

altered(
    "01.build_vocab", "fifty_words_at_most", "plain", {"most_common()": "most_common(50)"}, stage="values",
    diagnosis="Only the fifty most frequent words are kept; nobody asked for a limit.",
    next_step="`most_common()` without an argument gives all words.",
)


altered(
    "01.build_vocab", "ids_from_one", "plain", {"enumerate([*specials, *words])": "enumerate([*specials, *words], start=1)"},
    stage="values",
    diagnosis="The ids begin at 1; the first special has the id 0, as the first row of a table.",
    next_step="`enumerate` begins at 0 unless it is told otherwise.",
)


@mistake(
    "01.build_vocab", "place_times_a_thousandth", stage="values",
    diagnosis="A thousandth of a word's place is taken off its count, to decide between equals. From the thousandth word on "
    "that is a whole occurrence.",
    next_step="`sorted` is stable: sort by the count alone, and equal counts keep the order of the Counter.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    place = {word: index for index, word in enumerate(counts)}
    words = [word for word in counts if counts[word] >= min_freq and word not in specials]
    words.sort(key=lambda word: place[word] / 1000 - counts[word])
    return {word: index for index, word in enumerate([*specials, *words])}


@mistake(
    "01.build_vocab", "counts_times_a_hundred", stage="values",
    diagnosis="A count weighs a hundred, a word's place one, to decide between equals. From the hundredth word on its place "
    "weighs more than an occurrence.",
    next_step="`sorted` is stable: sort by the count alone, and equal counts keep the order of the Counter.",
)
def build_vocab(sentences, min_freq=1, specials=("<pad>", "<unk>", "<bos>", "<eos>")):
    counts = Counter(word for sentence in sentences for word in sentence.split())
    keys = {word: 100 * count - place for place, (word, count) in enumerate(counts.items())}
    words = sorted((word for word in counts if counts[word] >= min_freq and word not in specials), key=keys.get, reverse=True)
    return {word: index for index, word in enumerate([*specials, *words])}
