"""Real search with no download: what the functions of your own libraries say about themselves.

Each function, class and method of the standard library, numpy, scipy, scikit-learn, matplotlib and torch begins its
docstring with a sentence and goes on with details. The sentence is the question, the details are what is to be found.

The docstrings are read from what is installed, in processes of their own, and remembered in the learner's folder
(`api_gather`). Other versions say other things, so print `fingerprint()` beside every number that was measured.

No object is on two sides of the split, under whatever names it is offered, and neither are near-identical texts (`api_groups`).
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from functools import cache

from .api_gather import Entry, Gathered, gather, installed

__all__ = ["SHARES", "Entry", "describe", "everything", "fingerprint", "pairs", "split_of"]

#: The splits and their shares, in percent of the groups.
SHARES = {"train": 80, "valid": 10, "test": 10}


@cache
def _gathered(folder: str) -> Gathered:
    return gather(installed())


def _found() -> Gathered:
    from ..files import state_file

    return _gathered(str(state_file().parent))  # another folder, another cache


def everything() -> list[Entry]:
    """All entries, by name: `name`, `library`, `kind` ("class" or "function"), `summary`, `body`, `group`."""
    return list(_found().entries)


def split_of(entry: Entry) -> str:
    """Where an entry belongs. Its group alone decides, so another library more or less moves nothing else.

    >>> split_of(Entry("f", "python", "function", "", "", "one")) == split_of(Entry("g", "numpy", "class", "", "", "one"))
    True
    """
    place = int.from_bytes(hashlib.sha256(entry.group.encode()).digest()[:4], "big") % 100
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    raise AssertionError("the shares do not add up to 100")


def pairs(split: str, n: int | None = None, seed: int = 0) -> list[Entry]:
    """The entries of a split, "train", "valid" or "test", shuffled; with `n`, the first n of them.

    The same seed gives the same order. ValueError for a split that does not exist, more entries than there are, or a
    negative number or seed.
    """
    if split not in SHARES:
        raise ValueError(f"no split {split!r}: there are {', '.join(SHARES)}")
    if seed < 0:
        raise ValueError(f"seed {seed}: it is 0 or more")
    found = [entry for entry in everything() if split_of(entry) == split]
    if n is not None and not 0 <= n <= len(found):
        raise ValueError(f"{split} has {len(found):,} pairs, not {n:,}")
    random.Random(seed).shuffle(found)
    return found[:n]


def fingerprint() -> str:
    """Which text this is, in a line: "8,383 pairs of python 3.11.7, numpy 2.4.6, scipy 1.17.1; 0039c088", say."""
    found = _found()
    text = "\n".join(f"{entry.name}\t{entry.summary}\t{entry.body}" for entry in found.entries)
    versions = ", ".join(f"{library} {version}" for library, version in found.versions.items())
    return f"{len(found.entries):,} pairs of {versions}; {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def describe() -> str:
    """What was found: pairs by library and split, and which libraries are missing, as a text of several lines."""
    found = _found()
    counts = Counter((entry.library, split_of(entry)) for entry in found.entries)
    lines = [f"{'':12}{'version':>10}" + "".join(f"{split:>8}" for split in SHARES)]
    for library, version in found.versions.items():
        lines.append(f"{library:12}{version:>10}" + "".join(f"{counts[library, split]:8,}" for split in SHARES))
    totals = (sum(counts[library, split] for library in found.versions) for split in SHARES)
    lines.append(f"{'together':22}" + "".join(f"{total:8,}" for total in totals))
    return "\n".join(lines + _missing(found))


def _missing(found: Gathered) -> list[str]:
    from .api_gather import LIBRARIES

    missing = [library for library in LIBRARIES if library not in found.versions]
    return [f"not installed, or not readable: {', '.join(missing)}"] if missing else []
