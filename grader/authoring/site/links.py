"""Links of our Markdown, for the site: to its pages where it has them, to the repository where that is public, else none.

The site keeps the repository's folders, so that most links stay as they are.
"""

import posixpath
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from embedding_course.messages import ENGLISH, edition

from ...course_source.setting import Setting
from ...paths import ROOT
from . import glossary_page

#: Lessons name these pages as if they lay beside the notebooks.
_SAME = {"notebooks/glossary.md": "docs/glossary.md", "notebooks/claims.md": "docs/claims.md"}
_EDITION = re.compile(r"^(docs|notebooks)/zh/")
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~)")


@dataclass(frozen=True)
class Elsewhere:
    """Pages of the site in another language, to which a page links where its own language has none.

    Attributes
    ----------
    pages : collection of str
        Paths of the files.
    to_top : str
        Path from the first page to that of the other language.
    """

    pages: Collection[str]
    to_top: str


def mended(
    text: str, home: str, pages: Collection[str], setting: Setting, root: Path = ROOT, elsewhere: Elsewhere | None = None
) -> str:
    """Return the Markdown of a file with its links as the site needs them.

    Parameters
    ----------
    text : str
        Text of the file.
    home : str
        Path of the file, seen from `root`.
    pages : collection of str
        Paths of the files that are pages of the site.
    setting : Setting
        Where the course is published; links to other files lead there.
    root : Path, optional
        Folder of the checkout.
    elsewhere : Elsewhere, optional
        The pages of the site in another language.

    Examples
    --------
    >>> mended("[one](../README.md), [two](x.md#there)", "docs/y.md", {"docs/x.md"}, Setting())
    'one, [two](x.md#there)'
    """
    folder = posixpath.dirname(place_of(home)) or "."

    def link(match: re.Match[str]) -> str:
        picture, words, target = match[1], match[2], match[3]
        path, mark, anchor = target.partition("#")
        if not path or "://" in target or target.startswith(("mailto:", "data:")):
            return match[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(home), path))
        there = _SAME.get(there, there)
        place = place_of(there)
        if place in pages:
            near = posixpath.relpath(place, folder)
            if place == glossary_page.PAGE and edition() != ENGLISH:
                anchor = glossary_page.anchor(anchor)
            return f"{picture}[{words}]({near}{mark}{anchor})"
        if elsewhere and place in elsewhere.pages:
            near = posixpath.relpath(f"{elsewhere.to_top}{posixpath.splitext(place)[0]}.html", folder)
            return f'<a href="{near}{mark}{anchor}">{words}</a>'
        if not (root / there).exists():
            return match[0]
        if setting.owner_and_name:
            return f"[{words}](https://github.com/{setting.owner_and_name}/blob/{setting.branch}/{there}{mark}{anchor})"
        return words

    return _outside_fences(text, lambda line: _LINK.sub(link, line))


def place_of(path: str) -> str:
    """Return where a file lies among the pages of its language: the folder `zh` of the checkout is not repeated there.

    >>> place_of("docs/zh/formulas.md"), place_of("docs/zh/README.md"), place_of("docs/engine.md")
    ('docs/formulas.md', 'index.md', 'docs/engine.md')
    """
    return "index.md" if path == "docs/zh/README.md" else _EDITION.sub(r"\1/", path)


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Return what is not code, changed, piece by piece."""
    done: list[str] = []
    prose: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        fence = bool(_FENCE.match(line))
        if fence and not inside:
            done.append(change("".join(prose)))
            prose = []
        (done if inside or fence else prose).append(line)
        inside ^= fence
    return "".join([*done, change("".join(prose))])
