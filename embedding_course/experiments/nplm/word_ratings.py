"""Compare word vectors with how similar people find pairs of words."""

from collections.abc import Mapping, Sequence

import torch

from ...data.published import WordPairs


def known_pairs(test: WordPairs, index: Mapping[str, int]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the pairs of which both words have a row, as rows (n, 2), and their ratings (n,).

    Parameters
    ----------
    test : WordPairs
        The rated pairs; capital letters count as small ones.
    index : Mapping[str, int]
        The row of each word.
    """
    lower = [(first.lower(), second.lower()) for first, second in test.pairs]
    known = [position for position, pair in enumerate(lower) if all(word in index for word in pair)]
    rows = [[index[word] for word in lower[position]] for position in known]
    return torch.tensor(rows, dtype=torch.int64).view(-1, 2), test.ratings[known]


def cosines(vectors: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Return the cosine of the two words of each pair of rows, (n,)."""
    return torch.cosine_similarity(vectors[rows[:, 0]], vectors[rows[:, 1]], dim=1)


def spearman(first: torch.Tensor, second: torch.Tensor) -> float:
    """Return the correlation of the ranks of two lists; equal values share their mean rank.

    Examples
    --------
    >>> round(spearman(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 90.0, 20.0])), 6)
    0.5
    """
    return torch.corrcoef(torch.stack([_ranks(first), _ranks(second)]))[0, 1].item()


def _ranks(values: torch.Tensor) -> torch.Tensor:
    _, position, count = values.unique(return_inverse=True, return_counts=True)
    return (count.cumsum(0) - count / 2)[position].double()


def lead(
    first: Sequence[torch.Tensor], second: Sequence[torch.Tensor], ratings: torch.Tensor, draws: int = 2000
) -> tuple[float, float]:
    """Return the 95 % interval of how much higher Spearman's correlation is for one model than for another.

    The pairs of words are drawn again with replacement, the same ones for both models (paired bootstrap). A model with
    several seeds counts with the mean of its correlations.

    Parameters
    ----------
    first, second : Sequence[torch.Tensor]
        The cosines (n,) of the same pairs, one tensor for each seed.
    ratings : torch.Tensor
        The ratings (n,) of the pairs.
    draws : int, optional
        How often the pairs are drawn.
    """
    generator = torch.Generator().manual_seed(0)
    leads = []
    for chosen in torch.randint(len(ratings), (draws, len(ratings)), generator=generator):
        means = [sum(spearman(run[chosen], ratings[chosen]) for run in model) / len(model) for model in (first, second)]
        leads.append(means[0] - means[1])
    low, high = torch.tensor(leads, dtype=torch.float64).nan_to_num().quantile(torch.tensor([0.025, 0.975]).double()).tolist()
    return low, high
