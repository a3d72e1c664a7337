"""Find the most probable sentence of all exactly, and the total log-probability of any sentence."""

import heapq
from collections.abc import Callable, Sequence

import torch

from .translation import CHINESE, ENGLISH

Step = Callable[[torch.Tensor], torch.Tensor]

MAX_LEN = 16
#: Two totals that differ by less count as equal, since sums are rounded differently in a batch.
SAME = 1e-3


def next_word(encoder: Callable, decoder: Callable, sentence: str) -> Step:
    """Return a function for one Chinese sentence: prefixes (k, t) to log-probabilities of the next English word (k, V)."""
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
    """Return the total log-probability of a sentence: of its words and of eos, or of max_len words if it was cut."""
    row = [ENGLISH().bos, *words, ENGLISH().eos][: max_len + 1]
    return sum(step(torch.tensor([row[:position]]))[0, row[position]].item() for position in range(1, len(row)))


def exact_best(step: Step, max_len: int = MAX_LEN, limit: int = 5000) -> tuple[list[int] | None, float]:
    """Return the most probable sentence and its total log-probability, by best-first search.

    Totals only fall, so the first complete sentence is the best one. The sentence is None if `limit` prefixes did not suffice.
    """
    bos, eos = ENGLISH().bos, ENGLISH().eos
    open_ones: list[tuple[float, tuple[int, ...]]] = [(0.0, (bos,))]
    seen = 0
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
