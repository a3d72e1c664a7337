"""Measure whether a sentence keeps its vector when it is padded, for any pooling and without a right answer."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F

from .padding import SIDES, pad
from .window import Reader

Pool = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def moved(pool: Pool, side: str, width: int = 6, seed: int = 0) -> float:
    """Return the largest change of an element of a sentence's vector when its batch is padded.

    Tokens are random, and so are the vectors at padding, which are as large as those of words.

    Parameters
    ----------
    pool : Pool
        The learner's pooling, from vectors (B, T, d) and a mask (B, T) to vectors (B, d).
    side : str
        Where the padding is: "right", "left", "mixed" or "holes", as in `pad`.
    width : int, optional
        Number of dimensions d.
    seed : int, optional
        Seed of the random vectors.
    """
    generator = torch.Generator().manual_seed(seed)
    sentences = [torch.randn(length, width, generator=generator) for length in (3, 5, 2, 4)]
    mask = pad([[1] * len(sentence) for sentence in sentences], side, width=7, seed=seed)[1]
    batch = torch.randn(*mask.shape, width, generator=generator)
    worst = 0.0
    for row, sentence in enumerate(sentences):
        batch[row, mask[row].bool()] = sentence
    together = pool(batch, mask)
    for row, sentence in enumerate(sentences):
        alone = pool(sentence[None], torch.ones(1, len(sentence), dtype=torch.int64))
        worst = max(worst, float((together[row] - alone[0]).abs().max()))
    return worst


def moved_by_side(poolings: Mapping[str, Pool]) -> dict[str, list[float | None]]:
    """Return `moved` for each pooling and each of `SIDES`; None if the pooling is still a stub."""
    by_name: dict[str, list[float | None]] = {}
    for name, pool in poolings.items():
        try:
            by_name[name] = [moved(pool, side) for side in SIDES]
        except NotImplementedError:
            by_name[name] = [None] * len(SIDES)
    return by_name


@torch.no_grad()
def cosine_as_padding_grows(
    reader: Reader,
    ids: torch.Tensor,
    attention_mask: torch.Tensor,
    extra: list[int],
) -> torch.Tensor:
    """Return the cosines (N, E) of each sentence's vector with and without added columns of padding.

    Parameters
    ----------
    reader : Reader
        The model that turns ids and mask into sentence vectors.
    ids, attention_mask : torch.Tensor
        Sentences padded on the right, (N, T), and their mask, (N, T).
    extra : list[int]
        Numbers of columns that are added, E of them.
    """
    rows = []
    for row, real in zip(ids, attention_mask.bool(), strict=True):
        own, some = row[real][None], attention_mask.new_ones(1, int(real.sum()))
        alone = reader.vectors(own, some)
        rows.append(
            [F.cosine_similarity(alone, reader.vectors(F.pad(own, (0, more)), F.pad(some, (0, more)))).item() for more in extra]
        )
    return torch.tensor(rows)
