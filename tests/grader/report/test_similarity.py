"""Answers more alike than usual are found whatever they are called; common and short ones are left alone."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.exercises import find_exercise
from grader.cli import app
from grader.report.similarity.forms import MAX_TOKENS, Answer, answers_of, form, own_lines
from grader.report.similarity.likeness import groups, likenesses, pairs
from grader.report.similarity.similar_page import Similar, render_similar
from tests.support.classes import hand_in, perfect

STUB = '''def f(values, size):
    """Do it.

    >>> f([], 1)
    """
    # YOUR CODE HERE
    raise NotImplementedError()'''
CLASS_STUB = '''class M(nn.Module):
    def __init__(self, size):
        """Make."""
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()'''

BODY = """
    total = {}
    for place, value in enumerate(values):
        total.setdefault(value % size, []).append(place)
    return sorted(total.items(), key=lambda entry: (-len(entry[1]), entry[0]))[:size]"""


def answer(body: str) -> str:
    return STUB.split("    # YOUR")[0] + body.lstrip("\n")


def test_names_comments_and_layout_make_no_difference() -> None:
    renamed = BODY.replace("total", "groups").replace("place", "i").replace("value %", "v %").replace(", value in", ", v in")
    renamed = renamed.replace("entry", "pair").replace("    for", "    # now the loop\n\n    for")
    assert "groups" in renamed and form(answer(renamed), STUB) == form(answer(BODY), STUB)
    assert form(answer(BODY.replace("-len", "len")), STUB) != form(answer(BODY), STUB)


def test_the_stub_is_no_answer() -> None:
    assert form(STUB, STUB) == ()
    assert form(CLASS_STUB, CLASS_STUB) == ()
    filled = CLASS_STUB.replace("# YOUR CODE HERE\n        raise NotImplementedError()", "self.size = size")
    assert form(filled, CLASS_STUB) == ("self", ".", "size", "=", "v0")
    assert own_lines(answer(BODY), STUB)[0].startswith("def f") and "Do it" not in "".join(own_lines(answer(BODY), STUB))


def test_code_that_is_no_python_is_compared_as_words() -> None:
    assert form("def f(values, size):\n    return values[", STUB) == (
        "def",
        "f",
        "(",
        "values",
        ",",
        "size",
        ")",
        ":",
        "return",
        "values",
        "[",
    )


@pytest.mark.slow
def test_code_that_is_made_to_be_hard_comes_to_an_end() -> None:
    deep = STUB.split("    # YOUR")[0] + "    return " + "-" * 3000 + "1"
    wide = answer("\n    return " + " + ".join(["values"] * 20000))
    assert 0 < len(form(deep, STUB)) <= MAX_TOKENS and len(form(wide, STUB)) == MAX_TOKENS


VARIANTS = [
    "\n    return [value for value in values if value % size == 0 and value > size or value == 1][:size]",
    "\n    found = []\n    while values:\n        found.append(values.pop())\n    found.reverse()\n    return found[size:]",
    "\n    table = {value: values.count(value) for value in set(values)}\n    return max(table, key=table.get) * size",
    "\n    import math\n    return math.fsum(math.sqrt(abs(value)) for value in values) / math.floor(size + 0.5)",
    "\n    if not values:\n        raise ValueError('none')\n    first, *rest = values\n    return f(rest, size - 1) + [first]",
    "\n    left, right = values[: len(values) // 2], values[len(values) // 2 :]\n    return list(zip(left, right))[::size]",
]


def klass(*bodies: str) -> list[Answer]:
    return [
        Answer(f"student{number}", form(answer(body), STUB), tuple(own_lines(answer(body), STUB)))
        for number, body in enumerate(bodies)
    ]


def test_a_copy_with_other_names_stands_out() -> None:
    renamed = BODY.replace("total", "groups").replace("place", "i")
    alike_pairs = likenesses("x", klass(*VARIANTS, BODY, renamed))
    assert [(pair.left.student, pair.right.student, pair.alike) for pair in alike_pairs] == [("student6", "student7", 1.0)]
    assert alike_pairs[0].usual < 0.6 and alike_pairs[0].near == 1


def test_the_common_answer_says_nothing() -> None:
    assert likenesses("x", klass(*VARIANTS, BODY, BODY, BODY)) == []
    assert likenesses("x", klass(*[BODY] * 8)) == []
    assert likenesses("x", klass(BODY, BODY)) == []


def test_a_pair_in_a_crowd_weighs_less() -> None:
    common, odd = VARIANTS[0], VARIANTS[1]
    alone = likenesses("x", klass(*[common] * 5, *VARIANTS[2:], BODY, BODY))
    crowd = likenesses("x", klass(*[common] * 5, *VARIANTS[2:], odd, BODY, BODY, BODY, BODY))
    assert len(alone) == 1 and len(crowd) == 6
    assert all(pair.near == 3 and pair.weight < alone[0].weight / 2 for pair in crowd)


def test_pairs_add_up_over_exercises_and_groups_are_told() -> None:
    twice = {name: klass(*VARIANTS, BODY, BODY) for name in ("x", "y")}
    once = {"z": klass(*VARIANTS[1:], VARIANTS[0], VARIANTS[0])}
    top_pairs, count = pairs({**twice, **once}, most=1)
    assert count == 2 and len(top_pairs) == 1
    assert top_pairs[0].students == ("student6", "student7") and len(top_pairs[0].likenesses) == 2
    long = BODY + "\n" + BODY.replace("return", "other =")
    (group,) = groups({"x": klass(*VARIANTS, long, long, long)})
    assert group.students == ("student6", "student7", "student8") and group.answered == 9


def test_the_page_shows_both_sides_and_escapes() -> None:
    body = BODY + "\n    # </pre><script>alert(1)</script>"
    top_pairs, count = pairs({"03.renorm_rows": klass(*VARIANTS, body, body.replace("total", "groups"))}, most=5)
    text = render_similar(Similar(top_pairs, count, [], 8))
    assert "<script" not in text and "&lt;script&gt;" in text
    assert "pairs to look at, not findings" in text
    assert text.index("<strong>student6</strong>") < text.index("<strong>student7</strong>")
    assert "=         total" not in text and "=     for place, value" in text


def test_a_class_is_read_from_what_was_handed_in(tmp_path: Path) -> None:
    topic = find_exercise("03.renorm_rows").lesson.topic
    for name in ("ada", "bob"):
        hand_in(tmp_path, name, perfect(topic), topic)
    hand_in(tmp_path, "cut", b"{", topic)
    from grader.classroom.class_folder import Classroom

    answers = answers_of(Classroom(tmp_path), [topic])
    assert {student_answer.student for mine in answers.values() for student_answer in mine} == {"ada", "bob"}
    assert answers["03.renorm_rows"][0].form == answers["03.renorm_rows"][1].form
    outcome = CliRunner().invoke(app, ["similar", "03", "--class", str(tmp_path)])
    assert outcome.exit_code == 2 and "nothing to compare" in outcome.output
    hand_in(tmp_path, "eve", perfect(topic), topic)
    outcome = CliRunner().invoke(app, ["similar", "03", "--class", str(tmp_path)])
    assert outcome.exit_code == 0, outcome.output
    text = (tmp_path / "reports" / "similar.html").read_text(encoding="utf-8")
    assert "No pair stands out" in text and "3 of 3: ada, bob, eve" in text


@pytest.mark.parametrize("words", [["99"], ["03", "--class", "nowhere"]])
def test_bad_input_exits_2(tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["similar", *words]).exit_code == 2
