"""What translators get: sentences of each kind are found, and every template has slots that can be filled."""

from pathlib import Path
from string import Formatter

import pytest

from embedding_course.subject.lessons import lesson
from grader.authoring.messages import Extracted, machinery_messages, notebook_messages, slots_of
from grader.course_source.lesson_messages import lesson_messages


@pytest.fixture(scope="module")
def machinery() -> list[Extracted]:
    return list(machinery_messages())


@pytest.fixture(scope="module")
def notebook() -> list[Extracted]:
    return list(notebook_messages(lesson("03")))


@pytest.mark.parametrize(
    "text",
    [
        "Case “{case}”, `{call}`: {fault}",  # a verdict
        "Line {line} is written for Python {newer} ({what}), graded with {here}.",  # a reason
        "Hint {number} of {last} · {exercise}",  # a command of a learner
        "What to look at again",  # the feedback page
        "the file is empty; save the notebook again and hand that file in",  # a file that cannot be read
        "January",
    ],
)
def test_sentences_of_the_machinery_are_found(text: str, machinery: list[Extracted]) -> None:
    assert text in {message.text for message in machinery}


def test_a_plural_has_two_forms(machinery: list[Extracted]) -> None:
    assert ("{count} day", "{count} days") in {(message.text, message.several) for message in machinery}
    figures = "{count} figure is left out here; your notebook has it."
    assert any(message.text == figures and message.several for message in machinery), "in the template of a page"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("max_norm", "embedding_course/subject.toml"),
        ("Shorten the rows that are too long", "embedding_course/exercises/03_max_norm/renorm_rows.py"),
        (
            "Multiply each row by one factor: 1 for a short row, less than 1 for a long one.",
            "embedding_course/exercises/03_max_norm/renorm_rows.py",
        ),
        ("Each row is measured by itself.", "embedding_course/exercises/03_max_norm/renorm_rows.py"),
    ],
)
def test_texts_of_an_exercise_are_found(text: str, path: str, notebook: list[Extracted]) -> None:
    places = [message for message in notebook if message.text == text and message.path.endswith(path)]
    assert places and all(place.line >= 1 for place in places)


def test_diagnoses_next_steps_and_cells_are_found_where_they_stand(notebook: list[Extracted]) -> None:
    mistakes = [message for message in notebook if "/mistakes/" in message.path]
    assert len(mistakes) > 100
    cell = next(message for message in notebook if message.context == "arrows-text")
    assert cell.text.startswith("## 1 · Which rows") and cell.path == "solutions/03_max_norm/lesson.py" and cell.line > 1


def test_the_title_of_a_training_is_found_whatever_the_call(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text('# %% key="run"\nencoder = views.train(nt_xent, title="two views of each digit")\n', encoding="utf-8")
    assert (None, "two views of each digit", 2) in list(lesson_messages(path))


def test_all_slots_can_be_filled(machinery: list[Extracted], notebook: list[Extracted]) -> None:
    for message in (message for message in [*machinery, *notebook] if message.has_slots):
        for text in filter(None, (message.text, message.several)):
            names = {name for _, name, *_ in Formatter().parse(text) if name is not None}
            assert names == slots_of(text), message
            numbers = dict.fromkeys(names, 1)
            assert text.format_map(numbers), message
