"""Provide fifty sentences with mistakes, their references, and their BLEU scores by sacrebleu."""

from dataclasses import dataclass

from .files import data_file


@dataclass(frozen=True)
class BleuPairs:
    """Hold `candidates` and `references` as lists of words, and sacrebleu's BLEU of each pair and of the corpus, 0 to 100."""

    candidates: list[list[str]]
    references: list[list[str]]
    scores: list[float]
    together: float


def bleu_pairs() -> BleuPairs:
    """Return the fifty pairs with their BLEU scores, without smoothing.

    Examples
    --------
    >>> len(bleu_pairs().candidates)
    50
    """
    lines = data_file("bleu_pairs.tsv").read_text(encoding="utf-8").splitlines()
    total, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return BleuPairs(
        [row[0].split() for row in rows], [row[1].split() for row in rows], [float(row[2]) for row in rows], float(total[2])
    )
