"""Figures of notebook 11: each says in words what it shows."""

import pytest

from embedding_course.plot import intervals, layers, style


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []

    def keep(figure, alt: str, /, **slots) -> None:
        figure.canvas.draw()
        assert any("?" in title for title in style._titles(figure))
        texts.append(alt.format(**slots))

    for module in (intervals, layers):
        monkeypatch.setattr(module, "finish", keep)
    return texts


def test_leads_luck_and_lags(said: list[str]) -> None:
    intervals.show_leads({"one": (0.1, 0.2), "two": (-0.1, 0.2)}, "lead in MRR")
    assert "two: -0.100 to +0.200" in said[0]
    assert len({intervals._colour(*ends) for ends in ((0.1, 0.2), (-0.1, 0.2), (-0.2, -0.1))}) == 3


def test_a_table_of_engines(said: list[str]) -> None:
    intervals.show_engines({"first": ((0.2, 0.5, 0.3), (0, 0)), "other": ((0.4, 0.8, 0.5), (0.1, 0.3))})
    assert "lead over first. " in said[0] and "other: 0.40, 0.80, 0.50, +0.10 to +0.30" in said[0]


def test_who_answers_what(said: list[str]) -> None:
    intervals.show_overlap({"recall@1": {"one alone": 3, "both": 0, "two alone": 4, "none": 5}})
    assert said == ["How many questions are answered by whom. recall@1: one alone 3, both 0, two alone 4, none 5."]


def test_layers(said: list[str]) -> None:
    layers.show_layers({"right": [0, 3e-6], "wrong": [0.004, 112.0]}, ["sum", "norm"])
    assert said[0].endswith("right: 0, 3e-06; wrong: 0.004, 112.")
