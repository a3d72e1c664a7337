"""Texts with `$names` in them, and the files that are made of them: never over a file that is there."""

import re
from collections.abc import Mapping
from pathlib import Path

_TEMPLATES = Path(__file__).parent / "templates"


class CannotMake(Exception):
    """What was asked for cannot be made; the message says why, and nothing was written."""


def filled_in(text: str, facts: Mapping[str, str]) -> str:
    """The text with each `$name` replaced by its fact. KeyError for a name without one.

    >>> filled_in("def $name():", {"name": "share"})
    'def share():'
    """
    return re.sub(r"\$([a-z_]+)", lambda match: facts[match[1]], text)


def template(name: str) -> str:
    """The text of a template, such as "notebook/lesson"."""
    return (_TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")


def write_new(texts: Mapping[Path, str], root: Path) -> tuple[Path, ...]:
    """Write all of these files. CannotMake, before anything is written, where one is there already."""
    for path in texts:
        if path.exists():
            shown = path.relative_to(root) if path.is_relative_to(root) else path
            raise CannotMake(f"{shown} is there already: choose another name, or go on with that file.")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(texts)
