"""An exercise has one name in all its homes, and a file of theirs belongs to one exercise."""

import ast
import re
from pathlib import Path

import pytest

from embedding_course.checking.exercise import Exercise, file_stem
from embedding_course.exercises import exercises_of, known
from embedding_course.subject.lessons import LESSONS
from grader.course_source.catalogue_file import CannotRead, Mistake, RightForm, Sentence, read_entries, sentences
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
    [
        ("NPLM", "nplm"),
        ("TextEncoder", "text_encoder"),
        ("LogitScale", "logit_scale"),
        ("renorm_rows", "renorm_rows"),
        ("sparse_sgd_step_", "sparse_sgd_step"),
        ("quantize_uint8", "quantize_uint8"),
    ],
)
def test_how_a_name_becomes_a_file(name: str, stem: str) -> None:
    assert file_stem(name) == stem


HEAD = '# exercise 03.renorm_rows\n"""Wrong answers."""\n\nimport torch\n\n\n'
SENTENCES = "# One\n# text.\n# Next: Another\n# text.\n"
PLAIN = "# base plain\ndef renorm_rows(w):\n    y = w + w\n    return y.norm(dim=1)\n\n\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "renorm_rows.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_answer_is_its_own_text_below_the_imports(tmp_path: Path) -> None:
    answers = "def renorm_rows(w):\n    return w  # as it is", "class renorm_rows:\n    size = 1"
    path = written(
        tmp_path,
        f"{HEAD}# mistake a (shape, values)\n{SENTENCES}{answers[0]}\n\n\n# right form b\n{answers[1]}\n\n\n"
        "# survivor 1 → 2\n# survivor 1 → 0\n# They are\n# alike.\n\n# few mistakes\n# It is easy.\n",
    )
    wrong, right, first_survivor, second_survivor, few = read_entries(path)
    assert (wrong.source, right.source) == tuple(f"import torch\n\n\n{answer}\n" for answer in answers)
    assert (wrong.stages, wrong.diagnosis, wrong.next_step) == (("shape", "values"), "One text.", "Another text.")
    assert (first_survivor.change, second_survivor.change, first_survivor.reason, few.reason) == (
        "1 → 2",
        "1 → 0",
        "They are alike.",
        "It is easy.",
    )
    assert {entry.exercise for entry in (wrong, right, first_survivor, second_survivor, few)} == {"03.renorm_rows"}
    assert list(sentences(path)) == [
        Sentence("03.renorm_rows", "a", "diagnosis", "One text.", 8),
        Sentence("03.renorm_rows", "a", "next_step", "Another text.", 10),
    ]


@pytest.mark.parametrize(
    ("edits", "body"),
    [
        (("dim=1 => dim=0", "w + w => 2 * w"), "    y = 2 * w\n    return y.norm(dim=0)\n"),
        (("dim=1 =>",), "    y = w + w\n    return y.norm()\n"),
        (("-    y = w + w", "-    return y.norm(dim=1)", "+    return w"), "    return w\n"),
        ((" def renorm_rows(w):", "+    w = w.clone()"), "    w = w.clone()\n    y = w + w\n    return y.norm(dim=1)\n"),
        (("-    y = w + w", "+    y = w", "-    return y.norm(dim=1)", "+", "+    return y"), "    y = w\n\n    return y\n"),
    ],
)
def test_an_edit_is_as_if_the_answer_were_written_out(edits: tuple[str, ...], body: str, tmp_path: Path) -> None:
    lines = "".join(f"#   {line}\n" for line in edits)
    (entry,) = read_entries(written(tmp_path, f"{HEAD}{PLAIN}# mistake a (values), from plain\n{SENTENCES}{lines}"))
    assert isinstance(entry, Mistake)
    assert entry.source == f"import torch\n\n\ndef renorm_rows(w):\n{body}"
    assert entry.base in PLAIN and entry.diagnosis == "One text."


def test_a_passage_is_whole_words(tmp_path: Path) -> None:
    entries = f"{PLAIN}# right form b, from plain\n#   y => z\n"
    with pytest.raises(CannotRead, match="`y` occurs 2 times"):
        read_entries(written(tmp_path, HEAD + entries))
    (entry,) = read_entries(written(tmp_path, HEAD + entries.replace("y =>", "norm =>").replace("renorm", "norms")))
    assert isinstance(entry, RightForm) and "y.z(dim=1)" in entry.source


EDITED = f"{PLAIN}# mistake a (values), from plain\n{SENTENCES}"
DEFINITION = "def renorm_rows(w):\n    return w\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"# mistake a (values), from plain\n{SENTENCES}#   w => v\n", "a edits `plain`, and no answer that is written out"),
        (f"{EDITED}#   w => v\n", "`w` occurs 3 times in the answer that is edited, not once"),
        (f"{EDITED}#   mean => sum\n", "`mean` occurs 0 times"),
        (f"{EDITED}#   w + w => w +\n", "the edited answer is not Python"),
        (f"{EDITED}#   w + w => w\n#   y = w + w => y = 1\n", "two edits overlap"),
        (f"{EDITED}#   w + w\n", r"`w \+ w` is no edit: write `old => new`, or a diff"),
        (f"{EDITED}#   w + w => w\n# And a sentence.\n", "`# And a sentence.` is no edit"),
        (EDITED, "a needs either a function or class, or `, from BASE` and edits"),
        (f"{EDITED}#   w + w => w\n{DEFINITION}", "a needs either a function or class"),
        (f"# mistake a (values)\n# One text.\n{DEFINITION}", "a needs a diagnosis .* begins with `# Next: `"),
        (f"# mistake a (late)\n{SENTENCES}{DEFINITION}", "a names the stage `late`; the stages are .*, values"),
        (f"# mistake a\n{SENTENCES}{DEFINITION}", r"`# mistake a` is not of the form `# mistake NAME \(STAGE\)`"),
        (f"# right form a b\n{DEFINITION}", "is not of the form `# right form NAME`"),
        (f"# rightform a\n{DEFINITION}", "`# rightform a` is not the first line of an entry"),
        (f"# right form a\n{DEFINITION}print('made')\n", "a is one function or class without a decorator, and nothing else"),
        (f"# right form a\n@torch.no_grad()\n{DEFINITION}", "a is one function or class without a decorator"),
        ("# right form a\ndef renorm_rows(w:\n", "the code below this comment is not Python"),
        ("# exercise 03.norm_trace\n", "a file begins with one comment `# exercise NN.name`, and has no other"),
    ],
)
def test_what_cannot_be_read_is_said_with_file_and_line(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match=rf"renorm_rows\.py, line \d+: .*{why}") as caught:
        read_entries(written(tmp_path, f"{HEAD}{text}"))
    assert int(re.findall(r"line (\d+)", str(caught.value))[0]) >= HEAD.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"import torch\n\n\n# right form a\n{DEFINITION}", "a file begins with `# exercise`"),
        (f"# right form a\n{DEFINITION}", "a file begins with one comment `# exercise NN.name`"),
        ("# exercise 03.renorm_rows\nLIMIT = 3\n", "stand a docstring and imports, and nothing else"),
    ],
)
def test_a_file_begins_with_its_exercise(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match=rf"renorm_rows\.py, line 1: .*{why}"):
        read_entries(written(tmp_path, text))
