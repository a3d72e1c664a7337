"""Make the site: in each language run each lesson once, write its page, and let Sphinx make HTML of all pages."""

import importlib.util
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat

from embedding_course.exercises import exercises_of
from embedding_course.messages import ENGLISH, in_language
from embedding_course.subject.errors import CourseError

from ...course_source.lesson import read_lesson
from ...course_source.notebook import release, source
from ...course_source.setting import Setting, read_setting
from ...course_source.start_here import NAME, start_here
from ...course_source.stored import as_bytes
from ...paths import ROOT
from .edition import EDITIONS, Edition, other_edition
from .first_page import first_page
from .lesson_page import DOWNLOADS, lesson_page, outputs, typical
from .links import Elsewhere
from .pages import pages_of, write_documents

#: Sphinx's settings and the site's look.
SETTINGS = Path(__file__).with_name("sphinx")
_EXTRA = "extra"


class SiteFailed(CourseError):
    """The site could not be made; the message says why."""


def make_site(
    out: Path,
    topics: Sequence[str],
    workers: int = 2,
    setting: Setting | None = None,
    announce: Callable[[str], None] = print,
    languages: Sequence[str] = tuple(EDITIONS),
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
    languages : sequence of str, optional
        Codes of the languages, which are keys of `EDITIONS`. The English pages lie in `out`, others in a folder below it.

    Raises
    ------
    SiteFailed
        If Sphinx is not installed, or a page has a broken link or a formula that cannot be drawn.
    """
    missing = [name for name in ("sphinx", "myst_nb", "furo") if not importlib.util.find_spec(name)]
    if missing:
        raise SiteFailed(f"{', '.join(missing)}: not installed; `make site` installs it, or: pip install -e .[site]")
    setting = setting or read_setting()
    editions = [edition for code, edition in EDITIONS.items() if code in languages]
    with tempfile.TemporaryDirectory(prefix="grader-site-") as folder:
        whole = Path(folder, "html")
        for edition in editions:
            other = other_edition(edition, languages)
            with in_language(edition.code):
                _make_edition(edition, other, Path(folder, edition.code), whole, topics, workers, setting, announce)
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(whole, out)
    return out / editions[0].folder / "index.html"


def _make_edition(
    edition: Edition,
    other: Edition | None,
    folder: Path,
    whole: Path,
    topics: Sequence[str],
    workers: int,
    setting: Setting,
    announce: Callable[[str], None],
) -> None:
    """Make the pages of one language in a folder of its own, and put them where they belong in the whole site."""
    home = folder / "pages"
    shutil.copytree(SETTINGS, home, ignore=shutil.ignore_patterns("__pycache__"))
    pages = pages_of(topics, edition.code)
    beyond = pages_of(topics, other.code) if other else set()
    elsewhere = Elsewhere(beyond, f"{edition.to_top}{other.folder + '/' if other.folder else ''}") if other else None
    write_documents(home, pages, setting, edition.code, elsewhere)
    (home / "index.md").write_text(first_page(topics, setting, elsewhere), encoding="utf-8")
    _write_lessons([NAME, *topics], edition.code, home, pages, setting, elsewhere, workers, announce)
    settings = {
        "language": edition.sphinx,
        "html_title": edition.title,
        "nb_code_prompt_show": edition.show_imports,
        "nb_code_prompt_hide": edition.hide_imports,
    }
    if other and elsewhere:
        settings |= {"switch_language": other.sphinx.replace("_", "-"), "switch_name": other.name}
        settings["switch_folder"] = elsewhere.to_top
        names = sorted(Path(page).with_suffix("").as_posix() for page in beyond if page.endswith((".md", ".ipynb")))
        settings["switch_pages"] = ",".join([*names, "search"])
    run_sphinx(home, folder / "html", workers, settings)
    shutil.copytree(folder / "html", whole / edition.folder, dirs_exist_ok=True)


def _write_lessons(
    topics: Sequence[str],
    code: str,
    home: Path,
    pages: Collection[str],
    setting: Setting,
    elsewhere: Elsewhere | None,
    workers: int,
    announce: Callable[[str], None],
) -> None:
    """Run each lesson in a process of its own; a lesson that cannot be run ends all."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {
            pool.submit(write_lesson, topic, code, home, pages, setting, elsewhere): topic
            for topic in sorted(topics, key=_shortest_last)
        }
        for done in as_completed(waiting):
            try:
                done.result()
            except Exception as error:  # of any kind, since a lesson's own cells are run
                text = f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error).strip() else ''}"
                raise SiteFailed(f"the lesson {waiting[done]} could not be run ({text}); the site is as it was.") from error
            announce(f"ran {waiting[done]}{'' if code == ENGLISH else f' ({code})'}")


def _shortest_last(topic: str) -> float:
    """Return the sort key that begins with the longest lessons, so that no worker waits alone at the end."""
    cells = [] if topic == NAME else read_lesson(topic)
    return -sum(float(cell.meta.get("seconds", 0)) for cell in cells)


def write_lesson(
    topic: str, code: str, home: Path, pages: Collection[str], setting: Setting, elsewhere: Elsewhere | None = None
) -> Path:
    """Run a lesson, write its page, its pictures and its notebook for download, and return the page.

    Parameters
    ----------
    topic : str
        Name of the lesson.
    code : str
        Code of the language.
    home : Path
        Folder of the pages.
    pages : collection of str
        Paths of the files that are pages of the site.
    setting : Setting
        Where the course is published.
    elsewhere : Elsewhere, optional
        The pages of the site in another language.
    """
    with in_language(code):
        released = start_here() if topic == NAME else release(source(topic, setting))
        exercises = [] if topic == NAME else exercises_of(topic)
        file = home / DOWNLOADS / f"{topic}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(as_bytes(released))
        checks = {
            cell.metadata.nbgrader.grade_id: cell.id
            for cell in released.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        }
        verdicts = {checks[f"{exercise.grade_id}-check"]: typical(exercise) for exercise in exercises}
        page = home / "notebooks" / topic / f"{topic}.ipynb"
        page.parent.mkdir(parents=True, exist_ok=True)
        linked = released if topic == NAME else release(source(topic, setting, linked=True))
        made = lesson_page(linked, outputs(topic), verdicts, topic, home / _EXTRA, pages, setting, elsewhere)
        page.write_bytes(nbformat.writes(made).encode("utf-8"))
    return page


def run_sphinx(home: Path, out: Path, workers: int, settings: Mapping[str, str] | None = None) -> None:
    """Make HTML of the pages.

    Parameters
    ----------
    home : Path
        Folder of the pages.
    out : Path
        Folder of the HTML.
    workers : int
        Number of processes.
    settings : mapping, optional
        Settings of Sphinx beside those of conf.py, such as its language.

    Raises
    ------
    SiteFailed
        If Sphinx reports an error or a warning. The message holds what it says.
    """
    (home / _EXTRA).mkdir(exist_ok=True)
    words = ["-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "--jobs", str(workers), "-b", "html"]
    words += [part for name, value in (settings or {}).items() for part in ("-D", f"{name}={value}")]
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words, "-d", str(home.parent / "doctrees"), str(home), str(out)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    if done.returncode:
        raise SiteFailed(f"Sphinx did not make the site:\n{done.stderr.strip()[-6000:]}")
