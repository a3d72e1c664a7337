"""Turn the source of a cell into plain Python, in linear time: what front ends add to the language is replaced."""

import re
import warnings
from ast import Module, parse
from functools import cache
from typing import Any

#: Cell magics whose body the notebook does not run as Python of its own: it is another language, or goes into a file.
_OTHER_LANGUAGES = frozenset({
    "bash", "bigquery", "cmd", "cython", "file", "html", "javascript", "js", "julia", "latex", "markdown", "mermaid", "perl",
    "pypy", "python", "python2", "python3", "R", "ruby", "script", "sh", "sql", "svg", "sx", "system", "writefile",
})  # fmt: skip
#: `%time` runs its line in the notebook; the other magics that do so bind nothing there.
_TIME = re.compile(r"%time[ \t]+(?=\S)")
#: What may be a magic. IPython itself reads a cell anew for each: it is asked only where lines times magics stay below this.
_MAGIC = re.compile(r"^[ \t]*[%!?,;/]|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
_MAX_CHARACTERS = 20_000


def parsed(source: str) -> tuple[str, Module, int]:
    r"""Return the cell as plain Python, its syntax tree, and the number of its first lines that both leave out.

    `%magics` and `!commands` become calls of IPython, as IPython itself would write them.

    Raises
    ------
    SyntaxError, ValueError, RecursionError, MemoryError
        If the cell is not Python.

    Examples
    --------
    >>> text, tree, left_out = parsed("%%time\n!pip install x\ny = 1")
    >>> left_out, len(tree.body), text.splitlines()[-1]
    (1, 2, 'y = 1')
    """
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    left_out = _cell_magics(lines)
    text = "\n".join(lines[left_out:])
    try:
        return text, _tree(text), left_out
    except SyntaxError:
        text = _without_magics(text)
    try:
        return text, _tree(text), left_out
    except SyntaxError as error:
        error.lineno = error.lineno and error.lineno + left_out
        raise


def is_python(source: str) -> bool:
    """Return True for a cell that Python can read once its magics are replaced."""
    try:
        parsed(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _tree(text: str) -> Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an escape that Python doubts is not ours to tell
        return parse(text)


def _cell_magics(lines: list[str]) -> int:
    """Return the number of lines at the top of a cell that are empty or cell magics.

    SyntaxError is raised if a magic makes the cell another language.
    """
    index = 0
    while index < len(lines) and (lines[index].startswith("%%") or not lines[index].strip()):
        if lines[index].startswith("%%"):
            name = re.split(r"[\s(]", lines[index][2:], maxsplit=1)[0]
            if name in _OTHER_LANGUAGES or name.startswith("!"):
                raise SyntaxError(f"%%{name} makes the cell another language")
        index += 1
    return index


@cache
def _manager() -> Any:
    """Return IPython's object that turns magics into plain calls.

    IPython is imported here, so that importing the course does not wait for it.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager()


def _without_magics(text: str) -> str:
    """Return the text with all magics of a cell replaced by plain calls, in one pass.

    If a magic hides what follows, as an open bracket does, IPython's own slower way is used.
    """
    from IPython.core.inputtransformer2 import make_tokens_by_line

    text = "\n".join(_TIME.sub("", line, count=1) if line.startswith("%time") else line for line in text.split("\n"))
    lines = f"{text}\n".splitlines(keepends=True)
    for tidy in _manager().cleanup_transforms:
        lines = tidy(lines)
    whole = list(lines)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        magics = [magic for line in make_tokens_by_line(lines) if (magic := _first_magic(line)) is not None]
    for magic in reversed(magics):
        try:
            lines = magic.transform(lines)
        except SyntaxError:
            continue
    plain = "".join(lines)
    try:
        _tree(plain)
    except SyntaxError:
        if len(_MAGIC.findall(text)) * len(whole) < _MAX_CHARACTERS:
            return _manager().transform_cell("".join(whole))
    return plain


def _first_magic(line: list[Any]) -> Any:
    return next((magic for kind in _manager().token_transformers if (magic := kind.find([line])) is not None), None)
