"""The course that this process serves: the one of this package, or the one in the folder that COURSE_IN_USE names.

The `subject.toml` in a course's package says what belongs to the course alone: titles, notebooks, its names, and what is
imported before a process is forked. The variable is read once, on first use, and inherited by processes that this one starts.
`grader --course FOLDER` sets it, and so does the package that another course's notebooks import.
"""

import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from .errors import CourseError

#: The environment variable with the folder of the course in use.
VARIABLE = "COURSE_IN_USE"
#: The file in a course's package that says what is its own.
SUBJECT = "subject.toml"
_OURS = Path(__file__).resolve().parent.parent


class Notebook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One notebook, as `subject.toml` lists it; `place` is its column (0 to 7) and row (0 to 2) on the map."""

    number: str
    slug: str
    title: str
    question: str
    builds_on: tuple[str, ...] = ()
    place: tuple[int, int] | None = None


class Carried(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that a learner makes in one notebook and uses again in another, for the map."""

    source: str
    target: str
    what: str


class Warm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done once before a process is forked.

    `modules` are imported, `cells` are run in a shell, and the function `warm_up` is called in the module that `calls` names.
    `seldom` maps modules that are slow to import to words: where one submission is graded alone, such a module is imported only
    if one of its words occurs in the submission or the notebook. `warm_up` leaves out what was not imported.
    """

    modules: tuple[str, ...] = ()
    seldom: dict[str, tuple[str, ...]] = {}
    cells: tuple[str, ...] = ()
    calls: str = ""


class Subject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `subject.toml` holds.

    `course_id` is the name in nbgrader's exchange and gradebook, `distribution` the wheel and the folder of a release. With
    `torch` the course's numbers are tensors; without it they are arrays of numpy, and torch is not imported. `needs` are the
    further packages that its notebooks import, as pip names them; `published` says where the course is published.
    """

    title: str
    course_id: str
    distribution: str
    version: str = "0.1.0"
    torch: bool = False
    needs: tuple[str, ...] = ()
    published: dict[str, str] = {}
    warm: Warm = Warm()
    notebook: tuple[Notebook, ...] = ()
    carried: tuple[Carried, ...] = ()


class CourseInUse(msgspec.Struct, frozen=True):
    """A course and the folder in which it lies.

    `home` is the folder of its package; `root` is the folder around it, which contains `solutions/` in a checkout.
    """

    subject: Subject
    home: Path

    @property
    def root(self) -> Path:
        """Return the folder that contains the course's package."""
        return self.home.parent

    @property
    def package(self) -> str:
        """Return the name of the package that the course's notebooks import."""
        return self.home.name

    @property
    def solutions_package(self) -> str:
        """Return the import name of the optional package with the worked solutions."""
        return f"{self.package}_solutions"

    @property
    def ours(self) -> bool:
        """Return True for the course that ships with this package."""
        return self.home == _OURS


def read_course(folder: Path) -> CourseInUse:
    """Return the course in a folder, which is that of the course's package or the one around it.

    Raises
    ------
    CourseError
        If the folder does not hold exactly one course that can be read; the message says why.
    """
    if not folder.is_dir():
        raise CourseError(f"There is no folder {folder}: name that of a course, which grader new course makes.")
    homes = _homes(folder)
    if len(homes) != 1:
        many = f"{len(homes)} packages hold one" if homes else "it is neither there nor in a folder of it"
        raise CourseError(f"{folder} is no course: a course has one {SUBJECT} in its package, and {many}.")
    home = homes[0].resolve()
    try:
        subject = msgspec.convert(tomllib.loads((home / SUBJECT).read_text(encoding="utf-8")), Subject)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise CourseError(f"{home / SUBJECT} cannot be read: {error}.") from None
    if not home.name.isidentifier():
        raise CourseError(f"{home} cannot be imported: the package's folder needs a name of letters, digits and underscores.")
    _held_to_be_two_digits(subject.notebook, home / SUBJECT)
    return CourseInUse(subject, home)


def _homes(folder: Path) -> Sequence[Path]:
    if (folder / SUBJECT).is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob(f"*/{SUBJECT}"))


def _held_to_be_two_digits(notebooks: Sequence[Notebook], file: Path) -> None:
    known: set[str] = set()
    for notebook in notebooks:
        if len(notebook.number) != 2 or not notebook.number.isdecimal() or notebook.number in known:
            raise CourseError(
                f"{file}: a notebook has the number {notebook.number!r}; each has two digits of its own, such as “03”."
            )
        known.add(notebook.number)


@cache
def course() -> CourseInUse:
    """Return the course in use; raise CourseError if the folder that COURSE_IN_USE names holds no course."""
    named = os.environ.get(VARIABLE)
    if not named:
        return read_course(_OURS)
    current = read_course(Path(named))
    if str(current.root) not in sys.path:
        sys.path.append(str(current.root))  # its package is imported by its name
    return current


def course_named() -> dict[str, str]:
    """Return the environment variables with which a new process serves the same course."""
    return {} if course().ours else {VARIABLE: str(course().home)}


def begin(home: Path) -> Callable[[str], Any]:
    """Serve the course whose package lies in `home` from now on, and return the package's `__getattr__`.

    The course's package calls this when it is imported. With the `__getattr__`, a notebook imports `check` and other functions
    from its own course.

    Raises
    ------
    CourseError
        If this process already serves another course.
    """
    if course.cache_info().currsize == 0:
        os.environ[VARIABLE] = str(home)
    current = course()
    if current.home != home.resolve():
        raise CourseError(
            f"This process serves the course “{current.subject.title}” already: restart the kernel, and import one course only."
        )
    engine = import_module(_OURS.name)

    def fetched(name: str) -> Any:
        if name not in engine.__all__:
            raise AttributeError(f"module {current.package!r} has no attribute {name!r}")
        return getattr(engine, name)

    return fetched
