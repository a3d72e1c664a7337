"""submit: a file that can be handed in as it is, never over an earlier one, with a receipt that holds or does not."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from embedding_course.checking.judge import stopped
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.report import Finding, Report
from embedding_course.learner.doctor.saved import Saved, read
from embedding_course.learner.notebook_tree import answers_digest
from embedding_course.learner.receipt import code_of, stamped, verify
from embedding_course.learner.submit import newest, submission_panel, write
from embedding_course.subject.errors import CourseError
from grader.classroom.class_folder import Classroom
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.marking.mark import mark
from grader.submission.read import read_notebook
from grader.submission.rebuild import rebuild
from tests.redteam.honest import TOPIC
from tests.support.classes import blank, perfect


def report_on(saved: Saved, ready: bool = True) -> Report:
    results = [stopped(exercise, "not attempted", "untouched", "") for exercise in exercises_of(TOPIC)]
    findings = [] if ready else [Finding("lost", "something")]
    return Report(
        topic=TOPIC,
        file=saved.path.name,
        how="a test",
        digest=answers_digest(saved.tree),
        findings=findings,
        results=results,
        versions={"python": "3.11"},
    )


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    work = tmp_path / "work"
    (work / ".embedding_course").mkdir(parents=True)
    (work / TOPIC).mkdir()
    nbformat.write(perfect(), work / TOPIC / f"{TOPIC}.ipynb")
    return read(work / TOPIC / f"{TOPIC}.ipynb")


def edited(saved: Saved, text: str) -> Saved:
    tree = json.loads(saved.path.read_text(encoding="utf-8"))
    tree["cells"].append({"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None})
    saved.path.write_text(json.dumps(tree), encoding="utf-8")
    return read(saved.path)


def test_the_file_lies_in_a_folder_of_its_own_under_its_own_name(saved: Saved, tmp_path: Path) -> None:
    submission = write(saved, report_on(saved))
    path_parts = submission.path.relative_to(tmp_path / "work" / "submissions").parts
    assert path_parts[0] == TOPIC and re.fullmatch(r"\d{8}-\d{6}Z", path_parts[1]) and path_parts[2] == f"{TOPIC}.ipynb"
    verification = verify(read(submission.path).tree)
    assert (
        verification.whole
        and verification.receipt == submission.receipt
        and code_of(verification.receipt) == code_of(submission.receipt)
    )
    nbformat.validate(nbformat.read(submission.path, as_version=4))
    assert [path.name for path in submission.path.parent.iterdir()] == [f"{TOPIC}.ipynb"]


def test_what_was_written_is_never_written_over(saved: Saved) -> None:
    first = write(saved, report_on(saved))
    body = first.path.read_bytes()
    later = [write(edited(saved, f"x = {index}"), report_on(saved)) for index in range(3)]
    assert len({first.path, *(submission.path for submission in later)}) == 4 and all(submission.new for submission in later)
    assert first.path.read_bytes() == body
    assert len({code_of(submission.receipt) for submission in (first, *later)}) == 4


def test_the_same_file_is_not_written_twice(saved: Saved) -> None:
    first = write(saved, report_on(saved))
    again = write(read(saved.path), report_on(saved))
    assert (
        again.path == first.path and not again.new and "Nothing has changed" in submission_panel(again, report_on(saved)).text
    )
    first.path.write_text(first.path.read_text(encoding="utf-8").replace("max_norm", "maximum", 1), encoding="utf-8")
    assert newest(first.path.parent.parent) is None, "a changed file does not fit its receipt"
    assert write(read(saved.path), report_on(saved)).new


def test_the_learner_is_told_what_the_code_is_good_for(saved: Saved) -> None:
    submission = write(saved, report_on(saved, ready=False))
    text = submission_panel(submission, report_on(saved, ready=False)).text
    assert str(submission.path) in text and code_of(submission.receipt) in text
    assert "Nothing was sent" in text and "as it stands" in text


def test_a_disk_that_refuses_is_one_sentence(saved: Saved, tmp_path: Path) -> None:
    (tmp_path / "work" / "submissions").write_text("in the way", encoding="utf-8")
    with pytest.raises(CourseError, match="Nothing could be written into"):
        write(saved, report_on(saved))


def test_the_grader_takes_the_file_as_it_is(saved: Saved, tmp_path: Path, learners: Learners) -> None:
    submission = write(saved, report_on(saved))
    folder = tmp_path / "class" / "submitted" / "ada" / TOPIC
    folder.mkdir(parents=True)
    shutil.copy2(submission.path, folder)
    (collected,) = Classroom(tmp_path / "class").submissions([TOPIC])
    assert collected.missing() == ""
    results = mark(learners, rebuild(blank(), read_notebook(collected.path), TOPIC), TOPIC, seed=3).results
    assert all(result.passed for result in results)


def invoke(*arguments: str | Path) -> tuple[int, str]:
    outcome = CliRunner().invoke(app, ["receipt", *map(str, arguments)])
    return outcome.exit_code, outcome.output


def test_a_receipt_that_holds(saved: Saved) -> None:
    submission = write(saved, report_on(saved))
    code, text = invoke(submission.path)
    assert code == 0 and "✔" in text and code_of(submission.receipt) in text and "by the learner's clock" in text
    assert invoke(submission.path, "--code", code_of(submission.receipt).upper())[0] == 0
    code, text = invoke(submission.path, "--code", "0000-0000-0000-0000")
    assert code == 1 and "not the code of its receipt" in text
    crlf = submission.path.read_text(encoding="utf-8").replace("\n", "\r\n")
    submission.path.write_text(crlf, encoding="utf-8", newline="")
    assert invoke(submission.path)[0] == 0, "line ends of the file are no content"


def in_a_cell(tree: dict) -> None:
    tree["cells"][3]["source"] = "changed = 1"


def in_an_output(tree: dict) -> None:
    cell = next(cell for cell in tree["cells"] if cell["cell_type"] == "code")
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "20 of 20"}]


def in_the_score(tree: dict) -> None:
    tree["metadata"]["embedding_course"]["receipt"]["score"] = 20.0


def in_the_hash(tree: dict) -> None:
    tree["metadata"]["embedding_course"]["receipt"]["notebook"] = "0" * 64


def by_dropping_it(tree: dict) -> None:
    del tree["metadata"]["embedding_course"]


def by_emptying_it(tree: dict) -> None:
    tree["metadata"]["embedding_course"]["receipt"] = {"score": "all"}


CHANGES: list[tuple[Callable[[dict], None], str]] = [
    (in_a_cell, "the text of cells"),
    (in_an_output, "no cell's text"),
    (in_the_hash, "speaks of another file"),
    (by_dropping_it, "no receipt"),
    (by_emptying_it, "no receipt"),
]


@pytest.mark.parametrize(("change", "wanted"), CHANGES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_file_that_was_changed_is_told(change: Callable[[dict], None], wanted: str, saved: Saved) -> None:
    path = write(saved, report_on(saved)).path
    tree = json.loads(path.read_text(encoding="utf-8"))
    change(tree)
    path.write_text(json.dumps(tree), encoding="utf-8")
    code, text = invoke(path)
    assert code == 1 and wanted in text


def test_a_forged_score_changes_the_code(saved: Saved) -> None:
    """Nothing is signed, so a forged receipt can be consistent: only the code that was sent earlier tells."""
    submission = write(saved, report_on(saved))
    tree = json.loads(submission.path.read_text(encoding="utf-8"))
    in_the_score(tree)
    submission.path.write_text(json.dumps(tree), encoding="utf-8")
    assert invoke(submission.path)[0] == 0
    assert invoke(submission.path, "--code", code_of(submission.receipt))[0] == 1


@pytest.mark.slow
def test_a_claimed_score_can_be_tried_again(saved: Saved) -> None:
    submission = write(saved, report_on(saved))
    code, text = invoke(submission.path, "--again")
    assert code == 1 and "other scores" in text and "0 claimed" in text


def test_wrong_input_is_one_sentence(saved: Saved, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, text = invoke(tmp_path / "empty")
    assert code == 2 and "no notebook in" in text
    submission = write(saved, report_on(saved))
    code, text = invoke(submission.path, saved.path, "--code", "0")
    assert code == 2 and "belongs to one file" in text
    code, text = invoke(submission.path, saved.path, tmp_path / "nothing.ipynb")
    assert code == 1 and "no receipt" in text and "cannot be read" in text and "1 of 3 receipts fit their files" in text


def in_the_class(home: Path, student: str, file: Path) -> None:
    folder = home / "submitted" / student / TOPIC
    folder.mkdir(parents=True)
    shutil.copy2(file, folder)


def test_a_copied_receipt_is_worth_a_line(saved: Saved, tmp_path: Path) -> None:
    first = write(saved, report_on(saved))
    second = write(edited(saved, "x = 1"), report_on(saved))
    in_the_class(tmp_path, "ada", first.path)
    in_the_class(tmp_path, "eve", first.path)
    in_the_class(tmp_path, "cy", second.path)
    code, text = invoke(tmp_path / "submitted")
    assert code == 0 and "3 of 3 receipts fit" in text
    assert f"! {code_of(first.receipt)} stands in files of ada, eve: a copy, or equal files" in text
    assert text.count("a copy, or") == 1
    in_the_class(tmp_path / "again", "cy", second.path)
    assert "a copy, or" not in invoke(tmp_path / "submitted" / "cy", tmp_path / "again")[1], "handed in twice by one person"


def test_what_a_receipt_that_fits_does_not_say(saved: Saved) -> None:
    """One that was written by hand fits as well, so nothing may sound as if it did not."""
    tree, forged = stamped(json.loads(saved.path.read_text(encoding="utf-8")), report_on(saved), "1999-01-01T00:00:00Z")
    saved.path.write_text(json.dumps(tree), encoding="utf-8")
    code, text = invoke(saved.path)
    assert code == 0 and code_of(forged) in text
    assert "does not say who wrote it" in text and "It claims:" in text and "by the learner's clock" in text
    shown = re.sub(r"\s+", " ", CliRunner().invoke(app, ["receipt", "--help"], env={"COLUMNS": "200"}).output)
    assert "write one by hand or copy one" in shown and "nor that the file was handed in" in shown


def test_a_hand_made_receipt_cannot_steer_the_terminal(saved: Saved) -> None:
    tree, _ = stamped(json.loads(saved.path.read_text(encoding="utf-8")), report_on(saved), "\x1b]0;owned\x07\n✔ all is well")
    saved.path.write_text(json.dumps(tree), encoding="utf-8")
    text = invoke(saved.path)[1]
    assert "\x1b" not in text and "\x07" not in text and len(text.strip().splitlines()) == 2
