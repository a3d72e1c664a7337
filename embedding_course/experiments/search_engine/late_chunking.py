"""Compare plain and late chunking on a long text: find the window that is the most similar to a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from ...data.four_islands import QUESTIONS, TEXT
from ..curves import Curves

#: Sizes and overlaps of the windows, in tokens. Each overlap is at least as long as the longest answer.
SETTINGS = ((32, 20), (48, 24), (64, 32), (96, 48))
#: The question and the size of the windows whose cosines are kept.
SHOWN, SHOWN_SIZE = "How many people live on Orsa?", 32
_MAX_TOKENS = 512

Windows = Sequence[tuple[int, int]]


def window_vectors(encoder: Any, ids: torch.Tensor, windows: Windows) -> dict[str, torch.Tensor]:
    """Return unit vectors of the windows of a text, (W, d), by plain and by late chunking.

    Parameters
    ----------
    encoder : callable
        Returns a vector for each token, as `11.BertEncoder` does.
    ids : torch.Tensor
        Token ids of the whole text, (1, T), between [CLS] and [SEP].
    windows : sequence of tuple of int
        Beginning and end of each window, counted without [CLS].
    """
    whole = encoder(ids, torch.ones_like(ids))[0, 1:-1]
    plain = []
    for start, end in windows:
        window = torch.cat([ids[:, :1], ids[:, start + 1 : end + 1], ids[:, -1:]], dim=1)
        plain.append(encoder(window, torch.ones_like(window))[0].mean(dim=0))
    late = [whole[start:end].mean(dim=0) for start, end in windows]
    return {name: F.normalize(torch.stack(rows)) for name, rows in (("plain", plain), ("late", late))}


@torch.no_grad()
def measure(encoder: Any, tokenizer: Any, chunk: Callable[[int, int, int], Windows]) -> Curves:
    """Return how many questions have the most similar window right, for each size of the windows.

    A window is right if it holds the whole sentence that answers the question. The curves "plain" and "late" hold the numbers
    of right windows by size, "plain_cosines" and "late_cosines" the cosines of one question, and "right_windows" the windows
    that answer it. The number "windows <size>" says how many there are.

    Parameters
    ----------
    encoder : callable
        Returns a vector for each token, as `11.BertEncoder` does.
    tokenizer : TextTokenizer
    chunk : callable
        The learner's `11.chunk`.
    """
    ids, _ = tokenizer.ids([TEXT], _MAX_TOKENS)
    count = ids.shape[1] - 2
    asked, real = tokenizer.ids([question.text for question in QUESTIONS])
    tokens = encoder(asked, real) * real[..., None]
    questions = F.normalize(tokens.sum(dim=1))
    sentences = [_sentence(tokenizer, question.answer) for question in QUESTIONS]
    curves: dict[str, list[tuple[float, float]]] = {"plain": [], "late": []}
    numbers = {"tokens": float(count), "questions": float(len(QUESTIONS))}
    for size, overlap in SETTINGS:
        windows = [(int(start), int(end)) for start, end in chunk(count, size, overlap)]
        numbers[f"windows {size}"] = len(windows)
        right = torch.tensor([[start <= first and last <= end for start, end in windows] for first, last in sentences])
        for name, vectors in window_vectors(encoder, ids, windows).items():
            cosines = questions @ vectors.T
            best = cosines.argmax(dim=1, keepdim=True)
            curves[name].append((size, int(right.gather(1, best).sum())))
            if size == SHOWN_SIZE:
                row = [question.text for question in QUESTIONS].index(SHOWN)
                curves[f"{name}_cosines"] = list(enumerate(cosines[row].tolist(), 1))
                curves["right_windows"] = [(window, 1) for window, holds in enumerate(right[row].tolist(), 1) if holds]
    return Curves(0, 0, curves, numbers, data="a text about four islands")


def _sentence(tokenizer: Any, sentence: str) -> tuple[int, int]:
    """Return the positions of a sentence's tokens in the text: the first one, and the one behind the last."""
    before, itself = tokenizer.lists([TEXT[: TEXT.index(sentence)], sentence])
    return len(before), len(before) + len(itself)
