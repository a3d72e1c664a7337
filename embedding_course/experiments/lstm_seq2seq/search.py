"""How far a search falls short of the best sentence: the exact best, the total of a sentence, and counts over many."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import torch

from ..curves import Curves
from .translation import CHINESE, ENGLISH, Setting, held_out, train
from .translator import Thought

__all__ = ["MAX_LEN", "WIDTHS", "exact_best", "next_word", "search_errors", "total"]

Step = Callable[[torch.Tensor], torch.Tensor]
BeamSearch = Callable[..., list[int]]

MAX_LEN, WIDTHS = 16, (1, 2, 4, 8)
STEPS, SEEDS, SENTENCES = (250, 500, 1250), (0, 1, 2), 60
#: Two totals that differ by less are equal: in a batch sums are rounded differently.
SAME = 1e-3


def next_word(encoder: Callable, decoder: Callable, sentence: str) -> Step:
    """For one Chinese sentence: prefixes (k, t) -> log-probabilities of the next English word (k, V)."""
    ids = torch.tensor([CHINESE().encode(sentence)])
    with torch.no_grad():
        _, (h, c) = encoder(ids, torch.tensor([ids.shape[1]]))

    def step(prefixes: torch.Tensor) -> torch.Tensor:
        rows = len(prefixes)
        with torch.no_grad():
            logits, _ = decoder(prefixes, (h.repeat(1, rows, 1), c.repeat(1, rows, 1)))
        last = logits[:, -1].clone()
        last[:, ENGLISH().bos] = -torch.inf
        return last.log_softmax(dim=-1)

    return step


def total(step: Step, words: Sequence[int], max_len: int = MAX_LEN) -> float:
    """The total log-probability of a sentence: of its words and of eos, or of max_len words where it was cut."""
    row = [ENGLISH().bos, *words, ENGLISH().eos][: max_len + 1]
    return sum(step(torch.tensor([row[:place]]))[0, row[place]].item() for place in range(1, len(row)))


def exact_best(step: Step, max_len: int = MAX_LEN, limit: int = 5000) -> tuple[list[int] | None, float]:
    """The most probable sentence of all and its total, by best-first search: totals only fall, so the first complete
    sentence that comes up is the best one. None when `limit` prefixes did not suffice."""
    bos, eos = ENGLISH().bos, ENGLISH().eos
    open_ones, seen = [(0.0, (bos,))], 0
    while open_ones and seen < limit:
        loss, prefix = heapq.heappop(open_ones)
        if prefix[-1] == eos or len(prefix) > max_len:
            return [word for word in prefix[1:] if word != eos], -loss
        seen += 1
        values, words = step(torch.tensor([prefix]))[0].sort(descending=True)
        for value, word in zip(values.tolist(), words.tolist(), strict=True):
            if word != bos:
                heapq.heappush(open_ones, (loss - value, (*prefix, word)))
    return None, -torch.inf


def greedy(step: Step, max_len: int = MAX_LEN) -> list[int]:
    """The most probable word each time."""
    row = [ENGLISH().bos]
    while len(row) <= max_len and row[-1] != ENGLISH().eos:
        row.append(int(step(torch.tensor([row]))[0].argmax()))
    return [word for word in row[1:] if word != ENGLISH().eos]


def search_errors(beam_search: BeamSearch) -> Curves:
    """Models without attention after few and many steps, three seeds. Numbers: the fraction of sentences for which a search
    misses the most probable one, and the fraction that is translated rightly."""
    pairs, bos, eos = held_out().pairs[:SENTENCES], ENGLISH().bos, ENGLISH().eos
    numbers: dict[str, float] = {}
    for steps in STEPS:
        counts: dict[str, list[int]] = {}
        for seed in SEEDS:
            model = train(Setting(attention=False, steps=steps, seed=seed)).model.eval()
            for pair in pairs:
                step = next_word(
                    lambda ids, lengths, model=model: (None, model.read(ids, lengths).state),
                    lambda words, state, model=model: model.write(words, Thought(words, words, state)),
                    pair.chinese,
                )
                best, highest = exact_best(step)
                if best is None:
                    counts.setdefault("given up", []).append(1)
                    continue
                found = {"exact": best, "greedy": greedy(step)}
                found |= {str(width): beam_search(step, bos, eos, width, MAX_LEN) for width in WIDTHS}
                for name, words in found.items():
                    counts.setdefault(f"{name}, missed", []).append(total(step, words) < highest - SAME)
                    counts.setdefault(f"{name}, right", []).append(ENGLISH().decode(words) == pair.english)
        given_up = len(counts.pop("given up", []))
        numbers |= {f"{steps}, {name}": sum(values) / len(values) for name, values in counts.items()}
        numbers[f"{steps}, given up"] = given_up
    return Curves(0, 0, {}, numbers, data=f"{SENTENCES} held-out sentences, seeds {', '.join(map(str, SEEDS))}")
