"""The class report: what it counts, what it says without colour, and what the anonymous form leaves out."""

import itertools
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from embedding_course.exercises import exercises_of, find_exercise
from grader.classroom.grade_record import GradeRecord
from grader.classroom.requests import Request
from grader.report import class_page as report_page
from grader.report.by_hand import ByHand
from grader.report.class_page import render
from grader.report.discrimination import discriminations, item_rest
from grader.report.dot_strip import strip
from grader.report.exercises import by_failure
from grader.report.number_text import percent
from grader.report.shown_case import shown_case
from grader.report.summary import Waiting, summarise
from grader.report.teach import lessons_to_repeat, with_examples
from tests.support.report_records import NAMES, TOPIC, record, result

EXERCISES = exercises_of(TOPIC)


def test_the_correlation_is_the_one_of_the_textbook() -> None:
    got = item_rest([0, 0, 1, 1, 2, 2], [1, 3, 2, 5, 4, 6])
    assert got is not None
    value, low, high = got
    assert value == pytest.approx(0.7171, abs=1e-3)  # by hand: 6 / sqrt(4 * 17.5)
    assert -1 < low < value < high < 1
    assert item_rest([1, 0, 1, 0], [1, 2, 3, 4]) is None
    assert item_rest([1, 0, 1, 0, 1], [2, 2, 2, 2, 2]) is None


def test_exercises_that_sort_and_those_that_do_not(klass: list[GradeRecord]) -> None:
    lines_by_exercise = {line.exercise: line for line in discriminations(klass)}
    first, tied, trace = (lines_by_exercise[f"03.{name}"] for name in ("renorm_rows", "tied_scores", "norm_trace"))
    assert first.value is not None and first.value > 0.5 and first.words == "strongly"
    assert tied.value is not None and tied.high < 0 and "against the rest" in tied.words
    assert trace.value is None and "the same here" in trace.words
    untouched = record("nobody", [result(exercise.id, 0.0, status="not attempted") for exercise in EXERCISES])
    assert {line.exercise: line for line in discriminations([*klass, untouched])} == lines_by_exercise


def test_few_students_are_warned_of(klass: list[GradeRecord]) -> None:
    assert "Few students" not in render(summarise(klass), "today")
    assert "Few students" in render(summarise(klass[:8]), "today")


def test_what_to_teach_again_is_the_commonest_mistake_of_each_exercise() -> None:
    pairs = [(str(index), result("03.renorm_rows", 0.0, "columns")) for index in range(4)]
    pairs += [(str(index), result("03.renorm_rows", 0.0, "root_forgotten")) for index in range(4, 7)]
    pairs += [("8", result("03.tied_scores", 0.0, "probabilities"))]
    pairs += [("9", result("03.renorm_rows", 0.0, status="not attempted"))]
    (lesson,) = lessons_to_repeat(pairs)
    assert (lesson.exercise, lesson.slug, lesson.answered) == ("03.renorm_rows", "columns", 7)
    assert lesson.students == ("0", "1", "2", "3")
    assert lesson.diagnosis == "What columns does." and lesson.why == find_exercise("03.renorm_rows").why


def test_the_case_that_exposes_a_mistake_is_shown_with_its_values() -> None:
    shown_text = shown_case("03.renorm_rows", "columns", "long and short rows")
    assert shown_text.startswith("`renorm_rows(") and "are wrong" in shown_text
    assert shown_case("03.renorm_rows", "columns", "no such case") == shown_case("03.renorm_rows", "none", "one row") == ""


def test_the_example_is_the_most_typical_answer_of_those_who_made_the_mistake() -> None:
    asked = []

    def typical(students: tuple[str, ...], exercise: str) -> None:
        asked.append((students, exercise))

    pairs = [(name, result("03.renorm_rows", 0.0, "columns")) for name in ("ada", "bo")]
    (lesson,) = with_examples(lessons_to_repeat(pairs), SimpleNamespace(typical=typical))  # type: ignore[arg-type]
    assert asked == [(("ada", "bo"), "03.renorm_rows")] and lesson.example is None
    assert with_examples(lessons_to_repeat(pairs), None)[0].example is None and len(asked) == 1


