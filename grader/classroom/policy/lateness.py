"""How late a submission came, and what that takes from it."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

import msgspec

from embedding_course.checking.result import number
from embedding_course.messages import Message, as_text

_DAY = timedelta(days=1)
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Length = Annotated[float, msgspec.Meta(ge=0, le=100_000)]


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[late]`: per cent of a notebook's points for each day begun, and where that ends.

    `grace` is in minutes and `closed_after` in days. Nothing is taken unless the file says so.
    """

    per_day: Percent = 0.0
    most: Percent = 100.0
    grace: Length = 0.0
    closed_after: Length | None = None

    def share(self, late: timedelta) -> float:
        """Return the share of a notebook's points that is taken, from 0 to 1.

        >>> rules = Late(per_day=10, most=50)
        >>> rules.share(timedelta(hours=1)), rules.share(timedelta(days=30))
        (0.1, 0.5)
        """
        if late <= timedelta(minutes=self.grace):
            return 0.0
        if self.closed_after is not None and late > timedelta(days=self.closed_after):
            return 1.0
        return min(self.most, self.per_day * math.ceil(late / _DAY)) / 100


@dataclass(frozen=True)
class Lateness:
    """A submission that came after its deadline: when it was due, how much later it came, the share it loses."""

    due: datetime
    late: timedelta
    share: float

    def points(self, score: float, most: float) -> float:
        """Return the points taken: a share of what the notebook is worth, and never more than was earned.

        >>> Lateness(datetime(2026, 3, 1), timedelta(days=1), 0.2).points(score=1.0, most=20.0)
        1.0
        """
        return round(max(0.0, min(score, self.share * most)), 6)

    @property
    def says(self) -> str:
        """Return how late it is and what share is taken, in words."""
        return f"{duration(self.late)} late" + (f", −{number(100 * self.share)} %" if self.share else "")


def duration(length: timedelta) -> str:
    """Return a length of time as people say it.

    >>> duration(timedelta(days=1, hours=3, minutes=20)), duration(timedelta(seconds=20))
    ('1 day 3 hours', '1 minute')
    """
    minutes = max(1, round(length / timedelta(minutes=1)))
    days, hours, minutes = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [
        Message.plural("{count} day", "{count} days", days),
        Message.plural("{count} hour", "{count} hours", hours),
        Message.plural("{count} minute", "{count} minutes", minutes),
    ]
    return as_text([part for part in parts if part.slots["count"]][:2])
