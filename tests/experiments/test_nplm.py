"""The small machines behind notebook 04's demonstrations."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.micro import micro_language
from embedding_course.experiments.nplm import held_out, reference_words, skip_gram, word_classes, word_ngrams
from embedding_course.experiments.nplm.count_vectors import count_vectors
from embedding_course.experiments.nplm.kneser_ney import InterpolatedTrigram
from embedding_course.experiments.training import Batches, train
from embedding_course.learner.waiting import waiting_for
from embedding_course.plot import language_models, word_map
from grader.course_source.catalogue import references


def test_the_trigram_gives_chances_that_sum_to_one():
    generator = torch.Generator().manual_seed(0)
    contexts, targets = torch.randint(7, (60, 3), generator=generator), torch.randint(6, (60,), generator=generator)
    model = InterpolatedTrigram(contexts, targets, vocab_size=7)
    for context in ([0, 1, 2], contexts[0].tolist(), [6, 6, 6], [1, 6, int(contexts[3, -1])]):
        chances = model.probabilities(torch.tensor([context] * 7), torch.arange(7))
        assert chances.sum().item() == pytest.approx(1.0, abs=1e-6)
        assert chances.min() > 0, "the word that never occurs too"


def test_the_trigram_knows_what_it_read_and_counts_kinds_for_the_rest():
    # 1 follows 0 ten times; 2 follows four different words once each
    contexts = torch.tensor([[3, 0]] * 10 + [[3, 4], [3, 5], [3, 6], [3, 7]])
    targets = torch.tensor([1] * 10 + [2] * 4)
    first, second = InterpolatedTrigram(contexts, targets, 8).probabilities(
        torch.tensor([[7, 3], [7, 3]]), torch.tensor([1, 2])
    )
    assert second > first, "elsewhere the word with more kinds of words before it is likelier"
    (known,) = InterpolatedTrigram(contexts, targets, 8).probabilities(torch.tensor([[3, 0]]), torch.tensor([1]))
    assert known > 0.9


def test_coverage_grows_thin():
    coverage = word_ngrams.coverage([[4, 5, 6], [4, 5]], [[4, 5, 4]], 10, orders=[1, 2, 3])
    assert [row.seen for row in coverage] == [3, 2, 1]
    assert [row.unseen for row in coverage] == [0.0, 0.5, 1.0]


def test_batches_of_losses_add_up_and_agree_with_the_chances():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(5, 3), nn.Flatten(), nn.Linear(6, 5))
    X, Y = torch.randint(5, (23, 2)), torch.randint(5, (23,))
    sums, counts = held_out.batch_losses(model, X, Y, size=10)
    assert counts == [10, 10, 3]
    assert sum(sums) == pytest.approx(-held_out.probabilities(model, X, Y).log().sum().item(), rel=1e-5)
    assert held_out.mean_loss(model, X, Y) == pytest.approx(sum(sums) / 23, rel=1e-5)


def test_neighbour_accuracy_is_one_for_the_truth_and_small_for_noise():
    classes = word_classes.class_of()
    size = len(micro_language().vocabulary["english"])
    assert set(classes.values()) == set(word_classes.SHOWN)
    bat = micro_language().vocabulary["english"].ids["bat"]
    assert bat not in classes, "an animal and a thing"

    def nearest(table: torch.Tensor, index: int, k: int) -> list[int]:
        return [row for row in (table @ table[index]).argsort(descending=True).tolist() if row != index][:k]

    kinds = list(word_classes.SHOWN)
    truth = torch.zeros(size, len(kinds))
    for row, kind in classes.items():
        truth[row, kinds.index(kind)] = 1
    assert word_classes.neighbour_accuracy(truth, classes, nearest) == 1.0
    noise = nn.functional.normalize(torch.randn(size, 16, generator=torch.Generator().manual_seed(0)), dim=1)
    assert word_classes.neighbour_accuracy(noise, classes, nearest) < 0.35
    word_map.word_map({"truth": truth, "noise": noise}, classes)


def test_skip_gram_looks_up_what_it_says_and_draws_by_the_noise():
    noise = torch.tensor([0.0, 0.5, 0.5, 0.0])
    model = skip_gram.SkipGram(noise, width=3, negatives=4)
    with torch.no_grad():
        model.context.weight.copy_(torch.arange(4.0)[:, None].expand(4, 3))
    center, context, negatives = model(torch.tensor([[0, 3], [2, 1]]))
    assert center.shape == context.shape == (2, 3)
    assert negatives.shape == (2, 4, 3)
    assert context[:, 0].tolist() == [3.0, 1.0]
    assert set(negatives.flatten().tolist()) <= {1.0, 2.0}


def test_figures_say_their_numbers(capsys):
    language_models.mixture([0.0, 0.5, 1.0], [70.0, 54.0, 67.0], 0.5, ("trigram", "NPLM"))
    assert "54.0 at 0.5" in capsys.readouterr().out
    language_models.learning([(0, 5.0), (10, 1.5)], {"uniform": 5.4, "floor": 1.3}, "How low?")
    assert "from 5.00 to 1.50" in capsys.readouterr().out
    two = {"a": [[0, 5], [10, 2], [20, 1]], "b": [[0, 5], [10, 3], [20, 1.02]]}
    language_models.recorded(two, "seed 0", "How low?", {"a": 0.9, "b": 1})
    assert "a 1.00 (floor 0.90)" in capsys.readouterr().out
    language_models.temperatures({1.0: [0.6, 0.4], 2.0: [0.5, 0.5]}, ["a", "b"])
    assert "0.60 at 1, 0.50 at 2" in capsys.readouterr().out


@pytest.mark.slow
def test_a_good_loss_is_no_proof_of_good_neighbours() -> None:
    """The aside of the lesson: 1,200 steps from a table of N(0, 1)."""
    answers, language = references("04_nplm"), micro_language()
    words = language.vocabulary["english"]
    rows = {
        split: answers["make_ngrams"]([words.encode(text) for text in texts], 4, words.bos, words.eos)
        for split, texts in (("train", language.sentences("english")), ("test", language.sentences("english", "test", 1500)))
    }
    torch.manual_seed(0)
    model = answers["NPLM"](len(words), context=4, embedding_dim=16, hidden_dim=64)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    train(lambda batch: answers["train_step"](model, batch, F.cross_entropy, optimizer), Batches(rows["train"], 256, 1200))
    accuracy = word_classes.neighbour_accuracy(model.embedding.weight.detach(), word_classes.class_of(), answers["nearest"])
    assert held_out.mean_loss(model, *rows["test"]) == pytest.approx(1.56, abs=0.02) and accuracy == pytest.approx(
        0.52, abs=0.06
    )


def cell(source: str) -> None:
    """Run a cell as a kernel does, with a function of the learner's that lacks a name of its own."""
    scope = {"__name__": "__main__", "waiting_for": waiting_for}
    exec(compile("def NPLM():\n    return model", "<another cell>", "exec"), scope)
    exec(compile(source, "<cell>", "exec"), scope)


