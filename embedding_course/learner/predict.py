"""Predict first, look afterwards: a guess is written down before the figure and compared with it."""

from __future__ import annotations

import math
from typing import Any

from ..checking.render import Panel, code, show_panel
from ..checking.show import show
from ..errors import CourseError
from .progress.record import load, update

__all__ = ["predict", "reveal"]

#: What says yes and no, in the languages of the course.
_YES, _NO = {"yes", "y", "true", "是", "对", "会", "能"}, {"no", "n", "false", "否", "不", "不是", "不会", "不能"}
#: A guess within so many times the allowance is called close.
_CLOSE = 3
#: Numbers off by no more than this fraction are right, where a lesson says nothing else.
_TENTH = 0.1


def predict(key: str, question: str, guess: Any = None) -> None:
    """Record a guess: a number, a text, True or False, or a tuple of these. With None nothing is recorded and the question
    waits; nothing depends on it. CourseError for a guess that is none of these.

    >>> predict("03-drift", "How long is the longest row afterwards?", 1.5)  # doctest: +SKIP
    Noted: 1.5. Run on to see.
    """
    if guess is None:
        _say(f"Your turn: {question} Write your guess in place of `None` and run this cell again. {_HOW}")
        return
    if not _is_guess(guess):
        raise CourseError(f"A guess is a number, a text, True or False, or a tuple of these, not {type(guess).__name__}.")
    memory = load()
    memory.guesses[key] = list(guess) if isinstance(guess, (tuple, list)) else guess
    update(memory)
    _say(f"Noted: {show(guess)}. Run on to see.")


_HOW = (
    "A number counts as right where it is near (within a tenth, or as the answer then says), words by what they say "
    "(yes, no, 是, 否), a tuple entry by entry."
)


def reveal(key: str, answer: Any, within: float = _TENTH) -> None:
    """Say how the guess recorded under `key` compares with `answer`; numbers within a fraction of it are right."""
    guess = load().guesses.get(key)
    if guess is None:
        _say(f"The answer: {_shown(answer)}. (No guess was recorded; it is more fun with one.)")
        return
    distance = _distance(guess, answer, within)
    said = "Not what you expected: what did you assume?"
    if distance <= 1:
        said = "You saw it coming."
    elif distance <= _CLOSE:
        said = "Close."
    allowed = f" ({_allowance(within)} counts as right.)" if within != _TENTH and _is_number(_meaning(answer)) else ""
    mine = _shown(tuple(guess) if isinstance(guess, list) else guess)
    _say(f"Your guess: {mine}. The answer: {_shown(answer)}. {said}{allowed}")


def _shown(value: Any) -> str:
    """As `show` has it; True and False as the words in which the questions ask."""
    return ("no", "yes")[value] if isinstance(value, bool) else show(value)


def _allowance(within: float) -> str:
    """How near is near enough, in words.

    >>> _allowance(0.25), _allowance(0)
    ('Within 25 %', 'Only the exact number')
    """
    return f"Within {100 * within:g} %" if within else "Only the exact number"


def _is_guess(guess: Any) -> bool:
    if isinstance(guess, (tuple, list)):
        return bool(guess) and all(_is_guess(one) and not isinstance(one, (tuple, list)) for one in guess)
    return isinstance(guess, (bool, int, str)) or (isinstance(guess, float) and math.isfinite(guess))


def _distance(guess: Any, answer: Any, within: float) -> float:
    """How far a guess is off, in units of what is allowed; 0 where two texts say the same, inf where they do not.

    >>> _distance(11, 10, 0.1), _distance("是", True, 0.1), _distance("2", 2.0, 0.1)
    (1.0, 0.0, 0.0)
    """
    if isinstance(answer, (tuple, list)):
        if not isinstance(guess, (tuple, list)) or len(guess) != len(answer):
            return math.inf
        return max(_distance(one, other, within) for one, other in zip(guess, answer, strict=True))
    guess, answer = _meaning(guess), _meaning(answer)
    if not (_is_number(guess) and _is_number(answer)):
        return 0.0 if guess == answer and isinstance(guess, bool) == isinstance(answer, bool) else math.inf
    if guess == answer:
        return 0.0
    return abs(guess - answer) / (within * abs(answer)) if within and answer else math.inf


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _meaning(value: Any) -> Any:
    """Words for yes and no as True and False, numbers in words as numbers, other words in small letters."""
    if not isinstance(value, str):
        return value
    word = value.strip().strip(".。!！").casefold()
    if word in _YES or word in _NO:
        return word in _YES
    try:
        number = float(word.replace(",", "").removesuffix("%"))
    except ValueError:
        return word
    return number / 100 if word.endswith("%") else number


def _say(text: str) -> None:
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
