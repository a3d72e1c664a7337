"""Models for `05.beam_search`: probabilities that are written down for some beginnings, and random ones for all others."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from ...checking.exercise import RandomInputs

END = "$"  # eos in a tree's spelling
_OFF = 5

#: For a beginning, spelled in letters, the probabilities of what comes next.
Spelling = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Model:
    """Scores (S, V) of the states, the states that follow (S, V), and the two special ids. `says` is for the reader."""

    scores: torch.Tensor
    onward: torch.Tensor
    bos: int
    eos: int
    says: str = ""


def _special(draw: RandomInputs, size: int) -> tuple[int, int, list[int]]:
    """Return bos, eos and the other ids, in random order."""
    bos, eos, *others = draw.distinct(size, size).tolist()
    return bos, eos, others


def tree(draw: RandomInputs, size: int, spelled: Spelling, special: tuple[int, int] | None = None) -> Model:
    """Return a model in which the next tokens have about the given probabilities after each beginning in `spelled`.

    The other tokens share the rest of the probability. After any other beginning, all tokens are about equally likely.
    """
    bos, eos, others = _special(draw, size)
    if special:
        bos, eos = special
        others = draw.shuffled([token for token in range(size) if token not in special])
    letters = sorted({letter for start, row in spelled.items() for letter in (*start, *row)} - {END})
    ids = dict(zip(letters, others, strict=False)) | {END: eos}
    starts = sorted(spelled, key=len)
    scores = draw.uniform(len(starts) + _OFF, size, low=-0.2, high=0.2)
    onward = draw.ids((len(starts) + _OFF, size), _OFF) + len(starts)
    lines = []
    for state, start in enumerate(starts):
        named = {ids[letter]: chance * draw.rng.uniform(0.98, 1.02) for letter, chance in spelled[start].items()}
        left = (1 - sum(named.values())) / max(size - 1 - len(named), 1)
        scores[state] += math.log(max(left, 1e-4))
        for token, chance in named.items():
            scores[state, token] = math.log(chance)
        for letter in letters:
            if start + letter in spelled:
                onward[state, ids[letter]] = starts.index(start + letter)
        listed = ", ".join(f"{token}: {chance:.2f}" for token, chance in named.items())
        lines.append(f"after {[bos, *(ids[letter] for letter in start)]} {{{listed}}}")
    scores[:, bos] = float("-inf")
    return Model(scores, onward, bos, eos, "; ".join(lines))


def layers(draw: RandomInputs, size: int, depth: int, lead: float = 1.6, dtype: torch.dtype = torch.float32) -> Model:
    """Return a random model whose sequences end after `depth` tokens, nearly for certain.

    The probability of a token depends on all tokens before it.
    """
    bos, eos, _ = _special(draw, size)
    each = 4
    scores = draw.normal(depth + 1, each, size, scale=lead, dtype=dtype)
    scores[:, :, eos] = -9.0
    scores[-1, :, eos] = 12.0
    below = draw.ids((depth + 1, each, size), each) + each * torch.arange(1, depth + 2)[:, None, None].clamp(max=depth)
    scores[:, :, bos] = float("-inf")
    return Model(scores.flatten(0, 1), below.flatten(0, 1), bos, eos)


def line(draw: RandomInputs, size: int, length: int, chance: float) -> Model:
    """Return a model in which one token has the probability `chance` at each position, and no sequence ends before `length`.

    All other tokens share the rest of the probability.
    """
    bos, eos, others = _special(draw, size)
    scores = draw.uniform(length + 1, size, low=-0.1, high=0.1) + math.log((1 - chance) / (size - 3))
    for position in range(length + 1):
        scores[position, draw.choice(others)] = math.log(chance)
    scores[:, bos] = scores[:, eos] = float("-inf")
    onward = (torch.arange(length + 1)[:, None] + 1).clamp(max=length).expand(-1, size).contiguous()
    return Model(scores, onward, bos, eos)
