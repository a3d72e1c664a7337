"""Run as a program, with COURSE_IN_USE naming a course without torch: what is said of wrong answers whose results are arrays.

On stdout, as JSON: diagnosis and next step for each pair of a right and a wrong answer, and whether torch was imported.
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from embedding_course.checking.compare import Comparison
from embedding_course.checking.exercise import Case, Criterion, Exercise
from embedding_course.checking.judge import judge
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs

#: By name: the right answer and a wrong one.
ANSWERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "negated": (lambda x, mask: x, lambda x, mask: -x),
    "mean": (lambda x, mask: x.sum(), lambda x, mask: x.mean()),
    "mean of rows": (lambda x, mask: x.sum(1), lambda x, mask: x.mean(1)),
    "halved": (lambda x, mask: x, lambda x, mask: x / 2),
    "one more": (lambda x, mask: x, lambda x, mask: x + 1),
    "transposed": (lambda x, mask: x, lambda x, mask: x.T),
    "backwards": (lambda x, mask: x, lambda x, mask: x[:, ::-1]),
    "late": (lambda x, mask: x, lambda x, mask: np.roll(x, 1, 0)),
    "short": (lambda x, mask: x, lambda x, mask: x[:-1]),
    "flat": (lambda x, mask: x, lambda x, mask: x.ravel()),
    "sorted": (lambda x, mask: x, lambda x, mask: np.sort(x, 1)),
    "reduced": (lambda x, mask: 3 * x.max(1), lambda x, mask: 3 * x),
    "softmax": (lambda x, mask: softmax(x, 1), lambda x, mask: softmax(x, 0)),
    "counted": (
        lambda x, mask: (x * mask).sum(1, keepdims=True) * x / mask.sum(1, keepdims=True),
        lambda x, mask: (x * mask).sum(1, keepdims=True) * x,
    ),
    "masked": (lambda x, mask: x * mask, lambda x, mask: x + 9 * ~mask),
    "an input": (lambda x, mask: 2 * x, lambda x, mask: x),
    "float32": (lambda x, mask: x, lambda x, mask: x.astype(np.float32)),
    "a list": (lambda x, mask: x.sum(1), lambda x, mask: x.sum(1).tolist()),
    "rounded": (lambda x, mask: x, lambda x, mask: x * (1 + 1e-5)),
    "changed": (lambda x, mask: x + 1, lambda x, mask: np.add(x, 1, out=x)),
    "nothing holds": (lambda x, mask: x, lambda x, mask: x**3 + mask),
}


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    powers = np.exp(x)
    return powers / powers.sum(axis, keepdims=True)


def tables(draw: RandomInputs) -> Iterator[Case]:
    """Three tables, of which no sizes are equal, and a mask for each."""
    for name, rows, width in (("a table", 4, 7), ("another", 5, 3), ("a third", 8, 6)):
        mask = np.ones((rows, width), dtype=bool)
        mask[:, -1], mask[1:, -2] = False, False
        yield Case(name, {"x": draw.normal(rows, width), "mask": mask}, "all")


def main() -> None:
    exercise = Exercise(
        id="01.sample",
        title="Sample",
        why="For the tests.",
        difficulty=1,
        minutes=1,
        hints=("a", "b"),
        cases=tables,
        criteria=(Criterion("all", 2, "everything is right"),),
        compare=Comparison(),
    )
    cases = tuple(tables(RandomInputs(1, exercise.id)))
    messages = {}
    for name, (right, wrong) in ANSWERS.items():
        expected, got = ([observe(exercise, answer, case) for case in cases] for answer in (right, wrong))
        result = judge(exercise, cases, expected, got)
        assert not result.passed and judge(exercise, cases, expected, expected).passed, name
        messages[name] = [result.diagnosis, result.next_step]
    json.dump({"said": messages, "torch": "torch" in sys.modules}, sys.stdout)


if __name__ == "__main__":
    main()
