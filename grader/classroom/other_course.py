"""The student tree of a course that is not ours: its own package and notebooks, and of the engine what they run on."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from embedding_course.subject.course import SUBJECT, course

from ..paths import ENGINE, NOTEBOOKS, ROOT
from .projects import as_text

#: What of the engine's package is the course on embeddings, and no engine.
_OURS_ALONE = (
    "expected",
    "experiments",
    "plot",
    "search.py",
    "sittings.json",
    SUBJECT,
    "warm_up.py",
    "own_tables.py",
    "glossary.md",
    "claims.md",
)
#: What the engine imports at a learner's, as pip names it.
_ENGINE_NEEDS = ("msgspec>=0.18.6", "numpy>=1.26", "safetensors>=0.4.3", "ipython>=8")
_README = """\
# {title}

    python3 -m venv .venv
    .venv/bin/python -m pip install "{wheel}" jupyterlab
    .venv/bin/python -m jupyterlab notebooks

On Windows write `.venv\\Scripts\\python` in place of `.venv/bin/python`. The wheel brings the package
`embedding_course` along, on which the checks run: an environment holds one course.

Each exercise is a function that raises `NotImplementedError`. Write your answer where it says `YOUR CODE HERE`, and run the
cell below: `check(...)` answers in a moment, `hint(...)` gives one hint at a time, `progress()` shows what is done. Before you
hand in, save the notebook and run its `doctor()` cell.
"""

_Ignored = Callable[[str, list[str]], Iterable[str]]


def lay_out(tree: Path, never: _Ignored) -> None:
    """Write the tree of the course in use; `never` says what stays away from every folder."""
    own = course()
    shutil.copytree(own.home, tree / own.package, ignore=lambda *arguments: set(never(*arguments)))
    shutil.copytree(
        ENGINE / "embedding_course",
        tree / "embedding_course",
        ignore=lambda *arguments: {*never(*arguments), *_left_out(*arguments)},
    )
    shutil.copy2(ENGINE / "LICENSE", tree / "embedding_course" / "LICENSE")
    shutil.copytree(NOTEBOOKS, tree / "notebooks", ignore=lambda *arguments: set(never(*arguments)))
    for name in ("LICENSE", "data"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name)
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, tree / name)
    (tree / "pyproject.toml").write_text(project(), encoding="utf-8")
    theirs = ROOT / "docs" / "for_students.md"
    wheel = f"{own.subject.distribution.replace('-', '_')}-{own.subject.version}-py3-none-any.whl"
    text = theirs.read_text(encoding="utf-8") if theirs.exists() else _README.format(title=own.subject.title, wheel=wheel)
    (tree / "README.md").write_text(text, encoding="utf-8")


def _left_out(folder: str, names: list[str]) -> set[str]:
    """Return what of a folder of the engine stays away: lessons' exercises, their data, experiments and figures."""
    inside = Path(folder).relative_to(ENGINE / "embedding_course").parts
    if inside == ("data",):
        return set(names) - {"__init__.py", "files.py"}
    if inside == ("exercises",):
        return {name for name in names if name[:1].isdigit() or name == "index.json"}
    return set(names) & set(_OURS_ALONE) if inside in ((), ("subject",), ("learner",)) else set()


def requirements() -> list[str]:
    """Return what the course in use and the engine import at a learner's, as pip names it."""
    own = course().subject
    return list(dict.fromkeys((*own.needs, *_ENGINE_NEEDS, *(["torch>=2.6"] if own.torch else []))))


def project() -> str:
    """Return the project file of that tree: two packages in one wheel, the course's own and the engine's."""
    own = course()
    tables: dict[str, dict[str, Any]] = {
        "build-system": {"requires": ["hatchling>=1.24"], "build-backend": "hatchling.build"},
        "project": {
            "name": own.subject.distribution,
            "version": own.subject.version,
            "description": own.subject.title,
            "readme": "README.md",
            "requires-python": ">=3.11",
            "dependencies": requirements(),
        },
        "tool.hatch.build.targets.wheel": {"packages": [own.package, "embedding_course"]},
    }
    return as_text(tables)
