"""`grader export --push canvas` against a Canvas on loopback."""

import stat
from pathlib import Path

import pytest

from tests.support.canvas import TOKEN, Canvas, submission, user
from tests.support.exports import exported, table


def writes(canvas: Canvas) -> list[tuple[str, str, dict[str, str]]]:
    return [asked for asked in canvas.asked if asked[0] != "GET"]


def test_what_would_change_is_shown_and_nothing_is_written(home: Path, canvas: Canvas) -> None:
    output = exported(home, "--push", "canvas")
    assert "03_max_norm → “03 Max norm” (5501)" in output
    assert "Lovelace, Ada" in output and "12" in output and "18.5" in output and "no grade" in output
    assert "2 grades differ, 0 are the same." in output
    assert "1 in the class but not in Canvas: =cmd|' /C calc'!A1." in output
    assert "2 in Canvas without a grade of the class: " in output and "Known" in output
    assert "No assignment in Canvas has the title of 02_gradients" in output
    assert "Nothing was written. --yes writes it." in output and not writes(canvas)
    assert not (home / "backups").exists() and not (home / "grades.csv").exists()


def test_only_what_differs_is_written_into_our_assignment(home: Path, canvas: Canvas) -> None:
    essay = [dict(row) for row in canvas.submissions[5502]]
    output = exported(home, "--push", "canvas", "--yes")
    ((_, path, body),) = writes(canvas)
    assert path == "/api/v1/courses/4102/assignments/5501/submissions/update_grades"
    assert body == {"grade_data[101][posted_grade]": "18.5", "grade_data[102][posted_grade]": "16"}, "after the penalty"
    assert canvas.submissions[5502] == essay and canvas.submissions[5501][3]["score"] is None
    assert "03_max_norm: 2 grades written to “03 Max norm”." in output
    (kept,) = (home / "backups").glob("canvas_grades_*.csv")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600 and ["Lovelace, Ada", "101", "03_max_norm", "12", "18.5"] in table(kept)
    again = exported(home, "--push", "canvas", "--yes")
    assert "Canvas has these grades already; nothing was written." in again and len(writes(canvas)) == 1


def test_the_token_is_never_shown(home: Path, canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANVAS_API_TOKEN", f"{TOKEN}x")
    output = exported(home, "--push", "canvas", code=2)
    assert "is wrong, has expired or was withdrawn" in output and TOKEN not in output and output.count(".") <= 3
    monkeypatch.delenv("CANVAS_API_TOKEN")
    assert "There is no token for http://127.0.0.1" in exported(home, "--push", "canvas", code=2)


@pytest.mark.parametrize(
    ("status", "text", "message"),
    [
        (403, "{}", "the token's owner may not do that"),
        (403, "403 Forbidden (Rate Limit Exceeded)", "too many requests for now"),
        (404, "{}", "no such course or assignment"),
        (429, "{}", "too many requests for now"),
        (500, "{}", "it answered: Encountered an error: status code 500"),
        (200, "<html>", "does not answer as Canvas does"),
        (200, '{"id": 1}', "does not answer as Canvas does"),
    ],
)
def test_each_refusal_is_one_sentence(status: int, text: str, message: str, home: Path, canvas: Canvas) -> None:
    canvas.refuse["/assignments"] = (status, {}, text)
    output = exported(home, "--push", "canvas", "--yes", code=2)
    assert message in output and output.startswith("Canvas did not give the assignments of the course: ") and not writes(canvas)


def test_a_network_that_is_away_is_one_sentence(home: Path, canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANVAS_API_URL", "http://127.0.0.1:9")
    assert "it cannot be reached" in exported(home, "--push", "canvas", code=2)
    for wrong in ("http://canvas.example.edu", "canvas.example.edu", "https://x:y@canvas.example.edu", "https://[", ""):
        monkeypatch.setenv("CANVAS_API_URL", wrong)
        assert "CANVAS_API_URL" in exported(home, "--push", "canvas", code=2), wrong


def test_an_assignment_with_another_title_is_asked_for(home: Path, canvas: Canvas) -> None:
    canvas.assignments[0]["name"] = "Week 3 (norms)"
    output = exported(home, "--push", "canvas", "--yes", code=2)
    assert "Is “Week 3 (norms)” meant?" in output and not writes(canvas)
    for name in ("03=Week 3 (norms)", "03=5501"):
        assert "→ “Week 3 (norms)” (5501)" in exported(home, "--push", "canvas", "--column", name)
    assert "no column is called “nothing”" in exported(home, "--push", "canvas", "--column", "03=nothing", code=2)
    assert "are made in Canvas" in exported(home, "--push", "canvas", "--column", "03=+", code=2)
    canvas.assignments[0]["name"] = "Norms"
    assert "has no assignment with the title of" in exported(home, "--push", "canvas", code=2)


def test_two_assignments_with_one_title_are_told_apart(home: Path, canvas: Canvas) -> None:
    canvas.assignments[1]["name"] = "03 Max norm"
    assert "several columns" in exported(home, "--push", "canvas", code=2)
    assert "(5501)" in exported(home, "--push", "canvas", "--column", "03=5501")


def test_excused_students_and_canvas_s_own_lateness(home: Path, canvas: Canvas) -> None:
    canvas.submissions[5501][0]["excused"] = True
    canvas.submissions[5501][1] |= {"score": 14.0, "entered_score": 16.0, "points_deducted": 2.0}
    canvas.assignments[0]["points_possible"] = 25
    output = exported(home, "--push", "canvas", "--yes")
    assert "0 grades differ, 1 are the same" in output and "excused in Canvas, which stays as it is" in output
    assert "turn Canvas's late policy off, or it counts twice" in output and "25 points possible" in output
    assert not writes(canvas)


@pytest.mark.parametrize(
    ("key", "value", "message"), [("grading_type", "letter_grade", "by letter_grade"), ("published", False, "is not published")]
)
def test_an_assignment_that_takes_no_points(key: str, value: object, message: str, home: Path, canvas: Canvas) -> None:
    canvas.assignments[0][key] = value
    assert message in exported(home, "--push", "canvas", "--yes", code=2) and not writes(canvas)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"anonymize_students": True}, "is graded anonymously in Canvas"),
        ({"moderated_grading": True, "grades_published": False}, "has a moderator in Canvas"),
        (
            {"group_category_id": 4, "grade_group_students_individually": False},
            "gives what one student gets to the whole group",
        ),
    ],
)
def test_an_assignment_whose_grades_would_go_astray(settings: dict, message: str, home: Path, canvas: Canvas) -> None:
    canvas.assignments[0] |= settings
    output = exported(home, "--push", "canvas", "--yes", code=2)
    assert message in output and output.startswith("“03 Max norm” (03_max_norm)") and not writes(canvas)


