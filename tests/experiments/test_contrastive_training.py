"""The small machines behind notebook 09's demonstrations; data, search engine, CLIP and recommender have tests of their own."""

import pytest
import torch

from embedding_course.data.api_search import Entry
from embedding_course.experiments.contrastive_training import (
    hard_negatives,
    search_variants,
    shifted_digits,
    two_languages,
    word_circle,
)
from embedding_course.experiments.contrastive_training.search_training import Setting, similarities
from embedding_course.experiments.contrastive_training.search_training import train as train_engine
from embedding_course.experiments.curves import Curves
from embedding_course.plot import contrast, digit_views, retrieval
from tests.support.right_answers import right_answer


@pytest.fixture
def entries() -> list[Entry]:
    verbs = ("sort", "sum", "add", "read", "write", "copy", "shift", "turn")
    return [
        Entry(f"{library}.{verb}", library, "function", f"{verb} the values", f"Here {verb} is done by {library}.", verb)
        for library in ("one", "two")
        for verb in verbs
    ]


def test_words_meet_their_translations_on_the_circle() -> None:
    chinese, english, losses = word_circle.train(right_answer("09.info_nce"), 10)
    assert (chinese * english).sum(dim=1).min() > 0.9 and losses[-1] < losses[0]
    angles = torch.atan2(chinese[:, 1], chinese[:, 0]).sort().values
    assert (angles[1:] - angles[:-1]).min() > 0.4  # eight words in a full turn of 6.28


def test_rows_of_a_batch_belong_together_and_every_row_is_a_mean() -> None:
    chinese, english = next(iter(two_languages.batches(1)))
    assert chinese.shape == (two_languages.BATCH, two_languages.words("chinese")) and len(english) == len(chinese)
    torch.testing.assert_close(english.sum(dim=1), torch.ones(len(english)))
    first, second = (next(iter(two_languages.batches(1, seed)))[0] for seed in (0, 1))
    assert torch.equal(first, chinese) and not torch.equal(second, chinese)
    pairs = two_languages.held_out()
    assert len({pair.meaning for pair in pairs}) == len(pairs) == 500
    assert two_languages.overlap(["a b", "b c", "a b"]).tolist() == pytest.approx([1 / 3, 1, 1 / 3])


@pytest.mark.slow
def test_two_views_make_up_for_a_shift_and_cost_a_little() -> None:
    encoder, _ = shifted_digits.train(right_answer("09.nt_xent"))

    def pixels(images: torch.Tensor) -> torch.Tensor:
        return images.flatten(1)

    assert shifted_digits.nearest_is_right(pixels, False) > 0.97 > 0.7 > shifted_digits.nearest_is_right(pixels, True)
    assert shifted_digits.nearest_is_right(encoder, True) > 0.88
    images = torch.rand(3, 8, 8)
    assert torch.equal(shifted_digits.view(images, torch.Generator(), far=0), images)


def test_namesakes_are_counted_among_mined_negatives(entries: list[Entry]) -> None:
    groups = hard_negatives.namesakes(entries)
    assert groups.tolist() == [*range(8), *range(8)]
    negatives = torch.full((16, 2), -1)
    negatives[:2] = torch.tensor([[8, 1], [2, -1]])
    each, share = hard_negatives.share_of_namesakes(negatives, groups)
    assert each == 3 / 16 and share == pytest.approx(1 / 3)


def test_hard_negatives_reach_the_loss(entries: list[Entry]) -> None:
    seen: list[int | None] = []

    def info_nce(queries, positives, scale, negatives=None):
        seen.append(None if negatives is None else len(negatives))
        return right_answer("09.info_nce")(queries, positives, scale, negatives)

    small = Setting(width=16, batch=4, steps=3)
    trained = train_engine(info_nce, right_answer("09.warmup_cosine"), entries, small)
    before = similarities(trained.encoder, entries)
    mined = right_answer("09.mine_hard_negatives")(before, torch.arange(len(entries)), 2)
    seen.clear()
    further = hard_negatives.train_on(trained, entries, info_nce, mined, steps=3, batch=4)
    assert all(count is None or 1 <= count <= 4 for count in seen) and any(seen)
    assert torch.equal(before, similarities(trained.encoder, entries))  # a copy was trained
    assert not torch.equal(before, similarities(further, entries))
    near = hard_negatives.inspect(trained.encoder, entries, "one.sum", n=16)
    assert {hit.name: hit.remark for hit in near}["one.sum"] == "the right one"
    assert {hit.name: hit.remark for hit in near}["two.sum"] == "fits too: a false negative"


def test_a_nested_loss_is_the_mean_over_widths(entries: list[Entry]) -> None:
    info_nce = right_answer("09.info_nce")
    queries, positives = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0))
    nested = search_variants.nested(info_nce, (2, 8))(queries, positives, 3.0)
    assert nested.item() == pytest.approx(
        (info_nce(queries[:, :2], positives[:, :2], 3.0) + info_nce(queries, positives, 3.0)).item() / 2, rel=1e-5
    )
    trained = train_engine(info_nce, right_answer("09.warmup_cosine"), entries, Setting(width=16, batch=4, steps=1))
    asked, answers = search_variants.both_sides(trained.encoder, entries)
    assert torch.equal(asked @ answers.T, similarities(trained.encoder, entries))


def test_the_figures_say_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    contrast.show_shares({"right": 0.85, "far": 0.12}, [1, 0.05])
    contrast.show_losses({"a": [2.0, 1.0]}, {"a": 0.5}, "How low?")
    contrast.show_circles({"start": word_circle.start(), "again": word_circle.start()})
    retrieval.show_ranks({"a": 1, "b": 5})
    retrieval.show_found("What is near?", [(0.5, "one.sum", ""), (0.4, "two.sum", "fits too: a false negative")])
    contrast.play_temperature({"right": 0.85, "far": 0.12}, (1, 0.05))
    retrieval.show_schedule({"floor 0": [0.0, 0.1, 0.0]})
    retrieval.show_engines({"TF-IDF": {"recall@1": 0.5}, "yours": {"recall@1": 0.7}})
    retrieval.card({"TF-IDF": 0.5, "BM25": 0.4}, [(0, 0.0), (10, 0.7)], ["numpy.sort"], "recall@1", "sort")
    digit_views.show_batch([3, 5, 3], ["三", "五", "three"])
    digit_views.show_stall({"as it is": [2.0, 1.5]}, {"as it is": 0.9}, 1.4)
    rates = {name: [(0.1, 0.4), (0.3, 0.5)] for name in ("scale", "batch", "warm_up", "constant")}
    retrieval.show_settings(Curves(0, 1, rates, labels=search_variants.VARIED), 820)
    output = capsys.readouterr().out
    for piece in (
        "100.0% at 0.05",
        "floor is 0.50",
        "b: rank 5",
        "a false negative",
        "0.1 at step 1",
        "70%",
        "2 more whose caption",
        "90.0% right",
    ):
        assert piece in output, piece
