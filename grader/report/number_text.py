"""Numbers and moments as the instructor's pages say them."""

from datetime import UTC, datetime, tzinfo

from ..classroom.policy.deadlines import in_zone


def percent(share: float) -> str:
    r"""Return a share as people read it, with a no-break space. A share just below 1 is not shown as 100 %.

    >>> percent(0.5) == "50\N{NO-BREAK SPACE}%", percent(0.999)[:2], percent(0.001)[:1]
    (True, '99', '1')
    """
    rounded = round(100 * share)
    return f"{100 if share >= 1 else 0 if share <= 0 else min(99, max(1, rounded))}\N{NO-BREAK SPACE}%"


def signed(value: float) -> str:
    """Return a number with two digits and a sign that reads as one.

    >>> signed(0.5), signed(-0.25)
    ('0.50', '−0.25')
    """
    return f"{value:.2f}".replace("-", "−")


def today(zone: tzinfo) -> str:
    """Return the present moment in the class's zone, as a page says it."""
    return in_zone(datetime.now(UTC), zone)
