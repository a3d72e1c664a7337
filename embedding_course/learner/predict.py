"""Predict first, look afterwards: a guess is written down before the figure and compared with it."""

from __future__ import annotations

from typing import Any

from ..checking.render import Panel, code, show_panel
from ..checking.show import show
from .progress.record import load, update

__all__ = ["predict", "reveal"]


def predict(key: str, question: str, guess: Any = None) -> None:
    """ProgressRecord a guess. With None nothing is recorded and the question waits; nothing depends on it."""
    if guess is None:
        _say(f"Your turn: {question} Write your guess in place of `None` and run this cell again.")
        return
    memory = load()
    memory.guesses[key] = guess if isinstance(guess, (bool, int, float, str)) else str(guess)
    update(memory)
    _say(f"Noted: {show(memory.guesses[key])}. Run on to see.")


def reveal(key: str, answer: Any, within: float = 0.1) -> None:
    """Say how the guess recorded under `key` compares with `answer`; numbers within a fraction of it are right."""
    guess = load().guesses.get(key)
    if guess is None:
        _say(f"The answer: {show(answer)}. (No guess was recorded; it is more fun with one.)")
        return
    if isinstance(answer, (int, float)) and not isinstance(answer, bool) and isinstance(guess, (int, float)):
        near = abs(guess - answer) <= within * abs(answer)
    else:
        near = str(guess).strip().casefold() == str(answer).strip().casefold()
    said = "You saw it coming." if near else "Not what you expected: what did you assume?"
    _say(f"Your guess: {show(guess)}. The answer: {show(answer)}. {said}")


def _say(text: str) -> None:
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
