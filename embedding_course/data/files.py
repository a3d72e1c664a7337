"""Where the shipped data files lie: in a checkout in `data/`, in an installed package beside the code."""

from __future__ import annotations

from pathlib import Path

__all__ = ["data_file"]

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "files", _PACKAGE.parent.parent / "data")


def data_file(name: str) -> Path:
    """The path of a shipped file. FileNotFoundError says where it was looked for.

    >>> data_file("dog_and_machine.tsv").suffix
    '.tsv'
    """
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return folder / name
    places = " nor ".join(str(folder) for folder in _FOLDERS)
    raise FileNotFoundError(f"{name} is neither in {places}: reinstall embedding-course")
