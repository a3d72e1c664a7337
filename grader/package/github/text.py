"""The texts that both repositories are made of."""

import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..cannot_package import CannotPackage

_TEXTS = Path(__file__).with_name("texts")
#: Dollars belong to the shell and to GitHub.
_WORD = re.compile(r"@\{([A-Z]+)\}")


def fill(name: str, target: Path, words: Mapping[str, str]) -> None:
    """Write one of the texts with each `@{WORD}` filled in. KeyError for a word that is not said."""
    target.parent.mkdir(parents=True, exist_ok=True)
    text = (_TEXTS / name).read_text(encoding="utf-8")
    target.write_text(_WORD.sub(lambda found: words[found[1]], text), encoding="utf-8")


@contextmanager
def into_new(folder: Path) -> Iterator[Path]:
    """A folder to write into, which must not hold anything yet; what was begun is removed where it comes to nothing.
    CannotPackage where something lies there: it may be somebody's repository."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotPackage(f"--into: {folder} holds something already; name a new folder, and copy over what you want.")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder)
        raise


def torch_line(index: str) -> str:
    """The line of a workflow that installs torch first, where an index is named for it; else pip's own settings decide.

    >>> torch_line("https://example.org/cpu")
    'python -m pip install --quiet --index-url "https://example.org/cpu" "torch>=2.6"'
    """
    return f'python -m pip install --quiet --index-url "{index}" "torch>=2.6"' if index else ": # torch comes along below"
