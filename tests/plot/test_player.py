"""The player of moving figures: offline, small, and with a still picture."""

from typing import Any

import numpy as np
import pytest

from embedding_course.plot import player, style


def _hand(monkeypatch: pytest.MonkeyPatch, frames: int) -> tuple[str, list[float]]:
    shown: dict[str, Any] = {}
    drawn: list[float] = []
    figure, axes = style.new_figure(3, 2)
    axes.set_title("Where does the hand point?")
    (line,) = axes.plot([0, 1], [0, 1])

    def draw(angle: float) -> None:
        drawn.append(angle)
        line.set_data([0, np.cos(angle)], [0, np.sin(angle)])

    monkeypatch.setattr(player, "finish", lambda figure, alt, html="", **slots: shown.update(html=html))
    player.play(
        figure, draw, [float(angle) for angle in np.linspace(0, 6, frames)], 'A "hand" turns {often}.', still=1, often="once"
    )
    return shown["html"], drawn


def test_the_player_needs_no_network_and_shows_each_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    html, drawn = _hand(monkeypatch, frames=4)
    assert "http" not in html and "fa-" not in html and "▶" in html
    assert html.count("data:image/png;base64") == 4
    assert html.count("<img ") == html.count('<img alt="A &quot;hand&quot; turns once." ') == 1
    assert drawn[-1] == drawn[0] == 2.0, "the still frame is drawn last"


def test_an_animation_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "MAX_BYTES", 10_000)
    with pytest.raises(ValueError, match="draw fewer"):
        _hand(monkeypatch, frames=4)
