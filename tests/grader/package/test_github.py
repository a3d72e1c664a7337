"""`grader package github`: the students' template, the instructor's repository, and the steps of their workflows."""

import re
import zipfile
import zlib
from collections.abc import Callable
from html import unescape
from pathlib import Path

import msgspec
import pytest
import yaml
from click.testing import Result

from embedding_course.checking.judge import stopped
from embedding_course.checking.render import as_text
from embedding_course.exercises import exercises_of
from embedding_course.learner.check import public_result
from embedding_course.learner.feedback_run import main as feedback_run
from embedding_course.learner.summary_table import summary_table
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.course_source.catalogue import reference
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.package.github.class_summary import class_summary
from tests.support.answers import leaks
from tests.support.base_only import BaseOnly
from tests.support.classes import TOPIC, hand_in
from tests.support.packages import GH, Runner, submissions

#: What its fixtures make is made once, and takes long.
pytestmark = [pytest.mark.xdist_group("github"), pytest.mark.slow]
SEED = 7
TOKEN = "a token that reads all repositories"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The template and the instructor's repository."""
    from typer.testing import CliRunner

    from grader.cli import app

    home = tmp_path_factory.mktemp("github")
    template, marks = home / "template", home / "max-norm-marks"
    words = ["--into", str(template), "--marks-into", str(marks), "--students", "our-class/max-norm", "--seed", str(SEED)]
    outcome = CliRunner().invoke(app, ["package", "github", "03", *words])
    assert outcome.exit_code == 0, outcome.output
    return template, marks


def contents(folder: Path) -> dict[str, bytes]:
    """All files, and those in wheels."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for path in folder.rglob("*.whl"):
        with zipfile.ZipFile(path) as wheel:
            files |= {f"{path.name}/{name}": wheel.read(name) for name in wheel.namelist()}
    files |= {name: zlib.decompress(body) for name, body in files.items() if name.endswith(".bin")}
    return {name: body for name, body in files.items() if not name.endswith((".whl", ".safetensors"))}


def test_the_template_holds_no_answer_no_seed_and_asks_for_no_secret(written: tuple[Path, Path]) -> None:
    files = contents(written[0])
    assert {name for name in files if "/" not in name or name.startswith(".github")} == {
        f"{TOPIC}.ipynb",
        "README.md",
        "LICENSE",
        ".gitignore",
        ".github/workflows/feedback.yml",
    }
    assert not [name for name in files if {"solutions", "grader"} & set(Path(name).parts)]
    assert [leak for name, body in files.items() for leak in leaks(name, body)] == []
    workflow = files[".github/workflows/feedback.yml"].decode("utf-8")
    assert "secrets" not in workflow and yaml.safe_load(workflow)["permissions"] == {"contents": "read"}
    assert "no mark" in files["README.md"].decode("utf-8")


def test_the_other_one_does_hold_them_so_that_the_look_above_means_something(written: tuple[Path, Path]) -> None:
    files = contents(written[1])
    assert [leak for name, body in files.items() for leak in leaks(name, body)]
    assert "Keep this repository private" in files["README.md"].decode("utf-8")
    marks = yaml.safe_load(files[".github/workflows/marks.yml"])
    given = [step["name"] for step in marks["jobs"]["marks"]["steps"] if "secrets." in str(step)]
    assert given == ["Fetch"], "answers of students run in another step, which has no secret"


@pytest.fixture(scope="module")
def student(written: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A runner with the template checked out, and the step that installs gone through: without a network, and where nothing of
    the grader can be imported."""
    folder = tmp_path_factory.mktemp("student")
    (wheel,) = written[0].glob("*.whl")
    machine = BaseOnly.make(folder / "venv", wheel)
    repository = folder / "max-norm-ada"
    repository.mkdir()
    for name, body in contents(written[0]).items():
        if ".whl/" not in name:
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_bytes(body)
    (repository / wheel.name).write_bytes(wheel.read_bytes())
    runner = Runner(repository, machine.home / "bin")
    assert list(runner.steps()) == ["Install", "Check"], "all of them are gone through here and in `look_at`"
    done = runner.run("Install")
    assert done.returncode == 0, done.stderr
    return runner


def look_at(student: Runner, content: bytes) -> tuple[int, str, str]:
    """The exit code of the run after a push, what it printed, and its summary as a reader sees it."""
    student.summary.unlink(missing_ok=True)
    (student.repository / f"{TOPIC}.ipynb").write_bytes(content)
    done = student.run("Check")
    return done.returncode, done.stdout, unescape(student.summary.read_text(encoding="utf-8"))


