"""Answers are compared with other classes and with what the course publishes; natural and common forms accuse nobody."""

from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode
from typer.testing import CliRunner

from embedding_course.exercises import find_exercise
from grader.cli import app
from grader.course_source.catalogue import right_forms_of
from grader.report.similarity.forms import Answer, form, own_lines, stubs_of
from grader.report.similarity.likeness import groups, likenesses
from grader.report.similarity.published import equal_to_published, published_forms
from tests.grader.report.test_similarity import BODY, STUB, VARIANTS, answer
from tests.support.classes import TOPIC, copied, hand_in, perfect

EXERCISE = find_exercise("03.renorm_rows")


def answers(*bodies: str, origin: str = "", start: int = 0) -> list[Answer]:
    return [
        Answer(f"s{number}", form(answer(body), STUB), tuple(own_lines(answer(body), STUB)), origin=origin)
        for number, body in enumerate(bodies, start)
    ]


def students(*bodies: Answer) -> list[tuple[str, str]]:
    return [(pair.left.label, pair.right.label) for pair in likenesses("x", bodies)]


def test_a_copy_from_last_year_stands_out() -> None:
    last_year = answers(*VARIANTS[1:], BODY.replace("total", "groups"), origin="autumn", start=40)
    assert students(*answers(*VARIANTS[:4], BODY), *last_year)[-1] == ("s4", "s45 in autumn")
    assert not any("autumn" in left and "autumn" in right for left, right in students(*answers(*VARIANTS), *last_year))


def test_pairs_within_another_class_and_ones_own_work_are_left_out() -> None:
    last_year = answers(BODY, BODY, origin="autumn", start=40)
    assert students(*answers(*VARIANTS), *last_year) == []
    again = [Answer("s6", form(answer(BODY), STUB), (), origin="autumn")]
    assert students(*answers(*VARIANTS, BODY), *again) == []


def test_what_is_common_in_either_class_says_nothing() -> None:
    last_year = answers(BODY, BODY, BODY, origin="autumn", start=40)
    assert students(*answers(*VARIANTS, BODY), *last_year) == []
    here = answers(*VARIANTS, BODY, BODY, BODY)
    assert students(*here, *answers(BODY, *[VARIANTS[0]] * 9, origin="autumn", start=40)) == []


def test_a_group_of_last_year_alone_is_no_group_of_this_class() -> None:
    long = BODY + "\n" + BODY.replace("return", "other =")
    last_year = answers(long, long, long, origin="autumn", start=40)
    assert groups({"x": [*answers(*VARIANTS), *last_year]}) == []
    (group,) = groups({"x": [*answers(*VARIANTS, long), *last_year]})
    assert group.students == ("s6", "s40 in autumn", "s41 in autumn", "s42 in autumn") and group.answered == 10


def test_an_answer_that_equals_a_published_one_is_noted_apart() -> None:
    published = {"x": {form(answer(BODY), STUB): "reference"}}
    here = answers(*VARIANTS, BODY, BODY)
    (line,) = equal_to_published({"x": here}, published)
    assert (line.name, line.students, line.answered) == ("reference", ("s6", "s7"), 8)
    assert likenesses("x", here, published["x"]) == [], "it is no pair: both may have it from the course"
    assert equal_to_published({"x": answers(*VARIANTS)}, published) == []


def test_a_common_or_natural_form_is_not_noted() -> None:
    short = VARIANTS[0]
    published = {"x": {form(answer(text), STUB): name for text, name in ((short, "reference"), (BODY, "long"))}}
    assert equal_to_published({"x": answers(*VARIANTS[1:], short, short, short)}, published) == [], "the commonest answer"
    (line,) = equal_to_published({"x": answers(*VARIANTS[1:], BODY, BODY, BODY)}, published)
    assert line.name == "long", "so long a form is seldom written by several"
    nearly_so = [short.replace("value > size", f"value > {number}") for number in range(6)]
    assert equal_to_published({"x": answers(*nearly_so, short, short)}, published) == [], "nearly everybody writes it so"


def test_the_course_publishes_references_and_right_forms() -> None:
    forms = published_forms([TOPIC])[EXERCISE.id]
    assert "reference" in forms.values() and len(forms) > 3


def with_answer(source: str) -> NotebookNode:
    notebook = copied(perfect(TOPIC))
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == EXERCISE.grade_id:
            cell.source = source
    return notebook


def test_both_are_told_by_the_command(tmp_path: Path) -> None:
    now, before = tmp_path / "now", tmp_path / "2025" / "class"
    stub = stubs_of(TOPIC)[EXERCISE.grade_id]
    forms = [entry.source for entry in right_forms_of(EXERCISE) if len(form(entry.source, stub)) > 15]
    own = "def renorm_rows(weight, max_norm, norm_type=2.0):\n    kept = []\n    for row in weight.unbind(0):"
    own += "\n        size = row.norm()"
    odd = f"{own}\n        kept.append(row if size <= max_norm else row / size * max_norm)\n    return weight.new_tensor(kept)"
    for name, source in {"ada": odd, "bo": forms[0], "cy": forms[1], "di": forms[2]}.items():
        hand_in(now, name, with_answer(source), TOPIC)
    hand_in(before, "old", with_answer(odd.replace("kept", "rows")), TOPIC)
    outcome = CliRunner().invoke(app, ["similar", "03", "--class", str(now), "--against", str(before)])
    assert outcome.exit_code == 0, outcome.output
    assert "answers equal a form that the course publishes" in outcome.output
    text = (now / "reports" / "similar.html").read_text(encoding="utf-8")
    assert "ada and old in class" in text and "compared with class" in text and 'id="published"' in text
    assert "old</strong>" not in text and "<strong>old in class</strong>" in text


@pytest.mark.parametrize("where", ["now", "nowhere", "empty"])
def test_a_folder_that_is_no_other_class_is_one_sentence(tmp_path: Path, where: str) -> None:
    for name in ("ada", "bo", "cy"):
        hand_in(tmp_path / "now", name, nbformat.writes(perfect(TOPIC)).encode(), TOPIC)
    (tmp_path / "empty").mkdir()
    outcome = CliRunner().invoke(app, ["similar", "03", "--class", str(tmp_path / "now"), "--against", str(tmp_path / where)])
    assert outcome.exit_code == 2 and f"--against {tmp_path / where}: this is " in outcome.output.replace("\n", "")
