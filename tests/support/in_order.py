"""Run the odd notebooks of a lesson as their learners did, from top to bottom: ``python -m tests.support.in_order NUMBER``.

One line of JSON for each: its name, and the exercises whose public check was green neither at one of their check cells nor at
the end. Demonstrations of the lesson that nobody edited are passed over. Each notebook runs in a fork of one warm process.
"""

import contextlib
import io
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: F401 - warm
import sklearn.manifold  # noqa: F401 - warm
import torch

from embedding_course.checking.intake.progress_bars import offer_progress_bars
from embedding_course.checking.intake.quiet_shell import make_shell
from embedding_course.exercises import exercises_of
from embedding_course.learner.check import public_result
from grader.course_source.notebook import release, source
from tests.redteam.odd_notebooks import Odd
from tests.redteam.ours import ODD

_CHECK = re.compile(r'^[ \t]*check\("(\d\d\.\w+)"\)[ \t]*$', re.M)
_FENCE = re.compile(r"^```.*\n?", re.M)
_SECONDS = 300


def cells_that_ran(odd: Odd) -> Iterator[str]:
    """The code that the learner ran: given cells, checks, answers, cells of their own. An answer whose cell is text by now was
    code when it ran."""
    lesson = {cell.source for cell in release(source(odd.topic)).cells}
    for cell in odd.make().cells:
        given, marks = cell.metadata.get("embedding_course", {}).get("given"), cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and (given or _CHECK.search(cell.source) or cell.source not in lesson):
            yield cell.source
        elif cell.cell_type != "code" and marks.get("solution") and not marks.get("grade"):
            yield _FENCE.sub("", cell.source)


def not_green(odd: Odd) -> list[str]:
    """The exercises whose public check was never green."""
    exercises = {exercise.id: exercise for exercise in exercises_of(odd.topic)}
    shell: Any = make_shell()
    offer_progress_bars()
    green: set[str] = set()

    def look(names: list[str]) -> None:
        for name in names:
            candidate = shell.user_ns.get(exercises[name].name)
            if callable(candidate) and public_result(exercises[name], candidate).passed:
                green.add(name)

    for text in cells_that_ran(odd):
        shell.run_cell(_CHECK.sub("pass", text), store_history=False, silent=True)
        look(_CHECK.findall(text))
    look([name for name in exercises if name not in green])
    return [name for name in exercises if name not in green]


def in_a_fork(odd: Odd) -> list[str]:
    """The same in a process of its own, and in a folder of its own; what ends that process is named."""
    mine, theirs = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(_SECONDS)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                reply = json.dumps(not_green(odd))
            os.write(theirs, reply.encode())
            os._exit(0)
    os.close(theirs)
    with os.fdopen(mine, encoding="utf-8") as file:
        reply = file.read()
    os.waitpid(child, 0)
    return json.loads(reply) if reply else ["it did not come to an end"]


def main(number: str) -> None:
    torch.set_num_threads(1)
    sys.path.insert(0, "")  # as a kernel has it
    for odd in ODD:
        if odd.number == number:
            print(json.dumps([odd.name, in_a_fork(odd)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