def rows(summary: str) -> list[tuple[str, str]]:
    """Criterion and points of each row."""
    cells = [[cell.strip() for cell in line.split("|")] for line in summary.splitlines() if line.startswith("| ")]
    return [(row[2][2:], row[3]) for row in cells if " of " in row[3]]


def test_a_right_notebook_has_the_points_and_words_of_the_public_checks(student: Runner) -> None:
    code, output, summary = look_at(student, submissions()["ada"])
    assert code == 0 and "Marks come from hidden cases" in summary
    for exercise in exercises_of(TOPIC):
        result = public_result(exercise, reference(exercise))
        assert as_text(result) in output and as_text(result) in summary
    expected = [
        (criterion.name, f"{criterion.points:g} of {criterion.points:g}")
        for listed_exercise in exercises_of(TOPIC)
        for criterion in listed_exercise.criteria
    ]
    assert rows(summary) == expected


def test_a_wrong_notebook_has_the_points_and_the_diagnosis_that_grading_gives(
    student: Runner, marked: dict[str, GradeRecord]
) -> None:
    """Public and hidden cases are of the same kinds: for a known mistake both come to the same."""
    code, _, summary = look_at(student, submissions()["bo"])
    criteria = [criterion for result in marked["bo"].results for criterion in result.criteria]
    assert code == 0 and rows(summary) == [
        (criterion.name, f"{criterion.earned:g} of {criterion.points:g}") for criterion in criteria
    ]
    named = [result for result in marked["bo"].results if result.mistake]
    assert named and all(f"{result.diagnosis} [{result.mistake}]" in summary for result in named)


def test_stubs_and_a_file_that_cannot_be_read(student: Runner) -> None:
    code, _, summary = look_at(student, submissions()["cai"])
    assert code == 0 and {points.split()[0] for _, points in rows(summary)} == {"0"} and "still holds a stub" in summary
    code, output, summary = look_at(student, submissions()["eve"])
    assert code == 1 and "ends in the middle of the notebook" in summary and "✘" in output and not rows(summary)


@pytest.fixture(scope="module")
def marked(learners: Learners, tmp_path_factory: pytest.TempPathFactory) -> dict[str, GradeRecord]:
    """What `grader grade` makes of the same files here."""
    home = tmp_path_factory.mktemp("class")
    for name, content in submissions().items():
        hand_in(home, name, content)
    graded_submissions = grade_class(Classroom(home), [TOPIC], Run(seed=SEED, workers=1), shared=learners)
    return {graded_submission.record.student: graded_submission.record for graded_submission in graded_submissions}


