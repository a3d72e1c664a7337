"""The small machines behind notebook 08's demonstrations."""

import pytest
import torch
import torch.nn as nn

from embedding_course.data.sentence_tasks import TASKS
from embedding_course.exercises import find_exercise
from embedding_course.experiments.pooling import invariance, padding, paraphrases, transplant, window
from embedding_course.plot import meaning, pooling
from grader.course_source.catalogue import callable_of, right_forms_of
from tests.support.right_answers import right_answer


def _plain_mean(x, mask):
    return x.mean(dim=1)


@pytest.mark.slow
def test_a_reader_wants_the_pooling_that_it_was_trained_with_or_one_that_finds_the_same():
    """Trained with the first token, the mean finds nothing in the others; trained with the mean, every place was filled."""
    cls, mean = (window.train(right_answer(f"08.pool_{name}"), "first", layers=1).reader for name in ("cls", "mean"))
    cls.pool, mean.pool = right_answer("08.pool_mean"), right_answer("08.pool_cls")
    assert window.accuracy(cls, "first") == pytest.approx(0.62, abs=0.05)
    assert window.accuracy(mean, "first") > 0.98


def test_padding_puts_every_token_where_the_mask_says():
    rows = [[5, 6, 7], [8], []]
    for side in padding.SIDES:
        ids, mask = padding.pad(rows, side, width=5, fill=9, seed=2)
        assert ids.shape == mask.shape == (3, 5)
        assert [row[real].tolist() for row, real in zip(ids, mask.bool(), strict=True)] == rows
        assert bool((ids[mask == 0] == 9).all())
    assert padding.pad(rows, "right")[1].tolist() == [[1, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert padding.pad(rows, "left")[1].tolist() == [[1, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert padding.pad(rows, "mixed")[1].tolist() == [[1, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert torch.equal(padding.pad(rows, "holes", 9, seed=4)[1], padding.pad(rows, "holes", 9, seed=4)[1])


def test_padding_says_what_it_takes():
    with pytest.raises(ValueError, match="right, left, mixed, holes"):
        padding.pad([[1]], "middle")
    with pytest.raises(ValueError, match="longest sentence has 3"):
        padding.pad([[1, 2, 3]], width=2)


def test_masks_of_any_kind_are_taken_and_wrong_ones_named():
    mask = torch.tensor([[1, 0, 1]])
    for kind in (torch.int64, torch.bool, torch.float32, torch.uint8):
        assert padding.checked_mask(mask.to(kind), (1, 3)).tolist() == [[True, False, True]]
    for wrong, message in (
        (mask[0], r"shape \(3,\)"),
        (mask[:, :, None], r"shape \(1, 3, 1\)"),
        (mask.T, r"shape \(3, 1\)"),
        ((mask - 1) * 1e9, "other numbers"),
        (mask * 2, "other numbers"),
        (mask / mask, "other numbers"),
    ):
        with pytest.raises(ValueError, match=message):
            padding.checked_mask(wrong, (1, 3))
    with pytest.raises(TypeError, match="list"):
        padding.checked_mask([[1, 0, 1]], (1, 3))
    with pytest.raises(ValueError, match="shape"):
        window.Reader(_plain_mean)(torch.ones(2, 3, dtype=torch.int64), torch.ones(3))


def test_right_poolings_move_for_no_side_and_the_plain_mean_for_all():
    names = ("mean", "max", "cls", "last", "weighted")
    changes = invariance.moved_by_side({name: right_answer(f"08.pool_{name}") for name in names})
    assert max(value for row in changes.values() for value in row) < 1e-5
    stub = invariance.moved_by_side({"plain": _plain_mean, "stub": lambda x, mask: (_ for _ in ()).throw(NotImplementedError)})
    assert min(stub["plain"]) > 0.3 and stub["stub"] == [None] * 4


@pytest.mark.slow
def test_each_static_pooling_answers_its_own_question():
    wanted = {"mean": {"any", "majority"}, "max": {"any"}, "cls": {"first"}, "last": {"last"}}
    for name, solved in wanted.items():
        for task in TASKS:
            share = window.train(right_answer(f"08.pool_{name}"), task, steps=150).accuracy
            assert (share > 0.9) == (task in solved), (name, task, share)


def test_the_score_does_not_tell_and_the_property_does():
    right, plain = (window.train(pool, "any") for pool in (right_answer("08.pool_mean"), _plain_mean))
    assert right.accuracy > 0.99 and plain.accuracy > 0.99
    assert window.accuracy(right.reader, "any", 40) == right.accuracy
    assert window.accuracy(plain.reader, "any", 40) < 0.6
    ids, mask, _ = window.texts("test", "any")
    steady = invariance.cosine_as_padding_grows(right.reader, ids[:20], mask[:20], [0, 40])
    moving = invariance.cosine_as_padding_grows(plain.reader, ids[:20], mask[:20], [0, 40])
    assert steady.min() > 0.9999 and moving[:, 0].min() > 0.9999 and moving[:, 1].median() < 0.5


def test_the_same_arguments_give_the_same_reader_and_leave_the_random_state_alone():
    before = torch.random.get_rng_state()
    first, second = (window.train(_plain_mean, "last", layers=1, steps=2) for _ in range(2))
    assert first.losses == second.losses and torch.equal(before, torch.random.get_rng_state())
    with pytest.raises(ValueError, match="first, last, any, majority"):
        window.train(_plain_mean, "second")


def _block(together: bool):
    """Return the right answer to 07.TransformerBlock, with one projection for queries, keys and values or with three."""
    exercise = find_exercise("07.MultiHeadAttention")
    forms = (callable_of(form.source, exercise) for form in right_forms_of(exercise))
    attention = next(form for form in forms if hasattr(form(8, 2), "qkv_proj") is together)

    class TransformerBlock(right_answer("07.TransformerBlock")):
        def __init__(self, d_model, heads, d_ff, norm="pre"):
            super().__init__(d_model, heads, d_ff, norm)
            self.attention = attention(d_model, heads)

    return TransformerBlock


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("pre", [False, True])
def test_a_block_of_the_learner_takes_the_place_of_a_layer(together: bool, pre: bool):
    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(
                nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, activation="gelu", batch_first=True, norm_first=pre)
                for _ in range(2)
            )

        def forward(self, x, mask):
            for layer in self.layers:
                x = layer(x, src_key_padding_mask=~mask)
            return x

    torch.manual_seed(0)
    encoder, x, mask = Encoder(), torch.randn(2, 5, 8), padding.pad([[1] * 3, [1] * 5])[1].bool()
    before = encoder(x, mask)[mask]
    assert transplant.put_in(encoder, None) == "Layers exchanged: none."
    assert transplant.put_in(encoder, _block(together)) == "Layers exchanged: 2."
    assert not any(isinstance(part, nn.TransformerEncoderLayer) for part in encoder.modules())
    assert torch.allclose(encoder(x, mask)[mask], before, atol=1e-5)


def test_a_layer_that_is_no_such_block_is_refused():
    for options, message in (({"activation": "relu"}, "GELU"), ({"activation": "gelu", "dropout": 0.5}, "dropout")):
        encoder = nn.Sequential(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, **{"dropout": 0.0} | options))
        assert message in transplant.put_in(encoder, _block(False))
        assert isinstance(encoder[0], nn.TransformerEncoderLayer)
    assert "no nn.TransformerEncoderLayer" in transplant.put_in(nn.Linear(2, 2), _block(False))


def test_the_reference_encoder_takes_blocks_too_and_learns_paraphrases_but_not_twins():
    from embedding_course.data.micro import micro_language

    torch.manual_seed(0)
    encoder = right_answer("08.TextEncoder")(len(micro_language().vocabulary["chinese"]), 32, 4, 1, 64, 16)
    assert transplant.put_in(encoder, _block(True)) == "Layers exchanged: 1."
    paraphrases.train(encoder, 60)
    score = paraphrases.score(paraphrases.encode(encoder), groups=200)
    assert score.search > 0.9 and score.twins < 0.6
    bag = paraphrases.score(paraphrases.bag_of_words, groups=200)
    assert bag.search > 0.9 and bag.twins == 0


def test_the_figures_say_what_they_show_and_refuse_what_does_not_fit(capsys: pytest.CaptureFixture[str]):
    masks = {side: padding.pad([[1, 1], [1]], side)[1] for side in padding.SIDES}
    pooling.show_batches([["a", "b"], ["c"]], masks)
    pooling.show_weights({"one": torch.tensor([0.5, 0.5])}, ["a", "b"])
    pooling.show_moved({"x": {"mean": [0.0, 1.0, None, 2.0]}})
    pooling.show_tasks({"x": {("mean", "first"): 0.6, ("mean", "last"): 0.99}}, {"first": "first one", "last": "last one"})
    values = torch.tensor([[1.0, 0.5], [1.0, 0.3], [1.0, 0.2]])
    pooling.show_drift([0, 5], {"a": values, "b": values}, {"a": [1.0, 1.0], "b": [1.0, 0.5]})
    pooling.card([0, 5], {"a": values, "b": values}, {"a": 1.0, "b": 1.0})
    meaning.show_cosines(torch.eye(3), ["a", "b", "c"], [2, 1])
    meaning.show_scores({"a": (0.5, 0.4), "b": (1.0, 0.0)}, ("one", "other"))
    assert capsys.readouterr().out.count("[Figure:") == 8
    with pytest.raises(ValueError, match="as many ones"):
        pooling.show_batches([["a"], ["c"]], masks)
    with pytest.raises(ValueError, match="3 sentences"):
        meaning.show_cosines(torch.eye(2), ["a", "b", "c"], [2, 1])
