"""Tell a cell that is written for a newer Python from one that is not Python.

The syntax of newer versions is rewritten in older syntax, in a copy that is only parsed. If this Python can then read the
cell, newer syntax was the only problem.
"""

import ast
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...messages import Message
from .magics import is_python

Version = tuple[int, int]
_HERE: Version = (sys.version_info.major, sys.version_info.minor)

_TIME = re.compile(r"^%time[ \t]+(?=\S)", re.MULTILINE)  # what stands behind it is Python
_WORD = re.compile(r"(?<![.\w])(?:type|def|class|except|lazy)\b")
_STRING = re.compile(r"(?<![\w.])(?:[rRbBuUfFtT]{1,3})?(\"\"\"|'''|\"|')")
_PARAMETERS = re.compile(r"(?:def|class|(type[ \t]+))[ \t]*\w+[ \t]*(?=\[)")
_ALIAS = re.compile(r"type[ \t]+(?=\w+[ \t]*=(?!=))")
_EXCEPT = re.compile(r"except[ \t]*\*?[ \t]+(?=[^(\s])([^:\n]+):")
_LAZY = re.compile(r"lazy[ \t]+(?=(?:import|from)[ \t])")
_SPREAD = re.compile(r"(?<=[\[{(])(\s*)\*{1,2}(?=[^,\[\](){}]+\sfor\s)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
#: Fields in fields in fields: nobody nests deeper by hand.
_MAX_DEPTH = 6
#: Characters of the longest cell that is looked at.
_MAX_CHARACTERS = 50_000


@dataclass
class _Copy:
    """The cell in the older syntax, piece by piece, and its newer constructs: their version, line and name."""

    pieces: list[str] = field(default_factory=list)
    constructs: list[tuple[Version, int, Message]] = field(default_factory=list)


def newer_syntax(source: str, written_with: str = "", graded_with: Version = _HERE) -> str:
    r"""Return a sentence on a cell that only a newer Python can read, or an empty string.

    Parameters
    ----------
    source : str
        The text of a cell. Magics are no fault.
    written_with : str, optional
        The version that the notebook says it was written with, as `python_of` returns it; it is quoted, and decides nothing.
    graded_with : Version, optional
        The version of the Python that runs the cell.

    Examples
    --------
    >>> newer_syntax("try:\n    x = 1\nexcept KeyError, ValueError:\n    pass", "3.14.2", (3, 11))
    'Line 3 is written for Python 3.14 (`except A, B:` without brackets; the notebook says 3.14.2), graded with 3.11.'
    >>> newer_syntax("x = = 1"), newer_syntax("x = 1")
    ('', '')
    """
    if len(source) > _MAX_CHARACTERS or is_python(source):
        return ""
    copy = _Copy()
    try:
        older = _older(_TIME.sub("", source), copy)
    except (SyntaxError, RecursionError, IndexError, ValueError, MemoryError):
        return ""
    newer = [construct for construct in copy.constructs if construct[0] > graded_with]
    if not newer or not is_python(older):
        return ""
    version, line, what = max(newer, key=lambda construct: (construct[0], -construct[1]))
    message = Message("Line {line} is written for Python {newer} ({what}), graded with {here}.")
    if written_with:
        message = Message(
            "Line {line} is written for Python {newer} ({what}; the notebook says {written}), graded with {here}."
        )
    message = message.fill(line=line, newer=_dotted(version), what=what, here=_dotted(graded_with), written=written_with)
    return str(message)


def python_of(metadata: Any) -> str:
    """Return the Python version in a notebook's metadata: that of the kernel that ran it, else of the kernel's name; else "".

    >>> python_of({"language_info": {"name": "python", "version": "3.13.2"}}), python_of({"kernelspec": {"name": "python3.12"}})
    ('3.13.2', '3.12')
    """
    fields = metadata if isinstance(metadata, Mapping) else {}
    language, kernel = _mapping(fields.get("language_info")), _mapping(fields.get("kernelspec"))
    exact = re.match(r"3\.\d{1,2}(?:\.\d{1,3})?", str(language.get("version", "")))
    named = re.search(r"(?<![\d.])3\.(\d{1,2})(?!\d)|py3(\d{2})", f"{kernel.get('name', '')} {kernel.get('display_name', '')}")
    if exact:
        return exact[0]
    return f"3.{int(named[1] or named[2])}" if named else ""


def version_of(text: str) -> Version | None:
    """Return the first two numbers of a version such as "3.13.2"; None where there are none."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


def _older(source: str, copy: _Copy) -> str:
    """Return the cell with plain strings in place of its newer ones, and its newer statements written in older syntax."""
    index = 0
    while index < len(source):
        if source[index] == "#" or (source[index] in "%!" and not source[source.rfind("\n", 0, index) + 1 : index].strip()):
            end = source.find("\n", index)
            copy.pieces.append(source[index : len(source) if end < 0 else end])
            index = len(source) if end < 0 else end
        elif opening := _STRING.match(source, index):
            end = _end_of_string(source, opening, copy, 0)
            copy.pieces.append(_plain(source, index, end, copy))
            index = end
        else:
            copy.pieces.append(source[index])
            index += 1
    return _statements("".join(copy.pieces), copy)


def _plain(source: str, start: int, end: int, copy: _Copy) -> str:
    """Return a string literal unchanged if this Python can read it, else an empty one with as many lines."""
    text, line = source[start:end], source.count("\n", 0, start) + 1
    prefix = text[: min(text.find(quote) for quote in "\"'" if quote in text)].lower()
    lines = "\n" * text.count("\n")
    if "t" in prefix:
        copy.constructs.append(((3, 14), line, Message("a t-string")))
    elif "f" in prefix and not _reads(text):
        what = Message("an f-string with its own quotes, a backslash or a comment within braces")
        copy.constructs.append(((3, 12), line, what))
    mark = "b" if "b" in prefix else ""
    return f'{mark}"""{lines}"""' if lines else f'{mark}""'


def _reads(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _end_of_string(source: str, opening: re.Match[str], copy: _Copy, depth: int) -> int:
    """Return the position at which a string literal ends, by the rules of Python 3.12 for the fields of an f-string.

    Raises
    ------
    SyntaxError
        If the string does not end, or if a field holds no expression.
    """
    prefix, quote = opening[0][: -len(opening[1])].lower(), opening[1]
    if "b" in prefix and len(prefix.replace("r", "")) > 1:
        raise SyntaxError("bytes with fields")
    index = opening.end()
    while True:
        if index >= len(source) or (len(quote) == 1 and source[index] == "\n"):
            raise SyntaxError("a string without an end")
        if source.startswith(quote, index):
            return index + len(quote)
        if source[index] == "\\":
            index += 2
        elif source[index] in "{}" and ("f" in prefix or "t" in prefix):
            if source.startswith(source[index] * 2, index):
                index += 2
            elif source[index] == "{":
                index = _end_of_field(source, index + 1, copy, depth + 1)
            else:
                raise SyntaxError("a closing brace alone")
        else:
            index += 1


def _end_of_field(source: str, start: int, copy: _Copy, depth: int) -> int:
    """Return the position after the closing brace of an f-string's field; raise SyntaxError if it holds no expression."""
    if depth > _MAX_DEPTH:
        raise SyntaxError("nested too deeply")
    open_ones: list[str] = []
    inner = _Copy()
    index = start
    while True:
        sign = source[index]  # IndexError where the cell ends
        if sign == "#":
            index = source.index("\n", index)  # ValueError where the cell ends
        elif opening := _STRING.match(source, index):
            index = _end_of_string(source, opening, inner, depth)
        elif sign in _CLOSING:
            open_ones.append(_CLOSING[sign])
            index += 1
        elif open_ones and sign == open_ones[-1]:
            open_ones.pop()
            index += 1
        elif not open_ones and (sign in "}:" or (sign == "!" and source[index + 1] != "=")):
            break
        else:
            index += 1
    _check_expression(source[start:index].rstrip().removesuffix("="), inner)
    copy.constructs += inner.constructs
    if source[index] == "!":
        index += 2
        while source[index].isspace():
            index += 1
    if source[index] == ":":
        index += 1
        while source[index] != "}":
            index = _end_of_field(source, index + 1, copy, depth + 1) if source[index] == "{" else index + 1
    if source[index] != "}":
        raise SyntaxError("a field without an end")
    return index + 1


def _check_expression(text: str, copy: _Copy) -> None:
    ast.parse(f"({_older(text, copy)}\n)", mode="eval")


def _statements(text: str, copy: _Copy) -> str:
    """Return the text with its newer statements written in older syntax; its strings are plain already."""
    changes: list[tuple[int, int, str]] = []
    for word in _WORD.finditer(text):
        start, line = word.start(), text.count("\n", 0, word.start()) + 1
        if match := _PARAMETERS.match(text, start):
            end = _closed(text, match.end())
            inside = text[match.end() : end]
            if match[1] and not re.match(r"[ \t]*=(?!=)", text[end:]):
                continue
            _check_parameters(inside)
            defaults = re.search(r"(?<![=!<>:])=(?!=)", inside) is not None
            what = Message("`{word} …[T]` with type parameters")
            if defaults:
                what = Message("`{word} …[T]` with type parameters that have defaults")
            copy.constructs.append(((3, 13) if defaults else (3, 12), line, what.fill(word=word[0])))
            changes.append((match.end(), end, ""))
            if match[1]:
                changes.append((start, match.end(1), ""))
        elif match := _ALIAS.match(text, start):
            copy.constructs.append(((3, 12), line, Message("`type X = …`")))
            changes.append((start, match.end(), ""))
        elif (match := _EXCEPT.match(text, start)) and "," in match[1] and " as " not in match[1]:
            copy.constructs.append(((3, 14), line, Message("`except A, B:` without brackets")))
            changes.append((match.start(1), match.end(1), f"({match[1]})"))
        elif match := _LAZY.match(text, start):
            copy.constructs.append(((3, 15), line, Message("`lazy import`")))
            changes.append((start, match.end(), ""))
    for spread in _SPREAD.finditer(text):
        line = text.count("\n", 0, spread.start()) + 1
        copy.constructs.append(((3, 15), line, Message("`*` within a comprehension")))
        changes.append((spread.end(1), spread.end(), ""))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _check_parameters(inside: str) -> None:
    """Raise SyntaxError if the text is not a list of type parameters.

    Apart from stars, such a list reads like the parameters of a function.
    """
    plain = re.sub(r"(?<=[\[,])\s*\*{1,2}", "", inside)[1:-1]
    if not plain.strip():
        raise SyntaxError("no type parameters")
    ast.parse(f"def check({plain}): pass")


def _closed(text: str, start: int) -> int:
    """Return the position after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if not depth:
            return index + 1
    raise SyntaxError("a bracket without an end")
