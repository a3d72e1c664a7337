"""Read the bytes of a notebook file.

Damage by tools, uploads and merges is mended if the meaning is clear. For any other file, the message says what it is and
what to do. `doctor`, `submit`, `grader collect` and `grader grade` all read files in this way.
"""

import base64
import binascii
import codecs
import json
import re
from collections.abc import Callable
from typing import Any

from ...messages import Message
from .notebook_shape import NotANotebook, cells_inside, well_formed
from .other_files import kind_of_bytes, kind_of_text, kind_of_value

EMPTY = Message("the file is empty; save the notebook again and hand that file in")

_AGAIN = Message("open it in Jupyter, save it and hand it in again")
_MARKS: dict[bytes, str] = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"{\0": "utf-16-le",
    b"\0{": "utf-16-be",
    b"[\0": "utf-16-le",
    b"\0[": "utf-16-be",
}

#: Texts of JSON are passed over whole; behind them come the commas that are too many, and the places where one is missing.
_COMMAS = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|,(?=\s*[,\]}])|(?<=[\[{])\s*,|\}(?=\s*\{)', re.DOTALL)
_CONFLICT = re.compile(
    r"^<<<<<<<[^\n]*\n(?P<ours>.*?)(?:^\|{7}[^\n]*\n.*?)?^=======[^\n]*\n(?P<theirs>.*?)^>>>>>>>[^\n]*(?:\n|\Z)",
    re.M | re.DOTALL,
)
_MARK = re.compile(r"^(?:<{7}|>{7})(?: [^\n]*)?\r?$", re.M)
_ANY_MARK = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: [^\n]*)?\r?$\n?", re.M)
#: What a value that was cut off may leave: nothing, half of a number or of a word.
_BEGUN = re.compile(r"-|\.|[eE][+-]?|t(?:r|ru)?|f(?:a|al|als)?|n(?:u|ul)?|N(?:a)?|")
#: A notebook within the answer of an interface, within a text, within an envelope: none lies deeper.
_MAX_LAYERS = 4

Check = Callable[[str], object]


def notebook_tree(content: bytes, check: Check = len) -> dict[str, Any]:
    r"""Return the notebook that a file holds, as a tree of format 4 (see `well_formed`).

    Parameters
    ----------
    content : bytes
        The bytes of the file.
    check : Check, optional
        Called with each text before it is read as JSON, to refuse what is too large.

    Raises
    ------
    NotANotebook
        The message is a clause that begins with "the file" and says what it is and what to do.

    Examples
    --------
    >>> notebook_tree(b'\xef\xbb\xbf{"cells": [{"cell_type": "code", "source": "x = 1", "outputs": null},], "nbformat": "4"}')
    {'cells': [{'cell_type': 'code', 'source': 'x = 1', 'outputs': [], 'metadata': {}}], 'nbformat': 4, 'metadata': {}}
    """
    text = _text(content)
    try:
        return well_formed(_unwrapped(_value(text, check), check))
    except RecursionError:
        raise NotANotebook(Message("the file is not a notebook: its JSON is nested too deeply")) from None


def _text(content: bytes) -> str:
    """Decode the file. Ends of zeros come from folders that were synchronised half, bytes that are no UTF-8 from Windows."""
    reason = kind_of_bytes(content)
    if reason:
        raise NotANotebook(reason)
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), "utf-8")
    text = content.decode(encoding, "as_windows" if encoding == "utf-8" else "replace").strip("\0\ufeff \t\r\n")
    if not text:
        raise NotANotebook(EMPTY)
    if "\0" in text:
        message = Message("the file is not text, as a notebook is: perhaps its saving was interrupted; {step}", step=_AGAIN)
        raise NotANotebook(message)
    return text


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("as_windows", _as_windows)


