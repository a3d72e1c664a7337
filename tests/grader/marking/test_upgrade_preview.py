"""What an upgrade in the middle of a term changes for whom, told from records; and who worked with an older wheel."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import Result as Outcome

from embedding_course.checking.judge import stopped
from embedding_course.checking.public_version import CHECKS, public_version
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.marking.check_version import SHARED, check_version, exercise_versions
from grader.marking.upgrade_preview import preview
from tests.support.classes import TOPIC, hand_in, perfect

Command = Callable[..., Outcome]
FIRST, SECOND = exercises_of(TOPIC)[:2]


def verdicts() -> list[Result]:
    """Return a right answer to the first exercise, and none to the others."""
    empty = [stopped(exercise, "not attempted", "not attempted", "") for exercise in exercises_of(TOPIC)]
    passed = {"status": "passed", "passed": True, "score": FIRST.points, "max_score": FIRST.points}
    return [msgspec.structs.replace(empty[0], **passed), *empty[1:]]


def kept(home: Path, student: str, results: list[Result], **facts: object) -> None:
    record = GradeRecord(
        student=student, topic=TOPIC, status="graded", seed=1, submission="", graded_at="", results=results,
        **{"check": check_version(TOPIC), "versions": exercise_versions(TOPIC), **facts},
    )  # fmt: skip
    records.save(home, record, None)


def seen(home: Path) -> str:
    return "\n".join(preview(Classroom(home), load_course(home), TOPIC).sentences)


def test_nothing_changes_where_nothing_changed(tmp_path: Path) -> None:
    kept(tmp_path, "ada", verdicts())
    kept(tmp_path, "bo", verdicts())
    assert seen(tmp_path) == f"{TOPIC}: nothing changes for all 2 who are graded."


def test_it_is_said_for_whom_cases_changed_and_for_whom_only_shared_code(tmp_path: Path) -> None:
    kept(tmp_path, "ada", verdicts())
    kept(tmp_path, "bo", verdicts(), check="older", versions={**exercise_versions(TOPIC), SHARED: "older"})
    assert "grades 1 of 2 again; nothing changes for 1." in seen(tmp_path) and "verdicts should stay" in seen(tmp_path)
    older = {**exercise_versions(TOPIC), FIRST.id: "older", SECOND.id: "older"}
    kept(tmp_path, "cy", verdicts(), check="older", versions=older)
    text = seen(tmp_path)
    assert f"{FIRST.id} has other cases or another reference: 1 passed it and may lose points, 0 did not" in text
    assert f"{SECOND.id} has other cases or another reference: 0 passed it and may lose points, 1 did not" in text
    kept(tmp_path, "di", verdicts(), check="older", versions={})
    assert "1 were graded before the version of each exercise was kept" in seen(tmp_path)


def test_points_that_move_are_told_for_each_student(tmp_path: Path, command: Command) -> None:
    earlier = verdicts()
    earlier[0] = msgspec.structs.replace(earlier[0], score=2 * FIRST.points, max_score=2 * FIRST.points)
    earlier[1] = msgspec.structs.replace(earlier[1], exercise=f"{TOPIC[:2]}.gone")
    kept(tmp_path, "ada", earlier, check="older")
    kept(tmp_path, "bo", verdicts())
    made = preview(Classroom(tmp_path), load_course(tmp_path), TOPIC)
    (moved,) = made.moved
    assert (moved.student, moved.before, moved.after) == ("ada", 2 * FIRST.points, FIRST.points) and made.same == ["bo"]
    outcome = command("class", "upgrade", tmp_path, "--dry-run")
    assert outcome.exit_code == 0, outcome.output
    text = " ".join(outcome.output.split())
    for sentence in (
        f"{FIRST.id} is worth {FIRST.points:g} points instead of {2 * FIRST.points:g} points.",
        f"{TOPIC[:2]}.gone is gone",
        f"{SECOND.id} is new",
        "Points that change in any case",
        "Nothing was run or changed.",
    ):
        assert sentence in text
    assert not (tmp_path / "gradebook.db").exists()


def test_a_class_that_sets_its_own_points_keeps_them(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(f"[points]\n{FIRST.id} = 9\n", encoding="utf-8")
    terms = load_course(tmp_path).terms_of(TOPIC)
    earlier = [msgspec.structs.replace(verdicts()[0], score=7.0, max_score=7.0), *verdicts()[1:]]
    kept(tmp_path, "ada", terms.apply(earlier), unweighted=earlier, terms=terms.stamp, check="older")
    made = preview(Classroom(tmp_path), load_course(tmp_path), TOPIC)
    assert made.moved == [] and made.again == ["ada"], "the lesson's points changed, the class's did not"


def test_an_upgrade_of_an_empty_class_says_so(tmp_path: Path, command: Command) -> None:
    outcome = command("class", "upgrade", tmp_path, "--dry-run")
    assert outcome.exit_code == 2 and "an upgrade changes nothing" in outcome.output


def test_who_has_an_older_wheel_is_told_once(tmp_path: Path, command: Command) -> None:
    assert len(public_version(TOPIC)) == 8 and public_version("99_nothing") == ""
    for student, version in (("ada", "0000older"), ("bo", public_version(TOPIC)), ("cy", 3)):
        notebook = perfect()
        notebook.metadata["embedding_course"] = {"receipt": {"versions": {CHECKS: version}}}
        hand_in(tmp_path, student, notebook)
    assert command("grade", TOPIC[:2], "--class", tmp_path).exit_code == 0
    assert command("feedback", TOPIC[:2], "--class", tmp_path).exit_code == 0
    pages = {
        student: (tmp_path / "feedback" / student / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
        for student in ("ada", "bo", "cy")
    }
    sentence = "The checks in your notebook were of another version of the course"
    assert [page.count(sentence) for page in pages.values()] == [1, 0, 0]
    record = records.load(tmp_path, TOPIC, "ada")
    assert record is not None and record.versions == exercise_versions(TOPIC) and record.score == record.max_score


@pytest.mark.parametrize("exercise", [FIRST.id, SHARED])
def test_every_exercise_has_a_version_of_its_own(exercise: str) -> None:
    versions = exercise_versions(TOPIC)
    assert len(versions[exercise]) == 12 and len(versions) == len(exercises_of(TOPIC)) + 1
    assert len({version for name, version in versions.items() if name != SHARED}) == len(exercises_of(TOPIC))
