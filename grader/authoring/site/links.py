"""Links of our Markdown, for the site: to its pages where it has them, to the repository where that is public, else none.

The site keeps the repository's folders, so that most links stay as they are.
"""

import posixpath
import re
from collections.abc import Callable, Collection
from pathlib import Path

from ...course_source.setting import Setting
from ...paths import ROOT

#: Lessons name these pages as if they lay beside the notebooks.
_SAME = {"notebooks/glossary.md": "docs/glossary.md", "notebooks/claims.md": "docs/claims.md"}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~)")


def mended(text: str, home: str, pages: Collection[str], setting: Setting, root: Path = ROOT) -> str:
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

    Examples
    --------
    >>> mended("[one](../README.md), [two](x.md#there)", "docs/y.md", {"docs/x.md"}, Setting())
    'one, [two](x.md#there)'
    """

    def link(match: re.Match[str]) -> str:
        picture, words, target = match[1], match[2], match[3]
        path, mark, anchor = target.partition("#")
        if not path or "://" in target or target.startswith(("mailto:", "data:")):
            return match[0]
        there = posixpath.normpath(posixpath.join(posixpath.dirname(home), path))
        there = _SAME.get(there, there)
        if there in pages:
            near = posixpath.relpath(there, posixpath.dirname(home) or ".")
            return f"{picture}[{words}]({near}{mark}{anchor})"
        if not (root / there).exists():
            return match[0]
        if setting.owner_and_name:
            return f"[{words}](https://github.com/{setting.owner_and_name}/blob/{setting.branch}/{there}{mark}{anchor})"
        return words

    return _outside_fences(text, lambda line: _LINK.sub(link, line))


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
