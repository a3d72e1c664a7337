"""The way through a lesson: one or two sittings, and below each of them, folded, what it does not need.

In `lesson.py` every cell stands where its subject is treated. `further=true` on a cell says that the core does not need it:
here such cells are gathered, in their order, under a heading at the end of their sitting, which JupyterLab shows folded.
The cell with `stop=true` ends the first sitting, and its text says what the learner has by then. A lesson without such a cell
is one sitting. Sections of the core are numbered, further ones have letters, each without gaps in the order of the notebook
(`tests/course/test_sections.py`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from embedding_course.messages import Message, as_text, translatable, translate, translate_within
from embedding_course.subject.course import course

from .lesson import LessonCell
from .minutes import drawing_names, minutes_of

#: JupyterLab hides what stands below such a heading, up to the next heading of its level, until the reader opens it.
FOLDED = {"jp-MarkdownHeadingCollapsed": True}
#: The cells that are made here, besides those of the lesson.
MADE = ("keep", "further-1", "further-2", "second-sitting")
_FURTHER = {
    "the first sitting": Message("Further: what the first sitting does not need"),
    "the second sitting": Message("Further: what the second sitting does not need"),
    "the rest": Message("Further: what the rest does not need"),
}
_FOLD = Message("""\
Nothing above or below depends on this part. JupyterLab shows it folded: the arrow beside
the heading opens and closes it.""")
_STOP = Message("""\
## A good place to stop

{text}

The second sitting takes about {minutes} minutes. Save first (Ctrl+S).

* **Later, on this machine:** run all cells above this one, since a new kernel knows nothing.
* **On a machine that forgets, such as Colab:** mount your Drive and name a folder of it below. Progress, answers that
  passed and trained tables are kept there. When you come back, run the next cell first, then all cells above.\
""")
#: Where the machine stays there is nothing to fill in, and the cell shows what was done.
_KEEP = """\
import {package}

KEEP_IN = None  # on Colab, with your Drive mounted: "/content/drive/MyDrive/embeddings"
{package}.progress(save_to=KEEP_IN)"""
_AGAIN = translatable("## The second sitting")
_CLOSING = ("hand-in", "doctor", "submit")


@dataclass(frozen=True)
class Sittings:
    """A lesson's cells by where they belong; `stop` stands between the two sittings."""

    first: tuple[LessonCell, ...]
    first_further: tuple[LessonCell, ...]
    stop: LessonCell | None
    second: tuple[LessonCell, ...]
    second_further: tuple[LessonCell, ...]
    closing: tuple[LessonCell, ...]
    declared: Mapping[str, int]

    @cached_property
    def minutes(self) -> tuple[int, ...]:
        """Return whole minutes of each sitting's core. A lesson without a stop has one sitting."""
        second = (*self.second, *self.closing)
        return (self.count(self.first), self.count(second)) if self.stop else (self.count((*self.first, *second)),)

    @property
    def minutes_text(self) -> str:
        """Return the minutes as the title tells them.

        >>> sittings([], {}).minutes_text
        'About 0 minutes'
        """
        message = Message("About {minutes} minutes", minutes=sum(self.minutes))
        if self.stop:
            message = Message("About {minutes} minutes, in two sittings of {first} and {second}")
            message = message.fill(minutes=sum(self.minutes), first=self.minutes[0], second=self.minutes[1])
        return str(message)

    def count(self, cells: Iterable[LessonCell]) -> int:
        """Return the whole minutes of some of the cells."""
        return round(sum(minutes_of(cell, self.declared, self._drawing) for cell in cells))

    @cached_property
    def _drawing(self) -> frozenset[str]:
        return drawing_names((*self.first, *self.second))

    def cells(self) -> list[LessonCell]:
        """Return all cells in the order of the notebook."""
        first = [_with_minutes(_looked_up(cell), self.minutes_text) for cell in self.first]
        second = [_with_minutes(_looked_up(cell), self.minutes_text) for cell in self.second]
        between = []
        if self.stop:
            text = str(_STOP.fill(text=_looked_up(self.stop).source.strip(), minutes=self.minutes[1]))
            keep = LessonCell("keep", "code", _KEEP.format(package=course().package), {})
            between = [
                replace(self.stop, source=text),
                keep,
                *self._folded("further-1", "the first sitting", self.first_further),
            ]
            if not second[0].source.startswith("## "):  # without a heading of this level it would be folded as well
                between.append(LessonCell("second-sitting", "markdown", translate(_AGAIN), {}))
        last = self._folded("further-2", "the second sitting" if self.stop else "the rest", self.second_further)
        closing = [replace(cell, source=translate(cell.source)) if cell.kind == "markdown" else cell for cell in self.closing]
        return [*first, *between, *second, *last, *closing]

    def _folded(self, key: str, which: str, cells: tuple[LessonCell, ...]) -> list[LessonCell]:
        if not cells:
            return []
        number, minutes = sum("exercise" in cell.meta for cell in cells), max(self.count(cells), 1)
        length = Message("About {minutes} minutes.", minutes=minutes)
        if number:
            length = Message.plural(
                "About {minutes} minutes, with {count} exercise for extra credit.",
                "About {minutes} minutes, with {count} exercises for extra credit.",
                number,
                minutes=minutes,
            )
        text = f"## {_FURTHER[which]}\n\n{as_text([length, _FOLD])}"
        return [LessonCell(key, "markdown", text, dict(FOLDED)), *(_below(_looked_up(cell)) for cell in cells)]


