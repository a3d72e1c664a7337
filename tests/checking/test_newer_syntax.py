"""Notebooks written with a newer Python than the one that grades: the syntax that it does not know is said to be that."""

import shutil
import sys
import time
from pathlib import Path

import pytest

from embedding_course.checking.intake.newer_syntax import newer_syntax, python_of
from embedding_course.learner.doctor.examine import released
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.static_look import look
from embedding_course.learner.doctor.would_be_graded import take
from tests.support.paths import REAL_WORLD

INPUTS = REAL_WORLD / "s16_newer_python" / "submitted"
OLD = (3, 11)
pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows some of it")

NEWER = {
    "f'{words['a']} rows'": "3.12 (an f-string",
    "x = 1\ny = f'''{\n 'a' # why\n}''' + f'{'\\n'.join(words)}'": "Line 2 is written for Python 3.12 (an f-string",
    "print(f'{f'{f'{1 + 1}'}'}')": "3.12 (an f-string",
    "f'{x:{'>' + '8'}}'": "3.12 (an f-string",
    '%time x = f"{words["a"]!r:>{width}}"': "3.12 (an f-string",
    "def f():\n    return f'{\"\\n\".join(['a'])}'": "Line 2 is written for Python 3.12",
    "type Rows = list[tuple[int, ...]]": "3.12 (`type X = …`)",
    "type Pair[T] = tuple[T, T]": "3.12 (`type …[T]` with type parameters)",
    "async def f[T: (int, str), *Ts, **P](x: T) -> T:\n    return x": "3.12 (`def …[T]` with type parameters)",
    "class Stack[T](list):\n    def push[S: T](self, x: S) -> None: ...": "Line 1 is written for Python 3.12 (`class …[T]`",
    "class Stack[T = int]: ...": "3.13 (`class …[T]` with type parameters that have defaults)",
    "try:\n    f()\nexcept KeyError, ValueError:\n    pass": "Line 3 is written for Python 3.14 (`except A, B:`",
    "try:\n    f()\nexcept* a.B, C[0]:\n    pass": "3.14 (`except A, B:`",
    "x = t'hello {name}'": "3.14 (a t-string)",
    "lazy import numpy as np\nlazy from os import path": "3.15 (`lazy import`)",
    "type A = int\nx = t'{A}'": "Line 2 is written for Python 3.14 (a t-string)",
}
NO_PYTHON_AT_ALL = [
    "x = 1", "", "x = = 1", "def f(x)\n    return x", "f'{a b}'", "f'{words['a']'", "type X == 3", "def f[](x): pass",
    "def f[T(x): pass", "except A, B:", "try: pass\nexcept A, B as e: pass", "f'{x!}'", "f'}'", "t'{'", "class A[1]: pass",
    "type = 3\nx = = type", "bf'{1}'", "I think that f'{x['a']}' is right", "raise NotImplementedError()\n  x",
]  # fmt: skip


@pytest.mark.parametrize(("source", "message"), NEWER.items())
def test_newer_syntax_is_named_with_its_line_and_version(source: str, message: str) -> None:
    assert message in newer_syntax(source, "", OLD)
    assert newer_syntax(source, "3.15.1", OLD).endswith("; the notebook says 3.15.1), graded with 3.11.")
    assert not newer_syntax(source, "", (3, 15)), "a Python that knows it has nothing to say"


@pytest.mark.parametrize("source", NO_PYTHON_AT_ALL)
def test_what_no_python_reads_is_not_called_newer(source: str) -> None:
    assert newer_syntax(source, "3.14", OLD) == ""


@pytest.mark.parametrize(
    "source",
    [
        "except " + "," * 49_000,
        "f'{" * 16_000,
        "f'{a['a']}'\n" * 4_000 + "x = = 1",
        "type X[" * 7_000,
        "f'{#\n" * 10_000,
        "[*x for " * 6_000,
        "f'{" + "f'{" * 500,
    ],
    ids=range(7),
)
def test_no_cell_takes_long(source: str) -> None:
    began = time.process_time()
    newer_syntax(source, "", OLD)
    assert time.process_time() - began < 8


@pytest.mark.parametrize(
    ("metadata", "version"),
    [
        ({"language_info": {"name": "python", "version": "3.13.2"}}, "3.13.2"),
        ({"language_info": {"version": "3.14.0rc1"}}, "3.14.0"),
        ({"language_info": {"version": None}, "kernelspec": {"name": "python3.12", "display_name": "x"}}, "3.12"),
        ({"kernelspec": {"name": "py313", "display_name": "Python [conda env:py313]"}}, "3.13"),
        ({"kernelspec": {"name": "python3", "display_name": "Python 3.13.0 (ipykernel)"}}, "3.13"),
        ({"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}, ""),
        ({"kernelspec": None, "language_info": []}, ""),
        (None, ""),
    ],
)
def test_the_version_a_notebook_was_written_with(metadata: object, version: str) -> None:
    assert python_of(metadata) == version


@pytest.mark.parametrize("folder", sorted(INPUTS.iterdir()), ids=lambda folder: folder.name)
def test_doctor_says_which_python_wrote_it_and_which_reads_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "03_max_norm.ipynb"
    shutil.copy(folder / "03_max_norm" / path.name, path)
    saved = read(path)
    findings = [finding.message for finding in look(saved, take(saved, released(saved)))]
    assert any("was written with Python 3.1" in message for message in findings)
    assert any("by this Python. Line " in message and "graded with 3.11" in message for message in findings)
