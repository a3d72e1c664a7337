"""The shell for cells that nobody watches: Python goes through as it is, magics as IPython reads them."""

import json
import subprocess
import sys
from collections.abc import Sequence

from IPython.core.inputtransformer2 import TransformerManager

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


def _transformed(cells: Sequence[str]) -> list[str]:
    """What the shell makes of them, in a process of its own: a shell switches things for the whole of its process."""
    code = (
        "import json, sys\n"
        "from embedding_course.checking.intake.quiet_shell import make_shell\n"
        "print(json.dumps([make_shell().transform_cell(cell) for cell in json.load(sys.stdin)]))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], input=json.dumps(cells), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_python_is_what_ipython_makes_of_it() -> None:
    """Whatever it holds: a sign of a magic in a text, every cell of a notebook, a few hundred known mistakes."""
    cells = [*_PYTHON, *(cell.source for cell in source("03_max_norm").cells if cell.cell_type == "code")]
    cells += [mistake.source for exercise in known().values() for mistake in mistakes_of(exercise)][::7]
    assert len(cells) > 100
    ipython = TransformerManager()
    for cell, transformed in zip(cells, _transformed(cells), strict=True):
        assert transformed.strip() == ipython.transform_cell(cell).strip()


def test_what_is_no_python_is_left_to_ipython() -> None:
    assert _transformed(_MAGIC) == [TransformerManager().transform_cell(cell) for cell in _MAGIC]


def test_a_wrong_number_is_told_without_an_algebra_system() -> None:
    """torch's own search for a place in a tensor imports sympy: a second and more at a learner's first wrong answer."""
    code = (
        "import sys, torch\n"
        "from embedding_course.checking.compare import Comparison\n"
        "from embedding_course.checking.mismatch import RESULT\n"
        "fault = Comparison().leaf(torch.zeros(3, 5), torch.ones(3, 5), RESULT)\n"
        "assert fault.stage == 'values' and 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
