"""`python -m embedding_course.search`: a question in a terminal, answered by the engine that notebook 09 saved."""

import io
import sys
from pathlib import Path

import pytest

from embedding_course import search
from embedding_course.exercises import find_exercise
from embedding_course.experiments.contrastive_training.search_engine import SearchEngine
from embedding_course.experiments.contrastive_training.search_stages import Stages
from embedding_course.experiments.contrastive_training.search_training import train
from grader.course_source.catalogue import reference
from tests.experiments.test_search_engine import TINY, entries
from tests.support.right_answers import right_answer

info_nce, warmup_cosine = (right_answer(f"09.{name}") for name in ("info_nce", "warmup_cosine"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    trained = train(info_nce, warmup_cosine, entries(range(28)), TINY)
    return SearchEngine(trained.encoder, entries(range(36))).save(tmp_path_factory.mktemp("engine"))


def test_a_question_is_answered_with_what_each_stage_thought(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert search.main(["sort", "a", "list", "frobnicate", "--engine", str(saved), "-k", "2"]) == 0
    output = capsys.readouterr().out
    assert "36 functions" in output and "sort a list frobnicate" in output and "never read: frobnicate" in output
    hits = [line for line in output.splitlines() if "lib." in line]
    assert len(hits) == 2 and "lib.sort_list: To sort a list" in hits[0] and hits[0].split()[:2] == ["#1", "#1"]


def test_without_a_question_each_line_is_one(saved: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("copy a file\n?!\n\nnever asked\n"))
    assert search.main(["--engine", str(saved)]) == 0
    output = capsys.readouterr().out
    assert output.count("cosine\n") == 1, "no heading over nothing"
    assert "lib.copy_file" in output and "nothing found: the question has no words" in output and "never asked" not in output


def test_of_words_never_read_it_says_that_the_hits_are_hardly_answers(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doubt = "no word of the question was ever read"
    for question, doubted in (("排序", True), ("frobnicate zorg zorg", True), ("sort zorg", False), ("?!", False)):
        assert search.main([question, "--engine", str(saved)]) == 0
        assert (doubt in capsys.readouterr().out) == doubted, question


@pytest.mark.parametrize("number", ["0", "101", "-1", "two"])
def test_a_number_of_hits_that_cannot_be_is_refused_in_a_line(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        search.main(["sort", f"-k={number}"])
    assert f"{number} is no number from 1 to 100" in capsys.readouterr().err


def test_without_an_engine_it_says_where_one_comes_from(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert search.main(["sort"]) == 2
    assert "Notebook 09 trains one" in capsys.readouterr().err


def test_ranks_are_merged_by_the_learners_own_function(saved: Path) -> None:
    engine = SearchEngine.load(saved)
    alone, merged = Stages(engine), Stages(engine, reference(find_exercise("11.reciprocal_rank_fusion")))
    question = "find a picture"
    assert [hit.by_vectors for hit in alone.search(question, 3)] == [1, 2, 3]
    hits = merged.search(question, 36)
    votes = [sum(1 / (60 + rank) for rank in (hit.by_words, hit.by_vectors) if rank) for hit in hits]
    assert votes == sorted(votes, reverse=True) and len(hits) == 36
    with pytest.raises(ValueError, match="at least one"):
        alone.search(question, 0)
