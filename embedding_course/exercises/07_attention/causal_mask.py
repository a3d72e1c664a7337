"""The mask that hides the future: cases and comparison."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs


def _causal_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, length: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"length": length}, criterion, because=because)

    rows = "Row i is the query at position i: it may attend to the positions 0 to i, its own included."
    yield case("five positions", 5, "triangle", rows)
    yield case("some positions", draw.integer(6, 40), "triangle", rows)
    yield case("more positions", draw.integer(41, 120), "triangle", rows)
    yield case("still more positions", draw.integer(121, 250), "triangle", rows)
    yield case("docstring example", 3, "any length", rows).trying("returns")
    yield case("one position", 1, "any length", "The only position attends to itself.")
    yield case("two positions", 2, "any length", rows)
    yield case("many positions", draw.choice((293, 307, 311)), "any length", "A mask has no largest length.")


causal_mask = Exercise(
    id="07.causal_mask",
    title="No look into the future",
    why="A model that predicts the next word must not see it: this triangle hides it.",
    difficulty=1,
    minutes=6,
    core=False,
    criteria=(
        Criterion("triangle", 1, "position i may attend to itself and to what came before, and to nothing else",
                  tries=("returns",)),
        Criterion("any length", 1, "bool masks of any length", tries=("length how many",)),
    ),
    hints=(
        "Draw it for three words. The first word may see one word, itself. How many may the third one see?",
        "Rows are queries, columns are keys: the allowed columns of row i are those with an index of at most i.",
        "Compare a column of positions with a row of positions by broadcasting, or keep the lower triangle of a square "
        "matrix, its diagonal included; the result must be bool.",
    ),
    cases=_causal_cases,
)
