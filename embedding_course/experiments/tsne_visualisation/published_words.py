"""Look at published word vectors, GloVe's: an excerpt for maps, norms by frequency, hubs, and Google's analogies."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F

from ...data.files import data_file
from ...data.published import PublishedError, analogies, glove
from ...learner.own_tables import Table, read_table
from ...messages import translatable
from ..curves import Curves
from .table_health import Question, Quiz, count_answers

_KINDS = {
    "country": "france germany italy spain england russia china japan india korea vietnam iran iraq egypt nigeria kenya "
    "brazil argentina mexico canada australia poland greece turkey",
    "city": "paris berlin rome madrid london moscow beijing tokyo delhi seoul hanoi tehran baghdad cairo nairobi sydney warsaw "
    "athens istanbul chicago boston toronto shanghai amsterdam",
    "animal": "dog cat horse cow pig sheep goat chicken duck rabbit mouse rat lion tiger bear wolf fox deer elephant monkey "
    "snake fish bird whale",
    "food": "bread rice meat beef pork cheese milk butter egg eggs sugar salt soup salad fruit apple orange banana lemon "
    "tomato potato chocolate coffee tea",
    "colour": "red blue green yellow black white brown grey pink purple orange silver gold",
    "numeral": "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred "
    "thousand million billion",
    "month or day": "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday",
    "family": "mother father son daughter brother sister wife husband uncle aunt cousin nephew niece grandmother grandfather "
    "parents children baby",
    "work": "teacher doctor nurse lawyer judge engineer scientist writer poet painter musician singer actor director farmer "
    "soldier officer secretary manager professor architect journalist",
    "body": "head face eye eyes ear nose mouth teeth tongue neck shoulder arm hand hands finger leg knee foot heart lung liver "
    "brain skin blood bone",
    "sport": "football soccer baseball basketball tennis golf hockey rugby cricket boxing swimming cycling wrestling "
    "volleyball skating skiing chess athletics",
}
#: The kinds, as legends show them.
KINDS = (
    translatable("country"),
    translatable("city"),
    translatable("animal"),
    translatable("food"),
    translatable("colour"),
    translatable("numeral"),
    translatable("month or day"),
    translatable("family"),
    translatable("work"),
    translatable("body"),
    translatable("sport"),
)
#: Kind of each word of the excerpt. A word of two kinds, such as "orange", has the first of them.
KIND_OF = {word: kind for kind, words in reversed(_KINDS.items()) for word in words.split()}

_glove = cache(glove)  # A lesson loads GloVe once.

COMMONEST = 10_000  # Words whose hubs are counted.
CANDIDATES = 30_000  # Words among which an analogy's answer is searched.
NEIGHBOURS = 10
_BOUNDS = (*(round(10 ** (power / 4)) for power in range(4, 23)), 400_000)  # Ranks between which norms are summed up.


def excerpt() -> Table:
    """Return the recorded vectors of the words of `KIND_OF`, the most frequent first; GloVe itself is not needed."""
    return read_table(data_file("tables/10_glove_words.safetensors"), own=False)


def make_excerpt() -> Table:
    """Return the vectors of the words of `KIND_OF` from the published GloVe."""
    published = _glove()
    rows = sorted(published.index[word] for word in KIND_OF)
    return Table(published.vectors[rows], tuple(published.words[row] for row in rows))


def sample(most: int) -> tuple[torch.Tensor, list[Question]] | None:
    """Return unit vectors of GloVe's `CANDIDATES` most frequent words, and `most` of Google's analogies among them.

    Where GloVe or the analogies are missing, print the line that gets them, and return None.
    """
    try:
        published = _glove()
        asked = questions(published.words[:CANDIDATES], most)
    except PublishedError as error:
        print(error)
        return None
    return F.normalize(published.vectors[:CANDIDATES], dim=1), [question for listed in asked.values() for question in listed]


def questions(words: Sequence[str], most: int | None = None, seed: int = 0) -> dict[str, list[Question]]:
    """Return Google's analogies as rows (a, b, c, d) by category: those whose four words are all among `words`.

    Parameters
    ----------
    words : Sequence[str]
        The words that may be answers, in lower case.
    most : int or None, optional
        Number of questions to draw at random; None for all.
    seed : int, optional
        Seed of the draw.

    Raises
    ------
    PublishedError
        If the analogies are missing or are not the published ones.
    """
    row = {word: index for index, word in enumerate(words)}
    asked = [
        (category, tuple(row[word.lower()] for word in question))
        for category, listed in analogies().items()
        for question in listed
        if all(word.lower() in row for word in question)
    ]
    chosen = torch.randperm(len(asked), generator=torch.Generator().manual_seed(seed))[:most].sort().values
    by_category: dict[str, list[Question]] = {}
    for category, (a, b, c, d) in (asked[index] for index in chosen.tolist()):
        by_category.setdefault(category, []).append((a, b, c, d))
    return by_category


def measure_analogies(analogy: Callable[..., Any]) -> Curves:
    """Return the results of all of Google's analogies among the `CANDIDATES` most frequent words.

    `numbers`: "category: field" for the fields of `Quiz`.
    """
    published = _glove()
    unit = F.normalize(published.vectors[:CANDIDATES], dim=1)
    asked = questions(published.words[:CANDIDATES], None)
    results = {category: count_answers(unit, listed, analogy) for category, listed in asked.items()}
    numbers = {f"{name}: {field}": value for name, quiz in results.items() for field, value in quiz._asdict().items()}
    return Curves(0, 0, {}, numbers, data="GloVe, Google's analogies")


def quizzes(curves: Curves) -> dict[str, Quiz]:
    """Return the results that `measure_analogies` recorded, by category."""
    names = dict.fromkeys(name.partition(": ")[0] for name in curves.numbers)
    return {name: Quiz(*(int(curves.numbers[f"{name}: {field}"]) for field in Quiz._fields)) for name in names}


#: Labels of the spaces, and of the norms that are recorded with them.
SPACES = {
    "norm": translatable("norm"),
    "inner_product": translatable("inner product"),
    "inner_product_centred": translatable("inner product, centred"),
    "cosine": translatable("cosine"),
    "cosine_centred": translatable("cosine, centred"),
    "noise_cosine": translatable("noise, cosine"),
}


def spaces(vectors: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the vectors (n, d) in four forms, whose inner products are compared, and noise of the same shape."""
    centred = vectors - vectors.mean(dim=0)
    noise = torch.randn(vectors.shape, generator=torch.Generator().manual_seed(0))
    return {
        "inner_product": vectors,
        "inner_product_centred": centred,
        "cosine": F.normalize(vectors, dim=1),
        "cosine_centred": F.normalize(centred, dim=1),
        "noise_cosine": F.normalize(noise, dim=1),
    }


