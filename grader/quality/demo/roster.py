"""Who is in the demo class, and what sort of submission each hands in."""

from __future__ import annotations

from ...paths import BUILD

__all__ = ["CLASS_SIZE", "HOME", "MOST", "roster"]

#: The demo class has a folder of its own: no real class is ever touched.
HOME = BUILD / "demo"

_NAMES = (
    "aiko", "amara", "anders", "beatriz", "bo", "chen", "chiara", "dmitri", "elif", "emeka", "farah", "finn",
    "gita", "hana", "hugo", "ines", "ivan", "jia", "jonas", "kofi", "lan", "leila", "lucas", "mei", "milan", "nadia",
    "noor", "omar", "paula", "priya", "quinn", "rosa", "samir", "sofia", "tomas", "uma", "viktor", "wei", "yara", "zoe",
)  # fmt: skip
#: As many as have names of their own.
MOST = len(_NAMES)
CLASS_SIZE = 12

# Most of a class is partly right; each odd thing happens to somebody.
_ROUND = (
    "mistaken", "perfect", "mistaken", "right but unusual", "mistaken", "half done", "mistaken", "with warnings",
    "perfect", "cell duplicated", "mistaken", "labels lost", "mistaken", "cell deleted", "mistaken", "untouched",
)  # fmt: skip


def roster(topics: list[str], size: int = CLASS_SIZE) -> list[tuple[str, str, str]]:
    """Return (student, topic, persona) for each submission of a class of `size`.

    Everybody hands in every notebook; one file in all is corrupt.

    >>> len(roster(["01_onehot_vs_lookup"], 40))
    40
    """
    rows = []
    for position, name in enumerate(_NAMES[:size]):
        for turn, topic in enumerate(topics):
            rows.append((name, topic, _ROUND[(position + 5 * turn) % len(_ROUND)]))
    spoilt = len(rows) // 2
    rows[spoilt] = (*rows[spoilt][:2], "corrupt")
    return rows
