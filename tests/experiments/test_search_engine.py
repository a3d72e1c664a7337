"""The search engine: what it reads, that it learns what TF-IDF cannot know, that it answers whatever is asked."""

import builtins
import doctest
from pathlib import Path

import pytest
import torch

from embedding_course.data.api_search import Entry
from embedding_course.experiments.contrastive_training import search_baselines, search_text
from embedding_course.experiments.contrastive_training.search_box import search_box
from embedding_course.experiments.contrastive_training.search_engine import SearchEngine
from embedding_course.experiments.contrastive_training.search_model import DenseGradients, Encoder
from embedding_course.experiments.contrastive_training.search_text import Texts, Words, pieces
from embedding_course.experiments.contrastive_training.search_training import Setting, similarities, train
from tests.support.right_answers import right_answer

LogitScale, info_nce, recall_at_k, warmup_cosine = (
    right_answer(f"09.{name}") for name in ("LogitScale", "info_nce", "recall_at_k", "warmup_cosine")
)

VERBS = {"sort": "order", "join": "union", "find": "lookup", "drop": "removal", "copy": "duplicate", "split": "partition"}
NOUNS = {"list": "sequence", "file": "document", "word": "token", "number": "numeral", "picture": "image", "user": "person"}
TINY = Setting(width=64, batch=16, steps=60, peak=0.02, sentences=0, drop_answer=(0.0, 0.2))


def entries(where: range) -> list[Entry]:
    """What a summary calls sort a list, its body calls the order of a sequence: no content word in common."""
    pairs = [(verb, noun) for verb in VERBS for noun in NOUNS]
    return [
        Entry(
            f"lib.{verb}_{noun}",
            "lib",
            "function",
            f"To {verb} a {noun}",
            f"The {VERBS[verb]} of one {NOUNS[noun]} is made anew and given back, as ever.",
            str(at),
        )
        for at, (verb, noun) in enumerate(pairs)
        if (at * 5 % 36) in where
    ]


@pytest.fixture(scope="module")
def engine() -> SearchEngine:
    trained = train(info_nce, warmup_cosine, entries(range(28)), TINY)
    return SearchEngine(trained.encoder, entries(range(36)))


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(search_text).failed == 0


def test_flat_texts_are_the_texts() -> None:
    vocabulary = Words.of(["a b a", "", "c"])
    texts = Texts.of(["a b a", "", "c zzz"], vocabulary)
    assert texts.lengths.tolist() == [2, 0, 2]
    assert vocabulary.known == ["a", "b", "c"] and vocabulary.met == ["a", "b", "c", "zzz"]
    ids, counts, owner, number = texts.chosen(torch.tensor([2, 1, 0, 2]))
    assert [vocabulary.met[at] for at in ids] == ["c", "zzz", "a", "b", "c", "zzz"] and owner.tolist() == [0, 0, 2, 2, 3, 3]
    assert counts[2] > 1 and counts[3] == 1 and number == 4
    assert len(texts.chosen(torch.tensor([0]), drop=1.0)[0]) == 0


def test_a_vector_is_that_of_its_words_whatever_stands_beside_it() -> None:
    torch.manual_seed(0)
    encoder = Encoder(Words.of(["sort a list", "join lists"]), width=16)
    asked = ["sort a list", "", "unseen words", "list sort a"]
    together = encoder(Texts.of(asked, encoder.words), "question")
    alone = torch.cat([encoder(Texts.of([text], encoder.words), "question") for text in asked])
    torch.testing.assert_close(together, alone)
    assert together.norm(dim=1).tolist() == pytest.approx([1, 0, 1, 1])
    torch.testing.assert_close(together[0], together[3])


def test_both_sides_at_once_are_each_side_alone() -> None:
    torch.manual_seed(0)
    encoder = Encoder(Words.of(["sort a list", "join lists"]), width=16)
    asked, answered = (Texts.of(some, encoder.words) for some in (["sort", "", "unseen"], ["a list of lists", "join"]))
    q, a = encoder.together(("question", asked.chosen()), ("answer", answered.chosen()))
    torch.testing.assert_close(q, encoder(asked, "question"))
    torch.testing.assert_close(a, encoder(answered, "answer"))


