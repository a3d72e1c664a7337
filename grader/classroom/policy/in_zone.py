"""Moments as the pages of a class say them."""

from datetime import datetime, tzinfo


def in_zone(moment: datetime, zone: tzinfo) -> str:
    """A moment in the class's zone, which is named.

    >>> from datetime import UTC
    >>> in_zone(datetime(2026, 3, 1, 12, tzinfo=UTC), UTC)
    '1 March 2026, 12:00 (UTC)'
    """
    local = moment.astimezone(zone)
    return f"{local.day} {local:%B %Y, %H:%M} ({getattr(zone, 'key', None) or local.tzname()})"