def test_exercises_are_sorted_by_failure(klass: list[GradeRecord]) -> None:
    lines = by_failure([(student_record.student, each) for student_record in klass for each in student_record.results])
    core = [line.share("passed") for line in lines if line.core]
    assert core == sorted(core) and [line.core for line in lines] == sorted((line.core for line in lines), reverse=True)


def test_the_strip_has_a_dot_for_every_student() -> None:
    shares = {topic: {f"s{index}": index / 39 for index in range(40)} for topic in ("01_onehot_vs_lookup", TOPIC)}
    picture = strip(shares, [TOPIC], ["s3"])
    assert picture.count("<circle") == 80 and picture.count('class="dot large"') == 2 and picture.count('class="here"') == 1
    assert "01: 40 students from 0" in picture and "NaN" not in picture
    positions = [float(x) for x in re.findall(r'cx="([-\d.]+)"', strip({TOPIC: {str(index): 1.0 for index in range(200)}}))]
    assert len(positions) == 200 and min(positions) > 0 and max(positions) < 400


def test_not_quite_all_is_not_called_all() -> None:
    assert [percent(share)[:-2] for share in (0.0, 0.001, 0.5, 0.999, 1.0)] == ["0", "1", "50", "99", "100"]


# --- the page


@pytest.fixture
def text(klass: list[GradeRecord]) -> str:
    requests = [Request(NAMES[2], TOPIC, "03.renorm_rows", "<b>please</b> look again")]
    waiting = Waiting([ByHand(TOPIC, 20, 7, 1), ByHand("01_onehot_vs_lookup", 9, 3)], requests)
    return render(summarise(klass, waiting=waiting), "today").replace("\N{NO-BREAK SPACE}", " ")


class _Page(HTMLParser):
    """Tags with their attributes, in order; and what is open when a file ends."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def _tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Page()
    parser.feed(text)
    return parser.tags


def test_the_page_is_whole_in_itself(text: str) -> None:
    tags = _tags(text)
    assert not {"script", "link", "iframe", "img", "object", "embed"} & {tag for tag, _ in tags}
    for _, attributes in tags:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src"):
                assert (value or "").startswith("#")
    assert "://" not in re.sub(r"xmlns=\S+", "", text)
    targets = {attributes.get("id") for _, attributes in tags}
    assert {str(attributes["href"])[1:] for tag, attributes in tags if tag == "a"} <= targets


def test_it_can_be_read_without_seeing_it(text: str) -> None:
    tags = _tags(text)
    assert tags.count(("html", {"lang": "en"})) == 1
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    names = [tag for tag, _ in tags]
    assert names.count("table") == names.count("caption") > 3
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in tags if tag == "th")
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        root = ElementTree.fromstring(picture)
        hidden = root.get("aria-hidden") == "true"
        assert hidden or (root.get("role") == "img" and root.get("aria-label") and root.find("title") is not None)


def test_bars_are_plain_and_say_in_words_what_they_show(text: str) -> None:
    assert "<pattern" not in text and "url(" not in text
    assert 'aria-label="03.renorm_rows: 42 % wrong"' in text and "58 % right" not in text


def test_open_work_and_requests_are_told(text: str) -> None:
    assert "&lt;b&gt;please&lt;/b&gt; look again" in text and "<b>please" not in text
    assert "Written answers to mark (<code>grader mark</code>): 7 of 20 in 03." in text
    assert "look at once more" in text and "1 in 03." in text and "The same in other notebooks: 3 in 01." in text
    assert "timed out" in text and NAMES[3] in text


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _long(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(2 * sign for sign in colour[1:])


def _ratio(first: str, second: str) -> float:
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_enough_in_light_dark_and_print() -> None:
    css = (Path(report_page.__file__).parent / "style.css").read_text(encoding="utf-8")
    palettes = [dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6})", block)) for block in re.findall(r":root \{([^}]*)\}", css)]
    assert len(palettes) == 3
    for colours in palettes:
        full = {name: _long(value) for name, value in colours.items()}
        for ground in ("page", "card"):
            for ink in ("ink", "soft", "link"):
                assert _ratio(full[ink], full[ground]) >= 4.5, (ink, ground, full)
        for mark in ("partly", "wrong", "edge", "dot"):
            assert _ratio(full[mark], full["page"]) >= 3, (mark, full)
