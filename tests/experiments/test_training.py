"""What all lessons train and record with: the loop, its batches, the files of curves."""

import json
import re

import torch

from embedding_course.experiments import curves
from embedding_course.experiments.training import Batches, train
from grader.authoring.recorded_curves import experiments
from grader.paths import ROOT


def test_batches_use_every_row_once_before_any_comes_again():
    rows = torch.arange(7)
    batches = Batches((rows, 10 * rows), size=2, steps=7, seed=1)
    assert len(batches) == 7
    seen = list(batches)
    assert all(torch.equal(10 * x, y) for x, y in seen)
    first = torch.cat([x for x, _ in seen[:3]]).tolist()
    assert len(set(first)) == 6
    assert [x.tolist() for x, _ in seen] == [x.tolist() for x, _ in batches], "a second pass gives the same batches"
    assert [len(x) for (x,) in Batches((rows,), size=50, steps=2)] == [7, 7]


def test_the_loop_notes_losses_and_measurements_and_says_one_line(capsys):
    run = train(lambda batch: float(batch), [3, 2, 1], "demo", measure=lambda: 9.0, every=2)
    assert run.losses == [3.0, 2.0, 1.0]
    assert run.measured == [(0, 9.0), (2, 9.0), (3, 9.0)]
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("\n") == 1
    assert "step 3 of 3" in printed.out
    train(float, [1, 2])
    assert capsys.readouterr().out == ""


def test_curves_come_back_as_they_were_recorded(tmp_path, monkeypatch, capsys):
    made = curves.Curves(seed=3, steps=20, curves={"a": [(0, 1.23456), (20, 0.5)]}, numbers={"best": 0.25})
    curves.record(lambda: made, tmp_path / "x.json")
    monkeypatch.setattr(curves, "data_file", lambda name: tmp_path / "x.json")
    back = curves.load("x")
    assert back.curves == {"a": [[0, 1.2346], [20, 0.5]]}
    assert back.numbers == {"best": 0.25}
    assert capsys.readouterr().out.startswith("Recorded: seed 3 · 20 steps · Python ")
    assert curves.load("x", rerun=lambda: made).curves["a"] == [(0, 1.23456), (20, 0.5)]
    assert capsys.readouterr().out.startswith("Run here and now: seed 3")


def test_every_experiment_has_its_file_and_every_file_its_experiment():
    files = {path.stem: path for path in (ROOT / "data" / "curves").glob("*.json")}
    assert set(files) == set(experiments())
    for path in files.values():
        recorded = curves.Curves(**json.loads(path.read_text(encoding="utf-8")))
        ids = {name.split(", ")[0] for name in recorded.curves}
        assert all(re.fullmatch(r"[a-z0-9_.]+", name) for name in {*ids, *recorded.labels}), "an id is no word for a reader"
        assert not recorded.labels or ids <= set(recorded.labels), f"{path.stem}: a curve without the words that a reader sees"