def test_the_instructor_s_repository_gives_the_marks_of_grader_grade(
    written: tuple[Path, Path], marked: dict[str, GradeRecord], tmp_path: Path
) -> None:
    there, commands = tmp_path / "organisation", tmp_path / "commands"
    others = {"another-ada": b"{}", "max-norm-marks": b"{}"}  # the second is the instructor's own
    for name, content in {**{f"max-norm-{who}": body for who, body in submissions().items()}, **others}.items():
        (there / name).mkdir(parents=True)
        (there / name / f"{TOPIC}.ipynb").write_bytes(content)
    commands.mkdir()
    (commands / "gh").write_text(GH.format(token=TOKEN, there=there), encoding="utf-8")
    (commands / "gh").chmod(0o755)
    runner = Runner(written[1], commands)
    assert list(runner.steps()) == ["Install", "Fetch", "Grade"]
    for step in runner.steps():
        done = runner.run(step, {"CLASSROOM_TOKEN": TOKEN})
        assert done.returncode == 0, f"{step}\n{done.stdout}\n{done.stderr}"
    home = runner.repository / "class"
    records_by_student = {record.student: record for record in records.load_topic(home, TOPIC)}
    assert set(records_by_student) | {"eve"} == set(marked) and "another-ada" not in done.stdout
    for who, record in records_by_student.items():
        assert [as_text(result) for result in record.results] == [as_text(result) for result in marked[who].results]
        assert record.score == marked[who].score and record.check == marked[who].check and record.seed == SEED
    summary = unescape(runner.summary.read_text(encoding="utf-8"))
    extra = sum(exercise.points for exercise in exercises_of(TOPIC) if not exercise.core)
    assert f"| ada | 20 of 20 | {extra:g} | 5 of 5 |  |" in summary
    assert "| eve | 0 | 0 |  | not collected: " in summary  # a file that is cut off is no submission
    assert "| marks |" not in summary
    assert f"Sandbox {records_by_student['ada'].sandbox}." in summary
    assert (home / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").exists() and "ada" in (home / "grades.csv").read_text("utf-8")


@pytest.mark.parametrize("folder_name", ["template/marks", "template", "."])
def test_answers_never_go_into_the_template(folder_name: str, tmp_path: Path, command: Callable[..., Result]) -> None:
    into, marks = tmp_path / "template", tmp_path / folder_name
    outcome = command("package", "github", "03", "--into", into, "--marks-into", marks, "--students", "our-class/max-norm")
    assert outcome.exit_code == 2 and "students would get the answers" in outcome.output and not into.exists()


def test_what_lies_in_a_folder_stays(tmp_path: Path, command: Callable[..., Result]) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    outcome = command("package", "github", "03", "--into", tmp_path)
    assert outcome.exit_code == 2 and "holds something already" in outcome.output
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--students", "our-class/max-norm"], "--marks-into and --students go together"),
        (["--marks-into", "marks"], "--marks-into and --students go together"),
        (["--marks-into", "marks", "--students", "max-norm"], "say it as our-class/max-norm"),
        (["--marks-into", "marks", "--students", "our-class/$(reboot)"], "say it as our-class/max-norm"),
        (["--torch-index", "file:///a b"], "is no address of an index"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Result]
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = command("package", "github", "03", "--into", "template", *words)
    assert outcome.exit_code == 2 and message in outcome.output and list(tmp_path.iterdir()) == []


def test_a_class_s_course_toml_and_roster_go_along(tmp_path: Path, command: Callable[..., Result]) -> None:
    home, marks = tmp_path / "spring", tmp_path / "marks"
    home.mkdir()
    (home / "course.toml").write_text('notebooks = ["03"]\nroster = "roster.csv"\n[points]\n03.renorm_rows = 7.5\n', "utf-8")
    (home / "roster.csv").write_text("student_id\nada\n", encoding="utf-8")
    words = ["--into", tmp_path / "template", "--marks-into", marks, "--students", "our-class/max-norm", "--class", home]
    outcome = command("package", "github", "03", *words, "--torch-index", "https://example.org/cpu")
    assert outcome.exit_code == 0, outcome.output
    assert {path.name for path in (marks / "class").iterdir()} == {".gitkeep", "course.toml", "roster.csv"}
    assert "7.5 points in your class" in (tmp_path / "template" / f"{TOPIC}.ipynb").read_text(encoding="utf-8")
    for repository in (tmp_path / "template", marks):
        assert (
            'install --quiet --index-url "https://example.org/cpu" "torch>=2.6"'
            in Runner(repository, home).steps()["Install"]["run"]
        )


def test_what_a_learner_wrote_ends_no_cell_of_a_table() -> None:
    first = exercises_of(TOPIC)[0]
    message = "`a|b` <img src=x> [here](there) </pre>\n| x | 99 of 99 |"
    result = msgspec.structs.replace(stopped(first, "wrong", "raises", message))
    record = GradeRecord(student="a|b", topic=TOPIC, status="unreadable", reason=message, seed=1, submission="", graded_at="")
    for text in (summary_table(TOPIC, [result], [message]), class_summary(TOPIC, [record])):
        assert (
            "<img" not in text
            and "[here]" not in re.sub("<pre>.*</pre>", "", text)
            and text.count("</pre>") == text.count("<pre>")
        )
        assert not [line for line in text.splitlines() if line.startswith("| x")]
        assert {len(re.findall(r"\|", line)) for line in text.splitlines() if line.startswith("| ")} <= {5, 6}


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert feedback_run([str(tmp_path / "none.ipynb"), "--summary", str(tmp_path / "summary.md")]) == 1
    assert "cannot be read" in capsys.readouterr().out and "cannot be read" in (tmp_path / "summary.md").read_text("utf-8")


def test_the_workflow_needs_actions_alone(written: tuple[Path, Path]) -> None:
    """Of GitHub: a repository and Actions. GitHub Classroom is closed, and nothing here asks for it."""
    text = (written[0] / ".github" / "workflows" / "feedback.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert set(workflow[True]) == {"push", "workflow_dispatch"}, "YAML 1.1 reads the word on as true"
    (job,) = workflow["jobs"].values()
    assert job["runs-on"] == "ubuntu-latest" and all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert {step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step} == {
        "actions/checkout",
        "actions/setup-python",
    }
    assert "classroom" not in text.casefold() + (written[0] / "README.md").read_text(encoding="utf-8").casefold()
