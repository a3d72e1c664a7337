"""What grading needs of other people's packages: which, in which versions, and whether a folder of wheels holds them all."""

import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, PathDistribution, version
from pathlib import Path
from zipfile import BadZipFile, is_zipfile
from zipfile import Path as Inside

from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from embedding_course.subject.course import course

from ..classroom.other_course import requirements
from ..paths import ENGINE
from .settings import CannotPackage


def needed() -> list[str]:
    """Return the requirements of the course in use and of its grader, as pyproject.toml and subject.toml have them."""
    project = tomllib.loads((ENGINE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    theirs = project["dependencies"] if course().ours else requirements()
    return [*theirs, *project["optional-dependencies"]["instructor"]]


def pinned(requirements: Iterable[str]) -> list[str]:
    """Return the requirements with the versions that are installed here.

    Marks are then computed elsewhere with the versions that compute them here. A package that is not installed keeps its range.
    """
    pins = []
    for requirement in requirements:
        asked = Requirement(requirement)
        try:
            pins.append(f"{asked.name}=={Version(version(asked.name)).public}")
        except PackageNotFoundError:
            pins.append(requirement)
    return pins


def require_wheels(folder: Path, requirements: Iterable[str]) -> list[Path]:
    """Return the wheels of a folder. Raise CannotPackage if a requirement, or one of a wheel's own, is missing there.

    Markers are read for this machine's Python; whether a wheel fits the Python that grades shows when they are installed.
    """
    if not folder.is_dir():
        raise CannotPackage(f"--wheels: there is no folder {folder}.")
    wheels = sorted(folder.glob("*.whl"))
    there: dict[str, list[tuple[Version, Path]]] = {}
    for path in wheels:
        name, number = _name_of(path)
        there.setdefault(name, []).append((number, path))
    missing = sorted(set(_missing(there, requirements)))
    if missing:
        raise CannotPackage(
            f"--wheels: {folder} holds no wheel for {', '.join(missing)}. Fill it on a machine like the one that grades, "
            f"with that machine's Python: python -m pip download --only-binary :all: --dest {folder} NAMES."
        )
    return wheels


def _name_of(path: Path) -> tuple[str, Version]:
    try:
        name, number, _, _ = parse_wheel_filename(path.name)
    except InvalidWheelFilename:
        raise CannotPackage(f"--wheels: {path.name} is not called as a wheel is; take it out of the folder.") from None
    if not is_zipfile(path):
        raise CannotPackage(f"--wheels: {path.name} is no wheel, or was cut off; fetch it again.")
    return canonicalize_name(name), number


def _missing(there: dict[str, list[tuple[Version, Path]]], requirements: Iterable[str]) -> Iterator[str]:
    """Yield the requirements that no wheel meets, and those of the wheels that meet one."""
    seen: set[tuple[str, str]] = set()
    left = [(Requirement(requirement), "") for requirement in requirements]
    while left:
        asked, extra = left.pop()
        if asked.marker and not asked.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(asked.name)
        fitting = [path for number, path in there.get(name, []) if asked.specifier.contains(number, prereleases=True)]
        if not fitting:
            yield f"{asked.name}{asked.specifier}"
            continue
        for extra in ("", *sorted(asked.extras)):
            if (name, extra) not in seen:
                seen.add((name, extra))
                left += [(Requirement(dependency), extra) for dependency in _asked_by(fitting[-1])]


def _asked_by(wheel: Path) -> list[str]:
    name = "-".join(wheel.name.split("-")[:2])
    try:
        return PathDistribution(Inside(wheel) / f"{name}.dist-info").requires or []
    except (BadZipFile, OSError):
        raise CannotPackage(f"--wheels: {wheel.name} cannot be read; fetch it again.") from None
