"""`case` hands out the arguments of public cases."""

from __future__ import annotations

import pytest
import torch

from embedding_course import CourseError, case
from embedding_course.checking import expected
from embedding_course.exercises import find_exercise

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
    assert all(one.name in listed for one in expected.load(find_exercise(ID)).cases)


@pytest.mark.parametrize(("which", "said"), [(0, "has the cases 1 to"), (99, "there is no case 99"), ("a bach", "a batch")])
def test_a_case_that_is_not_there(which: int | str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        case(ID, which)
