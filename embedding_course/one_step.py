"""Write a file in one step: beside its place, then moved there. A crash leaves the old file or the new one."""

import os
from pathlib import Path


def write_in_one_step(path: Path, body: bytes, mode: int = 0o666) -> None:
    """Write `body` to `path`, whose folder is there already. OSError when the disk refuses; then nothing new is left."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.touch(mode)  # before it holds anything that others should not read
        part.write_bytes(body)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
