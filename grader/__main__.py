"""`python -m grader`: the instructor's command line."""

from __future__ import annotations

import sys

from embedding_course.errors import CourseError

from .cli import app

__all__ = ["main"]


def main() -> None:
    """Run the command line. A wrong name or file is answered by one sentence, not by a traceback."""
    try:
        app(prog_name="grader")
    except CourseError as error:
        sys.exit(f"✘ {error}")


if __name__ == "__main__":
    main()
