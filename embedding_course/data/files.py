"""Find the shipped data files: in `data/` of a checkout, or beside the code of an installed package."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "files", _PACKAGE.parent.parent / "data")


def data_file(name: str) -> Path:
    """Return the path of a shipped file.

    Raises
    ------
    FileNotFoundError
        If the file is missing; the message says where it was looked for.

    Examples
    --------
    >>> data_file("dog_and_machine.tsv").suffix
    '.tsv'
    """
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return folder / name
    folders = " nor ".join(str(folder) for folder in _FOLDERS)
    raise FileNotFoundError(f"{name} is neither in {folders}: reinstall embedding-course")
