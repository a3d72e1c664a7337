"""An exercise has one name in all its homes, and a file of theirs belongs to one exercise."""

import ast
import re
from pathlib import Path

import pytest

from embedding_course.checking.exercise import Exercise, file_stem
from embedding_course.exercises import exercises_of, known
from embedding_course.subject.lessons import LESSONS
from grader.course_source.catalogue_file import CannotRead, read_entries
from grader.paths import ROOT, SOLUTIONS

TOPICS = [lesson.topic for lesson in LESSONS if lesson.written]
EACH = pytest.mark.parametrize("exercise", known().values(), ids=list(known()))


def _cases(topic: str) -> list[Path]:
    return sorted((ROOT / "embedding_course" / "exercises" / topic).glob("[!_]*.py"))


def _top(path: Path) -> set[str]:
    """The names that a file defines, imports aside."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    defined = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return defined | {ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets}


def _begins(path: Path, exercise: Exercise) -> bool:
    """Is the file called as the exercise, or does its name begin so?"""
    return re.match(rf"{exercise.stem}(_|$)", path.stem) is not None


def _about(path: Path) -> set[str]:
    """The exercises of which a file of mistakes speaks."""
    return {entry.exercise for entry in read_entries(path)}


@EACH
def test_every_home_has_a_file_of_that_name(exercise: Exercise) -> None:
    topic = SOLUTIONS / exercise.lesson.topic
    public = ROOT / "embedding_course" / "exercises" / exercise.lesson.topic / f"{exercise.stem}.py"
    assert exercise.name in _top(public)
    assert exercise.name in _top(topic / "reference" / f"{exercise.stem}.py")
    own = [path for path in sorted((topic / "mistakes").glob("*.py")) if _about(path) == {exercise.id}]
    assert own and all(_begins(path, exercise) for path in own)


def test_no_two_exercises_share_a_name() -> None:
    assert len({exercise.stem for exercise in known().values()}) == len(known())


@pytest.mark.parametrize("topic", TOPICS)
def test_no_file_holds_two_exercises(topic: str) -> None:
    """A file without any is shared by several exercises, and stands with their cases."""
    names = {exercise.name for exercise in exercises_of(topic)}
    assert not [path.name for path in _cases(topic) if len(_top(path) & names) > 1]
    assert not [path.name for path in (SOLUTIONS / topic / "reference").glob("*.py") if len(_top(path)) != 1]
    assert not [path.name for path in (SOLUTIONS / topic / "mistakes").glob("*.py") if len(_about(path)) != 1]


@pytest.mark.parametrize(
    ("name", "stem"),
    [("NPLM", "nplm"), ("TextEncoder", "text_encoder"), ("LogitScale", "logit_scale"), ("renorm_rows", "renorm_rows"),
     ("sparse_sgd_step_", "sparse_sgd_step"), ("quantize_uint8", "quantize_uint8")],
)  # fmt: skip
def test_how_a_name_becomes_a_file(name: str, stem: str) -> None:
    assert file_stem(name) == stem


HEAD = "import torch\n\nfrom grader.course_source.catalogue import mistake, right_form\n\nEX = '03.renorm_rows'\n\n\n"


def test_an_answer_is_its_own_text_behind_the_imports(tmp_path: Path) -> None:
    path = tmp_path / "renorm_rows.py"
    answers = "def renorm_rows(w):\n    return w  # as it is", "class renorm_rows:\n    size = 1"
    path.write_text(
        f"{HEAD}@mistake(EX, 'a', stage=('shape', 'values'), diagnosis='One' ' text.', next_step='.')\n{answers[0]}\n\n\n"
        f"@right_form(EX, 'b')\n{answers[1]}\n\n\nsurvivor(EX, ('1 → 2', '1 → 0'), 'alike')\nfew(EX, 'mistakes', 'easy')\n",
        encoding="utf-8",
    )
    wrong, right, one, other, few = read_entries(path)
    assert (wrong.source, right.source) == tuple(f"import torch\n\n\n{answer}\n" for answer in answers)
    assert (wrong.stages, wrong.diagnosis) == (("shape", "values"), "One text.")
    assert (one.change, other.change, one.reason) == ("1 → 2", "1 → 0", "alike")
    assert {entry.exercise for entry in (wrong, right, one, other, few)} == {"03.renorm_rows"}


def test_what_is_altered_is_as_if_it_were_written_out(tmp_path: Path) -> None:
    path = tmp_path / "renorm_rows.py"
    path.write_text(
        f"{HEAD}@base('plain')\ndef renorm_rows(w):\n    return w.norm(dim=1)\n\n\n"
        f"altered(EX, 'a', 'plain', {{'norm(': 'sum(', '=1': '=0'}}, {_SAID})\n"
        f"altered(EX, 'b', 'a', {{'sum': 'mean'}}, {_SAID})\n",
        encoding="utf-8",
    )
    first, second = read_entries(path)
    assert (first.slug, first.source) == ("a", "import torch\n\n\ndef renorm_rows(w):\n    return w.sum(dim=0)\n")
    assert (second.slug, second.source) == ("b", "import torch\n\n\ndef renorm_rows(w):\n    return w.mean(dim=0)\n")


_PLAIN = "@base('plain')\ndef renorm_rows(w):\n    return w + w\n"
_SAID = "stage='values', diagnosis='.', next_step='.'"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"altered(EX, 'a', 'plain', {{'w': 'v'}}, {_SAID})", "alters 'plain', and no answer above has that name"),
        (f"{_PLAIN}altered(EX, 'a', 'plain', {{'w': 'v'}}, {_SAID})", "`w` stands 4 times in what is altered"),
        (f"{_PLAIN}altered(EX, 'a', 'plain', {{'mean': 'sum'}}, {_SAID})", "`mean` stands 0 times in what is altered"),
        (f"{_PLAIN}altered(EX, 'a', 'plain', {{'w + w': 'w +'}}, {_SAID})", "what the change leaves is not Python"),
        ("for change in ('1 → 2',):\n    survivor(EX, change, 'alike')", "a catalogue holds .* not `for change in"),
        ("print('made')", r"a catalogue holds .* not `print\('made'\)`"),
        ("EX += 'more'", "a catalogue holds"),
        ("LIMIT = 3", "only texts are given names here, not `LIMIT = 3`"),
        ("def helper():\n    ...", "helper has one decorator"),
        ("@right_form(EX, 'a')\n@torch.no_grad()\ndef renorm_rows(w):\n    ...", "renorm_rows has one decorator"),
        ("@right_form(EX, f'a{1}')\ndef renorm_rows(w):\n    ...", "is neither a text nor a name"),
        ("@right_form(OTHER, 'a')\ndef renorm_rows(w):\n    ...", "`OTHER` is neither a text nor a name"),
        ("@right_form(EX)\ndef renorm_rows(w):\n    ...", "missing 1 required positional argument: 'slug'"),
        (
            "@mistake(EX, 'a', stage='late', diagnosis='.', next_step='.')\ndef renorm_rows(w):\n    ...",
            "there is no stage 'late'",
        ),
    ],
)
def test_what_cannot_be_read_is_said_with_file_and_line(line: str, why: str, tmp_path: Path) -> None:
    path = tmp_path / "renorm_rows.py"
    path.write_text(f"{HEAD}{line}\n", encoding="utf-8")
    with pytest.raises(CannotRead, match=rf"renorm_rows\.py, line \d+: .*{why}") as caught:
        read_entries(path)
    assert int(re.findall(r"line (\d+)", str(caught.value))[0]) >= HEAD.count("\n") + 1
