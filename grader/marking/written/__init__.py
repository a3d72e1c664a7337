"""Marking written answers: one question, all students, several people at once."""

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    """Return what a Jupyter server loads when this package is enabled as an extension."""
    from .extension import MarkingApp

    return [{"module": "grader.marking.written.extension", "app": MarkingApp}]
