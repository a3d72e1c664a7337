"""Provide published tests of word vectors: pairs that people have rated, and analogies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from .locate import PublishedFile, read_published


def _of_gensim(name: str, sha256: str, size: int) -> PublishedFile:
    return PublishedFile(name, sha256, size, "The word test", "gensim", "gensim", f"test/test_data/{name}")


_RATED = {
    "wordsim353": _of_gensim("wordsim353.tsv", "f92a022fc2537793a15bc3a8c162ebcd74990e033a228bb6388cb71e4c0b1e1d", 7_186),
    "simlex999": _of_gensim("simlex999.txt", "d5e0501971478a511430ee880bd0121e94ac701ba86d90544d83e6d2ba3db05d", 18_126),
}
_ANALOGIES = _of_gensim("questions-words.txt", "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36", 603_955)


@dataclass(frozen=True)
class WordPairs:
    """Hold pairs of words and how similar people find them.

    `ratings[i]` is the mean rating of `pairs[i]`, from 0 to 10; `ratings` is float64 of shape (N,).
    """

    name: str
    pairs: tuple[tuple[str, str], ...]
    ratings: torch.Tensor


def word_similarity(name: str, folder: str | Path | None = None) -> WordPairs:
    """Return "wordsim353" (353 pairs, relatedness counts) or "simlex999" (999 pairs, only similarity counts).

    Parameters
    ----------
    name : str
        "wordsim353" or "simlex999".
    folder : str or Path or None, optional
        A folder that holds `wordsim353.tsv` or `simlex999.txt`; otherwise the package gensim is searched for them.

    Raises
    ------
    ValueError
        For another name.
    PublishedError
        If the file is missing or is not the published one.
    """
    if name not in _RATED:
        raise ValueError(f"no word test {name!r}: there are {', '.join(_RATED)}")
    text = read_published(_RATED[name], folder).decode("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    pairs = tuple((first, second) for first, second, _ in rows)
    return WordPairs(name, pairs, torch.tensor([float(rating) for _, _, rating in rows], dtype=torch.float64))


def analogies(folder: str | Path | None = None) -> dict[str, list[tuple[str, str, str, str]]]:
    """Return Google's 19,544 analogies by category: a is to b as c is to d.

    Parameters
    ----------
    folder : str or Path or None, optional
        A folder that holds `questions-words.txt`; otherwise the package gensim is searched for it.

    Raises
    ------
    PublishedError
        If the file is missing or is not the published one.
    """
    analogies: dict[str, list[tuple[str, str, str, str]]] = {}
    category = ""
    for line in read_published(_ANALOGIES, folder).decode("utf-8").splitlines():
        if line.startswith(":"):
            category = line.removeprefix(":").strip()
            analogies[category] = []
        else:
            a, b, c, d = line.split()
            analogies[category].append((a, b, c, d))
    return analogies
