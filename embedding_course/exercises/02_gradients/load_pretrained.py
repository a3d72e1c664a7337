"""Pretrained vectors: what is known is copied, what is not is drawn, and draws are judged by their distribution."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, RandomInputs

_STD = 0.02


def _run(
    candidate: Callable[..., Any],
    vocab: dict[str, int],
    vectors: Mapping[str, Any],
    dim: int,
    padding_idx: int | None,
    report: str,
    drawn: Sequence[int],
    seed: int | None,
) -> NamedParts:
    """Call the answer, and report what does not depend on the random draw: the rows in `drawn` are left out of the matrix.

    A `padding_idx` or `seed` of None leaves that argument to its default.
    """
    if report == "numpy vectors":
        vectors = {word: np.array(vector, dtype=np.float64) for word, vector in vectors.items()}
    options = {} if padding_idx is None else {"padding_idx": padding_idx}

    def call(generator: torch.Generator | None) -> tuple[Any, Any]:
        extra = {} if generator is None else {"generator": generator}
        result = candidate(vocab, vectors, dim, **options, **extra)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise TypeError(f"two things should be returned, (matrix, found); it was of type {type(result).__name__}")
        return result[0], result[1]

    with torch.random.fork_rng(devices=[]):
        # torch.manual_seed also writes down the stack for every kind of device there might be: half a millisecond
        number = 20 if seed is None else seed
        torch.default_generator.manual_seed(number)
        generator = None if report == "global" else _seeded(seed)
        matrix, found = call(generator)
        parts = _statistics(matrix, drawn) if report == "statistics" else NamedParts({"matrix": _blanked(matrix, drawn)})
        parts["found"] = found
        if report == "repeats":
            again, same, other = call(generator), call(_seeded(number)), call(_seeded(number + 1))
            shares = {"from the same generator": again, "with the same seed": same, "with another seed": other}
        elif report == "global":
            torch.default_generator.manual_seed(number)
            same = call(None)
            torch.default_generator.manual_seed(number + 1)
            shares = {"after the same torch.manual_seed": same, "after another torch.manual_seed": call(None)}
        else:
            shares = {}
        for when, (drawn_again, _) in shares.items():
            parts[f"fraction of equal numbers in a second draw {when}"] = _share_equal(matrix, drawn_again, drawn)
    return parts


def _seeded(number: int | None) -> torch.Generator | None:
    return None if number is None else torch.Generator().manual_seed(number)


def _blanked(matrix: Any, drawn: Sequence[int]) -> Any:
    if not isinstance(matrix, torch.Tensor) or matrix.ndim != 2 or len(matrix) <= max(drawn, default=0):
        return matrix
    matrix = matrix.detach().clone()
    matrix[list(drawn)] = 0
    return matrix


def _statistics(matrix: torch.Tensor, drawn: Sequence[int]) -> NamedParts:
    rows = matrix.detach()[list(drawn)].double()
    return NamedParts({
        "shape of the matrix": list(matrix.shape),
        "mean of the drawn rows": rows.mean().item(),
        "standard deviation of the drawn rows": rows.std().item(),
        "fraction of the drawn numbers within 0.02": (rows.abs() < _STD).double().mean().item(),
        "fraction of different numbers among the drawn ones": rows.unique().numel() / max(rows.numel(), 1),
    })


def _share_equal(first: Any, second: Any, drawn: Sequence[int]) -> float:
    """Return the share of the drawn numbers that two tables have in common; 0 if their shapes differ."""
    if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor) or first.shape != second.shape:
        return 0.0
    return (first[list(drawn)] == second[list(drawn)]).double().mean().item()


def _vocabulary(draw: RandomInputs, words: Sequence[str]) -> dict[str, int]:
    """Return a dict from word to id, with ids 0 ... V-1 in the order of `words` but its items in another order."""
    ids = {word: row for row, word in enumerate(words)}
    order = list(reversed(words)) if len(words) < 3 else draw.shuffled(words)
    while len(words) > 2 and [ids[word] for word in order] == sorted(ids.values()):
        order = draw.shuffled(words)
    return {word: ids[word] for word in order}


def _load_pretrained_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        words: Sequence[str],
        vectors: Mapping[str, Any],
        dim: int,
        criterion: str,
        drawn: Sequence[str] = (),
        *,
        padding_idx: int | None = None,
        seed: int | None = None,
        report: str = "",
        because: str = "",
    ) -> Case:
        vocab = _vocabulary(draw, words)
        args = {
            "vocab": vocab, "vectors": dict(vectors), "dim": dim, "padding_idx": padding_idx, "report": report,
            "drawn": [vocab[word] for word in drawn], "seed": seed,
        }
        more = "" if padding_idx is None else f", padding_idx={padding_idx}"
        more += "" if seed is None or report == "global" else f", generator=torch.Generator().manual_seed({seed})"
        kinds = " as arrays" if report == "numpy vectors" else ""
        call = f"load_pretrained(vocab, vectors, {dim}{more}) with {len(vocab)} words and {len(vectors)} vectors{kinds}"
        call += f", after torch.manual_seed({seed})" if report == "global" else ""
        return Case(name, args, criterion, call=call, because=because)

    def vector(dim: int) -> list[float]:
        return [round(float(number), 4) for number in draw.rng.standard_normal(dim)]

    def table(words: Sequence[str], dim: int) -> dict[str, list[float]]:
        return {word: vector(dim) for word in words}

    dim = draw.choice((3, 5))
    *words, outside, other = draw.words(9)
    words = ["<pad>", *words]
    known, new = words[1:5], words[5:]

    vectors = table(draw.shuffled([*known, outside]), dim)
    yield case("some words known", words, vectors, dim, "known words", new,
               because="The row of a word is its id, whatever the order of the dict.").trying(
        "word -> id", "word -> vector", "returns", "Rows of known")
    yield case("all words known", words, table(words[1:], dim), dim, "known words").trying("Rows of known")
    yield case("as many words as columns", words[:5], table(known[:2], 5), 5, "known words", known[2:]).trying(
        "dim d, the width")
    example = {
        "vocab": {"<pad>": 0, "cat": 2, "dog": 1}, "vectors": {"cat": [1.0, 2.0]}, "dim": 2,
        "padding_idx": None, "report": "", "drawn": [1], "seed": None,
    }
    call = f"load_pretrained({example['vocab']}, {example['vectors']}, 2)"
    yield Case("docstring example", example, "known words", call=call).trying("word -> id")

    padded = {**vectors, "<pad>": vector(dim)}
    yield case("the padding word has a vector", words, padded, dim, "padding", new,
               because="The padding row is zero and not found, whatever vectors holds.")
    yield case("padding in another row", words, padded, dim, "padding", new, padding_idx=2,
               because="padding_idx names the row; row 0 is then one like any other.")
    yield case("padding in the last row, new to the vectors", words, padded, dim, "padding", new[:-1],
               padding_idx=len(words) - 1)

    many = [f"word{number}" for number in range(101)]
    seeded, unseeded = draw.seed(), draw.seed()
    yield case("a hundred new words", many, {"elsewhere": vector(97)}, 97, "new words", many[1:], seed=seeded,
               report="statistics", because="New words are normal with mean 0 and std 0.02.").trying("rows of new")
    some = table(many[40:43], 97)
    yield case("new words among known ones, no generator", many, some, 97, "new words", many[1:40] + many[43:],
               report="statistics").trying("rows of new")
    yield case("equal and unequal generators", words, vectors, dim, "new words", new, seed=unseeded, report="repeats",
               because="All random numbers come from the given generator, which moves on.").trying("generator")
    yield case("no generator: torch's global one", words, vectors, dim, "new words", new, seed=unseeded, report="global",
               because="Without a generator, torch.manual_seed decides what is drawn.").trying("None means")
    capital = [*words, "Bank"]
    yield case("a word that differs by a capital", capital, {**vectors, "bank": vector(dim)}, dim, "new words",
               [*new, "Bank"], because="A word is known when vectors holds exactly that word.").trying("Rows of known")

    yield case("no word known", words, table([outside, other], dim), dim, "vectors", words[1:]).trying("words outside")
    yield case("no vectors at all", words, {}, dim, "vectors", words[1:]).trying("dim d, the width", "returns")
    tensors = {word: draw.normal(dim, dtype=draw.choice((torch.float32, torch.float64))) for word in words[2:6]}
    yield case("vectors as tensors", words, tensors, dim, "vectors", [words[1], *words[6:]], seed=draw.seed()).trying(
        "word -> vector", "returns")
    yield case("vectors as numpy arrays", words, vectors, dim, "vectors", new, report="numpy vectors").trying("word -> vector")
    yield case("a known word whose vector is zero", words, {**vectors, known[1]: [0.0] * dim}, dim, "vectors", new,
               because="A word is known when vectors holds it, whatever numbers its vector has.").trying("Rows of known")
    strangers = table([f"{other}{number}" for number in range(2 * len(words))], dim + 1)
    loud = {**vectors, outside: vector(dim + 2), other: [], **strangers}
    yield case("many vectors of another width outside the vocabulary", words, loud, dim, "vectors", new,
               because="Words that are not in the vocabulary do not matter.").trying("words outside")
    whole = {word: [draw.integer(1, 9) for _ in range(dim)] for word in known}
    yield case("vectors of whole numbers", words, whole, dim, "vectors", new,
               because="The table is float32 all the same.").trying("word -> vector", "returns")

    because = "The vector of a word in the vocabulary has another width than dim: that must raise ValueError."

    def refused(name: str, vectors: Mapping[str, Any], drawn: Sequence[str] = new, report: str = "") -> Case:
        return case(name, words, vectors, dim, "vectors", drawn, report=report, because=because).trying("Raises ValueError")

    for name, width in (("a vector that is too long", dim + 1), ("a vector that is too short", dim - 1),
                        ("a vector of one number", 1)):
        yield refused(name, {**vectors, draw.choice(known): vector(width)})
    yield refused("a known word with an empty vector", {**vectors, known[1]: []})
    padding = {**vectors, "<pad>": vector(dim + 1)}
    yield case("the padding word has a vector that is too long", words, padding, dim, "vectors", new,
               because="The padding word is a word of the vocabulary, too.").trying("the padding")
    yield refused("every vector is too long", table([*known, outside], dim + 1))
    yield refused("every vector is one number", table(words[1:], 1), ())
    yield refused("a tensor of one number", {**tensors, words[3]: draw.normal(1)}, [words[1], *words[6:]])
    yield refused("a numpy array that is too long", {**vectors, known[1]: vector(dim + 2)}, report="numpy vectors")


load_pretrained = Exercise(
    id="02.load_pretrained",
    title="Starting from pretrained vectors",
    why="Tables often start from published vectors, and words without a vector need a row too.",
    difficulty=2,
    minutes=15,
    criteria=(
        Criterion("known words", 1, "known words get their vectors, in the row of their id", tries=("the ids are 0",)),
        Criterion("padding", 1, "the padding row is zero and not found", tries=("padding_idx",)),
        Criterion("new words", 1, "new words are drawn with std 0.02, from the generator that is given or torch's own"),
        Criterion("vectors", 1, "vectors of any kind are taken, those of another width refused, if their word is known"),
    ),
    hints=(
        "First make a matrix in which every word is new. Then overwrite the rows of known words, and the padding row last.",
        "The vocabulary says which row: `for word, row in vocab.items()`. The order of the dict means nothing.",
        "A vector may be a list, an array or a tensor. `torch.as_tensor` takes all three, and a dtype.",
        "Compare the shape of the vector with (dim,) before you assign it. A row accepts a single number without an error.",
    ),
    cases=_load_pretrained_cases,
    of_driver=("report", "drawn", "seed"),
    run=_run,
    compare=Comparison(tolerances={
        # Two samples of some 9,700 normal numbers differ by less than this but for eight standard errors.
        "mean of the drawn rows": 0.0023,
        "standard deviation of the drawn rows": 0.0016,
        "fraction of the drawn numbers within 0.02": 0.055,
        "fraction of different numbers among the drawn ones": 0.03,
    }),
)
