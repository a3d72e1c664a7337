"""`grader mistake add`: a wrong answer of a class becomes an entry of the catalogue, and nothing else in the file changes."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader import paths
from grader.authoring.add_mistake import Addition, CannotAdd, Words, addition
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.cli import app
from grader.course_source.catalogue_file import read_entries
from grader.paths import SOLUTIONS
from tests.support.report_records import TOPIC, autograded, record, result

EXERCISE = "03.renorm_rows"
ANSWER = '''\
# my cell
def renorm_rows(weight, max_norm, norm_type=2.0):
    """Shorten rows."""
    # I, Ada
    return weight * torch.tensor(0.5)
'''
WORDS = Words("halves_everything", 'Every row is halved, "whatever" its length 长度 is. ' * 4, "Try a row of length 0.5.")


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    folder = tmp_path / "solutions"
    shutil.copytree(SOLUTIONS / TOPIC / "mistakes", folder / TOPIC / "mistakes")
    return folder


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    home = tmp_path / "class"
    answers = {
        "ada": ANSWER,
        "decorated": ANSWER.replace("def ", "@torch.no_grad()\ndef "),
        "leaning": ANSWER.replace("torch.tensor", "helper"),
        "disguised": ANSWER.replace("0.5)", "0.5 * len('\x1b[2K\u202e'))"),
        "lambda": "renorm_rows = lambda weight, max_norm, norm_type=2.0: weight",
    }
    for student, source in answers.items():
        autograded(home, student, {EXERCISE: source})
        records.save(home, record(student, [result(EXERCISE, 0.0)]), None)
    records.save(home, record("right", [result(EXERCISE, 1.0)]), None)
    records.save(home, record("known", [result(EXERCISE, 0.0, "columns")]), None)
    records.save(home, record("gone", [result(EXERCISE, 0.0)]), None)
    return Classroom(home)


def file_of(solutions: Path) -> Path:
    return solutions / TOPIC / "mistakes" / "renorm_rows.py"


def test_an_answer_becomes_the_last_entry_of_its_file(classroom: Classroom, solutions: Path) -> None:
    path = file_of(solutions)
    before, entries = path.read_bytes(), read_entries(path)
    addition(classroom, EXERCISE, "ada", WORDS, solutions).write()
    assert path.read_bytes().startswith(before)
    *others, last = read_entries(path)
    assert tuple(others) == entries
    assert (last.exercise, last.slug, last.stages) == (EXERCISE, "halves_everything", ("values",))  # type: ignore[union-attr]
    assert last.diagnosis == WORDS.diagnosis.strip() and last.next_step == WORDS.next_step  # type: ignore[union-attr]
    assert last.source.endswith("norm_type=2.0):\n    return weight * torch.tensor(0.5)\n")  # type: ignore[union-attr]
    assert "Ada" not in path.read_text(encoding="utf-8") and max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 128
    with pytest.raises(CannotAdd, match="an entry halves_everything already"):
        addition(classroom, EXERCISE, "ada", WORDS, solutions)


@pytest.mark.parametrize(
    ("student", "words", "message"),
    [
        ("nobody", WORDS, "no graded answer of nobody"),
        ("right", WORDS, "it is passed"),
        ("known", WORDS, "it is columns"),
        ("gone", WORDS, "In autograded/ there is no function"),
        ("decorated", WORDS, "has a decorator"),
        ("leaning", WORDS, "uses `helper`"),
        ("disguised", WORDS, "cannot be printed"),
        ("lambda", WORDS, "no function or class renorm_rows"),
        ("ada", Words("columns", WORDS.diagnosis, WORDS.next_step), "an entry columns already"),
        ("ada", Words("Two words", WORDS.diagnosis, WORDS.next_step), "small letters"),
        ("ada", Words("halves", "…", WORDS.next_step), "--diagnosis should be a sentence"),
        ("ada", Words("halves", WORDS.diagnosis, "two\nlines of text"), "--next-step should be a sentence"),
    ],
)
def test_what_cannot_be_added_is_one_sentence(
    classroom: Classroom, solutions: Path, student: str, words: Words, message: str
) -> None:
    before = file_of(solutions).read_bytes()
    with pytest.raises(CannotAdd, match=message):
        addition(classroom, EXERCISE, student, words, solutions)
    assert file_of(solutions).read_bytes() == before


def test_without_the_solutions_it_says_so(classroom: Classroom, tmp_path: Path) -> None:
    with pytest.raises(CannotAdd, match="in a checkout of the course"):
        addition(classroom, EXERCISE, "ada", WORDS, tmp_path / "nowhere")
    with pytest.raises(CannotAdd, match="There is no exercise"):
        addition(classroom, "03.renorm", "ada", WORDS, tmp_path / "nowhere")


def test_what_would_not_read_back_is_not_written(solutions: Path) -> None:
    path = file_of(solutions)
    before = path.read_bytes()
    for text in (
        "\n\n# mistake halves\n",
        "\n\nprint(1)\n",
        "\n\n# survivor a\n# b\n\n# few mistakes\n# c\n",
    ):
        with pytest.raises(CannotAdd, match="With this entry"):
            Addition(EXERCISE, path, "", text).write()
    assert path.read_bytes() == before


def test_the_command_shows_the_code_and_asks(classroom: Classroom, solutions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "SOLUTIONS", solutions)
    words = ["mistake", "add", EXERCISE, "--from", "ada", "--name", "halves", "--class", str(classroom.home)]
    words += ["--diagnosis", "Every row is halved.", "--next-step", "Try a row of length 0.5."]
    before = file_of(solutions).read_bytes()
    no = CliRunner().invoke(app, words, input="n\n")
    assert no.exit_code == 2 and "return weight * torch.tensor(0.5)" in no.output and "outside of the sandbox" in no.output
    assert "Nothing was changed." in no.output and file_of(solutions).read_bytes() == before
    done = CliRunner().invoke(app, [*words, "--yes"])
    assert done.exit_code == 0, done.output
    assert "mistakes/renorm_rows.py" in done.output and f"grader build 03, grader audit {EXERCISE}" in done.output
    assert read_entries(file_of(solutions))[-1].slug == "halves"  # type: ignore[union-attr]
