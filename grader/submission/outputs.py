"""What a learner saw below their cells, cleaned: it goes into the feedback as they left it, without what could run.

Plain text, pictures and simple HTML stay, each up to a bound. Scripts, styles, drawings that may hold scripts, widgets
and terminal codes go.
"""

import base64
import binascii
import re
from typing import Any

import nh3
from nbformat.notebooknode import NotebookNode

#: Characters of text kept below one cell, and bytes of outputs kept of a whole notebook.
CELL = 20_000
NOTEBOOK = 4 * 2**20

#: What a terminal would obey.
TERMINAL = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)?|\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")
#: Characters that turn round the text behind them, for a class of a regular expression.
BIDI = "\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f{BIDI}]")
#: A picture in HTML comes from elsewhere; those that an answer drew are outputs of their own.
_TAGS = nh3.ALLOWED_TAGS - {"img"}
_PICTURES = {"image/png": b"\x89PNG\r\n", "image/jpeg": b"\xff\xd8\xff"}


def keep_outputs(rebuilt: NotebookNode, submitted: NotebookNode) -> None:
    """Put the submission's outputs below the cells with the same source; check cells get their verdicts instead."""
    seen: dict[str, list[Any]] = {}
    for cell in submitted.cells:
        outputs = cell.get("outputs")
        if cell.cell_type == "code" and isinstance(outputs, list) and outputs:
            seen[cell.source] = outputs
    left = NOTEBOOK
    for cell in rebuilt.cells:
        if cell.cell_type != "code" or cell.metadata.get("nbgrader", {}).get("grade"):
            continue
        cell.outputs = clean(seen.get(cell.source, []), left)
        left -= sum(_size(output) for output in cell.outputs)


def clean(outputs: list[Any], most: int = NOTEBOOK) -> list[NotebookNode]:
    """Return the outputs of one cell, up to `most` bytes, with nothing in them that a page would run."""
    kept: list[NotebookNode] = []
    for output in outputs:
        cleaned = _clean(output) if isinstance(output, dict) else None
        if cleaned is None:
            continue
        most -= _size(cleaned)
        if most < 0:
            kept.append(_stream("[The rest of this output was left out: it is too large.]"))
            break
        kept.append(cleaned)
    return kept


def _clean(output: dict[str, Any]) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        return _stream(_text(output.get("text")), "stderr" if output.get("name") == "stderr" else "stdout")
    if kind == "error":
        return _stream(f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}", "stderr")
    data = output.get("data")
    if kind not in ("display_data", "execute_result") or not isinstance(data, dict):
        return None
    kept = NotebookNode()
    for name, beginning in _PICTURES.items():
        if name in data and _is_picture(data[name], beginning):
            kept[name] = "".join(data[name]) if isinstance(data[name], list) else data[name]
    if "text/html" in data:
        kept["text/html"] = nh3.clean(_text(data["text/html"]), tags=_TAGS, link_rel="noopener noreferrer nofollow")
    if "text/plain" in data:
        kept["text/plain"] = _text(data["text/plain"])
    return NotebookNode({"output_type": "display_data", "data": kept, "metadata": NotebookNode()}) if kept else None


def _stream(text: str, name: str = "stdout") -> NotebookNode:
    return NotebookNode({"output_type": "stream", "name": name, "text": text})


def _text(value: Any) -> str:
    """Return text without terminal codes, cut at a bound."""
    joined = "".join(map(str, value)) if isinstance(value, list) else str(value)
    plain = _CONTROL.sub("", TERMINAL.sub("", joined[: 2 * CELL]))
    return plain if len(plain) <= CELL else f"{plain[:CELL]}\n[…]"


def _is_picture(value: Any, beginning: bytes) -> bool:
    text = "".join(map(str, value)) if isinstance(value, list) else value
    try:
        return isinstance(text, str) and base64.b64decode(text, validate=False).startswith(beginning)
    except (binascii.Error, ValueError):
        return False


def _size(output: NotebookNode) -> int:
    return sum(len(value) for value in (output.get("data") or {"text": output.get("text", "")}).values())
