"""What honest people do to notebooks: none of it may cost a mark."""

import copy
from collections.abc import Callable

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.course_source.notebook import release, source

from .honest_lines import ABOVE, BELOW, DECORATORS
from .honest_state import STATES, State

TOPIC = "03_max_norm"
FIRST, SECOND = exercises_of(TOPIC)[:2]


def solution(notebook: NotebookNode, grade_id: str) -> int:
    """Return the index of a solution cell."""
    return next(
        index for index, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    )


def _code(text: str) -> NotebookNode:
    return nbformat.v4.new_code_cell(text)


def helper_cell(notebook: NotebookNode) -> None:
    """Let the answer call a helper in a cell of the learner's own, which needs a constant and an import."""
    cell = notebook.cells[solution(notebook, FIRST.grade_id)]
    cell.source = cell.source.replace(f"def {FIRST.name}(", "def helped(")
    helper = "import functools as tools\nPASS_ON = True\ndef helper(function):\n    return tools.wraps(function)(function)"
    index = solution(notebook, FIRST.grade_id)
    moved = cell.source
    cell.source = f"@helper\n{moved.replace('def helped(', f'def {FIRST.name}(')}\nassert PASS_ON"
    notebook.cells.insert(index, _code(helper))


def import_elsewhere(notebook: NotebookNode) -> None:
    notebook.cells.append(_code("from math import sqrt as root\nx = [i for i in range(3)]\nprint(x)"))
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[index].source += "\n_used = root(4)"


def edited_setup(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if cell.metadata.get("embedding_course", {}).get("given"):
            cell.source = "import os, sys\n" + cell.source + "\n%matplotlib inline\nprint('ready')"


def warns_and_prints(notebook: NotebookNode) -> None:
    notebook.cells[
        solution(notebook, FIRST.grade_id)
    ].source += "\nimport sys, warnings\nwarnings.warn('old')\nprint('hello')\nprint('hello', file=sys.stderr)"


def odd_kernel(notebook: NotebookNode) -> None:
    notebook.metadata["kernelspec"] = {"name": "julia-1.9", "display_name": "Julia", "language": "julia"}


def ids_lost(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata.pop("nbgrader", None)
    notebook.nbformat_minor = 4


def colab_metadata(notebook: NotebookNode) -> None:
    notebook.metadata["colab"] = {"provenance": [], "toc_visible": True}
    notebook.metadata["accelerator"] = "GPU"
    for cell in notebook.cells:
        cell.metadata["id"] = "Ab3dEf"
        cell.metadata["colab"] = {"base_uri": "here"}
    ids_lost(notebook)


def vscode_metadata(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata["vscode"] = {"languageId": "python"}
        cell.metadata.pop("nbgrader", None)


def duplicated_answer(notebook: NotebookNode) -> None:
    index = solution(notebook, FIRST.grade_id)
    notebook.cells.insert(index, copy.deepcopy(notebook.cells[index]))


def stub_copied_behind(notebook: NotebookNode) -> None:
    """Put a copy of the untouched stub below the answer."""
    empty = release(source(TOPIC))
    index = solution(notebook, FIRST.grade_id)
    notebook.cells.insert(index + 1, copy.deepcopy(empty.cells[solution(empty, FIRST.grade_id)]))


def reordered(notebook: NotebookNode) -> None:
    notebook.cells.reverse()


def labels_swapped(notebook: NotebookNode) -> None:
    first, second = (notebook.cells[solution(notebook, exercise.grade_id)] for exercise in (FIRST, SECOND))
    first.source, second.source = second.source, first.source


def merged(notebook: NotebookNode) -> None:
    first = notebook.cells[solution(notebook, FIRST.grade_id)]
    second = notebook.cells.pop(solution(notebook, SECOND.grade_id))
    first.source += "\n\n\n" + second.source


def split(notebook: NotebookNode) -> None:
    """Move a helper from the answer's cell into a cell of its own below."""
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[index].source += "\n_shown = show_me(1)"
    notebook.cells.insert(index + 1, _code("def show_me(value):\n    return value"))


def checks_deleted(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if not cell.source.startswith("check(")]


def magic_on_top(notebook: NotebookNode) -> None:
    cell = notebook.cells[solution(notebook, FIRST.grade_id)]
    cell.source = "%%time\n" + cell.source


def failing_experiment_behind(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source += "\n\nprint(1 / 0)"


def experiment_rebinds_a_given_name(notebook: NotebookNode) -> None:
    notebook.cells.append(_code("torch = None\nnp = 3"))


def old_format(notebook: NotebookNode) -> None:
    ids_lost(notebook)
    notebook.nbformat_minor = 0


def _before(state: State) -> Callable[[NotebookNode], None]:
    def variant(notebook: NotebookNode) -> None:
        index = solution(notebook, FIRST.grade_id)
        cell = notebook.cells[index]
        cell.source += f"""

def _holding(answer):
    def {FIRST.name}(*args, **options):
        {state.holds}
        return answer(*args, **options)
    return {FIRST.name}

{FIRST.name} = _holding({FIRST.name})"""
        own = [_code(source) for source in state.cells]
        at = index + 1 if state.below else index
        notebook.cells[at:at] = own

    return variant


def _around(above: str = "", below: str = "") -> Callable[[NotebookNode], None]:
    def variant(notebook: NotebookNode) -> None:
        cell = notebook.cells[solution(notebook, FIRST.grade_id)]
        cell.source = "\n".join(filter(None, [above, cell.source, below]))

    return variant


def _decorated(decorator: str) -> Callable[[NotebookNode], None]:
    def variant(notebook: NotebookNode) -> None:
        cell = notebook.cells[solution(notebook, FIRST.grade_id)]
        cell.source = cell.source.replace(f"def {FIRST.name}(", f"{decorator}\ndef {FIRST.name}(", 1)

    return variant


def _named(name: str, variant: Callable[[NotebookNode], None]) -> Callable[[NotebookNode], None]:
    variant.__name__ = name
    return variant


#: What is done to a notebook as a whole, and what concerns its first answer alone.
WHOLE: list[Callable[[NotebookNode], None]] = [
    helper_cell, import_elsewhere, edited_setup, warns_and_prints, odd_kernel, ids_lost, colab_metadata,
    vscode_metadata, duplicated_answer, stub_copied_behind, reordered, labels_swapped, merged, split, checks_deleted,
    magic_on_top, failing_experiment_behind, experiment_rebinds_a_given_name, old_format,
]  # fmt: skip
IN_ONE_CELL: list[Callable[[NotebookNode], None]] = [
    *(_named(f"state_{name}", _before(state)) for name, state in STATES.items()),
    *(_named(f"above_{name}", _around(above=text)) for name, text in ABOVE.items()),
    *(_named(f"below_{name}", _around(below=text)) for name, text in BELOW.items()),
    *(_named(f"decorator_{name}", _decorated(text)) for name, text in DECORATORS.items()),
]
VARIANTS = [*WHOLE, *IN_ONE_CELL]