def test_what_canvas_s_settings_do_to_grades_is_said_first(home: Path, canvas: Canvas) -> None:
    canvas.assignments[0] |= {
        "post_manually": True, "in_closed_grading_period": True, "moderated_grading": True, "grades_published": True,
        "group_category_id": 4, "grade_group_students_individually": True,
    }  # fmt: skip
    output = exported(home, "--push", "canvas")
    assert "students see new grades only after Post Grades in Canvas." in output and "2 grades differ" in output
    assert "is due in a grading period that is closed" in output


def test_who_dropped_and_the_test_student_are_left_alone(home: Path, canvas: Canvas) -> None:
    canvas.users[1]["enrollments"][0]["enrollment_state"] = "completed"  # one of Xiaoming's two sections
    canvas.users[0] = user(101, "Ada Lovelace", "ada", enrollment_state="inactive")
    canvas.users.append(user(105, "Test Student", "", type="StudentViewEnrollment"))
    canvas.submissions[5501].append(submission(105, 3.0))
    output = exported(home, "--push", "canvas", "--yes")
    assert "1 grades differ" in output and "2 in the class but not in Canvas: " in output and "Test" not in output
    assert [body for _, _, body in writes(canvas)] == [{"grade_data[102][posted_grade]": "16"}]
    canvas.users.clear()
    assert "whether the course has ended" in exported(home, "--push", "canvas", code=2)


def test_work_that_is_not_assigned_to_a_student(home: Path, canvas: Canvas) -> None:
    canvas.assignments[0]["only_visible_to_overrides"] = True  # to Monday's section, so that Canvas keeps no place for others
    del canvas.submissions[5501][1]
    output = exported(home, "--push", "canvas", "--yes")
    assert "1 left out, since Canvas does not assign the work to the student: 王, 小明 (03_max_norm)." in output
    assert [body for _, _, body in writes(canvas)] == [{"grade_data[101][posted_grade]": "18.5"}]


def test_a_limit_in_the_middle_says_what_was_written(home: Path, canvas: Canvas) -> None:
    canvas.refuse["/update_grades"] = (403, {"X-Rate-Limit-Remaining": "0.0"}, "403 Forbidden (Rate Limit Exceeded)")
    output = exported(home, "--push", "canvas", "--yes", code=2)
    assert "Canvas did not take the grades of 03_max_norm: it has had too many requests for now" in output
    assert "grades written to" not in output and canvas.submissions[5501][0]["score"] == 12.0


def test_a_grade_that_moves_meanwhile_is_not_overwritten(home: Path, canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.cli import push_canvas

    def somebody_grades(question: str, yes: bool) -> bool:
        canvas.submissions[5501][0] |= submission(101, 15.0)
        return True

    monkeypatch.setattr(push_canvas, "agreed", somebody_grades)
    output = exported(home, "--push", "canvas", code=2)
    assert "Lovelace, Ada got another grade in 03_max_norm while you looked (15)" in output and not writes(canvas)


def test_a_job_that_fails_is_said(home: Path, canvas: Canvas) -> None:
    canvas.jobs = ["running", "running", "failed"]
    assert "Canvas could not write all grades of 03_max_norm" in exported(home, "--push", "canvas", "--yes", code=2)


def test_namesakes_are_not_guessed(home: Path, canvas: Canvas) -> None:
    canvas.users = [user(101, "Ada Lovelace", "al1"), user(105, "Ada Lovelace", "al2")]
    output = exported(home, "--push", "canvas", "--yes")
    assert "2 lines of the file have the name Ada Lovelace, so none was filled" in output
    assert not writes(canvas)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--push", "moodle"], "there is canvas"),
        (["--push", "canvas", "--to", "canvas"], "leave --to and --into out"),
    ],
)
def test_options_that_do_not_go_together(words: list[str], message: str, home: Path, canvas: Canvas) -> None:
    assert message in exported(home, *words, code=2)


def test_a_class_without_a_course_in_canvas(home: Path, canvas: Canvas) -> None:
    (home / "course.toml").write_text("", encoding="utf-8")
    assert "names no course of Canvas" in exported(home, "--push", "canvas", code=2)
    (home / "course.toml").write_text("[canvas]\ncourse = 0\n", encoding="utf-8")
    assert "course.toml: canvas, course = 0: this has to be a number of at least 1." in exported(
        home, "--push", "canvas", code=2
    )