def test_a_cell_says_when_an_earlier_one_is_missing(capsys):
    cell("with waiting_for('NPLM'):\n    model")
    assert "`model` is made in “" in capsys.readouterr().out
    with pytest.raises(NameError):
        cell("with waiting_for('NPLM'):\n    no_such_name")
    with pytest.raises(NameError):
        cell("with waiting_for('NPLM'):\n    NPLM()")


def test_count_vectors_put_words_of_like_company_together():
    # 0 and 1 stand near 2 and 3, 4 and 5 near 6 and 7
    pairs = torch.tensor([[0, 2], [0, 3], [1, 2], [1, 3], [4, 6], [4, 7], [5, 6], [5, 7]] * 3)
    vectors = count_vectors(torch.cat([pairs, pairs.flip(1)]), size=9, width=4)
    assert vectors.shape == (9, 4) and torch.isfinite(vectors).all()
    assert F.cosine_similarity(vectors[0], vectors[1], dim=0) > 0.99
    assert F.cosine_similarity(vectors[0], vectors[4], dim=0).abs() < 0.01
    assert vectors[8].norm() < 1e-4, "a word without a pair has no direction"


def test_the_words_never_seen_are_of_a_kind_and_no_word_is_of_two():
    members = [word for words in reference_words.KINDS.values() for word in words]
    assert len(members) == len(set(members))
    assert set(reference_words.NEVER_SEEN) < set(members)
    assert reference_words.kinds_of(["zzz", "elif"]) == {1: "compound statement"}
