"""Provide real search data with no download: the docstrings of your own libraries.

Each function, class and method of the standard library, numpy, scipy, scikit-learn, matplotlib and torch begins its
docstring with a sentence and goes on with details. The sentence is the question, the details are the text to be found.

The docstrings are read from the installed libraries, in processes of their own, and cached in the learner's folder
(`api_gather`). Other versions have other docstrings, so print `fingerprint()` beside every number that was measured.

No object occurs in two splits, whatever its names, and neither do nearly identical texts (`api_groups`).
"""

import hashlib
import random
from collections import Counter
from functools import cache

from .api_gather import Entry, Gathered, cache_file, gather, installed

#: The splits and their shares, in percent of the groups.
SHARES = {"train": 80, "valid": 10, "test": 10}


@cache
def corpus_in(folder: str) -> Gathered:
    """Return the entries of the installed libraries, gathered once for each folder that may hold a cache of them."""
    return gather(installed())


def corpus() -> Gathered:
    """Return the entries of the installed libraries."""
    from ..files import state_file

    return corpus_in(str(state_file().parent))  # The cache depends on the folder.


def is_read() -> bool:
    """Return whether the docstrings of this machine's libraries were read before, so that asking for them takes no time."""
    return cache_file(installed()).is_file()


def everything() -> list[Entry]:
    """Return all entries sorted by name: `name`, `library`, `kind` ("class" or "function"), `summary`, `body`, `group`."""
    return list(corpus().entries)


def split_of(entry: Entry) -> str:
    """Return the split of an entry. It depends on the group alone, so that a further library moves no other entry.

    Examples
    --------
    >>> split_of(Entry("f", "python", "function", "", "", "one")) == split_of(Entry("g", "numpy", "class", "", "", "one"))
    True
    """
    position = int.from_bytes(hashlib.sha256(entry.group.encode()).digest()[:4], "big") % 100
    for split, share in SHARES.items():
        if position < share:
            return split
        position -= share
    raise AssertionError("the shares do not add up to 100")


def pairs(split: str, n: int | None = None, seed: int = 0) -> list[Entry]:
    """Return entries of a split in an order that depends on the seed.

    Parameters
    ----------
    split : str
        "train", "valid" or "test".
    n : int or None, optional
        Number of entries; None for all.
    seed : int, optional
        The same seed gives the same order.

    Raises
    ------
    ValueError
        For an unknown split, more entries than there are, or a negative number or seed.
    """
    if split not in SHARES:
        raise ValueError(f"no split {split!r}: there are {', '.join(SHARES)}")
    if seed < 0:
        raise ValueError(f"seed {seed}: it is 0 or more")
    entries = [entry for entry in everything() if split_of(entry) == split]
    if n is not None and not 0 <= n <= len(entries):
        raise ValueError(f"{split} has {len(entries):,} pairs, not {n:,}")
    random.Random(seed).shuffle(entries)
    return entries[:n]


def fingerprint() -> str:
    """Return one line that identifies the text, such as "8,383 pairs of python 3.11.7, numpy 2.4.6, scipy 1.17.1; 0039c088"."""
    gathered = corpus()
    text = "\n".join(f"{entry.name}\t{entry.summary}\t{entry.body}" for entry in gathered.entries)
    versions = ", ".join(f"{library} {version}" for library, version in gathered.versions.items())
    return f"{len(gathered.entries):,} pairs of {versions}; {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def describe() -> str:
    """Return a table of the pairs by library and split, and which libraries are missing, as text of several lines."""
    gathered = corpus()
    counts = Counter((entry.library, split_of(entry)) for entry in gathered.entries)
    lines = [f"{'':12}{'version':>10}" + "".join(f"{split:>8}" for split in SHARES)]
    for library, version in gathered.versions.items():
        lines.append(f"{library:12}{version:>10}" + "".join(f"{counts[library, split]:8,}" for split in SHARES))
    totals = (sum(counts[library, split] for library in gathered.versions) for split in SHARES)
    lines.append(f"{'together':22}" + "".join(f"{total:8,}" for total in totals))
    return "\n".join(lines + _missing_libraries(gathered))


def _missing_libraries(gathered: Gathered) -> list[str]:
    from .api_gather import LIBRARIES

    missing = [library for library in LIBRARIES if library not in gathered.versions]
    return [f"not installed, or not readable: {', '.join(missing)}"] if missing else []
