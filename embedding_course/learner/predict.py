"""Record a learner's guess before the result is shown, and compare the two."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..checking.render import show_text
from ..checking.show import show
from ..messages import COMMA, Listing, Message, translate_within
from ..subject.errors import CourseError
from .progress.record import load, update

#: Words for yes and no, in the languages of the course.
_YES, _NO = {"yes", "y", "true", "是", "对", "会", "能"}, {"no", "n", "false", "否", "不", "不是", "不会", "不能"}
#: A guess within this multiple of the tolerance is called close, unless it is off by a factor of `_FAR` or more.
_CLOSE, _FAR = 1.5, 2
#: Default tolerance: numbers that are off by at most this fraction are right.
_TENTH = 0.1


@dataclass(frozen=True)
class _Question:
    """Describe what a question asks for and how a guess is compared.

    The answer is one number or several with a tolerance, one of several choices (id to words), yes or no, or a text.
    The words are looked up by the key of the question.
    """

    key: str = ""
    within: float = _TENTH
    numbers: int = 1
    choices: Mapping[str, str] = field(default_factory=dict)
    yes_or_no: bool = False
    text: bool = False

    def rule(self) -> Message:
        """Return how a guess will be compared, shown before the guess is made."""
        if self.choices:
            listed = [f"{number} {words}" for number, words in enumerate(self.words().values(), start=1)]
            return Message("Choose one, by its number or in these words: {choices}.", choices=Listing(listed, COMMA))
        if self.yes_or_no:
            return Message("Answer yes or no (是 or 否).")
        if self.text:
            return Message("A text counts as right when it says the same; small and capital letters are alike.")
        tolerance = _tolerance_text(self.within)
        if self.numbers > 1:
            message = Message("{count} numbers are asked, in brackets, {example}: {tolerance} counts as right.")
            return message.fill(count=self.numbers, example=tuple(range(1, self.numbers + 1)), tolerance=tolerance)
        return Message("A number is asked: {tolerance} counts as right.", tolerance=tolerance)

    def words(self) -> dict[str, str]:
        """Return the choices with their words in the language in use."""
        return {name: translate_within(self.key, words) for name, words in self.choices.items()}

    def understood(self, guess: Any) -> Any:
        """Return a guess in the form in which it is compared; None if it does not answer the question."""
        if self.choices:
            return _chosen(guess, self.words()) or _chosen(guess, self.choices)
        entries = guess if isinstance(guess, (tuple, list)) else (guess,)
        meanings = [_normalise(item) for item in entries]
        if self.yes_or_no:
            return meanings[0] if len(meanings) == 1 and isinstance(meanings[0], bool) else None
        if self.text:
            return guess if all(isinstance(item, str) for item in entries) else None
        if len(meanings) != self.numbers or not all(map(_is_number, meanings)):
            return None
        return tuple(meanings) if self.numbers > 1 else meanings[0]

    def shown(self, value: Any) -> str:
        """Return a guess or an answer as text for the reader."""
        return self.words().get(value, show(value)) if isinstance(value, str) else _as_words(value)


#: The questions that were asked in this kernel, by their keys.
_ASKED: dict[str, _Question] = {}


def predict(
    key: str,
    question: str,
    guess: Any = None,
    *,
    within: float = _TENTH,
    choices: Mapping[str, str] | tuple[bool, bool] | None = None,
    text: bool = False,
    numbers: int = 1,
) -> None:
    """Ask a question, say how a guess is compared, and record the guess. With None, nothing is recorded.

    Parameters
    ----------
    key : str
        Name under which the guess is recorded.
    question : str
        The question in English; it is looked up by its key.
    guess : Any, optional
        A number, a text, True or False, or a tuple of these.
    within : float, optional
        Tolerance of a number, as a fraction of the answer; 0 for the exact number.
    choices : Mapping[str, str] or tuple[bool, bool] or None, optional
        Id to words of each possible answer; (True, False) for a yes-or-no question.
    text : bool, optional
        True if the answer is a text.
    numbers : int, optional
        How many numbers the answer has; if more than one, a guess is a tuple of as many.

    Raises
    ------
    CourseError
        If the guess is of another kind or does not answer the question.

    Examples
    --------
    >>> predict("03-drift", "How long is the longest row afterwards?", 1.5, within=0.05)  # doctest: +SKIP
    Noted: 1.5 (within 5 % counts as right). Run on to see.
    """
    yes_or_no = choices is not None and not isinstance(choices, Mapping)
    asked = _Question(key, within, numbers, choices if isinstance(choices, Mapping) else {}, yes_or_no, text)
    _ASKED[key] = asked
    guess = _to_plain(guess)
    if guess is None:
        message = Message("Your turn: {question} Write your guess in place of `None` and run this cell again. {rule}")
        show_text(message.fill(question=translate_within(key, question), rule=asked.rule()))
        return
    if not _is_guess(guess):
        message = Message("A guess is a number, a text, True or False, or a tuple of these, not {type}.")
        raise CourseError(message.fill(type=type(guess).__name__))
    understood = asked.understood(guess)
    if understood is None:
        raise CourseError(Message("{guess} does not answer the question. {rule}", guess=show(guess), rule=asked.rule()))
    memory = load()
    memory.guesses[key] = list(understood) if isinstance(understood, (tuple, list)) else understood
    update(memory)
    message = Message("Noted: {guess}. Run on to see.")
    if not (asked.choices or yes_or_no or text):
        message = Message("Noted: {guess} ({tolerance} counts as right). Run on to see.", tolerance=_tolerance_text(within))
    show_text(message.fill(guess=asked.shown(understood)))


def reveal(key: str, answer: Any) -> None:
    """Say how a recorded guess compares with the answer, by the rule that `predict` announced.

    Parameters
    ----------
    key : str
        Name under which the guess was recorded.
    answer : Any
        The answer; if the question has choices, the id of one of them.
    """
    answer = _to_plain(answer)
    asked, guess = _ASKED.get(key), load().guesses.get(key)
    shown = (asked or _Question()).shown(answer)
    if asked is None and guess is not None:
        message = Message("The answer: {answer}. (Run the question's cell again to compare it with your guess.)")
        show_text(message.fill(answer=shown))
        return
    if asked is None or guess is None or (guess := asked.understood(guess)) is None:
        show_text(Message("The answer: {answer}. (No guess was recorded; it is more fun with one.)", answer=shown))
        return
    distance = _distance(guess, answer, asked.within)
    comment = Message("Not what you expected: what did you assume?")
    if distance <= 1:
        comment = Message("You saw it coming.")
    elif distance <= _CLOSE and not _is_far(guess, answer):
        comment = Message("Close.")
    mine = asked.shown(tuple(guess) if isinstance(guess, list) else guess)
    show_text(Message("Your guess: {guess}. The answer: {answer}. {comment}", guess=mine, answer=shown, comment=comment))


def _chosen(guess: Any, choices: Mapping[str, str]) -> str | None:
    """Return the id of the choice that a guess names: by its number from 1, its words or its id.

    Examples
    --------
    >>> [_chosen(guess, {"pre": "norm before", "post": "norm after"}) for guess in (2, "Norm before", "post", "3")]
    ['post', 'pre', 'post', None]
    """
    if isinstance(guess, str) and guess in choices:
        return guess
    meaning = _normalise(guess)
    for number, (name, words) in enumerate(choices.items(), start=1):
        if meaning == _normalise(words) or (_is_number(meaning) and meaning == number):
            return name
    return None


def _as_words(value: Any) -> str:
    """Return the text of `show`, but True and False as the words of the question."""
    return str(Message("yes") if value else Message("no")) if isinstance(value, bool) else show(value)


def _tolerance_text(within: float) -> Message:
    """Return the tolerance in words.

    Examples
    --------
    >>> str(_tolerance_text(0.25)), str(_tolerance_text(0))
    ('within 25 %', 'only the exact number')
    """
    return Message("within {percent:g} %", percent=100 * within) if within else Message("only the exact number")


def _is_guess(guess: Any) -> bool:
    if isinstance(guess, (tuple, list)):
        return bool(guess) and all(_is_guess(item) and not isinstance(item, (tuple, list)) for item in guess)
    return isinstance(guess, (bool, int, str)) or (isinstance(guess, float) and math.isfinite(guess))


def _distance(guess: Any, answer: Any, within: float) -> float:
    """Return the error of a guess in units of the tolerance; for texts 0 if they are equal, otherwise inf.

    Examples
    --------
    >>> _distance(11, 10, 0.1), _distance("是", True, 0.1), _distance("2", 2.0, 0.1)
    (1.0, 0.0, 0.0)
    """
    if isinstance(answer, (tuple, list)):
        if not isinstance(guess, (tuple, list)) or len(guess) != len(answer):
            return math.inf
        return max(_distance(item, other, within) for item, other in zip(guess, answer, strict=True))
    guess, answer = _normalise(guess), _normalise(answer)
    if not (_is_number(guess) and _is_number(answer)):
        return 0.0 if guess == answer and isinstance(guess, bool) == isinstance(answer, bool) else math.inf
    if guess == answer:
        return 0.0
    return abs(guess - answer) / (within * abs(answer)) if within and answer else math.inf


def _is_far(guess: Any, answer: Any) -> bool:
    """Return whether a number, or one of several, is at most half of the answer, at least its double, or of the other sign.

    Examples
    --------
    >>> _is_far(7, 26.1), _is_far((3, 18), (3, 26.1)), _is_far(-1, 1), _is_far(18, 26.1)
    (True, False, True, False)
    """
    if isinstance(answer, (tuple, list)):
        return any(_is_far(item, other) for item, other in zip(guess, answer, strict=True))
    guess, answer = _normalise(guess), _normalise(answer)
    return guess != answer and not 1 / _FAR < guess / answer < _FAR


def _to_plain(value: Any) -> Any:
    """Return the number in a 0-d tensor or a numpy scalar, also inside a list; anything else is returned unchanged.

    Examples
    --------
    >>> import numpy as np
    >>> _to_plain(np.float32(0.5)), _to_plain([np.array(3), "four"])
    (0.5, [3, 'four'])
    """
    if isinstance(value, (tuple, list)):
        return type(value)(_to_plain(item) for item in value)
    return value.item() if getattr(value, "shape", None) == () else value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _normalise(value: Any) -> Any:
    """Return words for yes and no as True and False, numbers in words as numbers, other words in lower case."""
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
