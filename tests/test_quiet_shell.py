"""The shell for cells that nobody watches: Python goes through as it is, magics as IPython reads them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from embedding_course.checking.intake.quiet_shell import make_shell
from embedding_course.exercises import known
from grader.course_source.catalogue import mistakes_of
from grader.course_source.notebook import source

_PYTHON = (
    "x = 1",
    "x = (5\n %3)\n",
    "def one():\n    return 1\n\n\ny = one()",
    '"""\n%time in a text\n"""\n',
    "a = 1; b = 2",
    "x = [\n    1,\n    2,\n]  # %matplotlib inline",
)
_MAGIC = ("%time x = 1", "!ls", "x = !ls", "x?", "%%capture\nx = 1", ">>> x = 1", "    x = 1")


@pytest.mark.parametrize("cell", _PYTHON)
def test_python_is_what_ipython_makes_of_it(cell: str) -> None:
    assert make_shell().transform_cell(cell).strip() == TransformerManager().transform_cell(cell).strip()


def test_every_given_cell_and_known_mistake_is_what_ipython_makes_of_it() -> None:
    shell, ipython = make_shell(), TransformerManager()
    cells = [cell.source for cell in source("03_max_norm").cells if cell.cell_type == "code"]
    cells += [one.source for exercise in known().values() for one in mistakes_of(exercise)][::7]
    assert len(cells) > 100
    for cell in cells:
        assert shell.transform_cell(cell).strip() == ipython.transform_cell(cell).strip()


@pytest.mark.parametrize("cell", _MAGIC)
def test_what_is_no_python_is_left_to_ipython(cell: str) -> None:
    assert make_shell().transform_cell(cell) == TransformerManager().transform_cell(cell)


def test_a_wrong_number_is_told_without_an_algebra_system() -> None:
    """torch's own search for a place in a tensor imports sympy: a second and more at a learner's first wrong answer."""
    code = (
        "import sys, torch\n"
        "from embedding_course.checking.compare import Comparison\n"
        "fault = Comparison().leaf(torch.zeros(3, 5), torch.ones(3, 5), 'the result')\n"
        "assert fault.stage == 'values' and 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
