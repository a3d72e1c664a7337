"""An IPython shell for cells that run unattended: no kernel, no history, no answers to `input()`, no installing."""

import ast
import builtins
import getpass
import sys
from typing import Any

#: Magics that set a front end up, install, or measure. Where nobody looks they do nothing.
_IDLE = frozenset({
    "autoreload", "cd", "colors", "conda", "config", "debug", "load_ext", "lprun", "mamba", "matplotlib", "memit", "micromamba",
    "mprun", "pdb", "pip", "prun", "reload_ext", "reset", "reset_selective", "sc", "sx", "system", "timeit", "tensorboard",
    "uv", "xmode",
})  # fmt: skip
_MAX_MESSAGE = 300


def make_shell() -> Any:
    """Return an IPython shell without kernel, history or start-up files, in which the magics of cells work."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 0
    shell = InteractiveShell.instance(config=config)
    calm(shell)
    return shell


def calm(shell: Any) -> None:
    """Make those features of a shell harmless that need a person or a whole machine.

    These are shell commands, installing, questions, the set-up of plots, and magics that are not installed. Tracebacks are not
    formatted, since nobody reads them and formatting is slow.
    """
    from IPython.core.error import UsageError
    from IPython.core.pylabtools import import_pylab
    from IPython.utils.text import SList

    transform_cell = shell.transform_cell

    def transform(source: str) -> str:
        """Leave plain Python as it is: the search for magics takes as long as running the cell."""
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
    """Return the exception's name, its message and its line in the cell, or None if the cell raised nothing.

    `outcome` is the result of `run_cell`. The line is 0 if it is not known.
    """
    error = outcome.error_before_exec or outcome.error_in_exec
    return None if error is None else (*name_and_message(error), _line(error))


def name_and_message(error: BaseException) -> tuple[str, str]:
    """Return the name of an exception and its message, which is cut.

    The exception is the learner's object: converting it to text may return something else than text, or raise.
    """
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)  # without file and line
    except BaseException:  # a class of the learner's own may raise anything
        message = ""
    return type(error).__name__, message[:_MAX_MESSAGE]


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
