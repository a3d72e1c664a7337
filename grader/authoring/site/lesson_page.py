"""A lesson as a page: the learner's notebook, with what it shows when the answers are right, and without them."""

import ast
import base64
import hashlib
import os
import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.render import as_html
from embedding_course.checking.result import Result
from embedding_course.learner.check import public_result
from embedding_course.messages import ENGLISH, VARIABLE, translate
from embedding_course.messages import edition as edition_in_use

from ...course_source import links as badges
from ...course_source.catalogue import Mistake, callable_of, mistakes_of
from ...course_source.notebook import source
from ...course_source.setting import Setting
from ...course_source.start_here import NAME, start_here
from .edition import EDITIONS, Edition
from .links import Elsewhere, mended

#: A mistake that gives wrong numbers teaches more than one that stops; and one that never ends is not tried here.
_ORDER = ("values", "shape", "property", "type", "dtype", "not finite", "raises")


def typical(exercise: Exercise) -> Result:
    """Return the public verdict on a known mistake that it names. Raise LookupError if it names none."""
    for mistake in sorted(_tried(exercise), key=lambda candidate: _ORDER.index(candidate.stages[0])):
        result = public_result(exercise, callable_of(mistake.source, exercise))
        if result.mistake == mistake.slug:
            return result
    raise LookupError(f"{exercise.id}: the public check names none of its known mistakes")


def _tried(exercise: Exercise) -> list[Mistake]:
    return [mistake for mistake in mistakes_of(exercise) if mistake.stages[0] in _ORDER]


def folded(verdict: Result, words: str = EDITIONS[ENGLISH].typical) -> str:
    """Return the verdict as HTML that a reader unfolds. Blank lines would end it in Markdown."""
    text = "\n".join(line for line in as_html(verdict).splitlines() if line.strip())
    return f'<details class="typical-mistake"><summary>{words}</summary>\n{text}\n</details>'


#: Where pictures lie, seen from the site's first page.
FOLDER = "figures"
_INLINE = re.compile(r'src="data:image/(png|webp|jpeg|gif);base64,([^"]+)"')
_ALT_TEXT = re.compile(r'alt="[^"\s][^"]*"')


def with_files(output: NotebookNode, home: Path, up: str) -> NotebookNode:
    """Return the output with its pictures written to files.

    Parameters
    ----------
    output : NotebookNode
        Output of a cell.
    home : Path
        Folder below which the pictures are written.
    up : str
        Path from the page to `home`, such as "../../".

    Raises
    ------
    LookupError
        If a picture has no text for readers who cannot see it.
    """
    data = output.get("data", {})
    if "text/html" not in data:
        if any(kind.startswith("image/") for kind in data):
            raise LookupError("a picture without text that stands for it: show it with `finish(figure, alt=...)`")
        return output
    page = _INLINE.sub(lambda match: f'src="{_written(match[1], match[2], home, up)}"', data["text/html"])
    for picture in re.findall(r"<img[^>]*>", page):
        if not _ALT_TEXT.search(picture):
            raise LookupError(f"a picture without text that stands for it: {picture[:80]}")
    return new_output("display_data", {"text/html": page.replace("<img ", '<img loading="lazy" ')})


def _written(kind: str, text: str, home: Path, up: str) -> str:
    body = base64.b64decode(text)
    name = f"{hashlib.sha256(body).hexdigest()[:16]}.{kind}"
    (home / FOLDER).mkdir(parents=True, exist_ok=True)
    (home / FOLDER / name).write_bytes(body)
    return f"{up}{FOLDER}/{name}"


DOWNLOADS = "downloads"
_UP = "../../"
_BADGE = re.compile(r"\[!\[([^\]]*)\]\([^)]*\)\]")
#: What `reveal` says where no guess was made, as in every run for the site.
_UNGUESSED = "The answer: {answer}. (No guess was recorded; it is more fun with one.)"
_PARAGRAPH = re.compile(r"<p>(.*)</p>", re.DOTALL)


