"""How `05.greedy_decode` is tried: with an encoder and a decoder that are tables, built from plain numbers."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from ...checking.exercise import NamedParts

_NUMBERS = 3

State = tuple[torch.Tensor, torch.Tensor]


def _state(number: torch.Tensor, marks: torch.Tensor) -> State:
    """Return the state (h, c) for these numbers: the number is in h, its mark in c, so that either half alone is not enough."""
    h, c = torch.zeros(1, len(number), _NUMBERS), torch.zeros(1, len(number), _NUMBERS)
    h[0, :, 0], c[0, :, 1] = number.float(), marks[number].float()
    return h, c


class _Encoder(nn.Module):
    """The real words of a row say by their sum in which state its reading ends."""

    def __init__(self, ends: torch.Tensor, marks: torch.Tensor) -> None:
        super().__init__()
        self.ends, self.marks = ends, marks
        self.weight = nn.Parameter(torch.ones(_NUMBERS))
        self.modes: list[bool] = []

    def forward(self, src: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, State]:
        self.modes.append(self.training)
        if src.ndim != 2 or lengths.shape != src.shape[:1]:
            raise ValueError(f"src {tuple(src.shape)} and lengths {tuple(lengths.shape)}; (B, S) and (B,) were expected")
        real = torch.arange(src.shape[1]) < lengths[:, None]
        number = self.ends[(src * real).sum(dim=1).long() % len(self.ends)]
        return (real * (number[:, None] + 1))[..., None] * self.weight, _state(number, self.marks)


class _Decoder(nn.Module):
    """For each state and word that is fed a best word and its lead over the others, and the state that follows.

    The rows of `best` and `leads` behind the first half are for a c that does not belong to its h.
    """

    def __init__(
        self, best: torch.Tensor, leads: torch.Tensor, onward: torch.Tensor, marks: torch.Tensor, noise: torch.Tensor
    ) -> None:
        super().__init__()
        self.best, self.leads, self.onward, self.marks = best, leads, onward, marks
        self.noise = nn.Parameter(noise.clone())
        self.modes: list[bool] = []

    def forward(self, decoder_input: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        self.modes.append(self.training)
        h, c = state
        wanted = (1, len(decoder_input), _NUMBERS)
        if decoder_input.ndim != 2 or h.shape != wanted or c.shape != wanted:
            shapes = f"decoder_input {tuple(decoder_input.shape)}, h {tuple(h.shape)}, c {tuple(c.shape)}"
            raise ValueError(f"{shapes}; (B, T), (1, B, H) and (1, B, H) were expected")
        logits = []
        for fed in decoder_input.unbind(dim=1):
            scores, (h, c) = self._step(fed, h, c)
            logits.append(scores)
        return torch.stack(logits, dim=1), (h, c)

    def _step(self, fed: torch.Tensor, h: torch.Tensor, c: torch.Tensor) -> tuple[torch.Tensor, State]:
        number = h[0, :, 0].round().long()
        if not bool(((number >= 0) & (number < len(self.onward))).all()):
            raise ValueError(
                "the decoder was given a state that came neither from the encoder's state nor from the decoder itself"
            )
        row = number + len(self.onward) * (c[0, :, 1] != self.marks[number])
        scores = self.noise[fed]
        lead = scores.amax(dim=1, keepdim=True) + self.leads[row, fed][:, None]
        return scores.scatter(1, self.best[row, fed][:, None], lead), _state(self.onward[number], self.marks)


def run(
    candidate: Callable[..., Any],
    encoder: Mapping[str, torch.Tensor],
    decoder: Mapping[str, torch.Tensor],
    src: torch.Tensor,
    lengths: torch.Tensor,
    max_len: int,
    bos: int,
    eos: int,
    training: Mapping[str, bool] | None = None,
) -> NamedParts:
    """Build the two modules, decode, and report the sentences and the types of their words.

    The types are reported since a tensor would compare equal to an int. `training` says which module is in training mode; if it
    is given, the modes and the weights of both modules after the call are reported too.
    """
    modules = {"encoder": _Encoder(**encoder), "decoder": _Decoder(**decoder)}
    for name, module in modules.items():
        module.train(bool(training and training[name]))
    sentences = candidate(*modules.values(), src, lengths, max_len, bos, eos)
    parts = NamedParts({"sentences": sentences, "types of the words": _types(sentences)})
    for name, module in modules.items() if training else ():
        parts[f"modes of the {name}"] = torch.tensor([*module.modes, module.training], dtype=torch.int64)
        for weight, value in module.named_parameters():
            parts[f"{weight} of the {name} afterwards"] = value
        parts[f"weights of the {name} that can learn"] = [
            weight for weight, value in module.named_parameters() if value.requires_grad
        ]
    return parts


def _types(sentences: Any) -> list[str]:
    lines = sentences if isinstance(sentences, (list, tuple)) else ()
    words = [word for line in lines if isinstance(line, (list, tuple)) for word in line]
    return sorted({type(word).__name__ for word in words})
