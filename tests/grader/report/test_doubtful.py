"""Wrong answers that no known mistake explains: gathered by what they compute, shown with code, and named by one command."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
import torch

from embedding_course.checking.codec import encode_observation
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.observe import observe
from embedding_course.exercises import find_exercise
from grader.classroom.class_folder import Classroom
from grader.course_source.catalogue import callable_of, reference_source
from grader.course_source.prepared import Prepared, prepared
from grader.engine import wire
from grader.engine.time_budget import OutOfTime
from grader.marking.computed_key import computed_key, unexplained
from grader.marking.hidden_check import PublicTrial, check
from grader.report.answers import Answers
from grader.report.class_page import render
from grader.report.doubtful import clusters_of, with_code
from grader.report.summary import summarise
from grader.submission.own_definition import shape_of, without_comments
from tests.support.report_records import autograded, record, result

EXERCISE = "03.renorm_rows"

SHORT = "def renorm_rows(weight, max_norm, norm_type=2.0):\n    return weight * {}\n"
LONGER = """\
def renorm_rows(weight, max_norm, norm_type=2.0):
    '''Shorten the rows.'''
    # my name is {name}

    {name} = 0.5
    text = '''
# no comment
'''
    return weight * {name}
"""


def observed(source: str) -> list[Observation]:
    ready = prepared(EXERCISE, PUBLIC_SEED)
    answer = callable_of(f"import torch\n\n\n{source}", ready.exercise)
    return [observe(ready.exercise, answer, case) for case in ready.cases]


def key(seen: Sequence[Observation]) -> str:
    return computed_key(find_exercise(EXERCISE), prepared(EXERCISE, PUBLIC_SEED).cases, seen)


def test_answers_that_return_the_same_have_one_key() -> None:
    half = key(observed(SHORT.format("0.5")))
    assert half == key(observed(LONGER.format(name="factor")))
    assert half == key(observed(SHORT.format("(1 / 3) * 3 * 0.5 * (1 + 1e-7)")))
    assert len({half, key(observed(SHORT.format("0.51"))), key(observed(SHORT.format("torch.nan")))}) == 3
    assert len(half) == 12 and int(half, 16) >= 0


def test_a_key_can_be_made_of_whatever_comes_back() -> None:
    count = len(prepared(EXERCISE, PUBLIC_SEED).cases)
    for odd in (None, "text", {"a": [1.5, float("inf")]}, torch.zeros(0), torch.full((40,), torch.nan), [[[]]], 2**70):
        assert key([Observation(odd)] * count)
    assert key([Observation(raised=Raised(("ValueError",), "one"))] * count) == key(
        [Observation(raised=Raised(("ValueError",), "another"))] * count
    )


def answering(source: str, asked: list[int]) -> SimpleNamespace:
    """A learner whose answer has this text; it notes how many cases each question held."""

    def observe_packed(question: bytes, count: int) -> Iterator[wire.Content]:
        asked.append(count)
        ready, cases = next(
            (candidate, candidate.cases if index is None else [candidate.cases[index]])
            for candidate in READY
            for index in (None, *range(len(candidate.cases)))
            if question == (candidate.question if index is None else candidate.question_of(index))
        )
        for case in cases:
            tensors: list[torch.Tensor] = []
            tree = encode_observation(observe(ready.exercise, callable_of(source, ready.exercise), case, own=True), tensors)
            yield wire.read_content(wire.pack(tree, tensors))

    return SimpleNamespace(observe_packed=observe_packed, cells=[source], ended=False)


READY = [prepared(EXERCISE, PUBLIC_SEED), Prepared(find_exercise(EXERCISE), 7)]


def test_a_key_is_made_of_unexplained_answers_alone() -> None:
    results = [result(EXERCISE, 0.0), result(EXERCISE, 0.0, "columns"), result(EXERCISE, 1.0)]
    assert [unexplained(graded_result) for graded_result in results] == [True, False, False]


def test_a_wrong_answer_is_tried_in_the_public_cases_and_keyed_by_what_it_returns_there() -> None:
    asked: list[int] = []
    wrong = check(answering(SHORT.format("0.5"), asked), READY[1].exercise, 7, READY[1])  # type: ignore[arg-type]
    assert not wrong.passed and asked[0] == len(READY[1].cases)
    assert wrong.computed == (key(observed(SHORT.format("0.5"))) if unexplained(wrong) else "")
    assert "The public case of that name fails too." in wrong.message
    asked.clear()
    right = reference_source(READY[1].exercise)
    assert check(answering(right, asked), READY[1].exercise, 7, READY[1]).passed and len(asked) == 1  # type: ignore[arg-type]


def test_a_process_that_ends_in_a_public_case_costs_no_mark_and_gets_no_key() -> None:
    ended = []

    def out_of_time(*_: object) -> None:
        raise OutOfTime

    trial = PublicTrial(SimpleNamespace(observe_packed=out_of_time, end=lambda: ended.append(1)), READY[1].exercise)  # type: ignore[arg-type]
    assert trial.key() == "" and trial.beside("no such case") is None and ended == [1]


def pairs(*computed: str, failed: Sequence[str] = ("a row",)) -> list[tuple[str, object]]:
    return [
        (f"s{number}", result(EXERCISE, 0.0, computed=answer_key, failed=failed)) for number, answer_key in enumerate(computed)
    ]


def test_clusters_are_what_returns_the_same_and_fails_in_the_same_cases() -> None:
    clusters = clusters_of(pairs("aa", "bb", "aa", "aa"))  # type: ignore[arg-type]
    assert [(cluster.students, cluster.known) for cluster in clusters] == [(("s0", "s2", "s3"), True), (("s1",), True)]
    apart = [("x", result(EXERCISE, 0.0, computed="aa")), ("y", result(EXERCISE, 0.0, computed="aa", failed=("a table",)))]
    assert len(clusters_of(apart)) == 2
    assert clusters_of([("x", result(EXERCISE, 0.0, "columns")), ("y", result(EXERCISE, 1.0))]) == []
    (older,) = clusters_of(pairs("", ""))  # type: ignore[arg-type]
    assert not older.known and older.count == 2


def test_code_is_shown_without_docstring_and_comments() -> None:
    stripped_code = without_comments(LONGER.format(name="half").rstrip())
    assert "Shorten" not in stripped_code and "my name" not in stripped_code and "# no comment" in stripped_code
    assert shape_of(LONGER.format(name="half")) == shape_of(LONGER.format(name="other"))
    assert shape_of(SHORT.format("0.5")) != shape_of(SHORT.format("0.6"))


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    for student, name in (("ada", "factor"), ("bo", "scale"), ("小明", "x")):
        autograded(tmp_path, student, {EXERCISE: LONGER.format(name=name)})
    autograded(tmp_path, "eve", {EXERCISE: SHORT.format("0.5")})
    autograded(tmp_path, "odd", {EXERCISE: "def renorm_rows(:"})
    return Classroom(tmp_path)


def test_the_most_typical_answer_is_the_form_that_most_gave(classroom: Classroom) -> None:
    answers = Answers(classroom)
    typical = answers.typical(["eve", "小明", "bo", "ada", "odd", "nobody"], EXERCISE)
    assert typical is not None and (typical.student, typical.alike) == ("小明", 3)
    assert typical.code.startswith("def renorm_rows(") and "my name" not in typical.code
    shortest = answers.typical(["ada", "eve"], EXERCISE)
    assert shortest is not None and (shortest.student, shortest.alike) == ("eve", 1)
    assert answers.typical(["odd", "nobody"], EXERCISE) is None


def test_the_page_shows_a_cluster_with_its_code_and_the_command(classroom: Classroom) -> None:
    wrong = msgspec.structs.replace(result(EXERCISE, 0.0, computed="aa"), diagnosis="It is half of the `right` one.")
    records = [record(name, [wrong]) for name in ("ada", "bo", "小明")]
    summary = summarise([*records, record("eve", [result(EXERCISE, 0.0, computed="bb")])])
    summary.clusters = with_code(summary.clusters, Answers(classroom))
    page = render(summary, "today")
    assert "4 answers are wrong and no known mistake explains why" in page
    assert '3 of them wrote this, but for names and layout. From <span class="name">小明</span>.' in page
    assert "grader mistake add 03.renorm_rows --from 小明 --name" in page
    assert "It is half of the <code>right</code> one." in page
    assert "1 answer that nobody else gave" in page and "grader mistake add 03.renorm_rows --from eve" in page
    hidden = render(summarise(records), "", anonymous=True)
    assert (
        "grader mistake" not in hidden
        and "It is half" not in hidden
        and "def renorm_rows" not in hidden
        and "3 answers, 0 of 6 points." in hidden
    )


def test_long_code_is_folded_and_escaped() -> None:
    body = "".join(f"    a{number} = '<b>'\n" for number in range(30))
    records = [record(name, [result(EXERCISE, 0.0, computed="aa")]) for name in ("ada", "bo")]
    summary = summarise(records)
    answers = SimpleNamespace(
        typical=lambda students, exercise: SimpleNamespace(student="ada", alike=2, code=f"def f():\n{body}")
    )
    summary.clusters = with_code(summary.clusters, answers)  # type: ignore[arg-type]
    page = render(summary, "today")
    assert "&lt;b&gt;" in page and "<b>" not in page
    shown = page.partition("<pre>")[2].partition("</pre>")[0]
    assert shown.count("\n") == 13 and "more lines</summary>" in page
