"""Figures: Chinese is set or spelled, never a box, with a font and without; each picture carries its text."""

import base64
import io
import itertools
import warnings

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager, image
from matplotlib.text import Text

from embedding_course.data import digits_captions, three_sentences
from embedding_course.plot import chinese, style
from embedding_course.plot.end_labels import apart, end_labels

_FAMILY = "Course Test Han"


@pytest.fixture
def no_font(monkeypatch):
    """A machine without any font that has Chinese characters."""
    _machine_with(monkeypatch)
    yield
    chinese._found.cache_clear()


@pytest.fixture
def with_font(monkeypatch, tmp_path):
    """A machine with one small font of Chinese characters, installed after matplotlib made its list."""
    _machine_with(monkeypatch, _small_font(tmp_path / "han.ttf", chinese._SAMPLE))
    yield
    chinese._found.cache_clear()


def _machine_with(monkeypatch, *installed: str) -> None:
    """Only matplotlib's own fonts in its list (its font of boxes among them), and `installed` beside them."""
    own = ("DejaVu", "Last Resort")
    kept = [font for font in font_manager.fontManager.ttflist if font.name.startswith(own)]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", kept)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda *_, **__: list(installed))
    chinese._found.cache_clear()


def _small_font(path, characters: str) -> str:
    """A font whose every character is a filled square with a hole: enough to be drawn."""
    names = {ord(character): f"uni{ord(character):04X}" for character in dict.fromkeys(characters)}
    pen = TTGlyphPen(None)
    for low, high in ((100, 900), (300, 700)):
        pen.moveTo((low, low))
        for corner in ((low, high), (high, high), (high, low)):
            pen.lineTo(corner)
        pen.closePath()
    glyph = pen.glyph()
    order = [".notdef", *names.values()]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(order, glyph))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (1000, 100)))
    builder.setupHorizontalHeader(ascent=900, descent=-100)
    builder.setupNameTable({"familyName": _FAMILY, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)
    return str(path)


def _draw(*texts: str) -> None:
    """Draw the texts in a figure of the course; a missing glyph is an error."""
    figure, axes = style.new_figure(4, 2)
    axes.set_title(texts[0])
    for index, text in enumerate(texts):
        axes.text(0.1, index / 10, text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.savefig(io.BytesIO(), format="png")


def test_without_a_font_pinyin_stands_in(no_font, capsys):
    assert chinese.chinese_font() is None
    assert chinese.label("我爱机器学习", "wǒ ài jīqì xuéxí") == "wǒ ài jīqì xuéxí"
    _draw(chinese.label("我爱", "wǒ ài"), chinese.label("女", "nǚ"), chinese.label("ok", "-"))
    chinese.say_how()
    captured = capsys.readouterr()
    assert "fonts-noto-cjk" in captured.out and captured.out.count("\n") == 1 and not captured.err


def test_with_a_font_the_characters_are_set(with_font, capsys):
    assert chinese.chinese_font() == _FAMILY
    assert chinese.label("我爱学习", "wǒ ài xuéxí") == "我爱学习"
    _draw(chinese.label("我爱学习", "wǒ ài xuéxí"), "love = 爱")
    chinese.say_how()
    assert _FAMILY in capsys.readouterr().out


def test_a_character_that_the_font_lacks_is_spelled(with_font):
    assert chinese.label("龘", "dá") == "dá"
    _draw(chinese.label("龘", "dá"))


def test_the_texts_of_the_lessons_are_spelled_word_by_word(no_font):
    assert chinese.spelled("我爱机器学习, 狗 追 猫") == "wǒ ài jīqì xuéxí, gǒu zhuī māo"
    assert chinese.spelled("词向量") == "cí xiàngliàng"
    texts = [*three_sentences.WORDS, *digits_captions.NAMES["chinese"], *digits_captions.TEMPLATES["chinese"]]
    assert not [text for text in texts if not chinese.renders(chinese.spelled(text))]
    _draw(*map(chinese.spelled, texts[:5]))


def test_the_test_sees_missing_glyphs(no_font):
    with pytest.raises(UserWarning, match=r"missing|Glyph"):
        _draw("龘")


def test_a_finished_figure_carries_its_text(capsys):
    figure, axes = style.new_figure(3, 2, 1, 2, width_ratios=[2, 1])
    (line,) = axes[0].plot([1, 2, 3], [1, 4, 9])
    style.end_label(line, "squares")
    style.ask(figure, "How do squares grow?")
    style.finish(figure, 'Squares grow; "fast".')
    captured = capsys.readouterr()
    assert captured.out == '[Figure: Squares grow; "fast".]\n' and not captured.err


def test_the_picture_is_opaque_and_escaped():
    figure, _ = style.new_figure(2, 1)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    pixels = image.imread(io.BytesIO(buffer.getvalue()))
    assert pixels[..., 3].min() == 1.0 and pixels[0, 0, :3].min() > 0.9
    bundle, about = style.Shown(buffer.getvalue(), 'a "b" <c>', 192)._repr_mimebundle_()
    assert 'alt="a &quot;b&quot; &lt;c&gt;"' in bundle["text/html"]
    assert base64.b64decode(bundle["image/png"]) == buffer.getvalue()
    assert about["image/png"]["alt"] == 'a "b" <c>'


def test_a_figure_without_text_is_refused():
    figure, _ = style.new_figure(2, 1)
    with pytest.raises(ValueError, match="alternative text"):
        style.finish(figure, "  ")


def test_a_figure_that_asks_nothing_is_refused(capsys):
    figure, axes = style.new_figure(2, 1)
    axes.set_title("Squares grow")
    with pytest.raises(ValueError, match="asks its question in its title"):
        style.finish(figure, "Squares grow.")
    axes.set_title("How do squares grow?")
    style.finish(figure, "Squares grow.")
    assert capsys.readouterr().out == "[Figure: Squares grow.]\n"


def test_labels_of_lines_that_end_together_are_moved_apart_and_keep_a_line_to_their_end():
    figure, axes = style.new_figure()
    heights = {"one": 0.5, "two": 0.501, "three": 0.502, "far": 0.9}
    lines = {axes.plot([0, 1], [0.1, height])[0]: name for name, height in heights.items()}
    axes.set_ylim(0, 1)
    end_labels(figure, lines)
    figure.draw_without_rendering()
    boxes = {text.get_text(): text for text in axes.texts}
    assert set(boxes) == set(heights)
    for label, other_label in itertools.combinations(boxes.values(), 2):
        assert not Text.get_window_extent(label).overlaps(Text.get_window_extent(other_label))
    assert boxes["far"].arrow_patch is None and boxes["one"].arrow_patch is not None


def test_labels_at_the_beginning_stand_on_the_left():
    figure, axes = style.new_figure()
    (line,) = axes.plot([1, 2], [3, 4])
    end_labels(figure, {line: "begins"}, first=True)
    assert axes.texts[0].xy == (1.0, 3.0) and axes.texts[0].get_horizontalalignment() == "right"


def test_labels_are_moved_apart_and_keep_their_order() -> None:
    """Each crowd stays where its middle is: three of them about 0.253, two about 0.995, and not one beyond half a crowd."""
    placed = apart([0.25, 1.0, 0.26, 0.99, 0.25], 0.1)
    middle = (0.25 + 0.25 + 0.26) / 3
    assert [placed[index] for index in (0, 4, 2)] == pytest.approx([middle - 0.1, middle, middle + 0.1])
    assert [placed[index] for index in (3, 1)] == pytest.approx([0.945, 1.045])
