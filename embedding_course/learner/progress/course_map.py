"""Draw the map of the course: its notebooks, what each builds on, and what is carried from one to another."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from ...messages import COMMA, Listing, Message, as_text, translatable, translate
from ...subject.course import Notebook, course
from ...subject.lessons import LESSONS, Lesson, lesson

#: What a learner makes in one notebook and uses in another.
CARRIED = tuple((link.source, link.target, link.what) for link in course().subject.carried)
_WIDTH, _HEIGHT, _BOX, _TALL = 1214, 330, 112, 76
_COLUMNS, _ROWS = 9, (1, 2, 0)
_INK, _SOFT, _LINE, _DONE, _BEGUN, _OPEN = "#22262e", "#5d6470", "#8a919c", "#d8eee6", "#fbefd2", "#ffffff"


class Score(NamedTuple):
    """Hold the points of a notebook: `earned` of `points`, core exercises only."""

    earned: float
    points: float

    @property
    def mark(self) -> str:
        """Return the sign that shows whether the notebook is done, begun or untouched."""
        return "✔" if self.points and self.earned >= self.points else "◐" if self.earned else "○"


def _positions(notebooks: Sequence[Notebook]) -> dict[str, tuple[int, int]]:
    """Return column and row of each notebook.

    They are those of `subject.toml` if it gives them, otherwise the first free ones, middle row first.

    Examples
    --------
    >>> _positions([Notebook(number=n, slug="a", title="A", question="?") for n in ("01", "02")])
    {'01': (0, 1), '02': (1, 1)}
    """
    given_positions = {notebook.number: notebook.place for notebook in notebooks if notebook.place}
    free = ((column, row) for row in _ROWS for column in range(_COLUMNS) if (column, row) not in given_positions.values())
    return {
        notebook.number: given_positions[notebook.number]
        if notebook.number in given_positions
        else next(free, (_COLUMNS - 1, 0))
        for notebook in notebooks
    }


_PLACES = _positions(course().subject.notebook)


def course_map(scores: Mapping[str, Score] | None = None, here: str = "") -> str:
    """Return the map as SVG. `scores` shows the points by number of the notebook; the notebook `here` is framed.

    Examples
    --------
    >>> course_map(here="04").count("<rect")
    12
    """
    by_number = scores or {}
    rows = [_arrow(*edge) for edge in _edges()] + [_box(number, by_number.get(number), number == here) for number in _PLACES]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(described(scores))}" style="max-width:{_WIDTH}px;width:100%" '
        "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="#f7f6f1"/>'
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 1L9 5L0 9z" fill="{_LINE}"/></marker></defs>'
    )
    return head + "".join(rows) + "</svg>"


def described(scores: Mapping[str, Score] | None = None) -> str:
    """Return the map in words, for readers who do not see the picture."""
    steps = [_described_step(notebook) for notebook in LESSONS]
    sentences = [Message("{steps}.", steps=Listing(steps, Message("{names}; {last}"), translatable("; ")))]
    if CARRIED:
        carried = [
            Message("{what} from {source} to {target}", what=Message(what), source=source, target=target)
            for source, target, what in CARRIED
        ]
        sentences.append(Message("Carried on: {names}.", names=Listing(carried, COMMA)))
    done = [number for number, score in sorted((scores or {}).items()) if score.mark == "✔"]
    sentences.append(Message("Done: {names}.", names=Listing(done, COMMA)) if done else Message("Done: none yet."))
    return as_text(sentences)


def _described_step(notebook: Lesson) -> Message:
    step = Message("{number} {title}, after nothing", number=notebook.number, title=Message(notebook.title))
    if notebook.builds_on:
        return Message("{number} {title}, after {names}", **step.slots, names=Listing(notebook.builds_on, COMMA))
    return step


def _edges() -> list[tuple[str, str, str]]:
    """Return every edge of the map: what builds on what, unless a longer path shows it, and what is carried."""
    built = {notebook.number: notebook.builds_on for notebook in LESSONS}
    named = {(source, target): what for source, target, what in CARRIED}
    steps = {
        (source, target): ""
        for target, sources in built.items()
        for source in sources
        if not any(_leads(built, source, other) for other in sources if other != source)
    }
    return [(source, target, what) for (source, target), what in {**steps, **named}.items()]


def _leads(built: Mapping[str, tuple[str, ...]], source: str, target: str) -> bool:
    return source in built[target] or any(_leads(built, source, middle) for middle in built[target])


def _corner(number: str) -> tuple[float, float]:
    column, row = _PLACES[number]
    return 16 + column * (_WIDTH - 32 - _BOX) / (_COLUMNS - 1), 24 + row * 103


def _box(number: str, score: Score | None, framed: bool) -> str:
    x, y = _corner(number)
    notebook = lesson(number)
    fill = {"✔": _DONE, "◐": _BEGUN}.get(score.mark, _OPEN) if score else _OPEN
    stroke = f'stroke="{_INK}" stroke-width="3"' if framed else f'stroke="{_LINE}" stroke-width="1.2"'
    words = "".join(
        f'<text x="{x + _BOX / 2:.0f}" y="{y + 42 + 15 * line:.0f}" font-size="12.5" text-anchor="middle" '
        f'fill="{_INK}">{escape(text)}</text>'
        for line, text in enumerate(_lines(translate(notebook.title)))
    )
    label = f"{score.mark} {score.earned:g}/{score.points:g}" if score else Message("{minutes} min", minutes=notebook.minutes)
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{_BOX}" height="{_TALL}" rx="8" fill="{fill}" {stroke}/>'
        f'<text x="{x + 9:.0f}" y="{y + 19:.0f}" font-size="14" font-weight="700" fill="{_INK}">{number}</text>'
        f'<text x="{x + _BOX - 9:.0f}" y="{y + 18:.0f}" font-size="11.5" text-anchor="end" fill="{_SOFT}">{label}</text>{words}'
    )


def _lines(title: str) -> list[str]:
    """Return a title in at most two lines, cut so that the longer line is as short as possible."""
    words = title.split()
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words) + 1)]
    return [line for line in min(cuts, key=lambda cut: max(map(len, cut))) if line]


def _arrow(source: str, target: str, what: str) -> str:
    path, x, y, anchor = _route(source, target)
    dash = "" if what else ' stroke-dasharray="4 3"'
    line = f'<path d="{path}" fill="none" stroke="{_LINE}" stroke-width="1.6"{dash} marker-end="url(#tip)"/>'
    if not what:
        return line
    style = f'font-size="11" font-style="italic" text-anchor="{anchor}" fill="{_SOFT}"'
    return f'{line}<text x="{x:.0f}" y="{y:.0f}" {style}>{escape(translate(what))}</text>'


def _route(source: str, target: str) -> tuple[str, float, float, str]:
    """Return the path of an arrow, and x, y and text anchor of its label."""
    (x, y), (to_x, to_y) = _corner(source), _corner(target)
    middle, to_middle = y + _TALL / 2, to_y + _TALL / 2
    if y == to_y and to_x - x > 2 * _BOX:  # The arrow runs below all boxes.
        start, end, low = x + _BOX / 2, to_x + _BOX / 2, _HEIGHT - 10
        return f"M{start:.0f} {y + _TALL:.0f}V{low}H{end:.0f}V{to_y + _TALL:.0f}", end - 8, low - 8, "end"
    if target == "10" and source != "09":  # The arrow runs along the upper edge, above the boxes between.
        top, left = (8, True) if source == "04" else (15, False)
        end = to_x + _BOX / (3 if left else 2)
        path = f"M{x + _BOX / 2:.0f} {y:.0f}V{top}H{end:.0f}V{to_y:.0f}"
        return path, end + (-6 if left else 6), 85, "end" if left else "start"
    if y > to_y and to_x - x > 2 * _BOX:  # The arrow runs along the lower edge, then up.
        end = to_x + _BOX / 2
        return f"M{x + _BOX:.0f} {middle + 18:.0f}H{end:.0f}V{to_y + _TALL:.0f}", end - 10, middle + 12, "end"
    if to_y > y and to_x - x > 2 * _BOX:  # The arrow runs down, then along the lower edge.
        return f"M{x + _BOX / 2:.0f} {y + _TALL:.0f}V{to_middle:.0f}H{to_x:.0f}", 0, 0, "start"
    if y == to_y:
        return f"M{x + _BOX:.0f} {middle:.0f}H{to_x:.0f}", (x + _BOX + to_x) / 2, y + _TALL + 16, "middle"
    bend = (x + _BOX + to_x) / 2
    path = f"M{x + _BOX:.0f} {middle:.0f}C{bend:.0f} {middle:.0f} {bend:.0f} {to_middle:.0f} {to_x:.0f} {to_middle:.0f}"
    return path, bend + 8, y + _TALL + 17 if to_y > y else y - 10, "start"  # The label is in the gap between the rows.