def _value(text: str, check: Check) -> Any:
    """Return the value of a JSON text, mended if need be; raise NotANotebook if it cannot be read."""
    check(text)
    try:
        return _parsed(text)
    except json.JSONDecodeError as first:
        mark = _MARK.search(text)
        if mark:
            return _merged(text, text.count("\n", 0, mark.start()) + 1, check)
        reason = kind_of_text(text)
        if reason:
            raise NotANotebook(reason) from None
        mended = _COMMAS.sub(lambda match: match[1] or ("}," if match[0] == "}" else ""), text)
        try:
            return _parsed(mended)
        except json.JSONDecodeError:
            raise NotANotebook(_why(text, first)) from None


def _parsed(text: str) -> Any:
    """Return the first JSON value of the text.

    What follows the value may be the end of an older, longer version of the file, but it must not hold further cells.
    """
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # a number with thousands of digits
        raise NotANotebook(Message("the file is not a notebook: {error}", error=error)) from None
    rest = text[end:].strip()
    if '"cell_type"' in rest or (rest and not isinstance(value, dict | list)):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def _merged(text: str, line: int, check: Check) -> Any:
    """Return the notebook of a file with git's conflict marks, if both sides have cells of the same text.

    `line` is the line of the first mark. NotANotebook is raised if the cells of the two sides differ.
    """
    sides = []
    for side in ("ours", "theirs"):
        try:
            chosen = _CONFLICT.sub(lambda match, side=side: match[side], text)
            sides.append(well_formed(_value(_ANY_MARK.sub("", chosen), check)))
        except NotANotebook:
            sides.append({})
    if sides[0] and sides[0]["cells"] and cells_inside(sides[0]) == cells_inside(sides[1]):
        return sides[0]
    message = Message(
        "the file holds an unfinished merge of git (the marks begin in line {line}): choose one version, as by "
        "`git checkout --ours FILE` or `--theirs`, open it in Jupyter and hand it in again"
    )
    raise NotANotebook(message.fill(line=line))


def _why(text: str, error: json.JSONDecodeError) -> Message:
    in_text = error.msg.startswith(("Unterminated string", "Invalid \\u")) and '"' not in text[error.pos + 1 :]
    if in_text or _BEGUN.fullmatch(text, error.pos):
        cut_off = Message("the file ends in the middle of the notebook: its saving or uploading was cut off; {step}")
        return cut_off.fill(step=_AGAIN)
    if error.msg == "Extra data":
        return Message("the file holds more than one notebook, one behind the other: hand in one file that holds one")
    message = Message("the file is not a notebook: it is no JSON (line {line}, column {column}: {error}); {step}")
    return message.fill(line=error.lineno, column=error.colno, error=error.msg, step=_AGAIN)


def _unwrapped(value: Any, check: Check) -> Any:
    """Return the notebook inside a wrapper: JSON encoded twice, or an envelope of Jupyter, Colab or GitHub."""
    for _ in range(_MAX_LAYERS):
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _value(value.strip(), check)
        elif isinstance(value, list) and value and all(isinstance(cell, dict) and "cell_type" in cell for cell in value):
            value = {"cells": value}
        elif isinstance(value, dict) and not value.keys() & {"cells", "worksheets"}:
            inside = [inner for inner in map(_notebook_like, value.values()) if inner is not None]
            if len(inside) != 1:
                break
            value = inside[0]
        else:
            break
    reason = kind_of_value(value)
    if reason:
        raise NotANotebook(reason)
    return value


def _notebook_like(value: Any) -> Any:
    """Return a field that holds a notebook as a tree, as JSON text, or as text in base64 (GitHub's interface); else None."""
    if isinstance(value, dict):
        return value if value.keys() & {"cells", "worksheets", "ipynb"} else None
    if not isinstance(value, str) or len(value) < 20:
        return None
    if value.lstrip().startswith("{") and '"cells"' in value:
        return value
    if value.startswith(("ew", "ey")):  # what { with a blank or a quotation mark behind it becomes
        try:
            text = base64.b64decode(value).decode("utf-8")
        except (binascii.Error, ValueError):
            return None
        return text if '"cells"' in text else None
    return None
