"""An IPython shell for cells that nobody watches: no kernel, no history, nobody to answer `input()`, nothing to install."""

from __future__ import annotations

import ast
import builtins
import getpass
import sys
from typing import Any

__all__ = ["calm", "make_shell", "raised"]

#: Magics that set a front end up, install, or measure. Where nobody looks they do nothing.
_IDLE = frozenset({
    "autoreload", "cd", "colors", "conda", "config", "debug", "load_ext", "lprun", "mamba", "matplotlib", "memit", "micromamba",
    "mprun", "pdb", "pip", "prun", "reload_ext", "reset", "reset_selective", "sc", "sx", "system", "timeit", "tensorboard",
    "uv", "xmode",
})  # fmt: skip
_MOST_SAID = 300


def make_shell() -> Any:
    """An IPython shell without kernel, history or start-up files, so that magics in cells work."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 0
    shell = InteractiveShell.instance(config=config)
    calm(shell)
    return shell


def calm(shell: Any) -> None:
    """Make harmless what only works where a person and a whole machine are: shell commands, installing, questions, set-up of
    plots and magics that are not installed. Tracebacks are not laid out: nobody reads them, and it takes long."""
    from IPython.core.error import UsageError
    from IPython.core.pylabtools import import_pylab
    from IPython.utils.text import SList

    transform_cell = shell.transform_cell

    def transform(source: str) -> str:
        """What is Python already needs no look for magics, which takes as long as running it."""
        return f"{source}\n" if _is_python(source) else transform_cell(source)

    run_line_magic = shell.run_line_magic

    def line_magic(name: str, line: str, _stack_depth: int = 1) -> Any:
        if name in _IDLE:
            return None
        if name == "pylab":  # its names, without the window that it would open
            return import_pylab(shell.user_ns)
        try:
            return run_line_magic(name, line, _stack_depth + 1)
        except UsageError:
            return None

    shell.transform_cell = transform
    shell.run_line_magic = line_magic
    shell.showtraceback = shell.showsyntaxerror = shell.system = _nothing
    shell.getoutput = lambda *_, **__: SList()
    builtins.input = getpass.getpass = _no_answer
    if "torch" in sys.modules:  # a device that is not there would fail whatever makes a tensor from then on
        vars(sys.modules["torch"])["set_default_device"] = _nothing
    if hasattr(shell, "kernel"):  # a kernel puts its own in place before each cell
        shell.kernel.raw_input = shell.kernel.getpass = _no_answer


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _nothing(*args: Any, **options: Any) -> None:
    return None


def _no_answer(*args: Any, **options: Any) -> str:
    return ""


def raised(outcome: Any) -> tuple[str, str, int] | None:
    """What a cell raised, from what `run_cell` returned: the name of the exception, its message, and the line of the cell, 0
    where that cannot be told. None where it raised nothing.

    The exception is the learner's object: what it says of itself is not trusted to be text, nor to come back.
    """
    error = outcome.error_before_exec or outcome.error_in_exec
    if error is None:
        return None
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)  # where it is said anyway
    except BaseException:  # a class of the learner's own may raise anything
        message = ""
    return type(error).__name__, message[:_MOST_SAID], _line(error)


def _line(error: BaseException) -> int:
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith(("<ipython-input", "<string>")) or "ipykernel" in name:
            return trace.tb_lineno
        trace = trace.tb_next
    return 0
