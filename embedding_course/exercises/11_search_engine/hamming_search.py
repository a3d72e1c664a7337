"""Search by the number of differing bits: cases."""

from collections.abc import Callable, Iterator, Sequence

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _table(rows: Sequence[set[int]], size: int) -> torch.Tensor:
    """Return codes of `size` bytes; each of the rows holds the bits that are 1."""
    codes = torch.zeros(len(rows), size, dtype=torch.uint8)
    for row, bits in enumerate(rows):
        for bit in bits:
            codes[row, bit // 8] += 2 ** (bit % 8)
    return codes


def _some(draw: RandomInputs, size: int, count: int | None = None) -> set[int]:
    """Return `count` random positions out of 8 * size bits; a random number of them without `count`."""
    return set(draw.distinct(draw.integer(0, 8 * size) if count is None else count, 8 * size).tolist())


def _apart(draw: RandomInputs, queries: int, codes: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return queries and codes in which all codes have different distances from each query, none of them 0.

    Not all queries have the same nearest code.
    """
    while True:
        asked = [_some(draw, size) for _ in range(queries)]
        kept: list[set[int]] = []
        taken = [{0} for _ in asked]
        for _ in range(200):
            new = _some(draw, size)
            apart = [len(query ^ new) for query in asked]
            if len(kept) < codes and all(bits not in some for bits, some in zip(apart, taken, strict=True)):
                kept.append(new)
                for bits, some in zip(apart, taken, strict=True):
                    some.add(bits)
            if len(kept) == codes:
                break
        nearest = {min(range(len(kept)), key=lambda number: len(query ^ kept[number])) for query in asked}
        if len(kept) == codes and len(nearest) > (queries > 1 and codes > 1):
            return _table(asked, size), _table(kept, size)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, both: tuple[torch.Tensor, torch.Tensor], k: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"queries": both[0], "codes": both[1], "k": k}, criterion, because=because)

    bits = "What counts is in how many bits two codes differ."
    yield case("codes of five bytes", _apart(draw, 3, 7, 5), 3, "nearest", bits)
    yield case("codes of one byte", _apart(draw, 2, 4, 1), 2, "nearest", bits)
    yield case("the nearest alone", _apart(draw, 5, 7, 11), 1, "nearest", bits)
    yield case("all of them in order", _apart(draw, 2, 11, 13), 11, "nearest", bits)
    yield case("as many queries as codes", _apart(draw, 5, 5, 7), 4, "nearest", bits)
    yield case("more queries than codes", _apart(draw, 7, 5, 6), 2, "nearest", bits)
    yield case("as many codes as bytes", _apart(draw, 3, 7, 7), 5, "nearest", bits)
    yield from _few_large(draw, case)
    codes = torch.tensor([[0b11110000], [0b00000111], [0b00000001]], dtype=torch.uint8)
    example = torch.tensor([[0b00000000], [0b11110011]], dtype=torch.uint8), codes
    yield case("docstring example", example, 2, "nearest")
    yield from _equal(draw, case)

    missing = "Where there are fewer than k codes, -1 stands at the end."
    yield case("k above the number of codes", _apart(draw, 3, 5, 5), 8, "missing", missing).trying("it may exceed")
    yield case("k above the number of codes by one", _apart(draw, 2, 7, 5), 8, "missing", missing).trying("it may exceed")
    nothing = _apart(draw, 3, 2, 5)[0], torch.zeros(0, 5, dtype=torch.uint8)
    yield case("no codes", nothing, 2, "missing", missing).trying("N may be 0")
    sample = torch.tensor([[0b00001000]], dtype=torch.uint8), codes
    yield case("docstring example 2", sample, 4, "missing", missing)

    yield case("a single query", _apart(draw, 1, 7, 5), 3, "sizes")
    yield case("a single code", _apart(draw, 3, 1, 5), 1, "sizes")
    yield case("codes of two bytes", _apart(draw, 2, 5, 2), 3, "sizes")
    yield case("far more than 255 bits apart", _long(draw), 5, "sizes", "A distance can be larger than a byte can hold.")
    gaps = _apart(draw, 3, 7, 5)
    yield case("gaps in memory", (strided(gaps[0]), strided(gaps[1])), 3, "sizes")


def _few_large(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    """Yield cases with bytes that are far apart as numbers but differ in one bit, and near ones that differ in many."""
    numbers = torch.tensor([[0, 0, 128], [0, 127, 0], [15, 0, 0], [1, 1, 1]], dtype=torch.uint8)
    order = draw.distinct(4, 4)
    query = torch.tensor([[0, 0, 0], [255, 255, 255]], dtype=torch.uint8)
    near = "128 and 0 differ in one bit, 127 and 0 in seven."
    yield case("numbers far apart, few bits", (query, numbers[order]), 4, "nearest", near)
    wide = torch.tensor([[7, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 31], [64, 2, 4, 8]], dtype=torch.uint8)
    yield case(
        "several bytes or several bits",
        (wide[:1] * 0, wide[draw.distinct(4, 4)]),
        3,
        "nearest",
        "Count the bits, not the bytes that differ.",
    )


def _equal(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    first = "Of codes that are equally far away, the one with the smaller number comes first."
    asked, codes = _apart(draw, 3, 5, 5)
    yield case("every code stored twice", (asked, codes.repeat(2, 1)), 7, "equal", first)
    yield case("codes equal to the query", (codes[:2], torch.cat([codes, codes.flip(0)])), 3, "equal", first)
    single = _table([{bit} for bit in draw.shuffled(range(16))], 2)
    yield case("all equally far", (torch.zeros(1, 2, dtype=torch.uint8), single[:11]), 6, "equal", first)
    crowd = draw.ids((67, 1), 256).to(torch.uint8), draw.ids((3, 1), 256).to(torch.uint8)
    yield case("many codes, few distances", (crowd[1], crowd[0]), 41, "equal", first)
    yield case("twelve hundred codes", _many(draw), 20, "equal", "However many codes there are, a nearer one comes first.")
    pairs = _table([_some(draw, 3, count) for count in draw.shuffled([2, 2, 5, 5, 5, 9, 9])], 3)
    yield case("some equally far", (torch.zeros(1, 3, dtype=torch.uint8), pairs), 5, "equal", first)


def _many(draw: RandomInputs) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a query and 1200 codes of two bytes, nearly all 6 or 7 bits from the query.

    The last code is the nearest, the first one comes next.
    """
    bits = draw.distinct(16, 16).tolist()
    rows = [set(bits[: draw.integer(6, 7)]) for _ in range(1200)]
    rows[0], rows[-1] = set(bits[:4]), set(bits[:3])
    return torch.zeros(1, 2, dtype=torch.uint8), _table(rows, 2)


def _long(draw: RandomInputs) -> tuple[torch.Tensor, torch.Tensor]:
    """Return queries and codes of 512 bits.

    The distances from the first query are about 118, 180, 258, 386 and 408, in random order.
    """
    asked = _some(draw, 64, 100)
    codes = [_some(draw, 64, count) for count in draw.shuffled([30, 130, 260, 470, 505])]
    return _table([asked, set(range(512)) - asked], 64), _table(codes, 64)


hamming_search = Exercise(
    id="11.hamming_search",
    title="Search by differing bits",
    why="One bit a number is enough to find a few hundred candidates; exact vectors are then needed for these alone.",
    difficulty=2,
    minutes=10,
    criteria=(
        Criterion("nearest", 1, "the k codes that differ from the query in the fewest bits, nearest first",
                  tries=("Find for each query", "queries", "Q and b at least", "codes (N, b)", "k how many", "returns")),
        Criterion("equal", 0.75, "of codes equally far away the smaller number first", tries=("Of codes that are equally",)),
        Criterion("missing", 0.5, "-1 where there are fewer than k codes", tries=("fewer than k",)),
        Criterion("sizes", 0.25, "one query, one code, distances above 255, any memory layout",
                  tries=("queries", "Q and b at least", "codes (N, b)")),
    ),
    hints=(
        "Two steps: the distances, a table of Q rows and N columns; then the order of each row.",
        "`a ^ b` of two uint8 tensors has a 1 wherever their bits differ. With `queries[:, None]` and `codes[None]` you get "
        "all pairs at once, (Q, N, b).",
        "Bit i of a byte is `(byte >> i) & 1`. Sum over the eight bits and over the bytes; the sum must be able to exceed 255.",
        "`distance.argsort(dim=1, stable=True)[:, :k]` keeps the order of equals, which `topk` does not promise. Fill up to k "
        "columns with -1, for instance by `F.pad(..., value=-1)`.",
    ),
    cases=_cases,
)
