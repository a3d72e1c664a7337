"""`python -m grader`: the instructor's command line."""

from __future__ import annotations

from .cli import app

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    app(prog_name="grader")


if __name__ == "__main__":
    main()
