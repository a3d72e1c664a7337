"""The command that looks for right answers that fail: it counts truly, it can find one, and it rewrites its section only."""

from pathlib import Path

import pytest

from benchmarks import steadiness as steady
from benchmarks.benchmarks_page import with_section
from embedding_course.checking.judge import stopped
from embedding_course.exercises import known
from grader.engine.fork_server import Learners


def test_every_right_form_meets_every_seed(learners: Learners) -> None:
    (report,) = steady.steadiness(["01.one_hot"], [1, 2, 3], shared=learners)
    assert report.checks == report.forms * 3 > 0
    assert report.failed == []


def test_a_failing_check_is_told_and_the_threads_take_turns(monkeypatch: pytest.MonkeyPatch, learners: Learners) -> None:
    exercise = known()["01.one_hot"]
    monkeypatch.setattr(steady, "check", lambda *_: stopped(exercise, "wrong", "values", "no"))
    monkeypatch.setattr(steady, "_IN_ONE_PROCESS", 1)
    (report,) = steady.steadiness(["01.one_hot"], [7, 8, 9], shared=learners)
    assert len(report.failed) == report.checks > 0
    messages = [sentence.split(", ", 1)[1] for sentence in report.failed[:3]]
    assert messages == ["seed 7, 1 threads: no", "seed 9, 1 threads: no", "seed 8, 2 threads: no"]


def test_what_was_counted_is_kept_by_exercise(tmp_path: Path) -> None:
    file = tmp_path / "steadiness.json"
    steady.kept(file, [steady.Steadiness("01.one_hot", 2, 400, ["x"]), steady.Steadiness("01.gone", 1, 1, [])], 100)
    stands = steady.kept(file, [steady.Steadiness("01.one_hot", 2, 40, [])], 10)
    assert stands == {"01.one_hot": steady.Counts(2, 10, 40, 0)}
    assert steady.kept(file, [], 1) == stands, "what stands there is read again"
    text = steady.section(stands)
    assert "**0 of 40 checks failed.**" in text and "met 10 sets" in text and "Not run yet: 01.build_vocab" in text


def test_the_section_is_replaced_and_nothing_else() -> None:
    made = {"01.one_hot": steady.Counts(2, 100, 400, 0), "01.embed_by_lookup": steady.Counts(3, 50, 600, 1)}
    text = steady.section(made)
    assert "**1 of 1,000 checks failed.**" in text and "met 50 to 100 sets" in text
    page = with_section("# Page\n\nhead\n\n## Other\n\nbody\n", text)
    assert page.startswith("# Page\n\nhead\n\n## Other\n\nbody\n\n## Steadiness")
    other = with_section(page + "\n## Last\n\nend\n", steady.section({"01.one_hot": made["01.one_hot"]}))
    assert other.count("## Steadiness") == 1 and "**0 of 400 checks failed.**" in other and other.endswith("## Last\n\nend\n")
    assert steady.carried_over(page, "# New\n").startswith("# New\n\n## Steadiness")
    assert steady.carried_over("# Old\n", "# New\n") == "# New\n"
