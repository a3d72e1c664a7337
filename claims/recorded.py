"""Recorded runs (`data/curves`), for computations that take too long to be done anew."""

from __future__ import annotations

import contextlib
import io

from embedding_course.experiments import curves

__all__ = ["recorded"]


def recorded(name: str) -> curves.Curves:
    """The recorded curves of a lesson, without the line that says where they come from."""
    with contextlib.redirect_stdout(io.StringIO()):
        return curves.load(name)
