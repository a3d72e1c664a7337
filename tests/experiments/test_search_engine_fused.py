"""A fused search lists hits with their ranks; whatever is asked, it answers."""

import pytest

from embedding_course.data.project_search import Collection
from embedding_course.experiments.search_engine import fused_search
from embedding_course.experiments.search_engine.fused_search import FusedSearch, bm25_ranking
from tests.support.right_answers import right_answer

NAMES = ["sort", "open", "close", "sum"]
TEXTS = ["sort\nOrder a list.\nDetails.", "open\nOpen a file & read.\n", "close\nClose a file.\n", "sum\nAdd numbers.\n"]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FusedSearch:
    monkeypatch.setattr(fused_search, "collection", lambda: Collection(NAMES, TEXTS, []))
    rankings = {"by words": lambda text: [1, 2], "by vectors": lambda text: [2, 0, 1]}
    return FusedSearch(rankings, right_answer("11.reciprocal_rank_fusion"))


def test_hits_are_fused_and_show_both_ranks(engine: FusedSearch) -> None:
    hits = engine.search("a file", 2)
    assert [(hit.name, hit.ranks) for hit in hits] == [("close", (2, 1)), ("open", (1, 3))]
    assert engine.search("a file", 9)[-1].ranks == (None, 2)
    assert "by words by vectors" in repr(hits) and "Close a file." in repr(hits)
    assert "<th>by words</th>" in hits._repr_html_() and "file &amp; read" in hits._repr_html_()


def test_odd_questions(engine: FusedSearch) -> None:
    for text in ("", " ?! "):
        assert engine.search(text) == [] and "no words" in engine.search(text)._repr_html_()
    with pytest.raises(ValueError, match="k = 0"):
        engine.search("sort", 0)


def test_bm25_leaves_out_texts_without_a_common_word() -> None:
    ranking = bm25_ranking(TEXTS)
    assert set(ranking("close that file")) == {1, 2} and ranking("close that file")[0] == 2
    assert list(ranking("the")) == [] and list(ranking("排序")) == [] and list(ranking("zzz")) == []
