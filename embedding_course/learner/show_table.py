"""Show a few numbers of a lesson as a small table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..checking.render import Panel, show_panel, table_panel
from ..messages import translate


def show_table(rows: Mapping[str, Any], columns: Sequence[Any] = (), format: str = "") -> None:
    """Show a table with a name at the start of each row.

    Parameters
    ----------
    rows : mapping of str to value or sequence of values
        The cells of each row. A text is shown as it stands.
    columns : sequence, optional
        Titles of the columns behind the first.
    format : str, optional
        How numbers are written, as in a format string, such as ".2f"; whole numbers keep their digits.

    Raises
    ------
    ValueError
        If the rows differ in length, or the titles do not fit them.

    Examples
    --------
    >>> show_table({"BM25": (0.234, 0.56), "MiniLM": (0.391, 0.77)}, columns=("recall@1", "recall@10"), format=".2f")
            recall@1  recall@10
    BM25    0.23      0.56
    MiniLM  0.39      0.77
    """
    cells = [[translate(str(name)), *(_text(value, format) for value in _values(row))] for name, row in rows.items()]
    width = len(columns) + 1 if columns else max(map(len, cells), default=1)
    if any(len(row) != width for row in cells):
        raise ValueError(f"each row has as many values as there are columns, {width - 1}")
    titles = columns or [""] * (width - 1)
    panel = table_panel(["", *(translate(str(title)) for title in titles)], cells)
    show_panel(Panel(panel.text.lstrip("\n"), panel.html))


def _values(row: Any) -> Sequence[Any]:
    return row if isinstance(row, tuple | list) else (row,)


def _text(value: Any, format: str) -> str:
    value = value.item() if hasattr(value, "item") else value  # a 0-d tensor or a NumPy number
    if isinstance(value, str):
        return translate(value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:{format}}" if isinstance(value, float) else str(value)