def skewness(counts: torch.Tensor) -> float:
    """Return the third central moment of the counts (n,), divided by the cube of their standard deviation.

    Examples
    --------
    >>> skewness(torch.tensor([1, 2, 3]))
    0.0
    """
    away = counts.double() - counts.double().mean()
    return float(away.pow(3).mean() / away.square().mean().pow(1.5))


def measure_geometry(occurrences: Callable[..., torch.Tensor]) -> Curves:
    """Return norms by rank of all of GloVe's words, and how often each of the `COMMONEST` words is a nearest neighbour.

    Curves "norm, median", "norm, low" and "norm, high" hold median, first and ninth decile of the norm by the middle rank.
    A curve named as in `spaces` holds (share of words, k-occurrence), from the largest down. `numbers`: "space, skewness",
    "space, never" for the share of words that are nobody's neighbour, and "space, hub: word" for its three largest.
    """
    published = _glove()
    norms = published.vectors.norm(dim=1)
    curves: dict[str, list[tuple[float, float]]] = {f"norm, {name}": [] for name in ("low", "median", "high")}
    for start, stop in zip((0, *_BOUNDS), _BOUNDS, strict=False):
        for name, share in (("low", 0.1), ("median", 0.5), ("high", 0.9)):
            curves[f"norm, {name}"].append(((max(start, 1) * stop) ** 0.5, norms[start:stop].quantile(share).item()))
    numbers: dict[str, float] = {}
    for name, x in spaces(published.vectors[:COMMONEST]).items():
        counts = occurrences(x, NEIGHBOURS)
        order = counts.sort(descending=True)
        places = torch.logspace(0, 4, 33).round().long().unique() - 1
        curves[name] = [((place + 1) / len(x), int(order.values[place])) for place in places.tolist()]
        numbers |= {f"{name}, skewness": skewness(counts), f"{name}, never": (counts == 0).float().mean().item()}
        if not name.startswith("noise"):
            hubs = zip(order.indices[:3].tolist(), order.values[:3].tolist(), strict=True)
            numbers |= {f"{name}, hub: {published.words[row]}": count for row, count in hubs}
    return Curves(0, 0, curves, numbers, SPACES, data="GloVe")


def hubs(curves: Curves) -> Mapping[str, list[tuple[str, int]]]:
    """Return the three largest hubs by space: words, and how many words have each among their nearest."""
    listed: dict[str, list[tuple[str, int]]] = {}
    for name, count in curves.numbers.items():
        space, hub, word = name.partition(", hub: ")
        if hub:
            listed.setdefault(space, []).append((word, int(count)))
    return listed
