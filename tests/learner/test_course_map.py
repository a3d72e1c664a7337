"""The map of the course: well-formed, complete, true to the list of lessons, and readable without the picture."""

from xml.etree import ElementTree

from embedding_course.learner.progress.course_map import CARRIED, Score, course_map, described
from embedding_course.subject.lessons import LESSONS

_SVG = "{http://www.w3.org/2000/svg}"


def _texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{_SVG}text")]


def test_every_notebook_and_everything_carried_is_on_it() -> None:
    texts = _texts(course_map())
    assert [text for text in texts if text in {lesson.number for lesson in LESSONS}] == [lesson.number for lesson in LESSONS]
    assert set(texts) >= {what for _, _, what in CARRIED}


def test_what_is_done_is_said_in_signs_and_words() -> None:
    scores = {"01": Score(20, 20), "02": Score(3.5, 20), "03": Score(0, 20)}
    texts = _texts(course_map(scores, here="02"))
    assert {"✔ 20/20", "◐ 3.5/20", "○ 0/20"} <= set(texts)
    assert described(scores).endswith("Done: 01.") and described().endswith("Done: none yet.")


def test_nothing_stands_outside() -> None:
    picture = ElementTree.fromstring(course_map())
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    for box in picture.iter(f"{_SVG}rect"):
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        assert x >= 0 and x + float(box.attrib["width"]) <= width and y >= 0 and y + float(box.attrib["height"]) <= height


def test_carrying_goes_forwards() -> None:
    assert all(source < target for source, target, _ in CARRIED)
    assert all(source < lesson.number for lesson in LESSONS for source in lesson.builds_on)
