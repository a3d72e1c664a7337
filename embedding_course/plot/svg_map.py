"""Lay out words on a map and write it as SVG, in which the word under the mouse appears.

The drawing is plain SVG with titles, and HTML buttons to enlarge it: no script, no extension. All text is escaped.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import count

import torch

from .maps import MARKS
from .style import BACKGROUND, INK

_WIDTH, _HEIGHT, _EDGE = 860, 600, 26
_STYLE = (
    ".ec-map g path{transition:transform .1s;transform-box:fill-box;transform-origin:center}"
    ".ec-map text{font-size:13px;fill:" + INK + ";stroke:" + BACKGROUND + ";stroke-width:3px;paint-order:stroke}"
    ".ec-map path{stroke:" + BACKGROUND + "}"
    ".ec-map g:hover path{transform:scale(2)}"
    ".ec-map g:hover text{font-weight:bold;font-size:16px;visibility:visible}"
    ".ec-map:has(>g:hover)>g:not(:hover){opacity:.25}"
)
_ZOOM_STYLE = (
    ".ec-zoom>div{overflow:auto;max-height:640px}"
    ".ec-zoom:has(.twice:checked) svg{width:200%;max-width:200%!important}"
    ".ec-zoom:has(.twice:checked) text{font-size:9px}"
    ".ec-zoom:has(.four:checked) svg{width:400%;max-width:400%!important}"
    ".ec-zoom:has(.four:checked) text{font-size:4.5px;stroke-width:1px;visibility:visible}"
    ".ec-zoom:has(.four:checked) path{transform:scale(.5)}"
)
_ZOOMS = {"once": 1, "twice": 2, "four": 4}
# Radio buttons of one name exclude each other, so each drawing has a name of its own.
_numbers = count()
# One shape for each marker of MARKS, in a square from -5 to 5.
_PATHS = {
    "o": "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z",
    "s": "M-4,-4H4V4H-4Z",
    "D": "M0,-5L5,0L0,5L-5,0Z",
    "^": "M0,-5L5,4H-5Z",
    "v": "M0,5L5,-4H-5Z",
    "P": "M-2,-5H2V-2H5V2H2V5H-2V2H-5V-2H-2Z",
    "X": "M-5,-3L-3,-5L0,-2L3,-5L5,-3L2,0L5,3L3,5L0,2L-3,5L-5,3L-2,0Z",
    "*": "M0,-6L2,-2L6,-2L3,1L4,5L0,3L-4,5L-3,1L-6,-2L-2,-2Z",
    "<": "M-5,0L4,-5V5Z",
    ">": "M5,0L-4,-5V5Z",
    "h": "M0,-5L4.3,-2.5V2.5L0,5L-4.3,2.5V-2.5Z",
    "p": "M0,-5L4.8,-1.5L2.9,4H-2.9L-4.8,-1.5Z",
}


_Box = tuple[float, float, float, float]


def _touch(box: _Box, other: _Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


class WordMap:
    """Hold words and their positions on a map.

    `kinds` is the class of each word, `titles` the text that the mouse shows besides the word, `links` pairs of points to join.
    `labels` are written beside the points in place of the words. The drawing is `width` wide and `height` high.
    """

    def __init__(
        self,
        y: torch.Tensor,
        words: Sequence[str],
        kinds: Sequence[str],
        titles: Sequence[str] = (),
        links: Sequence[tuple[int, int]] = (),
        width: int = _WIDTH,
        height: int = _HEIGHT,
        labels: Sequence[str] = (),
    ) -> None:
        if not len(y) == len(words) == len(kinds):
            raise ValueError(f"{len(y)} points, {len(words)} words and {len(kinds)} classes do not go together")
        self.words, self.kinds, self.titles, self.links = list(words), list(kinds), list(titles) or list(kinds), list(links)
        self.width, self.height, self.labels = width, height, list(labels) or self.words
        low, high = y.min(dim=0).values, y.max(dim=0).values
        size = torch.tensor([width - 2 * _EDGE - 50, height - 2 * _EDGE - 40])
        placed = (y - low) / (high - low).clamp(min=1e-9)
        self.places = [(_EDGE + x * float(size[0]), height - 40 - _EDGE - up * float(size[1])) for x, up in placed.tolist()]
        self.order = sorted(dict.fromkeys(self.kinds), key=self.kinds.index)

    def mark(self, index: int) -> tuple[str, str]:
        """Return the colour and the shape of a word's mark."""
        return MARKS[self.order.index(self.kinds[index]) % len(MARKS)]

    def labelled(self, names: Sequence[str]) -> dict[int, tuple[float, float, str]]:
        """Return the names that fit beside their points: index to position and text anchor."""
        taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in self.places]
        chosen = {}
        for index, ((x, y), name) in enumerate(zip(self.places, names, strict=True)):
            wide = sum(13.5 if ord(letter) > 0x2E80 else 7.2 for letter in name)
            sides = ((x + 8, y, "start"), (x - 8, y, "end"), (x, y - 13, "middle"), (x, y + 13, "middle"))
            for left, middle, anchor in sides:
                start = left - {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * wide
                box = (start, middle - 7, start + wide, middle + 7)
                inside = box[0] > 0 and box[1] > 0 and box[2] < self.width and box[3] < self.height - 36
                if inside and not any(_touch(box, other) for other in taken):
                    taken.append(box)
                    chosen[index] = (left, middle, anchor)
                    break
        return chosen

    def svg(self, alt: str) -> str:
        """Return the drawing as SVG."""
        lines = "".join(
            f'<line x1="{self.places[a][0]:.1f}" y1="{self.places[a][1]:.1f}" x2="{self.places[b][0]:.1f}" '
            f'y2="{self.places[b][1]:.1f}" stroke="#9aa0a9" stroke-width="1"/>'
            for a, b in self.links
        )
        points = (f"<g>{self.title(index)}{point}</g>" for index, point in enumerate(self.points()))
        return _svg(lines + "".join(points) + self.legend(), alt, self.width, self.height)

    def title(self, index: int) -> str:
        """Return the SVG element whose text the mouse shows on a point."""
        return f"<title>{escape(f'{self.words[index]} · {self.titles[index]}')}</title>"

    def points(self, shift: float = 0.0) -> list[str]:
        """Return each point as SVG, moved to the right by `shift`. A name that does not fit appears under the mouse only."""
        shown = self.labelled(self.labels)
        drawn = []
        for index, (label, (x, y)) in enumerate(zip(self.labels, self.places, strict=True)):
            colour, shape = self.mark(index)
            crowded = (x + 6, y, "start") if x < 0.7 * self.width else (x - 6, y, "end")
            left, middle, anchor = shown.get(index, crowded)
            look = "" if index in shown else ' visibility="hidden"'
            drawn.append(
                f'<g transform="translate({x + shift:.1f} {y:.1f})"><path d="{_PATHS[shape]}" fill="{colour}"/>'
                f'<text{look} x="{left - x:.0f}" y="{middle - y + 4.5:.1f}" text-anchor="{anchor}">{escape(label)}</text></g>'
            )
        return drawn

    def legend(self) -> str:
        """Return the marks of the classes with their names as SVG."""
        parts, at = [], float(_EDGE)
        for kind in self.order:
            colour, shape = MARKS[self.order.index(kind) % len(MARKS)]
            parts.append(
                f'<g transform="translate({at:.0f} {self.height - 18})"><path d="{_PATHS[shape]}" fill="{colour}"/>'
                f'<text x="9" y="4.5">{escape(kind)}</text></g>'
            )
            at += 26 + sum(13 if ord(letter) > 0x2E80 else 7 for letter in kind)
        return "".join(parts)


def _svg(content: str, alt: str, width: int, height: int) -> str:
    return (
        f'<svg class="ec-map" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'style="max-width:100%;height:auto;border-radius:6px;background:{BACKGROUND};font-family:sans-serif" '
        f'role="img" aria-label="{escape(alt)}"><style>{_STYLE}</style>{content}</svg>'
    )


def linked_svg(maps: Mapping[str, WordMap], alt: str) -> str:
    """Return two maps of the same words side by side as SVG: the mouse on a word marks it in both.

    Both points of a word are one group of the drawing, so that the browser has them under the mouse together.

    Parameters
    ----------
    maps : Mapping[str, WordMap]
        Title of each map to the map. All have the same words, width and height.
    alt : str
        Alternative text: one sentence that says what the maps show.
    """
    first = next(iter(maps.values()))
    columns = [word_map.points(at * word_map.width) for at, word_map in enumerate(maps.values())]
    points = "".join(f"<g>{first.title(index)}{''.join(point)}</g>" for index, point in enumerate(zip(*columns, strict=True)))
    titles = "".join(
        f'<text x="{at * first.width + _EDGE}" y="17" font-weight="bold">{escape(title)}</text>'
        for at, title in enumerate(maps)
    )
    return _svg(titles + points + first.legend(), alt, len(maps) * first.width, first.height)


def zoomable(svg: str, title: str, hint: str) -> str:
    """Return HTML with the title and buttons that enlarge the drawing; it can be scrolled."""
    name = "ec-zoom-" + str(next(_numbers))
    buttons = " ".join(
        f'<label><input type="radio" class="{size}" name="{name}"{" checked" if zoom == 1 else ""}> {zoom} ×</label>'
        for size, zoom in _ZOOMS.items()
    )
    return (
        f'<div class="ec-zoom"><style>{_ZOOM_STYLE}</style><b>{escape(title)} <small>{escape(hint)}</small></b><br>'
        f"{buttons}<div>{svg}</div></div>"
    )
