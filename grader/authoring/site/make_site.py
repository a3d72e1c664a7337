"""Make the site: run each lesson once, write its page, and let Sphinx make HTML of all pages."""

import importlib.util
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat

from embedding_course.exercises import exercises_of
from embedding_course.subject.errors import CourseError

from ...course_source.lesson import read_lesson
from ...course_source.notebook import release, source
from ...course_source.setting import Setting, read_setting
from ...course_source.start_here import NAME, start_here
from ...course_source.stored import as_bytes
from ...paths import ROOT
from .first_page import first_page
from .lesson_page import DOWNLOADS, lesson_page, outputs, typical
from .pages import pages_of, write_documents

#: Sphinx's settings and the site's look.
SETTINGS = Path(__file__).with_name("sphinx")
_EXTRA = "extra"


class SiteFailed(CourseError):
    """The site could not be made; the message says why."""


def make_site(
    out: Path, topics: Sequence[str], workers: int = 2, setting: Setting | None = None, announce: Callable[[str], None] = print
) -> Path:
    """Write the site with these lessons, and return its first page.

    Parameters
    ----------
    out : Path
        Folder of the site, which is replaced.
    topics : sequence of str
        Names of the lessons.
    workers : int, optional
        Number of processes.
    setting : Setting, optional
        Where the course is published; by default what `read_setting` returns.
    announce : callable, optional
        Called with a line for each step that is done.

    Raises
    ------
    SiteFailed
        If Sphinx is not installed, or a page has a broken link or a formula that cannot be drawn.
    """
    missing = [name for name in ("sphinx", "myst_nb", "furo") if not importlib.util.find_spec(name)]
    if missing:
        raise SiteFailed(f"{', '.join(missing)}: not installed; `make site` installs it, or: pip install -e .[site]")
    setting = setting or read_setting()
    pages = pages_of(topics)
    with tempfile.TemporaryDirectory(prefix="grader-site-") as folder:
        home = Path(folder, "pages")
        shutil.copytree(SETTINGS, home, ignore=shutil.ignore_patterns("__pycache__"))
        write_documents(home, pages, setting)
        (home / "index.md").write_text(first_page(topics, setting), encoding="utf-8")
        _write_lessons([NAME, *topics], home, pages, setting, workers, announce)
        run_sphinx(home, Path(folder, "html"), workers)
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(Path(folder, "html"), out)
    return out / "index.html"


def _write_lessons(
    topics: Sequence[str], home: Path, pages: Collection[str], setting: Setting, workers: int, announce: Callable[[str], None]
) -> None:
    """Run each lesson in a process of its own; a lesson that cannot be run ends all."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {
            pool.submit(write_lesson, topic, home, pages, setting): topic for topic in sorted(topics, key=_shortest_last)
        }
        for done in as_completed(waiting):
            try:
                done.result()
            except Exception as error:  # of any kind, since a lesson's own cells are run
                text = f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error).strip() else ''}"
                raise SiteFailed(f"the lesson {waiting[done]} could not be run ({text}); the site is as it was.") from error
            announce(f"ran {waiting[done]}")


def _shortest_last(topic: str) -> float:
    """Return the sort key that begins with the longest lessons, so that no worker waits alone at the end."""
    cells = [] if topic == NAME else read_lesson(topic)
    return -sum(float(cell.meta.get("seconds", 0)) for cell in cells)


def write_lesson(topic: str, home: Path, pages: Collection[str], setting: Setting) -> Path:
    """Run a lesson, write its page, its pictures and its notebook for download, and return the page.

    Parameters
    ----------
    topic : str
        Name of the lesson.
    home : Path
        Folder of the pages.
    pages : collection of str
        Paths of the files that are pages of the site.
    setting : Setting
        Where the course is published.
    """
    released = start_here() if topic == NAME else release(source(topic, setting))
    exercises = [] if topic == NAME else exercises_of(topic)
    file = home / DOWNLOADS / f"{topic}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(as_bytes(released))
    checks = {
        cell.metadata.nbgrader.grade_id: cell.id for cell in released.cells if cell.metadata.get("nbgrader", {}).get("grade")
    }
    verdicts = {checks[f"{exercise.grade_id}-check"]: typical(exercise) for exercise in exercises}
    page = home / "notebooks" / topic / f"{topic}.ipynb"
    page.parent.mkdir(parents=True, exist_ok=True)
    linked = released if topic == NAME else release(source(topic, setting, linked=True))
    made = lesson_page(linked, outputs(topic), verdicts, topic, home / _EXTRA, pages, setting)
    page.write_bytes(nbformat.writes(made).encode("utf-8"))
    return page


def run_sphinx(home: Path, out: Path, workers: int) -> None:
    """Make HTML of the pages.

    Parameters
    ----------
    home : Path
        Folder of the pages.
    out : Path
        Folder of the HTML.
    workers : int
        Number of processes.

    Raises
    ------
    SiteFailed
        If Sphinx reports an error or a warning. The message holds what it says.
    """
    (home / _EXTRA).mkdir(exist_ok=True)
    words = ["-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--jobs", str(workers), "-b", "html"]
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words, "-d", str(home.parent / "doctrees"), str(home), str(out)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    if done.returncode:
        raise SiteFailed(f"Sphinx did not make the site:\n{done.stderr.strip()[-6000:]}")
