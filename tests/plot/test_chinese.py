"""The course's own font: it has every Chinese character of the course, and a figure needs no other."""

import io
import subprocess
import sys
import warnings

import pytest
from matplotlib.ft2font import FT2Font

from embedding_course.data.files import data_file
from embedding_course.plot import chinese, style
from grader.authoring.chinese_font import FONT, characters, cut, in_texts


def _draw(*texts: str) -> None:
    """Draw the texts in a figure of the course; a missing glyph is an error."""
    figure, axes = style.new_figure(4, 2)
    axes.set_title(texts[0], fontweight="bold")
    for index, text in enumerate(texts):
        axes.text(0.1, index / 10, text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.savefig(io.BytesIO(), format="png")


def test_the_font_has_every_chinese_character_of_the_course() -> None:
    held = set(map(chr, FT2Font(str(data_file(chinese.OWN))).get_charmap()))
    assert in_texts() <= held, "cut the font again: python -m grader.authoring.chinese_font"
    assert len(characters()) > 3_700 and FONT.stat().st_size < 1_000_000
    assert (FONT.parent / "OFL.txt").read_text(encoding="utf-8").count("SIL OPEN FONT LICENSE") == 1


def test_a_machine_without_fonts_draws_chinese() -> None:
    """In a process of its own, in which matplotlib knows no font but its own."""
    code = (
        "import warnings; warnings.simplefilter('error')\n"
        "from matplotlib import font_manager\n"
        "manager = font_manager.fontManager\n"
        "manager.ttflist = [font for font in manager.ttflist if font.name.startswith('DejaVu')]\n"
        "from tests.plot.test_chinese import _draw\n"
        "_draw('我爱机器学习', '她 = she', 'wǒ')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr == "", "matplotlib logs a weight that it does not find"


def test_the_test_sees_missing_glyphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "font_families", lambda: ["DejaVu Sans"])
    with pytest.raises(UserWarning, match=r"missing|Glyph"):
        _draw("龘")


def test_a_collection_without_the_original_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        fonts = ()

    monkeypatch.setattr("grader.authoring.chinese_font.TTCollection", lambda path: Other())
    with pytest.raises(LookupError, match="no Noto Sans CJK SC"):
        cut(FONT)
