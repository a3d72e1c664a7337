"""How often each label occurs: cases and comparison."""

from collections.abc import Iterator

import numpy as np

from embedding_course.checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, labels: np.ndarray, size: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"labels": labels, "size": size}, criterion, because=because)

    size = draw.integer(5, 8)
    yield case("labels with repeats", draw.ids(3 * size, size - 1), size, "counts")
    yield case("each label once", draw.distinct(size, size), size, "counts")
    absent = "A label that is not there has the count 0."
    yield case("the last labels are missing", draw.ids(2 * size, 2), size, "missing", absent)
    yield case("no labels", draw.ids(0, size), size, "missing")
    refuse = "Labels run from 0 to size - 1; others must raise ValueError."
    for name, bad in (("the label that is size", size), ("a label far above", size + 30), ("the label -1", -1)):
        labels = draw.ids(2 * size, size)
        labels[draw.integer(1, size)] = bad
        yield case(name, labels, size, "range", refuse)


count_labels = Exercise(
    id="02.count_labels",
    title="How often each label occurs",
    why="Before one believes a mean over classes, one asks how large the classes are.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("counts", 1, "the count of each label, as int64"),
        Criterion("missing", 1, "labels that do not occur have the count 0"),
        Criterion("range", 1, "labels outside the range raise ValueError"),
    ),
    hints=(
        "Which entry of the result belongs to the label 3?",
        "`np.bincount` counts; without `minlength` it ends at the largest label that occurs.",
    ),
    cases=_cases,
)