def lesson_page(
    released: NotebookNode,
    shown: Mapping[str, Sequence[NotebookNode]],
    verdicts: Mapping[str, Result],
    topic: str,
    home: Path,
    pages: Collection[str],
    setting: Setting,
    elsewhere: Elsewhere | None = None,
) -> NotebookNode:
    """Return the page of a lesson as a notebook, in the language in use.

    Parameters
    ----------
    released
        The notebook as learners get it; its cells are changed in place.
    shown
        The outputs of each cell, by the cell's id.
    verdicts
        The verdict on a typical mistake, by the id of the check's cell below which it is shown.
    topic
        The notebook's name.
    home
        The folder below which pictures are written.
    pages
        The files that have a page on the site, for links.
    setting
        Where the course is published.
    elsewhere
        The pages of the site in another language.
    """
    edition = EDITIONS[edition_in_use()]
    cells: list[NotebookNode] = []
    for cell in released.cells:
        if cell.id == "open-elsewhere":
            continue
        if cell.cell_type == "markdown":
            text = mended(cell.source, f"notebooks/{topic}/{topic}.ipynb", pages, setting, elsewhere=elsewhere)
            cells.append(new_markdown_cell(text, id=cell.id))
            if len(cells) == 1:
                cells.append(new_markdown_cell(_take_along(topic, setting, edition), id="site-take-along"))
            continue
        cell.outputs = [_folded_answer(with_files(output, home, _UP), edition) for output in shown.get(cell.id, ())]
        cell.execution_count = None
        cell.metadata = NotebookNode({"tags": ["hide-input"]} if _only_imports(cell.source) else {})
        cells.append(cell)
        if cell.id in verdicts:
            cells.append(new_markdown_cell(folded(verdicts[cell.id], edition.typical), id=f"{cell.id[:50]}-typical"))
    released.cells = cells
    return released


def _only_imports(code: str) -> bool:
    """Return True for the setup cell and for cells that only import, which a reader needs only to run the notebook."""
    if "get_ipython()" in code:
        return True
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.parse(code).body)


def _take_along(topic: str, setting: Setting, edition: Edition) -> str:
    """Return where to get the notebook: the file, and Colab and Binder where the course has an address."""
    file = f"{{download}}`{edition.download} <{_UP}{DOWNLOADS}/{topic}.ipynb>`"
    elsewhere = _BADGE.sub(r"[\1]", badges.links(setting, topic)).replace(") [", ") · [")
    return " · ".join(filter(None, [file, elsewhere])) + f"\n\n*{edition.note}*"


def _folded_answer(output: NotebookNode, edition: Edition) -> NotebookNode:
    """Fold what was to be predicted, so that a reader can guess first."""
    match = _PARAGRAPH.fullmatch(output.get("data", {}).get("text/html", ""))
    before, _, after = translate(_UNGUESSED).partition("{answer}")
    if not match or not (match[1].startswith(before) and match[1].endswith(after)):
        return output
    answer = match[1].removeprefix(before).removesuffix(after).removesuffix(".")
    return new_output("display_data", {"text/html": f"<details><summary>{edition.answer}</summary><p>{answer}</p></details>"})


#: Cells about the file that is handed in: what they show is about the folder they ran in.
_ABOUT_FILES = ("doctor", "submit")
_MAX_SECONDS = 900
#: A kernel on loopback says each time that nobody encrypts what it says.
_QUIET = ["--log-level=ERROR"]


def outputs(topic: str) -> dict[str, list[NotebookNode]]:
    """Return what each cell of a lesson shows when all answers are right, by the cell's id.

    Raises
    ------
    CellExecutionError
        If a cell fails.
    """
    notebook = run(start_here() if topic == NAME else source(topic))
    return {cell.id: [] if cell.id in _ABOUT_FILES else cell.outputs for cell in notebook.cells if cell.cell_type == "code"}


def run(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook after a run in a folder of its own, with a fresh record of progress."""
    with tempfile.TemporaryDirectory(prefix="grader-site-") as folder:
        Path(folder, "state").mkdir()
        variables = {**os.environ, "EMBEDDING_COURSE_STATE": str(Path(folder, "state")), VARIABLE: edition_in_use()}
        where = {"metadata": {"path": folder}}
        return NotebookClient(
            notebook, timeout=_MAX_SECONDS, kernel_name="python3", resources=where, extra_arguments=_QUIET
        ).execute(env=variables)