def sittings(lesson: Iterable[LessonCell], declared: Mapping[str, int]) -> Sittings:
    """Return a lesson's cells, sorted; `declared` holds the minutes of its exercises by id.

    Raises
    ------
    ValueError
        If the lesson has two stops, or if a cell that runs before every submission is marked as further.
    """
    parts: dict[str, list[LessonCell]] = {"first": [], "first_further": [], "second": [], "second_further": [], "closing": []}
    stop: LessonCell | None = None
    deeper = False  # is the section that began last a further one?
    for cell in lesson:
        if cell.key in MADE:
            raise ValueError(f"the key {cell.key!r} is that of a cell which is made for every notebook")
        if cell.meta.get("stop"):
            if stop:
                raise ValueError(f"two cells end the first sitting: {stop.key} and {cell.key}")
            stop = cell
            continue
        if cell.meta.get("further") and cell.meta.get("given"):
            raise ValueError(f"{cell.key} runs before every submission, and cannot be further")
        part = "closing" if cell.key in _CLOSING else "second" if stop else "first"
        further = bool(cell.meta.get("further"))
        if _begins_section(cell):
            deeper = further
        cell = replace(cell, meta={**cell.meta, "deeper": deeper}) if further else cell
        parts[f"{part}_further" if further else part].append(cell)
    if not stop:
        parts["second_further"], parts["first_further"] = parts["first_further"], []
    return Sittings(stop=stop, declared=declared, **{name: tuple(cells) for name, cells in parts.items()})


def _looked_up(cell: LessonCell) -> LessonCell:
    """Return a cell with its Markdown in the language in use."""
    return replace(cell, source=translate_within(cell.key, cell.source)) if cell.kind == "markdown" else cell


def _with_minutes(cell: LessonCell, minutes: str) -> LessonCell:
    return replace(cell, source=cell.source.replace("{minutes}", minutes)) if cell.key == "title" else cell


def _begins_section(cell: LessonCell) -> bool:
    return cell.kind == "markdown" and re.search(r"^## ", cell.source, flags=re.MULTILINE) is not None


def _below(cell: LessonCell) -> LessonCell:
    r"""Return a cell to be folded below another, with its own headings one level smaller.

    Only sections are changed; below a section that is further (`deeper`), all headings.

    >>> _below(LessonCell("a", "markdown", "## A · Which rows?\n### All of them", {"deeper": True})).source
    '### A · Which rows?\n#### All of them'
    """
    if cell.kind != "markdown":
        return cell
    levels = r"^(?=#{2,3} )" if cell.meta["deeper"] else r"^(?=## )"
    return replace(cell, source=re.sub(levels, "#", cell.source, flags=re.MULTILINE))
