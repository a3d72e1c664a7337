"""Pictures of architectures: everything on them can be read, and they say their shapes."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from embedding_course.plot.architecture import drawing, models, search

SIZES = {
    "B": 64,
    "T": 15,
    "S": 14,
    "d": 48,
    "h": 4,
    "d/h": 12,
    "d_ff": 128,
    "H": 64,
    "2H": 128,
    "V": 235,
    "max_length": 14,
    "N": 128,
}
SHEETS = {
    "encoder_decoder": models._encoder_decoder,
    "heads": models._heads,
    "block": models._block,
    "language_model": lambda sizes: models._language_model(sizes, None if sizes is None else 2),
    "two_towers": search._two_towers,
    "sentence_vector": search._sentence_vector,
    "text_to_hit": search._text_to_hit,
}


def hard_to_read(sheet: drawing.Drawing) -> Iterator[str]:
    """Yield a sentence for each text that is small, lies on another one, is crossed by a line, or leaves its sheet or box."""
    sheet.figure.canvas.draw()
    back = sheet.axes.transData.inverted()
    texts = {text: text.get_window_extent().transformed(back) for text in sheet.axes.texts if text.get_text()}
    boxes = [patch.get_bbox() for patch in sheet.axes.patches if isinstance(patch, FancyBboxPatch)]
    lines = [line.get_xydata() for line in sheet.axes.lines]
    lines += [(text.xyann, text.xy) for text in sheet.axes.texts if isinstance(text, Annotation)]
    for text, extent in texts.items():
        shown_text = text.get_text().replace("\n", " ")
        if text.get_fontsize() < 9:
            yield f"{shown_text!r} is set small"
        if extent.x0 < 0.02 or extent.y0 < 0.02 or extent.x1 > sheet.width - 0.02 or extent.y1 > sheet.height - 0.02:
            yield f"{shown_text!r} reaches beyond the sheet"
        for other, other_extent in texts.items():
            if other is not text and extent.overlaps(other_extent) and id(other) > id(text):
                yield f"{shown_text!r} lies on {other.get_text()!r}"
        for line in lines:
            if any(crosses(start, end, extent) for start, end in pairwise(line)):
                yield f"a line runs through {shown_text!r}"
        for box in boxes:
            centre = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)
            if text.get_position() == pytest.approx(centre) and (
                extent.width > box.width - 0.06 or extent.height > box.height - 0.04
            ):
                yield f"{shown_text!r} does not fit into its box"


def crosses(start: drawing.Point, end: drawing.Point, extent: Bbox, steps: int = 60) -> bool:
    """Return whether the straight line between two points runs through a text."""
    inside = extent.padded(-0.01)
    walk = ((start[0] + (end[0] - start[0]) * k / steps, start[1] + (end[1] - start[1]) * k / steps) for k in range(steps + 1))
    return any(inside.contains(*point) for point in walk)


@pytest.mark.parametrize("sizes", [None, SIZES], ids=["names", "sizes"])
@pytest.mark.parametrize("name", SHEETS)
def test_nothing_on_a_sheet_is_hard_to_read(name: str, sizes: dict[str, int] | None) -> None:
    sheet = SHEETS[name](sizes)
    assert list(hard_to_read(sheet)) == []
    texts = [text.get_text() for text in sheet.axes.texts]
    assert sum("(B, " in text or "(N" in text for text in texts) >= 2


def test_what_is_hard_to_read_is_found() -> None:
    sheet = drawing.Drawing(4.0, 2.0, "What clashes?")
    first_box = sheet.box(1.0, 1.0, "far too long a name for this box", width=0.8)
    second_box = sheet.box(1.4, 1.0, "another one")
    sheet.text(3.0, 1.0, "on the way")
    sheet.text(3.9, 0.2, "beyond the sheet")
    sheet.text(3.0, 1.8, "small", size=7)
    sheet.arrow(first_box.bottom, (1.0, 0.4), (3.0, 0.4), (3.0, 1.7))
    problems = "\n".join(hard_to_read(sheet))
    for problem in ("does not fit", "lies on", "runs through 'on the way'", "beyond the sheet", "'small' is set small"):
        assert problem in problems, problem
    assert second_box.left < second_box.right


def test_a_picture_has_its_alternative_text_and_is_a_vector(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(drawing, "finish", lambda figure, alt, html: shown.extend((alt, html)))
    of_models = models.encoder_decoder, models.heads, models.block, models.language_model
    for show in (*of_models, search.two_towers, search.sentence_vector, search.text_to_hit):
        shown.clear()
        show()
        assert (
            ("(B, " in shown[0] or "(N, d)" in shown[0])
            and "data:image/svg+xml;base64," in shown[1]
            and f'alt="{shown[0][:20]}' in shown[1]
        )
