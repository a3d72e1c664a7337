"""`case` hands out the arguments of public cases."""

import pytest
import torch

from embedding_course import CourseError, case
from embedding_course.checking import expected
from embedding_course.exercises import find_exercise, known
from grader.course_source.catalogue import references

ID = "07.split_heads"


def test_a_case_by_number_and_by_name_is_the_same() -> None:
    first = expected.load(find_exercise(ID)).cases[0]
    by_number, by_name = case(ID, 1), case(ID, first.name)
    assert by_number is not None and by_name is not None
    assert torch.equal(by_number["x"], by_name["x"]) and by_number["heads"] == first.args["heads"]


def test_what_is_done_to_it_changes_no_case() -> None:
    mine = case(ID, 1)
    assert mine is not None
    mine["x"].zero_()
    again = case(ID, 1)
    assert again is not None and again["x"].abs().sum() > 0


def test_without_a_number_the_cases_are_listed(capsys: pytest.CaptureFixture) -> None:
    assert case(ID) is None
    listed = capsys.readouterr().out
    assert all(known_case.name in listed for known_case in expected.load(find_exercise(ID)).cases)


@pytest.mark.parametrize(("which", "message"), [(0, "has the cases 1 to"), (99, "there is no case 99"), ("a bach", "a batch")])
def test_a_case_that_is_not_there(which: int | str, message: str) -> None:
    with pytest.raises(CourseError, match=message):
        case(ID, which)


@pytest.mark.parametrize("name", [exercise.id for exercise in known().values() if exercise.is_class])
def test_of_a_class_a_case_builds_the_module_and_runs_it(name: str) -> None:
    """The lines that a case shows are run as they stand, in each criterion's first case."""
    exercise = find_exercise(name)
    cases = expected.load(exercise).cases
    first = {known_case.criterion: number for number, known_case in reversed(list(enumerate(cases, start=1)))}
    for number in first.values():
        scope = {"case": case, exercise.name: references(exercise.lesson.topic)[exercise.name]}
        lines = repr(case(name, number)).partition("\n\n")[0]
        assert lines.startswith(f'given = case("{name}", {number})\nmodel = {exercise.name}(**given["build"])')
        try:
            exec(lines, scope)
        except ValueError:  # what is refused
            assert expected.load(exercise).expected[number - 1].raised is not None


def test_a_class_gets_the_weights_that_the_check_loads() -> None:
    given = case("07.MultiHeadAttention", 3)
    assert given is not None and given["build"] == {"d_model": 6, "heads": 3} and list(given["inputs"]) == ["x"]
    model = references("07_attention")["MultiHeadAttention"](**given["build"])
    model.load_state_dict(given["weights"])
    right = expected.load(find_exercise("07.MultiHeadAttention")).expected[2].value["output"]
    assert torch.allclose(model(**given["inputs"]), right, rtol=1e-4, atol=1e-5)
    given["weights"]["q_proj.weight"].zero_()
    again = case("07.MultiHeadAttention", 3)
    assert again is not None and again["weights"]["q_proj.weight"].abs().sum() > 0


def test_what_is_shown_says_what_there_is() -> None:
    shown = repr(case("05.Encoder", 1))
    assert "vocab_size = 11" in shown and "src: int64 tensor of shape (3, 7)" in shown
    assert ".double()" in repr(case("07.TransformerBlock", "float64"))
