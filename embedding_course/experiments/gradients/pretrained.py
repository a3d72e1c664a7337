"""Load vectors made from one text into a model for another text, and measure for which words they help."""

from collections import Counter
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from ...data.language_reference import words
from ...messages import translatable

WAYS = (translatable("random"), translatable("pretrained, trained on"), translatable("pretrained, frozen"))
LENGTH = 3.0  # Mean norm of pretrained and random vectors, so that they differ in direction only.


@dataclass(frozen=True)
class Texts:
    """Hold a long text to make vectors from, a short one to train on, and one to test on, all disjoint."""

    long: tuple[str, ...]
    short: tuple[str, ...]
    test: tuple[str, ...]


def texts() -> Texts:
    """Return three parts of the language reference: 90,000 words, 4,000 words, 12,000 words."""
    text = words()
    return Texts(text[:90_000], text[90_000:94_000], text[-12_000:])


def train_vectors(text: tuple[str, ...], size: int = 800, width: int = 32) -> dict[str, torch.Tensor]:
    """Return vectors of the `size` most frequent words of `text`, from the words that surround them.

    Counts of words within two positions before and after become positive pointwise mutual information, which a singular value
    decomposition reduces to `width` dimensions (Levy and Goldberg, 2014).
    """
    chosen = [word for word, _ in Counter(text).most_common(size)]
    row = {word: index for index, word in enumerate(chosen)}
    ids = torch.tensor([row.get(word, -1) for word in text])
    counts = torch.zeros(size, size)
    for gap, weight in ((1, 1.0), (2, 0.5)):
        left, right = ids[:-gap], ids[gap:]
        both = (left >= 0) & (right >= 0)
        pairs = left[both] * size + right[both]
        counts.view(-1).index_add_(0, pairs, torch.full((len(pairs),), weight))
    association = torch.cat([_ppmi(counts), _ppmi(counts.T)], dim=1)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        vectors, strength, _ = torch.svd_lowrank(association, q=width)
    vectors = vectors * strength.sqrt()
    vectors = vectors * (LENGTH / vectors.norm(dim=1).mean())
    return dict(zip(chosen, vectors, strict=True))


def _ppmi(counts: torch.Tensor) -> torch.Tensor:
    """Return positive pointwise mutual information; the power 0.75 reduces the weight of rare neighbours."""
    joint = counts / counts.sum()
    chance = joint.sum(dim=1, keepdim=True) * joint.sum(dim=0, keepdim=True) ** 0.75
    return (joint / (chance / chance.sum())).clamp_min(1e-12).log().clamp_min(0)


def cold_starts(known: torch.Tensor, wanted: torch.Tensor) -> dict[str, float]:
    """Return the mean distance of each initialisation without data from the word's vector, relative to a row of zeros.

    Parameters
    ----------
    known : torch.Tensor
        Vectors of known words, (V, d).
    wanted : torch.Tensor
        Vectors of words that are treated as unknown, (N, d).
    """
    generator = torch.Generator().manual_seed(0)
    starts = {
        "N(0, 1)": torch.randn(wanted.shape, generator=generator),
        "N(0, 0.02²)": 0.02 * torch.randn(wanted.shape, generator=generator),
        translatable("mean of the known rows"): known.mean(dim=0).expand_as(wanted),
    }
    return {name: relative_distance(start, wanted) for name, start in starts.items()}


def relative_distance(start: torch.Tensor, wanted: torch.Tensor) -> float:
    """Return the mean distance of rows (N, d) from their vectors (N, d), relative to a row of zeros."""
    return ((wanted - start).norm(dim=1) / wanted.norm(dim=1)).mean().item()


@dataclass(frozen=True)
class Outcome:
    """Hold the loss on the test text in nats, by the word that is looked up.

    `trained` words occur in the short text; `only_pretrained` words do not, but have a pretrained vector. `counts` is on how
    many words of the test text the two losses are computed. `whole` is the loss on all words of the test text.
    """

    trained: float
    only_pretrained: float
    counts: tuple[int, int]
    whole: float


def compare(
    way: str,
    matrix: torch.Tensor,
    known: torch.Tensor,
    short: torch.Tensor,
    test: torch.Tensor,
    *,
    steps: int = 100,
    seed: int = 0,
) -> Outcome:
    """Train a next-word model on the ids `short` and measure it on the ids `test`.

    The model is a lookup and a linear layer that starts at zero, trained by Adam on 128 pairs of neighbours at each step.

    Parameters
    ----------
    way : str
        Initialisation of the table; "random" draws all its rows anew, with the same norm.
    matrix, known : torch.Tensor
        Pretrained vectors (V, d), and which rows have one, (V,).
    short, test : torch.Tensor
        Ids (N,).
    steps : int, optional
        Number of steps.
    seed : int, optional
        Seed of the random table and of the batches.
    """
    generator = torch.Generator().manual_seed(seed)
    if way == "random":
        matrix = torch.randn(matrix.shape, generator=generator) * (LENGTH / matrix.shape[1] ** 0.5)
    table = nn.Embedding.from_pretrained(matrix.clone(), freeze=way == "pretrained, frozen")
    output = nn.Linear(matrix.shape[1], matrix.shape[0])
    nn.init.zeros_(output.weight)
    nn.init.zeros_(output.bias)
    learned = [parameter for parameter in (*table.parameters(), *output.parameters()) if parameter.requires_grad]
    optimizer = torch.optim.Adam(learned, lr=0.01)
    for _ in range(steps):
        at = torch.randint(len(short) - 1, (128,), generator=generator)
        loss = F.cross_entropy(output(table(short[at])), short[at + 1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    seen = torch.zeros(len(matrix), dtype=torch.bool)
    seen[short] = True
    with torch.no_grad():
        losses = F.cross_entropy(output(table(test[:-1])), test[1:], reduction="none")
    trained, fresh = seen[test[:-1]], ~seen[test[:-1]] & known[test[:-1]]
    counts = int(trained.sum()), int(fresh.sum())
    return Outcome(losses[trained].mean().item(), losses[fresh].mean().item(), counts, losses.mean().item())
