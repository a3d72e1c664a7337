"""nbgrader's exchange without a hub: collect, release, feedback, by the folder alone; students' steps are nbgrader's own."""

import os
import pwd
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from click.testing import Result
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeFetchAssignment, ExchangeFetchFeedback, ExchangeSubmit
from traitlets.config import Config
from typer.testing import CliRunner

from embedding_course.subject.titles import COURSE_ID
from grader.classroom.exchange.inbound import _later
from grader.classroom.new_class import make_class
from grader.cli import app
from tests.support.classes import blank, perfect

Command = Callable[..., Result]
run = CliRunner().invoke
TOPIC = "03_max_norm"
FILE = f"{TOPIC}.ipynb"
MYSELF = pwd.getpwuid(os.getuid()).pw_name
RIGHT, EMPTY = (nbformat.writes(notebook).encode("utf-8") for notebook in (perfect(TOPIC), blank(TOPIC)))


class Hub:
    """A class, an exchange, and students who all are one user, as in containers."""

    def __init__(self, home: Path, *, check_owner: bool = False) -> None:
        self.home, self.root, self.people = home / "class", home / "exchange", home / "people"
        self.root.mkdir()
        self.root.chmod(0o777)
        make_class(self.home)
        with (self.home / "nbgrader_config.py").open("a", encoding="utf-8") as file:
            file.write(
                f"c = get_config()\nc.Exchange.root = {str(self.root)!r}\nc.ExchangeCollect.check_owner = {check_owner}\n"
            )
        self.inbound = self.root / COURSE_ID / "inbound"

    def student(self, name: str, kind: type) -> None:
        """One of nbgrader's own steps, as this student's server takes it."""
        folder = self.people / name
        folder.mkdir(parents=True, exist_ok=True)
        config = Config({"Exchange": {"root": str(self.root), "cache": str(folder / "cache"), "assignment_dir": str(folder)}})
        course = CourseDirectory(root=str(folder), course_id=COURSE_ID, assignment_id=TOPIC, student_id=name)
        kind(coursedir=course, authenticator=Authenticator(config=config), config=config).start()

    def hand_in(self, name: str, body: bytes) -> Path:
        """Submit as nbgrader does; the folder in the exchange."""
        (self.people / name / TOPIC).mkdir(parents=True, exist_ok=True)
        (self.people / name / TOPIC / FILE).write_bytes(body)
        before = set(self.inbound.iterdir())
        self.student(name, ExchangeSubmit)
        (folder,) = set(self.inbound.iterdir()) - before
        return folder

    def feedback(self, name: str) -> list[str]:
        """What the student has after fetching."""
        self.student(name, ExchangeFetchFeedback)
        return [page.read_text("utf-8") for page in sorted((self.people / name / TOPIC / "feedback").glob("*/*.html"))]

    def submitted(self, name: str, file: str = FILE) -> bytes:
        return (self.home / "submitted" / name / TOPIC / file).read_bytes()


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """With 03 released, and as wide as tables want to be."""
    monkeypatch.setenv("COLUMNS", "400")
    new_hub = Hub(tmp_path)
    released = new_hub.root / COURSE_ID / "outbound" / TOPIC
    released.mkdir(parents=True)
    (released / FILE).write_bytes(EMPTY)
    new_hub.inbound.mkdir()
    return new_hub


def collected(hub: Hub, *words: str, code: int | None = None) -> str:
    """What the command says. Its exit code tells whether everything was taken, unless another one is given."""
    outcome = run(app, ["collect", "--exchange", "--class", str(hub.home), *words])
    assert outcome.exit_code == (code if code is not None else 3 if "✘ not collected" in outcome.output else 0), outcome.output
    return " ".join(outcome.output.split())


