"""Long lists of names, shortened for one line."""

from collections.abc import Sequence


def first_names(names: Sequence[str], limit: int) -> str:
    """Return the first names, and how many more there are.

    >>> first_names(["ada", "bo", "cy"], 2), first_names(["ada", "bo"], 2)
    ('ada, bo and 1 more', 'ada, bo')
    """
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
