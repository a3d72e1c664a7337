"""Who the report says to talk to: few, for reasons in words, held against the class and against their own earlier work."""

import pytest

from grader.classroom.grade_record import GradeRecord
from grader.report.class_page import render
from grader.report.summary import Waiting, summarise
from grader.report.talk import most_to_name, who_to_talk_to
from tests.support.report_records import TOPIC, share_of

EARLIER = "01_onehot_vs_lookup"


def a_class(size: int, share: float, topic: str = TOPIC, begin: int = 0) -> list[GradeRecord]:
    return [share_of(f"s{number:02d}", share, topic) for number in range(begin, size)]


def reasons(records: list[GradeRecord], **more: object) -> dict[str, str]:
    talk_list = who_to_talk_to(records, [TOPIC], **more)  # type: ignore[arg-type]
    return {line.student: ". ".join(line.reasons).replace("\N{NO-BREAK SPACE}", " ") for line in talk_list.lines}


def test_one_far_below_the_class_is_named_with_both_numbers() -> None:
    reasons_by_student = reasons([*a_class(12, 0.9), share_of("low", 0.25)])
    assert reasons_by_student == {"low": "5 of 20 points here, where the class's median is 18"}


def test_a_hard_notebook_puts_nobody_on_the_list() -> None:
    assert reasons([*a_class(10, 0.4), share_of("a bit less", 0.3)]) == {}


def test_whoever_falls_behind_their_own_work_is_seen_while_the_points_are_fair() -> None:
    records = [*a_class(12, 0.75), *a_class(12, 0.75, EARLIER), share_of("fell", 0.65), share_of("fell", 1.0, EARLIER)]
    assert reasons(records) == {"fell": "In the notebook before it was 100 % of the points, here it is 65 %"}


def test_where_the_whole_class_fell_nobody_fell_back() -> None:
    assert reasons([*a_class(12, 0.5), *a_class(12, 0.9, EARLIER)]) == {}


def test_missing_and_unreadable_work_are_reasons() -> None:
    records = [*a_class(10, 0.9), share_of("gone", 0.9, EARLIER)]
    records.append(share_of("odd", 0.0, status="unreadable", reason="the file is empty"))
    reasons_by_student = reasons(records, listed=["never"])
    assert reasons_by_student["gone"] == "Has not handed in 03, though 01"
    assert reasons_by_student["odd"] == "The file of 03 could not be read: the file is empty"
    assert reasons_by_student["never"] == "Has not handed in 03, nor any other"
    assert list(reasons_by_student) == ["odd", "gone", "never"]
    assert set(reasons(records, not_due={("gone", TOPIC)})) == {"odd"}


def test_what_few_handed_in_is_missed_of_nobody() -> None:
    records = [*a_class(10, 0.9, EARLIER), *a_class(4, 0.9)]
    assert reasons(records) == {}


def test_of_those_with_weak_reasons_a_share_of_the_class_is_named() -> None:
    records = [share_of(f"low{number}", 0.76) for number in range(9)] + a_class(31, 0.95)
    talk = who_to_talk_to(records, [TOPIC])
    assert [line.student for line in talk.lines] == [f"low{number}" for number in range(6)] and talk.more == 3
    assert [most_to_name(size) for size in (1, 2, 3, 5, 6, 20, 40, 120, 300)] == [1, 1, 2, 3, 3, 3, 6, 10, 25]


def test_everybody_with_strong_reasons_is_named() -> None:
    records = [*a_class(260, 0.95), *(share_of(f"low{number}", 0.1) for number in range(30))]
    records += [share_of(f"weak{number}", 0.76) for number in range(10)]
    talk = who_to_talk_to(records, [TOPIC])
    assert len(talk.lines) == 30 and talk.more == 10 and all(line.student.startswith("low") for line in talk.lines)


def test_a_section_is_compared_with_the_whole_class() -> None:
    records = [*a_class(12, 0.9), share_of("low", 0.25), share_of("other", 0.2)]
    talk = who_to_talk_to(records, [TOPIC], only={"low", "s01"})
    assert [line.student for line in talk.lines] == ["low"] and talk.compared
    assert "the class's median is 18" in talk.lines[0].reasons[0]


def test_three_students_are_held_against_no_class() -> None:
    records = [share_of("小明", 0.2), share_of("李华", 0.9), share_of("王芳", 1.0)]
    talk = who_to_talk_to(records, [TOPIC])
    (line,) = talk.lines
    assert (line.student, line.reasons, talk.compared) == ("小明", ("4 of 20 points here, less than half",), False)
    page = render(summarise(records), "today")
    assert "so few graded submissions" in page and "小明" in page and "median is" not in page


@pytest.mark.parametrize("size", [3, 30])
def test_of_a_perfect_class_nobody_stands_out(size: int) -> None:
    page = render(summarise(a_class(size, 1.0)), "today")
    assert "Nobody stands out." in page and "No known mistake was made by two people or more." in page
    assert "None: no wrong answer is left unexplained." in page


def test_what_went_wrong_stands_beside_the_reason() -> None:
    talk = who_to_talk_to([*a_class(12, 0.9), share_of("low", 0.0)], [TOPIC])
    assert talk.lines[0].work == "wrong: renorm_rows, lookup_with_max_norm_, grad_after_lookup"


def test_several_notebooks_are_told_in_shares() -> None:
    records = [*a_class(12, 0.9), *a_class(12, 0.9, EARLIER), share_of("low", 0.2), share_of("low", 0.2, EARLIER)]
    (line,) = who_to_talk_to(records, [EARLIER, TOPIC]).lines
    assert (
        line.reasons[0]
        .replace("\N{NO-BREAK SPACE}", " ")
        .startswith("20 % of the points in these notebooks, where the class's")
    )
    assert "low" in render(summarise(records, waiting=Waiting(listed=["never"])), "today")
