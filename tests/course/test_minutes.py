"""A notebook's minutes are counted, and every page tells the number that was counted; what is folded is not needed."""

import re

import nbformat
import pytest

from embedding_course.exercises import exercises_of
from embedding_course.learner.progress.course_map import course_map
from embedding_course.subject.lessons import SITTINGS, lesson, topics
from grader.authoring.build import count_minutes, sittings_of
from grader.course_source.lesson import LessonCell, read_lesson
from grader.course_source.names import givers
from grader.course_source.sittings import FOLDED, sittings
from grader.paths import NOTEBOOKS, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Minutes of a sitting.
MOST = 60
#: Core exercises of a notebook. The last one has shorter ones: they use what ten notebooks have taught.
EXERCISES = 6
LAST_EXERCISES = 10


def test_what_is_committed_is_what_is_counted() -> None:
    assert SITTINGS.read_bytes() == count_minutes()


@pytest.mark.parametrize("topic", topics())
def test_title_readme_and_map_tell_what_is_counted(topic: str) -> None:
    minutes = sittings_of(topic).minutes
    assert lesson(topic).sittings == minutes and lesson(topic).minutes == sum(minutes)
    cells = {cell.id: cell.source for cell in nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells}
    total = sum(minutes)
    assert f">{total} min<" in course_map()
    if len(minutes) == 1:
        assert f"**About {total} minutes.**" in cells["title"] and f"| {total} |" in README
        return
    first, second = minutes
    assert f"**About {total} minutes, in two sittings of {first} and {second}.**" in cells["title"]
    assert f"The second sitting takes about {second} minutes." in cells["stop"]
    assert f"| {total} ({first} + {second}) |" in README


@pytest.mark.parametrize("topic", topics())
def test_a_sitting_fits_into_an_hour(topic: str) -> None:
    assert len(sittings_of(topic).minutes) <= 2, "one marked place to stop at most"
    assert max(sittings_of(topic).minutes) <= MOST


@pytest.mark.parametrize("topic", topics())
def test_the_core_has_few_exercises(topic: str) -> None:
    most = LAST_EXERCISES if topic == topics()[-1] else EXERCISES
    assert sum(exercise.core for exercise in exercises_of(topic)) <= most


@pytest.mark.parametrize("topic", topics())
def test_exercises_of_the_core_stand_in_the_core(topic: str) -> None:
    exercises = {exercise.id: exercise for exercise in exercises_of(topic)}
    for cell in read_lesson(topic):
        if "exercise" in cell.meta:
            assert exercises[cell.meta["exercise"]].core is not bool(cell.meta.get("further")), cell.key
        assert not (cell.meta.get("further") and ("reflection" in cell.meta or cell.meta.get("model_answer"))), cell.key


@pytest.mark.parametrize("topic", topics())
def test_every_name_means_what_it_means_in_the_lesson(topic: str) -> None:
    """Further cells run later than they stand in the lesson: what each cell reads must come from the same cell all the same.
    And no cell of the core reads what only a further one makes."""
    exercises = {exercise.id: exercise for exercise in exercises_of(topic)}
    parts = sittings_of(topic)
    written, shown = givers(read_lesson(topic), exercises), givers(parts.cells(), exercises)
    folded = {cell.key for cell in (*parts.first_further, *parts.second_further)}
    for key, names in written.items():
        for name, giver in names.items():
            assert key in folded or giver not in folded, f"{key} of the core reads {name} of {giver}, which is further"
            assert shown[key].get(name) == giver, f"{key} reads {name} of {shown[key].get(name)}, no longer of {giver}"


@pytest.mark.parametrize("topic", topics())
def test_jupyterlab_folds_what_is_further_and_nothing_else(topic: str) -> None:
    """A folded heading hides the cells up to the next heading of its level."""
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells
    parts = sittings_of(topic)
    wanted = {cell.key for cell in (*parts.first_further, *parts.second_further)}
    hidden: set[str] = set()
    inside = False
    for cell in cells:
        if cell.cell_type == "markdown" and re.search(r"^##? ", cell.source, re.MULTILINE):
            inside = all(cell.metadata.get(name) == value for name, value in FOLDED.items())
            assert not (inside and len(re.findall(r"^## ", cell.source, re.MULTILINE)) > 1)
        elif inside:
            hidden.add(re.sub(r"-(task|check)$", "", cell.id))
    assert hidden == wanted


def test_a_second_stop_or_a_given_cell_that_is_further_is_refused() -> None:
    stop = LessonCell("stop", "markdown", "You have a table.", {"stop": True})
    with pytest.raises(ValueError, match="two cells end the first sitting"):
        sittings([stop, stop], {})
    with pytest.raises(ValueError, match="cannot be further"):
        sittings([LessonCell("imports", "code", "import math", {"given": True, "further": True})], {})


def test_minutes_are_those_of_the_core() -> None:
    prose = LessonCell("text", "markdown", "word " * 100, {})
    exercise = LessonCell("01-a", "markdown", "", {"exercise": "01.a"})
    further = LessonCell("more", "markdown", "word " * 1000, {"further": True})
    stop = LessonCell("stop", "markdown", "You have a table.", {"stop": True})
    parts = sittings([prose, further, stop, exercise, prose], {"01.a": 12})
    assert parts.minutes == (1, 13) and parts.minutes_text == "About 14 minutes, in two sittings of 1 and 13"
    keys = ["text", "stop", "keep", "further-1", "more", "second-sitting", "01-a", "text"]
    assert [cell.key for cell in parts.cells()] == keys


def test_a_lesson_without_a_stop_is_one_sitting() -> None:
    prose = LessonCell("text", "markdown", "word " * 1000, {})
    further = LessonCell("more", "markdown", "word " * 1300, {"further": True})
    parts = sittings([prose, further, prose], {})
    assert parts.minutes == (20,) and parts.minutes_text == "About 20 minutes"
    assert [cell.key for cell in parts.cells()] == ["text", "text", "further-2", "more"]