def test_gradients_of_rows_in_use_are_those_of_the_whole_tables() -> None:
    torch.manual_seed(0)
    encoder = Encoder(Words.of(["sort a list", "join lists"]), width=16)
    sentences = ["sort a list", "join sorted joins"]
    texts = Texts.of(sentences, encoder.words)
    dense = DenseGradients(encoder)
    weighted = torch.randn(2, 16)
    for _ in range(2):  # what the first step left must not be in the second
        encoder.zero_grad()
        (encoder(texts, "answer") * weighted).sum().backward()
        dense.fill()
    moved, step = encoder.pieces.weight.grad, 1e-2
    assert moved is not None and not moved.is_sparse
    index = divmod(int(moved.abs().argmax()), 16)
    with torch.no_grad():
        ends = []
        for change in (step, -2 * step):
            encoder.pieces.weight[index] += change
            ends.append((encoder(texts, "answer") * weighted).sum().item())
    assert moved[index].item() == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-2)
    assert (moved.abs().sum(dim=1) > 0).sum() == len(
        {number for word in " ".join(sentences).split() for number in pieces(word)}
    )


def test_untrained_it_is_a_blurred_tf_idf() -> None:
    torch.manual_seed(0)
    some = entries(range(36))
    encoder = Encoder(Words.of(entry.body for entry in some), width=256)
    texts = Texts.of(["the order of one sequence", "the order of one token", "parrots"], encoder.words)
    both = encoder(texts, "answer") @ encoder(texts, "answer").T
    assert both[0, 1] > 0.5 > both[0, 2].abs() + 0.2


def test_it_learns_which_words_mean_the_same() -> None:
    held_out = entries(range(28, 36))
    right = torch.arange(len(held_out))
    scale = LogitScale()
    trained = train(info_nce, warmup_cosine, entries(range(28)), TINY, scale, measure=lambda encoder: 0.0)
    assert recall_at_k(search_baselines.tf_idf(held_out), right, 1) < 0.5
    assert recall_at_k(similarities(trained.encoder, held_out), right, 1) > 0.8
    assert trained.losses[-1] < trained.losses[0] and trained.measured[-1] == (60, 0.0)
    assert scale().item() != LogitScale()().item()


def test_sentences_of_a_body_are_questions_too() -> None:
    body = "One sentence has many words in it. Another sentence has some more words. A third one makes the body long enough."
    some = [Entry("f", "lib", "function", "Do this thing", body, "0"), *entries(range(36))]
    short = Setting(width=8, batch=8, steps=11, sentences=2)
    trained = train(info_nce, warmup_cosine, some, short)
    assert {"another", "third", "do"} & set(trained.encoder.words.known) and len(trained.losses) == 11


def test_search_finds_and_says_what_it_does_not_know(engine: SearchEngine) -> None:
    assert len(engine) == 36
    hits = engine.search("partition of a token", k=3)
    assert hits[0].name == "lib.split_word" and hits.unknown == []
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert engine.search("splitting words")[0].name == "lib.split_word"  # by pieces
    assert engine.search("splitting words").unknown == ["splitting", "words"]
    assert "Never read before: 排序" in repr(engine.search("排序"))
    assert "lib.split_word" in repr(hits) and "<code>lib.split_word</code>" in hits._repr_html_()


def test_search_has_an_answer_to_odd_questions(engine: SearchEngine) -> None:
    for nothing in ("", "   ", "?!"):
        assert engine.search(nothing) == [] and "no words" in repr(engine.search(nothing))
    assert len(engine.search("list", k=1000)) == 36
    assert len(engine.search("word " * 10_000)) == 5
    with pytest.raises(ValueError, match="at least one result"):
        engine.search("list", k=0)
    assert "<script>" not in engine.search("<script>")._repr_html_()


def test_saved_and_loaded_it_says_the_same(engine: SearchEngine, tmp_path: Path) -> None:
    folder = engine.save(tmp_path / "new" / "engine")
    assert sorted(path.name for path in folder.iterdir()) == ["engine.json", "engine.safetensors"]
    again = SearchEngine.load(folder)
    for question in ("sort a list", "splitting words", ""):
        first, second = engine.search(question), again.search(question)
        assert [hit.name for hit in first] == [hit.name for hit in second] and first.unknown == second.unknown
        assert [hit.score for hit in first] == pytest.approx([hit.score for hit in second], abs=1e-5)
    with pytest.raises(FileNotFoundError):
        SearchEngine.load(tmp_path / "nowhere")


def test_without_widgets_there_is_a_line(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    search_box(engine, "sort a list", k=2)
    assert "lib.sort_list" in capsys.readouterr().out
    real = builtins.__import__

    def without(name: str, *rest, **named):
        if name == "ipywidgets":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    search_box(engine)
    assert "engine.search" in capsys.readouterr().out


def test_baselines_compare_every_summary_with_every_body() -> None:
    some = entries(range(12))
    assert search_baselines.tf_idf(some).shape == search_baselines.tf_idf(some, best=True).shape == (12, 12)
    if search_baselines.has_bm25():
        assert search_baselines.bm25(some).shape == (12, 12)
