"""The reasons for talking to somebody, each in words and with its strength."""

import statistics
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from embedding_course.checking.result import number
from embedding_course.messages import Listing

from .number_text import percent
from .standing import Standing

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: A median absolute deviation times this is the standard deviation of a normal distribution.
_AS_NORMAL = 1.4826
#: In a class where most earned the same, so much of the points counts as a usual distance.
_MIN_SPREAD = 0.1
#: From this many usual distances, and this share of the points below the median, a student stands out.
_DISTANCES, _BELOW = 1.5, 0.15
#: So much less of the points than before is a reason, and so much more than the class itself fell.
_FALL = 0.2
_STRONGEST = 4.0


@dataclass(frozen=True)
class Reason:
    """Why to talk to somebody, in words, and how strong a reason it is: about 1 for a weak one, 4 at most."""

    words: str
    strength: float


def not_read(standing: Standing) -> Reason | None:
    """Return the reason if a file could not be read."""
    if not standing.unreadable:
        return None
    numbers = _listed([record.topic for record in standing.unreadable])
    why = next((f": {record.reason}" for record in standing.unreadable if record.reason), "")
    return Reason(f"The file of {numbers} could not be read{why}", 3.5)


def not_handed_in(standing: Standing, usual: Sequence[str], not_due: Collection[tuple[str, str]]) -> Reason | None:
    """Return the reason if a notebook that is usual and due is missing.

    Parameters
    ----------
    standing : Standing
        Standing of the student.
    usual : sequence of str
        Notebooks that more than half of the class handed in.
    not_due : collection of (str, str)
        Student and notebook of work whose time is not over.
    """
    missing = [topic for topic in usual if topic not in standing.handed_in and (standing.student, topic) not in not_due]
    if not missing:
        return None
    others = sorted(topic for topic in standing.handed_in if topic not in missing)
    though = f", though {_listed(others)}" if others else ", nor any other"
    return Reason(f"Has not handed in {_listed(missing)}{though}", 3.0 if others else 2.5)


def below_the_class(standing: Standing, graded: Sequence[Standing]) -> Reason | None:
    """Return the reason if the student has far fewer points than the class, relative to its usual spread."""
    if standing.share is None:
        return None
    shares = [other.share for other in graded if other.share is not None]
    middle = statistics.median(shares)
    usual = max(_MIN_SPREAD, _AS_NORMAL * statistics.median(abs(share - middle) for share in shares))
    distances = (middle - standing.share) / usual
    if distances < _DISTANCES or middle - standing.share < _BELOW:
        return None
    if len(standing.topics) > 1:
        words = f"{percent(standing.share)} of the points in these notebooks, where the class's median is {percent(middle)}"
    else:
        median = statistics.median(other.score for other in graded)
        words = f"{_points(standing)} here, where the class's median is {number(median)}"
    return Reason(words, min(_STRONGEST, distances))


def less_than_half(standing: Standing) -> Reason | None:
    """Return the reason if the student has less than half of the points, for a class too small to compare with."""
    if standing.share is None or standing.share >= 0.5:
        return None
    amount = _points(standing) if len(standing.topics) == 1 else f"{percent(standing.share)} of the points"
    return Reason(f"{amount} here, less than half", 1 + 4 * (0.5 - standing.share))


def fallen_back(standing: Standing, graded: Sequence[Standing]) -> Reason | None:
    """Return the reason if the student has far fewer points than in earlier notebooks, and lost more than the class did."""
    if standing.share is None or standing.before is None:
        return None
    falls = [other.before - other.share for other in graded if other.before is not None and other.share is not None]
    fall = standing.before - standing.share
    beyond = fall - max(0.0, statistics.median(falls) if len(falls) > 2 else 0.0)
    if fall < _FALL or beyond < _FALL:
        return None
    when = "the notebook" if standing.earlier == 1 else f"the {_count(standing.earlier)} notebooks"
    words = f"In {when} before it was {percent(standing.before)} of the points, here it is {percent(standing.share)}"
    return Reason(words, min(_STRONGEST, beyond / _FALL))


def _points(standing: Standing) -> str:
    return f"{number(standing.score)} of {number(standing.most)} points"


def _count(many: int) -> str:
    return _COUNTS[many] if many < len(_COUNTS) else str(many)


def _listed(topics: Sequence[str]) -> str:
    return str(Listing([topic[:2] for topic in topics]))