@pytest.mark.slow
def test_the_whole_way(tmp_path: Path, command: Command) -> None:
    hub = Hub(tmp_path)
    (hub.home / "course.toml").write_text('[points]\n"03.renorm_rows" = 9\n', encoding="utf-8")
    for _ in range(2):  # a second release takes the place of the first
        outcome = command("release", "03", "--to-exchange", "--class", hub.home)
        assert outcome.exit_code == 0 and str(hub.root) in outcome.output, outcome.output
    assert [path.name for path in hub.inbound.with_name("outbound").iterdir()] == [TOPIC]
    hub.student("ada", ExchangeFetchAssignment)
    fetched = (hub.people / "ada" / TOPIC / FILE).read_text("utf-8")
    assert "NotImplementedError" in fetched and "9 points" in fetched
    hub.hand_in("ada", RIGHT)
    hub.hand_in("bo.1", EMPTY)
    assert "Collected 2 (from nbgrader's exchange)" in collected(hub)
    assert hub.submitted("ada") == RIGHT and hub.submitted("bo.1") == EMPTY
    assert oct((hub.home / "submitted/ada" / TOPIC / "submission_secret.txt").stat().st_mode)[-3:] == "600"
    assert "2 were there already" in collected(hub)
    graded = command("grade", "--class", hub.home)
    assert graded.exit_code == 0 and "2 graded" in graded.output, graded.output
    outcome = command("feedback", "--class", hub.home, "--to-exchange")
    assert outcome.exit_code == 0 and "Released 2 of 2 pages" in outcome.output, outcome.output
    (ada,), (bo,) = hub.feedback("ada"), hub.feedback("bo.1")
    assert ada == (hub.home / f"feedback/ada/{TOPIC}/{TOPIC}.html").read_text("utf-8") != bo


@pytest.mark.slow
def test_feedback_stands_under_its_own_submission(hub: Hub, command: Command) -> None:
    hub.hand_in("ada", EMPTY)
    collected(hub)
    assert command("grade", "--class", hub.home).exit_code == 0
    time.sleep(0.01)
    hub.hand_in("ada", RIGHT)
    assert "Collected 1" in collected(hub)
    assert list((hub.home / "earlier/ada" / TOPIC).glob("*.ipynb"))
    outcome = command("feedback", "--class", hub.home, "--to-exchange")
    assert outcome.exit_code == 2 and "handed in anew since it was graded" in outcome.output
    assert not list((hub.root / COURSE_ID).glob("feedback/*.html"))


@pytest.mark.slow
def test_who_did_not_come_through_the_exchange_is_named(hub: Hub, command: Command, tmp_path: Path) -> None:
    hub.hand_in("ada", EMPTY)
    collected(hub)
    mail = tmp_path / "mail"
    mail.mkdir()
    (mail / f"ada_{FILE}").write_bytes(RIGHT)
    assert run(app, ["collect", str(mail), "--class", str(hub.home)]).exit_code == 0
    assert not (hub.home / "submitted/ada" / TOPIC / "submission_secret.txt").exists()
    assert command("grade", "--class", hub.home).exit_code == 0
    outcome = command("feedback", "--class", hub.home, "--to-exchange")
    assert outcome.exit_code == 2 and "did not come through nbgrader's exchange" in outcome.output


def test_a_timestamp_of_the_students_own_counts_for_nothing(hub: Hub) -> None:
    came = hub.hand_in("ada", RIGHT)
    (came / "timestamp.txt").write_text("2001-01-01 00:00:00 UTC", encoding="ascii")
    collected(hub)
    assert hub.submitted("ada", "timestamp.txt").decode() == came.name.split("+")[2].partition(".")[0] + " UTC"


def test_a_folder_renamed_to_be_early_is_pointed_out(hub: Hub) -> None:
    came = hub.hand_in("ada", RIGHT)
    came.rename(came.with_name(f"ada+{TOPIC}+2026-01-01 10:00:00.000000 UTC+x"))
    output = collected(hub)
    assert "2026-01-01 10:00, but the folder was changed at" in output and "the later counts" in output
    assert not hub.submitted("ada", "timestamp.txt").startswith(b"2026-01-01"), "nobody can set back when a folder changed"


@pytest.mark.parametrize(
    ("named", "changed", "counts"),
    [("12:00:00", "12:00:20", "12:00:00"), ("12:00:00", "12:05:00", "12:05:00"), ("12:05:00", "12:00:00", "12:05:00")],
)
def test_the_later_of_name_and_change_counts(named: str, changed: str, counts: str) -> None:
    name, change, later = (datetime.fromisoformat(f"2026-03-05T{text}") for text in (named, changed, counts))
    when, note = _later(name, change)
    assert when == later and bool(note) == (abs(name - change).total_seconds() > 60)


