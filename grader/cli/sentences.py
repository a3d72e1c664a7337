"""The error boundary of all commands: an error that the user can mend is one sentence and exit code 2, without a traceback."""

import os
import subprocess
import traceback
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import UserError

#: If this variable is set, errors show a traceback instead of a sentence.
TRACEBACK = "GRADER_TRACEBACK"


class Commands(TyperGroup):
    """The group of all commands. Faults of the grader still show their traceback, so that they can be reported."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; print a sentence and exit with code 2 if the user can mend what went wrong."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            sentence = error.sentence
        except Exception as error:
            sentence = "" if os.environ.get(TRACEBACK) else sentence_of(error)
            if not sentence:
                raise
        typer.echo(sentence, err=True)
        raise typer.Exit(2)


def sentence_of(error: BaseException) -> str:
    """Return what is wrong and what to do for an exception caused by the user's files, disk or programs, or "" for others."""
    if isinstance(error, BrokenPipeError):
        return "The program that read this output has ended."
    if isinstance(error, OSError):
        return _of_disk(error)
    if isinstance(error, subprocess.CalledProcessError):
        command = error.cmd if isinstance(error.cmd, str) else " ".join(map(str, error.cmd[:4]))
        return f"The program {command} ended with the exit code {error.returncode}; what it said stands above."
    return _of_course_file(error) or _of_gradebook(error)


def _of_course_file(error: BaseException) -> str:
    """Return what is wrong in an exercise, a lesson or an answer, if that is where Python stopped."""
    from embedding_course.subject.course import course

    from ..paths import ROOT, SOLUTIONS

    frames = traceback.extract_tb(error.__traceback__)
    name, line = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    if isinstance(error, SyntaxError):
        name, line = error.filename or "", error.lineno
    if not any(Path(name).is_relative_to(folder) for folder in (SOLUTIONS, course().home / "exercises")):
        return ""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{Path(name).relative_to(ROOT)}, line {line}: {type(error).__name__}: {message}. Mend that file first."


def _of_disk(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    name = str(error.filename or "")
    if isinstance(error, FileNotFoundError) and name and os.sep not in name and not Path(name).exists():
        return f"{name}: there is no such file or program here. Is it installed, and is the name right?"
    return f"{name}: {reason}. Look at the path, and whether you may read and write there." if name else f"{reason}."


def _of_gradebook(error: BaseException) -> str:
    """Return the sentence for an exception of a database.

    No database is imported here, because the name of the exception's module is enough.
    """
    module = type(error).__module__.split(".")[0]
    if module == "sqlite3" or (module == "sqlalchemy" and type(error).__name__.endswith("Error")):
        text = str(getattr(error, "orig", None) or error).strip()
        return f"The gradebook cannot be used: {text.splitlines()[0] if text else type(error).__name__}."
    return ""
