"""`grader package gradescope`: the zip, its two scripts in Gradescope's folders, and the same marks as `grader grade`."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from embedding_course.checking.judge import stopped
from embedding_course.checking.render import as_text
from embedding_course.exercises import exercises_of
from embedding_course.subject.course import course
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.classroom.policy.points import Terms
from grader.engine.fork_server import Learners
from grader.engine.sandbox import Level
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.package.gradescope import one_submission
from grader.package.gradescope.one_submission import results_of
from grader.package.gradescope.start import skipped_modules
from grader.package.settings import Settings, read_settings, write_settings
from grader.package.third_party import needed
from tests.support.classes import TOPIC, hand_in, perfect
from tests.support.packages import Gradescope, spy, submissions

pytestmark = pytest.mark.xdist_group("gradescope")  # what its fixtures make is made once
SEED = 7


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from typer.testing import CliRunner

    from grader.cli import app

    out = tmp_path_factory.mktemp("package") / "autograder.zip"
    outcome = CliRunner().invoke(app, ["package", "gradescope", "03", "--seed", str(SEED), "--out", str(out)])
    assert outcome.exit_code == 0, outcome.output
    assert f"grader grade 03 --seed {SEED} gives the same marks" in outcome.output
    return out


@pytest.fixture(scope="module")
def image(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Gradescope:
    """An image that has been built, on an interpreter that has other people's packages."""
    made = Gradescope.make(tmp_path_factory.mktemp("gradescope") / "autograder", package)
    done = made.setup(EMBEDDING_COURSE_PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def graded(learners: Learners, tmp_path_factory: pytest.TempPathFactory) -> dict[str, GradeRecord]:
    """What `grader grade` makes of the same files."""
    home = tmp_path_factory.mktemp("class")
    for student, content in submissions().items():
        hand_in(home, student, content)
    graded_submissions = grade_class(Classroom(home), [TOPIC], Run(seed=SEED, workers=1), shared=learners)
    return {graded_submission.record.student: graded_submission.record for graded_submission in graded_submissions}


def test_the_zip_has_what_gradescope_looks_for(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        names = {member.filename: member.external_attr >> 16 for member in archive.infolist()}
        own = [name for name in names if name.startswith("own/")]
        (grading,) = [name for name in own if "_grading-" in name]
        with archive.open(grading) as file, zipfile.ZipFile(file) as wheel:
            inside = set(wheel.namelist())
    assert names["setup.sh"] & 0o111 and names["run_autograder"] & 0o111 and len(own) == 2
    assert f"solutions/{TOPIC}/reference/renorm_rows.py" in inside and "grader/marking/mark.py" in inside
    assert {name.split("/")[1] for name in inside if name.startswith("solutions/")} == {TOPIC}, "only this notebook's answers"


@pytest.mark.slow
@pytest.mark.parametrize("student", submissions())
def test_points_and_words_are_those_of_grader_grade(student: str, image: Gradescope, graded: dict[str, GradeRecord]) -> None:
    done = image.grade(submissions()[student])
    assert done.returncode == 0, done.stderr
    results, record = image.results, graded[student]
    assert results["extra_data"]["check"] == record.check, "the same version of the checks"
    assert results["score"] == pytest.approx(record.score + record.extra)
    assert sum(test["score"] for test in results["tests"]) == pytest.approx(results["score"])
    if record.status == "unreadable":
        assert record.reason in results["output"] and not results["tests"]
        return
    criteria = [(result, index, criterion) for result in record.results for index, criterion in enumerate(result.criteria)]
    assert [(test["score"], test["max_score"]) for test in results["tests"]] == [
        (criterion.earned, criterion.points) for _, _, criterion in criteria
    ]
    for test, (result, index, criterion) in zip(results["tests"], criteria, strict=True):
        assert test["name"].startswith(result.exercise) and (len(result.criteria) == 1 or criterion.name in test["name"])
        assert test["output"] == (
            as_text(result) if index == 0 else "\n".join(filter(None, [criterion.says, criterion.message]))
        )
        assert test["visibility"] == "visible" and test["output_format"] == "text"
    assert all(note in results["output"] for note in record.notes)


@pytest.mark.slow
def test_the_class_is_not_all_alike(graded: dict[str, GradeRecord]) -> None:
    """Else the comparison above would show nothing."""
    scores = {student: record.score for student, record in graded.items()}
    assert scores["ada"] == graded["ada"].max_score and 0 < scores["bo"] < scores["ada"] and scores["cai"] == 0
    assert graded["eve"].status == "unreadable" and graded["fay"].results[0].status == "crashed"


#: A container's root, as Docker makes it: it may not make namespaces.
IN_A_CONTAINER = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"]


@pytest.mark.slow
@pytest.mark.parametrize("before", [[], IN_A_CONTAINER], ids=["here", "without namespaces"])
def test_answers_seed_and_other_people_are_out_of_sight(before: list[str], image: Gradescope) -> None:
    """Behind either kind of walls; where there are none nothing is graded."""
    if before and (os.geteuid() != 0 or shutil.which("setpriv") is None):
        pytest.skip("only root can give the right up")
    first = exercises_of(TOPIC)[0]
    public = image.course / "embedding_course" / "__init__.py"
    root, source = image.root, image.root / "source"  # that these exist is no secret: embedding_course lies below them
    secret = [
        source / "settings.json",
        source / "own",
        root / "submission",
        root / "results",
        root / "submission_metadata.json",
        image.course / "solutions",
        image.course / "grader",
        image.course / "pyproject.toml",
        image.course / "grader" / "paths.py",
        image.course / "solutions" / TOPIC / "reference" / f"{first.stem}.py",
    ]
    assert all(path.exists() for path in secret if path.name != "submission_metadata.json")
    for paths, points in (([public], first.points), (secret, 0)):
        done = image.grade(spy(paths), before=before)
        if done.returncode == 2:
            assert before and "neither namespaces nor Landlock work here" in done.stdout, done.stdout
            return
        assert image.results["extra_data"]["sandbox"].startswith("partial") or not before
        earned = sum(test["score"] for test in image.results["tests"] if test["name"].startswith(first.id))
        assert earned == points, "the spy itself must work" if points else "something can be read"


@pytest.mark.slow
def test_what_was_handed_in_under_another_name_is_told(image: Gradescope) -> None:
    for content, name, message in (
        (submissions()["ada"], "mine.ipynb", "mine.ipynb: rename it"),
        (None, "", "there is no 03_max"),
    ):
        assert image.grade(content, name).returncode == 0
        assert message in image.results["output"] and image.results["score"] == 0


@pytest.mark.parametrize("trusted", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_without_walls_it_refuses_and_says_what_is_missing(
    trusted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A result of an earlier submission must not stand there afterwards: nobody has a mark by a refusal."""
    hand_in(tmp_path / "there", "ada", perfect())
    shutil.copytree(tmp_path / "there" / "submitted" / "ada" / TOPIC, tmp_path / "submission")
    (tmp_path / "source").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.json").write_text('{"score": 20}', encoding="utf-8")
    write_settings(tmp_path / "source", Settings(topic=TOPIC, seed=SEED, trusted=trusted))
    monkeypatch.setattr(one_submission, "Run", partial(Run, strongest="none"))
    code, output = one_submission.main(tmp_path), capsys.readouterr().out
    written = tmp_path / "results" / "results.json"
    if trusted:
        assert code == 0 and "Sandbox none" in output and b'"score"' in written.read_bytes()
    else:
        assert code == 2 and "neither namespaces nor Landlock work here" in output and not written.exists()


def test_before_setup_it_says_so(package: Path, tmp_path: Path) -> None:
    done = Gradescope.make(tmp_path / "autograder", package).grade(b"")
    assert done.returncode == 2 and "setup.sh has not come to its end" in done.stderr


def test_a_fault_of_ours_is_one_entry_with_full_points() -> None:
    first = exercises_of(TOPIC)[0]
    fault = msgspec.structs.replace(stopped(first, "our fault", "our fault", "Our own reference failed."), score=first.points)
    record = GradeRecord(
        student="ada",
        topic=TOPIC,
        status="graded",
        seed=1,
        submission="",
        graded_at="",
        results=[fault],
        notes=["a note"],
        written={"reflection-answer": True},
        late=3600.0,
        penalty=0.5,
    )
    results = results_of(record, "after_due_date")
    (test,) = results["tests"]
    assert (test["score"], test["max_score"], results["score"]) == (first.points, first.points, first.points)
    assert test["output"] == as_text(fault) and test["visibility"] == results["visibility"] == "after_due_date"
    assert results["output"].splitlines()[1:] == ["a note", "A written answer waits for a person."]


def test_a_class_s_points_travel_along(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(
        'drop = ["03.grad_after_lookup"]\nfurther = ["03.tied_scores"]\n[points]\n03.renorm_rows = 7.5\n', encoding="utf-8"
    )
    terms = load_course(tmp_path).terms_of(TOPIC)
    write_settings(tmp_path, Settings(topic=TOPIC, seed=1, terms=terms))
    stored_terms = read_settings(tmp_path).terms
    assert stored_terms == terms and stored_terms.stamp == terms.stamp != Terms().stamp


@pytest.mark.slow
@pytest.mark.parametrize("there", [True, False])
def test_an_image_with_an_old_python_gets_another(there: bool, package: Path, tmp_path: Path) -> None:
    """Of Ubuntu's packages, one after the other until one is new enough; where none is, a sentence."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("bash", "cat", "grep", "rm"):
        (commands / name).symlink_to(str(shutil.which(name)))
    python = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
    (tmp_path / "ln").symlink_to(str(shutil.which("ln")))
    install = f'case "$*" in *python3.11-venv*) {tmp_path}/ln -s {python} {commands}/python3.11;; esac' if there else ":"
    for name, does in {"python3": "exit 1", "apt-get": f'echo "$*" >> {tmp_path}/asked\n{install}'}.items():
        (commands / name).write_text(f"#!{commands}/bash\n{does}\n", encoding="utf-8")
        (commands / name).chmod(0o755)
    made = Gradescope.make(tmp_path / "autograder", package)
    done = made.setup(PATH=str(commands))
    asked = (tmp_path / "asked").read_text(encoding="utf-8").splitlines()
    assert asked[0] == "update -qq" and [line.split()[3:] for line in asked[1:]] == [
        ["python3-venv"],
        ["python3.12", "python3.12-venv"],
        ["python3.11", "python3.11-venv"],
    ]
    assert done.returncode == 1 and (made.root / "venv" / "bin" / "python").exists() is there
    assert ("No matching distribution" if there else "✘ Grading needs Python 3.11 or later with venv") in done.stderr


def stand_in(folder: Path, requirement: str) -> None:
    """A wheel that bears a name and a version and holds one module, which cannot be imported."""
    from packaging.requirements import Requirement

    name = Requirement(requirement).name
    stem = name.replace("-", "_")
    about = f"{stem}-9999.0.dist-info"
    with zipfile.ZipFile(folder / f"{stem}-9999.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{stem}/__init__.py", f"raise ImportError('{name} is a stand-in')\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 9999.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")


@pytest.mark.slow
def test_with_wheels_the_image_is_built_without_a_network(tmp_path: Path, command: Callable[..., Result]) -> None:
    """In an environment of its own, from the folder's wheels alone. They are stand-ins, so the last look fails and says why."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for requirement in needed():
        stand_in(wheels, requirement)
    outcome = command("package", "gradescope", "03", "--wheels", wheels, "--out", tmp_path / "a.zip")
    assert outcome.exit_code == 0, outcome.output
    made = Gradescope.make(tmp_path / "autograder", tmp_path / "a.zip")
    done = made.setup(PIP_NO_INDEX="0", PIP_INDEX_URL="http://127.0.0.1:9/simple")
    assert done.returncode == 1 and "ImportError: nbgrader is a stand-in" in done.stderr, done.stderr
    assert "Something that grading needs cannot be imported" in done.stderr
    (site,) = (made.root / "venv" / "lib").glob("python*/site-packages")
    assert {path.name for path in site.glob("*-9999.0.dist-info")} == {
        f"{path.name.split('-')[0]}-9999.0.dist-info" for path in wheels.iterdir()
    }
    assert (made.course / "grader").is_dir() and (made.course / "embedding_course" / "data" / "files").is_dir()
    assert not (site / "grader").exists() and not (site / "solutions").exists(), "a submission reads what lies there"


def test_a_folder_that_lacks_a_wheel_is_refused(tmp_path: Path, command: Callable[..., Result]) -> None:
    wheels, out = tmp_path / "wheels", tmp_path / "a.zip"
    wheels.mkdir()
    for requirement in needed():
        if not requirement.startswith(("torch", "nh3")):
            stand_in(wheels, requirement)
    outcome = command("package", "gradescope", "03", "--wheels", wheels, "--out", out)
    assert outcome.exit_code == 2 and not out.exists()
    assert "holds no wheel for nh3>=0.2.18, torch>=2.6." in outcome.output and "pip download" in outcome.output
    (wheels / "torch-2.13.0-py3-none-any.whl").write_bytes(b"PK, and then the connection broke")
    outcome = command("package", "gradescope", "03", "--wheels", wheels, "--out", out)
    assert outcome.exit_code == 2 and "torch-2.13.0-py3-none-any.whl is no wheel, or was cut off" in outcome.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["99"], "There is no notebook '99'"),
        (["03", "--visibility", "never"], "there are visible, after_due_date, after_published, hidden"),
        (["03", "--torch-index", "$(reboot)"], "is no address of an index"),
        (["03", "--class", "nowhere"], "There is no folder nowhere"),
        (["03", "--wheels", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_one_sentence(words: list[str], message: str, command: Callable[..., Result]) -> None:
    outcome = command("package", "gradescope", *words)
    assert outcome.exit_code == 2 and message in outcome.output and outcome.output.count("\n") == 1


def test_slow_modules_are_imported_where_a_word_asks_for_them(tmp_path: Path) -> None:
    submission = tmp_path / "submission"
    submission.mkdir()
    slow = ["sklearn.manifold", "sklearn.metrics", "matplotlib.pyplot", "torch._dynamo"]
    assert skipped_modules(tmp_path, submission, TOPIC) == slow
    (submission / "a.ipynb").write_bytes(b"import sklearn\xff")
    assert skipped_modules(tmp_path, submission, TOPIC) == slow[2:]
    notebook = tmp_path / "source" / "course" / "solutions" / TOPIC / "released.ipynb"
    notebook.parent.mkdir(parents=True)
    notebook.write_text("import matplotlib.pyplot as plt", encoding="utf-8")
    assert skipped_modules(tmp_path / "source", submission, TOPIC) == slow[3:]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["full", "partial"])
def test_what_no_word_announced_is_imported_in_the_sandbox(level: Level) -> None:
    draw = "plt = __import__('matplotlib.pyplot').pyplot\nplt.plot([1, 2])\nplt.gcf().canvas.draw()"
    skipped = list(course().subject.warm.seldom)
    with Learners(strongest=level, trusted=True, topics=[TOPIC], skipped=skipped) as learners:
        assert learners.start().run(draw) is None


#: In place of the fork: what a submission's process would find in memory.
AT_THE_FORK = """
import sys
from pathlib import Path
from grader.engine import fork_server
def fork(**options):
    assert options["forked"]
    print(*sorted(name for name in sys.modules if name.startswith("grader.")), sep="\\n")
    sys.exit()
fork_server.Learners = fork
from grader.package.gradescope import start
start.main(Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_nothing_secret_has_been_read_when_the_process_of_a_submission_is_forked(image: Gradescope) -> None:
    image.grade(submissions()["cai"])
    settings = {
        "PYTHONPATH": str(image.course),
        "COURSE_IN_USE": str(image.course / "embedding_course"),
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "-P", "-c", AT_THE_FORK, str(image.root)]
    done = subprocess.run(command, env=settings, cwd=image.root, capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "grader.engine.fork_server" in modules and "grader.package.gradescope.start" in modules
    secret = ("grader.course_source", "grader.marking", "grader.classroom", "grader.package.settings", "grader.submission")
    assert not [name for name in modules if name.startswith(secret)], "these read answers, the seed or other people's work"