def test_a_time_still_to_come_does_not_stay_the_newest(hub: Hub) -> None:
    came = hub.hand_in("ada", EMPTY)
    came.rename(came.with_name(f"ada+{TOPIC}+2999-01-01 10:00:00.000000 UTC+x"))
    assert "which was still to come" in collected(hub)
    time.sleep(1.1)  # submitted/ keeps seconds
    hub.hand_in("ada", RIGHT)
    collected(hub)
    assert hub.submitted("ada") == RIGHT


def test_a_name_that_is_not_the_owners_is_refused(hub: Hub) -> None:
    hub.hand_in("ada", RIGHT)
    hub.hand_in(MYSELF, EMPTY)
    config = hub.home / "nbgrader_config.py"
    config.write_text(config.read_text("utf-8").replace("check_owner = False", "check_owner = True"), encoding="utf-8")
    output = collected(hub)
    assert f"it says it is ada's and belongs to {MYSELF}" in output and "Collected 1" in output
    assert not (hub.home / "submitted/ada").exists() and hub.submitted(MYSELF) == EMPTY


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_anothers_is_not_taken_from_ones_own_folder(hub: Hub) -> None:
    """As a hard link to it would be."""
    came = hub.hand_in("daemon", RIGHT)
    other = pwd.getpwnam("daemon").pw_uid
    os.chown(came, other, -1)
    config = hub.home / "nbgrader_config.py"
    config.write_text(config.read_text("utf-8").replace("check_owner = False", "check_owner = True"), encoding="utf-8")
    assert "belongs to somebody else, not to daemon" in collected(hub, code=3)
    os.chown(came / FILE, other, -1)
    assert "Collected 1" in collected(hub)


def test_links_and_odd_names_stop_nobody(hub: Hub, tmp_path: Path) -> None:
    secret = tmp_path / FILE
    secret.write_bytes(RIGHT)
    eve = hub.hand_in("eve", EMPTY)
    (eve / FILE).unlink()
    (eve / FILE).symlink_to(secret)
    (hub.inbound / f"mallory+{TOPIC}+2026-01-01 10:00:00 UTC+x").symlink_to(hub.people / "eve" / TOPIC)
    (hub.inbound / f"cy+{TOPIC}+some day+x").mkdir()
    (hub.inbound / "rubbish").mkdir()
    (hub.inbound / "ada+another_course+2026-01-01 10:00:00 UTC+x").mkdir()
    half = hub.inbound / f"di+{TOPIC}+2026-01-01 10:00:00 UTC+x"
    half.mkdir()
    hub.hand_in("ada", RIGHT)
    output = collected(hub)
    assert "Collected 1" in output and "5 not collected" in output and hub.submitted("ada") == RIGHT
    for words in (
        "links are not followed",
        "is no time",
        "it is no folder",
        "nbgrader gives folders other names",
        "still being",
    ):
        assert words in output
    assert sorted(path.name for path in (hub.home / "submitted").iterdir()) == ["ada"]


def test_of_several_the_newest_is_taken(hub: Hub) -> None:
    hub.hand_in("ada", EMPTY)
    time.sleep(0.01)
    hub.hand_in("ada", RIGHT)
    assert "Collected 1" in collected(hub) and hub.submitted("ada") == RIGHT


def test_what_is_missing_is_said_in_a_sentence(tmp_path: Path) -> None:
    hub = Hub(tmp_path)
    assert "grader release --to-exchange makes it" in collected(hub, code=2)
    hub.root.rmdir()
    assert "there is no exchange folder" in collected(hub, code=2).lower()
    (hub.home / "nbgrader_config.py").write_text("1 / 0", encoding="utf-8")
    assert "division by zero" in collected(hub, code=2)
    for words in ([], ["--exchange", str(tmp_path)], ["--exchange", "--layout", "plain"]):
        outcome = run(app, ["collect", "--class", str(hub.home), *words])
        assert outcome.exit_code == 2 and outcome.output.count("\n") == 1
