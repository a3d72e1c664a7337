"""Show recorded figures of the reference answers, greyed, while a cell of a lesson waits for the learner's own function.

`grader figures` records them in `data/figures/NN_topic/`: one picture each, and `index.json` with the alternative texts by
the cell's source. Those of another edition lie in a folder with the code of its language, such as `data/figures/zh`. A cell
that was changed has no recorded figure, and nothing is shown.
"""

import base64
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from ..checking.render import Panel, show_panel
from ..data.files import data_file
from ..messages import ENGLISH, Message, edition, translate
from ..subject.lessons import topics

_NOTE = Message("Recorded with the reference answers. Yours appears here, in colour, once it runs.")


@dataclass(frozen=True)
class Recorded:
    """Hold a picture and its alternative text."""

    path: Path
    alt: str

    def html(self) -> str:
        """Return the picture as HTML, greyed, with a note."""
        data = base64.b64encode(self.path.read_bytes()).decode("ascii")
        look = "max-width:100%;height:auto;border-radius:6px"
        picture = f'<img alt="{escape(translate(self.alt))}" style="{look}" src="data:image/webp;base64,{data}">'
        return f'<figure style="margin:0">{picture}<figcaption style="opacity:.75">{_NOTE}</figcaption></figure>'


def cell_code(source: str) -> str:
    r"""Return the key of a cell: a short hash of its source, without blank lines at its ends.

    Examples
    --------
    >>> cell_code("x = 1\n") == cell_code("x = 1") != cell_code("x = 2")
    True
    """
    return hashlib.sha256(source.strip().encode("utf-8")).hexdigest()[:16]


def recorded(source: str) -> Sequence[Recorded]:
    """Return the figures that the reference answers give for a cell with this source; none for a cell that was changed."""
    code = cell_code(source)
    return _figures_by_cell(edition()).get(code) or _figures_by_cell(ENGLISH).get(code, ())


def edition_folder(language: str) -> str:
    """Return the folder of an edition's figures in `data/figures`; the English ones have none of their own."""
    return "" if language == ENGLISH else language


@cache
def _figures_by_cell(language: str) -> dict[str, list[Recorded]]:
    by_cell: dict[str, list[Recorded]] = {}
    for topic in topics():
        try:
            index = data_file("/".join(filter(None, ("figures", edition_folder(language), topic, "index.json"))))
        except FileNotFoundError:  # This course has no recorded figures.
            continue
        for code, figures in json.loads(index.read_text(encoding="utf-8")).items():
            by_cell[code] = [Recorded(index.parent / name, alt) for name, alt in figures.items()]
    return by_cell


def show_recorded() -> None:
    """Show the recorded figures of the running cell; do nothing outside a notebook."""
    cells = vars(sys.modules["__main__"]).get("In", ())
    for figure in recorded(str(cells[-1])) if cells else ():
        show_panel(Panel(str(Message("[Recorded figure: {alt}]", alt=translate(figure.alt))), figure.html()))
