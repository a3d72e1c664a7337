"""Pictures of architectures: everything on them can be read, and they say their shapes."""

import pytest

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
SHEETS = {**models.SHEETS, **search.SHEETS}


@pytest.mark.parametrize("sizes", [None, SIZES], ids=["names", "sizes"])
@pytest.mark.parametrize("name", SHEETS)
def test_nothing_on_a_sheet_is_hard_to_read(name: str, sizes: dict[str, int] | None) -> None:
    sheet = SHEETS[name](sizes)
    assert list(sheet.clashes()) == []
    said = [text.get_text() for text in sheet.axes.texts]
    assert sum("(B, " in text or "(N" in text for text in said) >= 2


def test_what_is_hard_to_read_is_found() -> None:
    sheet = drawing.Drawing(4.0, 2.0, "What clashes?")
    one = sheet.box(1.0, 1.0, "far too long a name for this box", width=0.8)
    two = sheet.box(1.4, 1.0, "another one")
    sheet.text(3.0, 1.0, "on the way")
    sheet.text(3.9, 0.2, "beyond the sheet")
    sheet.text(3.0, 1.8, "small", size=7)
    sheet.arrow(one.bottom, (1.0, 0.4), (3.0, 0.4), (3.0, 1.7))
    found = "\n".join(sheet.clashes())
    for said in ("does not fit", "lies on", "runs through 'on the way'", "beyond the sheet", "'small' is set small"):
        assert said in found, said
    assert two.left < two.right


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
