"""A stream for prints that nobody should see: it counts characters, to detect floods, and drops them."""

from __future__ import annotations

import io

__all__ = ["Silence"]


class Silence(io.TextIOBase):
    """A text stream that keeps nothing.

    With `limit`, writing raises RuntimeError as soon as more characters than that were written.

    >>> Silence().write("gone")
    4
    """

    def __init__(self, limit: int | None = None) -> None:
        self.limit, self.written = limit, 0

    def writable(self) -> bool:
        """Return True: a stream of this kind accepts text."""
        return True

    def write(self, text: str) -> int:
        """Count the characters of `text`, drop them, and return their number; call `flooded` if the limit is exceeded."""
        self.written += len(text)
        if self.limit is not None and self.written > self.limit:
            self.flooded()
        return len(text)

    def flooded(self) -> None:
        """Return what happens beyond the limit; a grader's process ends here."""
        raise RuntimeError(f"more than {self.limit} characters were printed")
