"""Figures: each picture carries its text, and labels stand apart."""

import base64
import io
import itertools

import pytest
from matplotlib import image
from matplotlib.text import Text

from embedding_course.plot import style
from embedding_course.plot.end_labels import apart, end_labels


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
