"""The small machines behind notebook 01's demonstrations."""

from collections.abc import Callable
from pathlib import Path

import pytest

from embedding_course.data.files import data_file
from embedding_course.data.published import BertModel, StaticTable
from embedding_course.experiments.onehot_vs_lookup import published_tokenizers
from embedding_course.experiments.onehot_vs_lookup.character_ngrams import ngrams, overlap
from embedding_course.experiments.onehot_vs_lookup.lookup_cost import by_rows, by_vocabulary, by_width, fastest
from embedding_course.experiments.onehot_vs_lookup.word_pairs import letter_pairs
from embedding_course.plot import bpe

_WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def test_the_first_pair_is_a_tie_with_and_without_weights():
    for weighted, best, first in (
        (False, 2, {"lo", "ow", "we", "es", "st", "t</w>"}),
        (True, 9, {"es", "st", "t</w>"}),
    ):
        counts = letter_pairs(_WORDS, weighted)
        assert max(counts.values()) == best
        assert {pair for pair, count in counts.items() if count == best} == first


def test_costs_come_with_their_sizes():
    assert fastest(lambda _: None, [1, 2]) >= 0
    matmul, lookup = by_vocabulary((10, 20), width=3, batch=2)
    assert [cost.size for cost in matmul] == [cost.size for cost in lookup] == [10, 20]
    assert [cost.size for cost in by_rows((10, 20), width=3, batch=4)] == [10, 20]
    assert all(cost.seconds > 0 for cost in by_width((4, 8), rows=5, batch=3))


def test_runs_of_letters_are_those_of_fasttext():
    assert ngrams("cat", 3, 3) == {"<ca", "cat", "at>"} and ngrams("I") == {"<I>"}
    assert overlap(ngrams("read"), ngrams("read")) == 1 and overlap(ngrams("sky"), ngrams("dog")) == 0
    assert overlap(ngrams("reading"), ngrams("read")) > overlap(ngrams("reading"), ngrams("ready")) > 0
    assert overlap(frozenset(), frozenset()) == 0


@pytest.fixture
def recorded_cutters(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[str], list[str]]]:
    """What `cutters` returns on a machine without the tokenizers."""
    monkeypatch.setattr(published_tokenizers, "published_or_none", lambda name: None)
    return published_tokenizers.cutters()


def test_without_the_tokenizers_recorded_pieces_are_shown(
    recorded_cutters: dict[str, Callable[[str], list[str]]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert [len(texts) for texts in published_tokenizers.TEXTS.values()] == [10, 10, 10, 10]
    counts = {name: published_tokenizers.count(cut) for name, cut in recorded_cutters.items()}
    llama, minilm = counts["Llama 2"], counts["MiniLM"]
    assert 1.4 < llama["Chinese"].tokens / llama["English"].tokens < 1.6
    assert not any(count.unknown for count in llama.values())
    assert minilm["Chinese"].tokens < llama["Chinese"].tokens and minilm["Chinese"].unknown > 0.5
    bpe.token_dots(counts)
    assert "Llama 2: English 12.5, Chinese 18.6" in capsys.readouterr().out


def test_recorded_pieces_are_those_of_the_tokenizers(bert: BertModel, token_table: StaticTable, tmp_path: Path) -> None:
    published_tokenizers.record(tmp_path / "pieces.json")
    assert (tmp_path / "pieces.json").read_bytes() == data_file(published_tokenizers.RECORD).read_bytes()
