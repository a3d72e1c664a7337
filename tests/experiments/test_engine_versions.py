"""Two versions of the engine in one index: what is recorded of them, and why a rotation does not mend every pair."""

import json
from dataclasses import replace

import pytest
import torch

from embedding_course.experiments.contrastive_training.search_training import TrainingTexts, train
from embedding_course.experiments.curves import Curves
from embedding_course.experiments.tsne_visualisation import drift, engine_versions
from embedding_course.experiments.tsne_visualisation.engine_versions import WAYS, brought_back, states_of
from embedding_course.plot.drift import show_drift
from grader.paths import ROOT
from tests.experiments.test_search_engine import TINY, entries
from tests.support.right_answers import right_answer

info_nce, warmup_cosine = (right_answer(f"09.{name}") for name in ("info_nce", "warmup_cosine"))


@pytest.fixture(scope="module")
def recorded() -> Curves:
    return Curves(**json.loads((ROOT / "data" / "curves" / "10_drift.json").read_text(encoding="utf-8")))


def test_a_table_may_begin_with_the_numbers_of_another_seed() -> None:
    texts = TrainingTexts.of(entries(range(28)), TINY)

    def start(seed: int) -> torch.Tensor:
        torch.manual_seed(seed)
        return texts.fresh_encoder(TINY).table.weight

    still = replace(TINY, steps=20, peak=0.0, decay=0.0)
    kept = train(info_nce, warmup_cosine, entries(range(28)), replace(still, seed=3, table_seed=5)).encoder.table.weight
    assert torch.equal(kept, start(5)) and not torch.equal(kept, start(3))
    assert torch.equal(
        train(info_nce, warmup_cosine, entries(range(28)), replace(still, seed=3)).encoder.table.weight, start(3)
    )
    first, second = (train(info_nce, warmup_cosine, entries(range(28)), replace(still, seed=at, table_seed=5)) for at in (3, 4))
    assert first.losses != second.losses, "batches and words left out are drawn by the run's own seed"


@pytest.mark.slow
def test_the_experiment_measures_every_way(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parts = {"train": entries(range(28)), "test": entries(range(28, 36))}
    monkeypatch.setattr(engine_versions.api_search, "pairs", parts.__getitem__)
    monkeypatch.setattr(engine_versions.api_search, "fingerprint", lambda: "36 made-up pairs")
    for name, value in {"SMALL": TINY, "SEEDS": (0, 1), "WIDE": 96, "UNTRAINED": (4, 512), "FITTED": (5, 20)}.items():
        monkeypatch.setattr(engine_versions, name, value)
    measured = engine_versions.measure(info_nce, warmup_cosine)
    states = states_of(measured)
    assert list(states) == list(WAYS.values()) and all(len(of_way) == 4 for of_way in states.values())
    assert all([seed for seed, _ in measured.curves[f"{way}, mixed"]] == [0, 1] for way in WAYS)
    assert all(0 <= value <= 1 for name, value in measured.numbers.items() if "cosine" not in name)
    few, many = (value for _, value in measured.curves["columns, all old, rotated"])
    assert many > few, "no rotation mends a table with too few columns"
    assert all(-1 <= measured.numbers[f"{way}, cosine"] <= 1.001 for way in WAYS)
    show_drift(states)
    assert "[Figure: recall@1 by the state of the index" in capsys.readouterr().out


def test_what_was_brought_back_is_a_share_of_what_was_lost() -> None:
    values = {"mixed": 0.2, "mixed, old ones rotated": 0.3, "all new": 0.6, "all old": 0.5}
    curves = Curves(0, 1, {f"other, {state}": [(0, value), (1, value)] for state, value in values.items()})
    assert brought_back(curves, "other") == pytest.approx(0.25)


def test_what_the_lesson_says_of_the_recorded_versions_is_so(recorded: Curves) -> None:
    mean = {
        way: {state: sum(values) / len(values) for state, values in states_of(recorded)[label].items()}
        for way, label in WAYS.items()
    }
    assert mean["on"]["mixed"] > mean["on"]["all old"] - 0.02, "trained on, an index of both is as good as the old one"
    assert [round(mean["on"][state], 2) for state in ("mixed", "all old", "all new")] == [0.53, 0.55, 0.58]
    lost = {way: states["all new"] - states["mixed"] for way, states in mean.items()}
    assert lost["on"] < lost["same"] < lost["other"]
    assert recorded.numbers["on, cosine"] > recorded.numbers["same, cosine"] > recorded.numbers["other, cosine"]
    assert {way: round(brought_back(recorded, way), 2) for way in ("same", "other", "wide")} == {
        "same": 0.38,
        "other": 0.42,
        "wide": 0.63,
    }
    assert round(lost["same"], 2) == 0.13 and round(lost["other"], 2) == 0.26 and round(lost["wide"], 2) == 0.25
    new, rotated = (
        {int(columns): value for columns, value in recorded.curves[f"columns, {state}"]}
        for state in ("all new", "all old, rotated")
    )
    assert rotated[128] < 0.2 * new[128] and rotated[2048] > 0.85 * new[2048]
    fitted = [recorded.numbers[f"other, from {number}"] for number in engine_versions.FITTED]
    assert fitted == sorted(fitted)
    needed = {
        (way, share): drift.canaries_needed(
            recorded.numbers[f"{way}, still found"], recorded.numbers[f"{way}, {share}, still found"]
        )
        for way in ("other", "on")
        for share in (0.5, 0.1)
    }
    assert [counts[0] for counts in needed.values() if counts] == [16, 200, 321, 1938]
