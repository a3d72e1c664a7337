"""Which names are those of archives, and what they are called without their endings."""

_TAR = (".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".txz", ".tbz2", ".tbz", ".tar")
#: A single file, compressed; `work.gz` may also be a tar archive under a short name.
_SINGLE = (".gz", ".bz2", ".xz")
_ALL = (*_TAR, *_SINGLE, ".zip")


def is_archive(name: str) -> bool:
    """Return True if this is the name of an archive that is opened.

    >>> is_archive("work.zip"), is_archive("work.tar.gz"), is_archive("03.ipynb.gz"), is_archive("work.7z")
    (True, True, True, False)
    """
    return bare(name) != name


def is_tar(name: str) -> bool:
    """Return True if this is the name of a tar archive, compressed or not."""
    return is_archive(name) and name.lower().endswith(_TAR)


def is_single(name: str) -> bool:
    """Return True if this is the name of one compressed file."""
    return is_archive(name) and not is_tar(name) and name.lower().endswith(_SINGLE)


def bare(name: str) -> str:
    """Return an archive's name without its ending, of which `.tar.gz` is one; other names as they are.

    >>> bare("ada_03.tar.gz"), bare("ada_03.ipynb"), bare(".zip")
    ('ada_03', 'ada_03.ipynb', '.zip')
    """
    ending = next((ending for ending in _ALL if name.lower().endswith(ending)), "")
    before = name[: len(name) - len(ending)]
    return before if before.strip(".") else name  # nothing but dots is no name
