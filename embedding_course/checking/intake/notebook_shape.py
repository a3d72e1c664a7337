"""Bring the tree of a notebook to format 4, whatever tool or version wrote it."""

from typing import Any

from ...messages import Message
from .cells import text_of

_TYPES = {"code": "code", "markdown": "markdown", "raw": "raw", "md": "markdown", "text": "markdown", "heading": "markdown"}
#: How VS Code's own editor numbers the kinds of cells.
_KINDS = {1: "markdown", 2: "code"}
#: Where formats 1 to 3 and VS Code's editor keep what format 4 calls the source.
_SOURCES = ("source", "input", "value", "code", "text")
_OUTPUTS = {"pyout": "execute_result", "pyerr": "error"}


class NotANotebook(Exception):
    """The file is not a notebook. The message begins with "the file" and says what it is and what to do."""


def well_formed(tree: Any) -> dict[str, Any]:
    """Return the tree as format 4 has it: a list of cells with a type, a source and metadata, and outputs below code.

    What is as it should be stays the very same, so that a receipt still fits its file. Cells of an unknown type become raw,
    their text as it is. NotANotebook where there are no cells.
    """
    if not isinstance(tree, dict):
        raise NotANotebook(Message("the file is not a notebook: it has no cells; download the notebook itself (.ipynb)"))
    sheets = tree.pop("worksheets", None)
    if isinstance(sheets, list):
        inside = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)]
        tree["cells"] = [*_list(tree.get("cells")), *(cell for cells in inside for cell in cells)]
    if not isinstance(tree.get("cells"), list):
        message = Message("the file is not a notebook: it has no cells; open your notebook in Jupyter and save it again")
        raise NotANotebook(message)
    tree["cells"] = [_cell(cell) for cell in tree["cells"] if isinstance(cell, dict | str)]
    if type(tree.get("nbformat")) is not int or tree["nbformat"] != 4:
        tree["nbformat"] = 4
    if "nbformat_minor" in tree and type(tree["nbformat_minor"]) is not int:
        minor = str(tree["nbformat_minor"])
        tree["nbformat_minor"] = int(minor) if minor.isdecimal() and len(minor) < 4 else 5
    if not isinstance(tree.get("metadata"), dict):
        tree["metadata"] = {}
    return tree


def cells_inside(tree: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the type and the text of each cell of a well-formed tree."""
    return [(cell["cell_type"], text_of(cell)) for cell in tree.get("cells", [])]


def _cell(cell: dict[str, Any] | str) -> dict[str, Any]:
    """Return the cell in the form of format 4, mended in place."""
    if isinstance(cell, str):
        return {"cell_type": "raw", "source": cell, "metadata": {}}
    kind = cell.get("cell_type")
    if kind not in ("code", "markdown", "raw"):
        cell["cell_type"] = _type(cell)
    source = cell.get("source")
    if not (isinstance(source, str) or (isinstance(source, list) and all(isinstance(line, str) for line in source))):
        cell["source"] = _source(cell)
    if kind == "heading":
        level = cell.get("level")
        cell["source"] = f"{'#' * (level if isinstance(level, int) and 0 < level < 7 else 1)} {text_of(cell)}"
    if not isinstance(cell.get("metadata"), dict):
        cell["metadata"] = {}
    if not isinstance(cell["metadata"].get("nbgrader", {}), dict):
        del cell["metadata"]["nbgrader"]
    if "id" in cell and not isinstance(cell["id"], str):
        del cell["id"]
    if cell["cell_type"] == "code":
        cell["outputs"] = _outputs(cell.get("outputs"))
        count = cell.get("execution_count")
        if count is not None and type(count) is not int:
            cell["execution_count"] = int(count) if isinstance(count, str) and count.isdecimal() and len(count) < 9 else None
    return cell


def _type(cell: dict[str, Any]) -> str:
    """Return the cell type of a cell that may not name it as format 4 does."""
    kind = cell.get("cell_type", cell.get("kind"))
    if kind is None:
        return "code" if cell.keys() & {"outputs", "execution_count"} else "raw"
    return _KINDS.get(kind, "raw") if isinstance(kind, int) else _TYPES.get(str(kind).strip().lower(), "raw")


def _source(cell: dict[str, Any]) -> str | list[str]:
    """Return the text of a cell whose source may be missing, null, or partly something else than text."""
    for name in _SOURCES:
        value = cell.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            return [str(line) for line in value if isinstance(line, str | int | float)]
    return ""


def _outputs(outputs: Any) -> list[Any]:
    """Return the outputs that name their type, with format 4 names for those of formats 1 to 3."""
    if isinstance(outputs, list) and all(isinstance(output, dict) and "output_type" in output for output in outputs):
        for output in outputs:
            if output["output_type"] in _OUTPUTS:
                _renew(output)
        return outputs
    kept = [output for output in _list(outputs) if isinstance(output, dict)]
    for output in kept:
        _renew(output)
    return [output for output in kept if "output_type" in output]


def _renew(output: dict[str, Any]) -> None:
    kind = output.get("output_type")
    if kind is None and isinstance(output.get("data"), dict):
        output["output_type"] = "display_data"
    elif isinstance(kind, str) and kind in _OUTPUTS:
        output["output_type"] = _OUTPUTS[kind]
        if kind == "pyout" and not isinstance(output.get("data"), dict):
            output["data"] = {"text/plain": output.get("text", "")}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
