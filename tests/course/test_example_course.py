"""examples/numpy_basics: a course without torch, which the same engine builds, audits, attacks, marks and releases."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from embedding_course.checking.carried import as_arrays, as_tensors
from embedding_course.checking.compare import Comparison
from embedding_course.checking.compare_numpy import array_fault
from embedding_course.checking.mismatch import RESULT
from embedding_course.subject.course import VARIABLE, read_course
from grader.paths import ROOT

EXAMPLE = ROOT / "examples" / "numpy_basics"


def served(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Python in a process that serves the example."""
    environment = {**os.environ, VARIABLE: str(EXAMPLE), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "COLUMNS": "200"}
    return subprocess.run([sys.executable, *words], cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_it_says_of_itself_what_it_is() -> None:
    own = read_course(EXAMPLE)
    assert own.package == "numpy_basics" and not own.subject.torch and not own.ours
    assert [notebook.number for notebook in own.subject.notebook] == ["01", "02"]
    exercises = json.loads((own.home / "exercises" / "index.json").read_text(encoding="utf-8"))
    assert len(exercises) == 5 and sum(exercise["core"] for exercise in exercises) == 4


def test_nothing_of_it_names_torch_or_the_course_on_embeddings() -> None:
    for path in EXAMPLE.rglob("*.py"):
        assert "torch" not in path.read_text(encoding="utf-8"), path
    for path in (EXAMPLE / "notebooks").rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "torch" not in text and "from numpy_basics import doctor, submit" in text
        assert set(re.findall(r"embedding_course\S*", text)) <= {
            'embedding_course\\":',
            'embedding_course":',
        }  # cells' metadata


def test_it_is_in_step_with_its_sources() -> None:
    done = served("-m", "grader", "build", "--check")
    assert done.returncode == 0 and "2 notebooks" in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def marked() -> dict:
    done = served("-m", "tests.support.mark_other_course", cwd=ROOT)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.xdist_group("example course")
def test_torch_is_imported_nowhere_to_mark_it(marked: dict) -> None:
    assert marked["torch here"] is False
    assert marked["torch in the learner's process"] == ""


@pytest.mark.slow
@pytest.mark.xdist_group("example course")
def test_its_marks_are_those_that_answers_are_worth(marked: dict) -> None:
    scores = {name: [result["score"] for result in results] for name, results in marked["marks"].items()}
    assert scores == {"right": [3, 3, 3], "wrong": [0, 3, 0], "empty": [0, 0, 0]}
    means, standard, average = marked["marks"]["wrong"]
    assert means["mistake"] == "row_means"
    assert standard["blamed"] == "column_means" and "tried with a right `column_means`" in standard["message"]
    assert average["mistake"] is None and "Every entry of the result is wrong." in average["message"]


@pytest.mark.slow
def test_its_checks_hold() -> None:
    done = served("-m", "grader", "audit", "--seeds", "1")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "mistakes caught 34/34, named 34/34, right forms accepted 20/20, stubs not attempted 5/5" in done.stdout
    assert "explained 17/34" in done.stdout and "forgers paid 0/" in done.stdout


def test_doctor_knows_what_the_course_brings() -> None:
    code = "from embedding_course.learner.doctor.static_look import INSTALLED; print(*sorted(INSTALLED))"
    brought = ["IPython", "embedding_course", "msgspec", "numpy", "numpy_basics", "safetensors"]
    assert served("-c", code).stdout.split() == brought


@pytest.mark.slow
def test_some_of_the_red_team_gain_nothing() -> None:
    asked = [word for name in ("observation", "telling", "expectations", "imported", "question") for word in ("--only", name)]
    done = served("-m", "grader", "attack", *asked)
    assert done.returncode == 0 and "gained 0, leaked 0, harmed others 0" in done.stdout, done.stdout + done.stderr[-3000:]
    assert re.search(r"^attacks [1-9]\d*,", done.stdout, re.MULTILINE)


@pytest.mark.long
def test_the_whole_red_team_gains_nothing() -> None:
    done = served("-m", "grader", "attack")
    assert done.returncode == 0 and "gained 0, leaked 0, harmed others 0" in done.stdout, done.stdout + done.stderr[-3000:]


def test_what_another_course_has_not_is_said_in_a_sentence() -> None:
    done = served("-m", "grader", "curves")
    assert done.returncode == 1 and done.stderr.strip() == (
        "✘ grader curves serves the course on embeddings alone: leave --course out."
    )


@pytest.mark.parametrize(
    ("got", "stage", "message"),
    [
        ([1.0, 2.0], "type", "a list or tuple of 2"),
        (np.ones((1, 2)), "shape", "is (1, 2); (2,) was expected"),
        (np.ones(2, dtype=np.float32), "dtype", "is float32; float64 was expected"),
        (np.array([1.0, np.nan]), "not finite", "nan or inf in the result"),
        (np.array([1.0, 2.1]), "values", "1 of 2 entries of the result is wrong"),
        (np.array([np.inf, 2.0]), "not finite", "nan or inf in the result"),
    ],
)
def test_arrays_are_compared_rung_by_rung(got: object, stage: str, message: str) -> None:
    fault = array_fault(Comparison(), np.array([1.0, 2.0]), got, RESULT, None)
    assert fault is not None and fault.stage == stage and message in str(fault.message)


def test_arrays_are_alike_within_rounding() -> None:
    right = np.array([1.0, -2.0, np.nan, np.inf])
    assert array_fault(Comparison(), right, right * (1 + 1e-9), RESULT, None) is None
    assert array_fault(Comparison(dtype="floating"), right, right.astype(np.float32), RESULT, None) is None
    assert array_fault(Comparison(), np.array([1, 2]), np.array([1, 3]), RESULT, None) is not None
    assert array_fault(Comparison(), np.zeros((0, 3)), np.zeros((0, 3)), RESULT, None) is None
    assert array_fault(Comparison(tolerances={}), np.array([1.0]), np.array([1.05]), "the result", 0.1) is None


@pytest.mark.parametrize("dtype", [*as_arrays.DTYPES])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3)])
def test_arrays_travel_as_bytes(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(6)[: int(np.prod(shape))].reshape(shape) % 2).astype(dtype)
    back = as_arrays.of_bytes(dtype, shape, as_arrays.bytes_of(as_arrays.carried(array)))
    assert back.dtype == array.dtype and back.shape == array.shape and np.array_equal(back, array)
    pool = as_arrays.read_pool(as_arrays.write_pool({"0": as_arrays.carried(array)}))
    assert pool["0"].dtype == array.dtype and pool["0"].shape == array.shape and np.array_equal(pool["0"], array)


def test_what_no_array_may_be_does_not_travel() -> None:
    assert not as_arrays.carries(np.dtype("complex128")) and not as_arrays.carries(np.dtype("O"))
    assert not as_arrays.carries(np.dtype(np.longdouble)) or np.dtype(np.longdouble) == np.dtype("float64")
    assert as_arrays.carried(np.arange(3, dtype=">i4")).dtype == np.dtype("int32")
    assert as_arrays.carried(np.arange(6).reshape(2, 3).T).flags.c_contiguous


def test_both_carriers_have_the_same_names() -> None:
    assert sorted(as_arrays.__all__) == sorted(as_tensors.__all__)
    assert all(hasattr(module, name) for module in (as_arrays, as_tensors) for name in module.__all__)
