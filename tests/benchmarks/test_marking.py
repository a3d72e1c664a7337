"""The class with which marking is measured: always the same, with answers that are alike, and fewer keys than formgrader."""

from benchmarks.marking import Measured, made_up_answers, section
from grader.marking.written.groups import groups_of


def test_the_made_up_answers_fall_into_the_same_groups() -> None:
    answers = made_up_answers(300)
    assert answers == made_up_answers(300) != made_up_answers(300, seed=1)
    groups = groups_of({f"student-{number:03d}": text for number, text in enumerate(answers)})
    assert sum(map(len, groups)) == 300 and len(groups[-1]) == 25, "the blank ones together"
    # An item, the group's view, one screen further down and the mark: even so every group costs less than its answers do.
    assert 10 < len(groups) < 60 and 5 * len(groups) < 2 * 300


def test_the_section_names_both_sides() -> None:
    text = section(Measured(300, 40, 0.5, 1.5, 1.0, 0.7, 200, 90, 20))
    assert text.startswith("## Marking written answers") and "| keys for 300 answers | 200 | 620 |" in text
    assert "**0.50 times**" in text and "1.50 s" in text
