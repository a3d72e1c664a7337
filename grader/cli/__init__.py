"""The commands, one module each, which is imported when the command is asked for.

A caller in the same process may hand over warm learners as the context's `obj`; commands that want ordinary ones use those.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: a grade must not depend on the machine

from importlib import import_module
from typing import Any

import typer
from typer.main import get_command

from embedding_course.subject.titles import TITLE

from .options import course_option
from .sentences import Commands
from .terminal import echo

__all__ = ["app"]

#: The module of each command, in the order of the help. It holds a function, or a Typer, of its own name.
_MODULES = {
    "build": "build", "try": "try_", "report-problem": "report_problem", "audit": "audit", "grade": "grade",
    "feedback": "feedback", "regrade": "regrade", "accept": "accept", "forgive": "forgive", "similar": "similar",
    "mark": "mark", "requests": "requests", "new": "new", "attack": "attack", "demo": "demo",
    "report": "report", "curves": "curves", "figures": "figures", "lab": "lab", "doctor": "doctor", "submit": "submit",
    "receipt": "receipt", "release": "release", "site": "site", "collect": "collect", "roster": "roster",
    "export": "export", "class": "class_",
    "mistake": "mistake", "package": "package", "project": "project",
}  # fmt: skip

typer.echo = echo  # all commands print through it, so that no name in what they print can steer a terminal


class _LazyCommands(dict[str, Any]):
    """The commands by name; a command's module is imported when the command is looked up."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return the command of this name, as `click.Group.get_command` asks for it."""
        if name not in self:
            return default
        definition = getattr(import_module(f".{_MODULES[name]}", __name__), _MODULES[name])
        if not isinstance(definition, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command(name)(definition)
            definition = alone
        command = get_command(definition)
        command.name = name
        return command


class _Grader(Commands):
    """The group of all commands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _LazyCommands(dict.fromkeys(_MODULES))


app = typer.Typer(
    cls=_Grader,
    help=f"Build, grade and examine the course “{TITLE}”.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.callback()(course_option)
