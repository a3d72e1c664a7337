"""A lesson as a page: the learner's notebook, with what it shows when the answers are right, and without them."""

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from embedding_course.checking.result import Result

from ...course_source import links as badges
from ...course_source.setting import Setting
from .figures import with_files
from .links import mended
from .verdicts import folded

DOWNLOADS = "downloads"
_UP = "../../"
_BADGE = re.compile(r"\[!\[([^\]]*)\]\([^)]*\)\]")
_ANSWER = re.compile(r"<p>The answer: (.*?)\.? \(No guess was recorded; it is more fun with one\.\)</p>", re.DOTALL)


def lesson_page(
    released: NotebookNode,
    shown: Mapping[str, Sequence[NotebookNode]],
    verdicts: Mapping[str, Result],
    topic: str,
    home: Path,
    pages: Collection[str],
    setting: Setting,
) -> NotebookNode:
    """The page as a notebook: `released` with the outputs `shown` by cell, and after each check the verdict on a typical
    mistake, by the id of the check's cell in `verdicts`. Pictures are written below `home`."""
    cells: list[NotebookNode] = []
    for cell in released.cells:
        if cell.id == "open-elsewhere":
            continue
        if cell.cell_type == "markdown":
            text = mended(cell.source, f"notebooks/{topic}/{topic}.ipynb", pages, setting)
            cells.append(new_markdown_cell(text, id=cell.id))
            if len(cells) == 1:
                cells.append(new_markdown_cell(_take_along(topic, setting), id="site-take-along"))
            continue
        cell.outputs = [_folded_answer(with_files(output, home, _UP)) for output in shown.get(cell.id, ())]
        cell.execution_count = None
        cell.metadata = NotebookNode({"tags": ["hide-input"]} if _only_imports(cell.source) else {})
        cells.append(cell)
        if cell.id in verdicts:
            cells.append(new_markdown_cell(folded(verdicts[cell.id]), id=f"{cell.id[:50]}-typical"))
    released.cells = cells
    return released


def _only_imports(code: str) -> bool:
    """Whether a reader needs the code only to run the notebook: the setup cell, and imports."""
    if "get_ipython()" in code:
        return True
    others = [node for node in ast.parse(code).body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    return not others or [ast.unparse(node) for node in others] == ["say_how()"]


def _take_along(topic: str, setting: Setting) -> str:
    """Where to get the notebook: the file, and Colab and Binder where the course has an address."""
    file = f"{{download}}`Download this notebook <{_UP}{DOWNLOADS}/{topic}.ipynb>`"
    elsewhere = _BADGE.sub(r"[\1]", badges.links(setting, topic)).replace(") [", ") · [")
    said = "Figures and checks come from a run with right answers. The answers are not on this page: they are yours to write."
    return " · ".join(filter(None, [file, elsewhere])) + f"\n\n*{said}*"


def _folded_answer(output: NotebookNode) -> NotebookNode:
    """What was to be predicted is folded, so that a reader can guess first."""
    html = output.get("data", {}).get("text/html", "")
    found = _ANSWER.fullmatch(html)
    if not found:
        return output
    folded_html = f"<details><summary>The answer</summary><p>{found[1]}</p></details>"
    return new_output("display_data", {"text/html": folded_html})
