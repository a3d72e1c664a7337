"""Labels of figures that lessons pass on are looked up: titles, notes below panels, names of groups and of classes."""

import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from embedding_course.plot import drift, hover_map, intervals, maps
from tests.support.pseudo_language import pseudo_language, words_outside

Y = torch.tensor([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]])
GROUPS = torch.tensor([0, 1, 1])
KINDS = ["animal", "food", "food"]


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Words of figures that were not looked up."""
    words: list[str] = []

    def keep(figure: Figure, *_: object, **__: object) -> None:
        figure.canvas.draw()
        words.extend(word for text in figure.findobj(Text) for word in words_outside(text.get_text()))  # type: ignore[attr-defined]

    for module in (drift, hover_map, intervals, maps):
        monkeypatch.setattr(module, "finish", keep)
    return words


def test_labels_of_maps_are_looked_up(outside: list[str]) -> None:
    with pseudo_language():
        maps.show_maps({"words": Y}, {"words": GROUPS}, "Do they mix?", "map", {"words": "mixed"}, ["Chinese", "English"])
        maps.show_digits({"all": Y}, GROUPS, {"all": "trustworthiness 0.9"}, "map")
        maps.show_time({"perplexity 3": Y, "perplexity 10": Y}, torch.tensor([0.0, 0.5, 1.0]))
        maps.card({"noise": (Y, GROUPS), "words": (Y, GROUPS)}, {"noise": "no structure", "words": "structure"}, "Which?")
    assert not outside


def test_names_of_classes_are_looked_up_and_words_are_not(outside: list[str]) -> None:
    with pseudo_language():
        hover_map.show_classes(Y, ["dog", "bread", "egg"], KINDS)
        hover_map.show_linked({"PCA map": Y, "t-SNE map": Y}, ["dog", "bread", "egg"], KINDS, "Which?")
    assert set(outside) <= {"dog", "bread", "egg"}


def test_labels_of_bars_and_intervals_are_looked_up(outside: list[str]) -> None:
    with pseudo_language():
        drift.show_drift({"from another table": {"all old": [0.5], "mixed": [0.3, 0.4]}})
        intervals.show_engines({"engine": ((0.2, 0.5, 0.3), (0, 0)), "words": ((0.4, 0.8, 0.5), (0.1, 0.3))})
        intervals.show_leads({"k = 1": (0.1, 0.2)}, "lead")
    assert not outside
