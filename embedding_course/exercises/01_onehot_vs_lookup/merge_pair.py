"""Merging one pair: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs
from ...messages import Message


def _run(candidate: Callable[..., Any], ids: list[int], pair: tuple[int, int], new_id: int) -> NamedParts:
    """Merge, then lengthen what came back: if it is the caller's own list, the caller sees that."""
    result = candidate(ids, pair, new_id)
    merged = list(result) if isinstance(result, list) else result
    if isinstance(result, list):
        result.append(new_id)
    return NamedParts({"result": merged, "ids afterwards": ids})


def _new_list(_: Any, afterwards: Any, case: Case) -> Mismatch | None:
    if afterwards != [*case.args["ids"], case.args["new_id"]]:
        return None  # a list that the call itself has changed is noticed anyway
    message = Message("The list that came in is returned itself; a new list was asked for, which the caller may change.")
    return Mismatch("property", message)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    one, two, three, four = (int(value) for value in draw.distinct(4, 200) + 5)
    new = draw.integer(256, 400)

    def case(name: str, ids: list[int], pair: tuple[int, int], criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "pair": pair, "new_id": new}, criterion, because=because)

    yield case("one hit in the middle", [three, one, two, four], (one, two), "every hit")
    yield case("two hits", [one, two, three, one, two, four], (one, two), "every hit", "Every occurrence is replaced.").trying(
        "list of ids", "new_id")
    yield case("neighbours in the other order", [two, one, three, one, two, four], (one, two), "every hit",
               "(a, b) is another pair than (b, a).").trying("pair the two")
    yield case("hits side by side", [one, two, one, two, one], (one, two), "every hit")
    example = {"ids": [1, 2, 3, 1, 2], "pair": (1, 2), "new_id": 9}
    yield Case("docstring example", example, "every hit").trying("new_id")
    yield case("the last id is no hit", [one, two, three], (one, two), "edges", "The last id must not get lost.").trying(
        "returns")
    yield case("a hit at the end", [three, four, one, two], (one, two), "edges").trying("new_id")
    yield case("the first half at the end", [one, two, three, one], (one, two), "edges")
    yield case("no hit", [three, one, four, two], (one, two), "edges").trying("list of ids", "returns")
    yield case("the id 0", [0, one, two, 0, one, 0], (0, one), "edges", "0 is an id like any other.").trying("list of ids")
    yield case("a pair that ends in 0", [one, 0, two, one], (one, 0), "edges",
               "There is no id after the last one, not even 0.").trying("pair the two")
    yield case("no ids", [], (one, two), "edges").trying("list of ids")
    yield case("a single id", [one], (one, two), "edges").trying("list of ids")
    yield case("only the pair", [one, two], (one, two), "edges")
    big = draw.integer(70_000, 90_000)
    yield case("ids above 255", [one, big, two, 256, big, two, big], (big, two), "edges",
               "After the first merge, some ids are no longer bytes.").trying("list of ids")
    first, second = (int(value) for value in draw.distinct(2, 8) + 1)
    alike = [first + 10, second, first, second, first, 10 * second + 9]
    yield case("ids that look alike in print", alike, (first, second), "edges").trying("pair the two")
    runs = "An id belongs to one pair only: a run is replaced from the left, two by two."
    yield case("three alike", [one, one, one, two], (one, one), "runs", runs)
    yield case("four alike", [three, one, one, one, one], (one, one), "runs", runs)
    yield case("five alike and more", [one] * 5 + [two] + [one] * 2, (one, one), "runs", runs)


merge_pair = Exercise(
    id="01.merge_pair",
    title="Merge one pair",
    why="Byte-pair encoding consists of this one operation, in training and in use.",
    difficulty=2,
    minutes=16,
    criteria=(
        Criterion("every hit", 2, "all occurrences of the pair, in this order, become the new id",
                  tries=("Replace every occurrence",)),
        Criterion("edges", 1, "beginning, end, no hit, no ids, id 0, ids above 255; the input list is not changed"),
        Criterion("runs", 1, "runs of one id are replaced from left to right, two by two", tries=("an id belongs",)),
    ),
    hints=(
        "Walk along the list with an index; at each position ask whether this id and the next are the pair.",
        "After a hit go two positions on, otherwise one. A `for` loop over the ids cannot skip; `while` can.",
        "The last id has no next one. A slice `ids[i : i + 2]` may then be shorter than two.",
    ),
    cases=_cases,
    run=_run,
    compare=Comparison(rules={"ids afterwards": _new_list}),
)
