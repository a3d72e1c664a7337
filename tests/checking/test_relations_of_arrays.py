"""In a course without torch: what a wrong array is of the right one is said by the same rules, in numpy's words."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch

from embedding_course.checking.carried import as_arrays, as_tensors
from embedding_course.checking.relations.claim import Pair
from embedding_course.checking.relations.explain import claims_of
from embedding_course.subject.course import VARIABLE
from grader.paths import ROOT

#: By name, in tests.support.relations_of_arrays: the end of what is said, and something of the next step.
SAID = {
    "negated": ("Your result is the right one with the opposite sign.", "minus"),
    "mean": ("Your result is the right one divided by `x.size`. In this case `x.size` is 28.", "Is a sum asked for"),
    "mean of rows": ("is the right one divided by `x.shape[1]`. In this case `x.shape[1]` is 7.", "Is a sum asked for"),
    "halved": ("Your result is the right one divided by 2.", ""),
    "one more": ("Every entry of your result is larger than that of the right one by 1.", ""),
    "transposed": ("Your result is the right one with the axes 0 and 1 exchanged.", "Print the shape"),
    "backwards": ("in reverse order along axis 1.", ""),
    "late": ("one position later along axis 0.", ""),
    "short": ("ends too early along axis 0; what is there is right.", "Count by hand"),
    "flat": ("only the shape is another one.", ""),
    "sorted": ("in rising order along axis 1, which the right result does not.", ""),
    "reduced": ("The right one is the largest entry of yours over axis 1.", ""),
    "softmax": ("the softmax runs over another axis.", "`axis` of the softmax"),
    "counted": ("is the right one times the number of ones in `mask`.", ""),
    "masked": ("Your result is wrong only where `mask` is False.", ""),
    "an input": ("Your result is `x` as it was given.", ""),
    "float32": ("Your result holds the right numbers, as float32 instead of float64.", "`.dtype`"),
    "a list": ("as a list instead of an array.", "docstring promises"),
    "rounded": ("something is rounded on the way.", "`.astype(np.float32)`"),
    "changed": ("The result is right, but the call changes `x`.", "makes a new array"),
    "nothing holds": ("", "work a part out by hand"),
}


@pytest.fixture(scope="module")
def report() -> dict:
    """What a process that serves the example says."""
    environment = {
        **os.environ,
        VARIABLE: str(ROOT / "examples" / "numpy_basics"),
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
    }
    words = [sys.executable, "-W", "error", "-m", "tests.support.relations_of_arrays"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_each_kind_is_tried(report: dict) -> None:
    assert report["said"].keys() == SAID.keys()


@pytest.mark.parametrize("name", SAID)
def test_what_an_array_is_of_the_right_one(name: str, report: dict) -> None:
    (diagnosis, step), (says, hint) = report["said"][name], SAID[name]
    assert diagnosis.endswith(says) and bool(diagnosis) == bool(says)
    assert hint in step
    assert "tensor" not in diagnosis + step and "torch" not in diagnosis + step


def test_torch_is_not_imported_to_find_it(report: dict) -> None:
    assert report["torch"] is False


def test_tensors_and_arrays_reach_the_rules_alike() -> None:
    """The rules know arrays alone; a tensor becomes one where it enters, with its type, without its graph."""
    for kind in ("bool", "int64", "float32", "float64"):
        array = np.array([[0, 1, 1], [1, 0, 1]]).astype(kind)
        entered = as_tensors.array_of(torch.from_numpy(array))
        assert entered.dtype == as_arrays.array_of(array).dtype and np.array_equal(entered, array)
    learned = torch.ones(2, dtype=torch.bfloat16, requires_grad=True)
    assert as_tensors.array_of(learned).dtype == np.float32
    right = np.arange(6.0).reshape(2, 3) + 2
    assert {("axes", (1, 0)), ("negated",)} == {next(iter(claims_of(Pair(right, other)))) for other in (right.T, -right)}
