"""Draw the subpackages as layers, in the order of the import contracts in pyproject.toml."""

import ast
import textwrap
import tomllib
from html import escape

from ..paths import ROOT

PICTURE = ROOT / "docs" / "img" / "rooms.svg"

_WIDTH, _BOX, _TALL, _GAP, _TOP = 1180, 575, 46, 8, 62
_INK, _SOFT, _LINE, _PAPER = "#22262e", "#4d545f", "#8a919c", "#f7f6f1"
_COLOURS = {"grader": "#e3ecf7", "embedding_course": "#d8eee6"}
#: The width of a letter in the widest of the fonts, in units of the drawing.
_LETTER = 6.4


def rooms() -> dict[str, list[list[str]]]:
    """Return the layers of each of the two packages from top to bottom, each a list of subpackages.

    >>> rooms()["grader"][0]
    ['cli']
    """
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = {contract["containers"][0]: contract["layers"] for contract in contracts if contract["type"] == "layers"}
    return {package: [layer.split(" | ") for layer in stack] for package, stack in layers.items()}


def rooms_picture() -> str:
    """Return the picture as SVG, with the grader on the left and the course on the right.

    A package may import the packages that are drawn below it.
    """
    stacks = rooms()
    height = _TOP + max(map(len, stacks.values())) * (_TALL + _GAP) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{escape(_described(stacks))}" '
        "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">",
        f'<rect width="{_WIDTH}" height="{height}" rx="12" fill="{_PAPER}"/>',
    ]
    for column, package in enumerate(("grader", "embedding_course")):
        left = 10 + column * (_BOX + 10)
        parts.append(_text(left + 4, 34, package, 20, _INK, "bold"))
        for storey, names in enumerate(stacks[package]):
            wide = (_BOX - (len(names) - 1) * _GAP) / len(names)
            parts += [
                _room(package, name, left + position * (wide + _GAP), _TOP + storey * (_TALL + _GAP), wide)
                for position, name in enumerate(names)
            ]
    text = "Each room imports only rooms below it; the grader imports the course, never the other way round."
    return "\n".join([*parts, _text(14, height - 14, text, 14, _SOFT), "</svg>"]) + "\n"


def _room(package: str, name: str, left: float, top: float, wide: float) -> str:
    says = textwrap.shorten(_purpose(package, name), int((wide - 20) / _LETTER), placeholder=" …")
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{_TALL}" rx="7" fill="{_COLOURS[package]}" stroke="{_LINE}"/>'
        + _text(left + 10, top + 19, name, 15, _INK, "bold")
        + _text(left + 10, top + 37, says, 12, _SOFT)
    )


def _purpose(package: str, name: str) -> str:
    """Return the first sentence of a subpackage's docstring."""
    single = ROOT / package / f"{name}.py"
    path = single if single.exists() else ROOT / package / name / "__init__.py"
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()[0].rstrip(".").replace("`", "")


def _text(x: float, y: float, text: str, size: int, colour: str, weight: str = "normal") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{colour}">{escape(text)}</text>'


def _described(stacks: dict[str, list[list[str]]]) -> str:
    descriptions = {package: ", ".join(" beside ".join(names) for names in stack) for package, stack in stacks.items()}
    return "; ".join(f"{package}, from top to bottom: {description}" for package, description in descriptions.items())
