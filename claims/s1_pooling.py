"""S1: what it does where texts of several lengths stand in one batch."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .agreement import below, spread
from .entry import CONDITION, Measured, Source, at, found, quoted

s1 = Source("S1")


@s1.claim(
    "padding_idx=0 deals with sequences of varying length.",
    CONDITION,
    at("08", "bug-zero"),
    at("08", "bug-zero-run"),
    quote=quoted(
        "4.1 LSTM Seq2Seq中的embedding应用", "padding_idx=0处理变长序列", "padding_idx=0 deals with sequences of varying length"
    ),
)
def padding_index_for_lengths() -> Measured:
    """Compare the mean and the last LSTM state of a text with and without padding, with padding_idx=0."""
    table, lstm = nn.Embedding(20, 32, padding_idx=0), nn.LSTM(32, 32, batch_first=True)
    alone, padded = (table(F.pad(torch.tensor([[3, 4, 5]]), (0, more))) for more in (0, 9))
    mean, wide = alone.mean(dim=1), padded.mean(dim=1)
    states = [lstm(x)[1][0][0] for x in (alone, padded)]
    length, moved = (wide.norm() / mean.norm()).item(), spread(*states)
    direction = F.cosine_similarity(mean, wide).item()
    return found(
        {"direction of the mean": direction > 1 - 1e-5, "its length": length > 0.99, "last state of an LSTM": moved < 1e-5},
        f"Three words, alone and with nine of padding: the mean keeps its direction and {length:.0%} of its length; the "
        "LSTM's last "
        f"state moves by up to {moved:.2f}.",
        "For the direction of a mean of words. All else needs the lengths: a mask, or packed sequences.",
    )


@s1.claim(
    "CLIP's text vector is the mean over all columns of the batch.",
    CONDITION,
    at("08", "bug-zero"),
    at("08", "bug-zero-run"),
    quote=quoted("5.3 多模态embedding：CLIP案例深度解析", "text_embed = self.text_projection(text_features.mean(dim=1))"),
)
def mean_without_a_mask() -> Measured:
    """Compare the unmasked mean of a caption alone with that of the caption padded to twelve words."""
    words = nn.Embedding(20, 32)
    layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True).eval()
    ids = torch.tensor([[3, 4, 5, 6, 7]])
    alone, beside = (layer(words(F.pad(ids, (0, more)))).mean(dim=1) for more in (0, 7))
    cosine, again = F.cosine_similarity(alone, beside).item(), spread(alone, layer(words(ids)).mean(dim=1))
    return found(
        {"captions of one length": again < 1e-6, "beside a longer caption": cosine > 0.99},
        f"A caption of five words in a batch by itself, twice: {below(again)} apart. Padded to twelve: cosine {cosine:.2f} "
        "with itself.",
        "For captions of one length. Padding is averaged too, here and in its attention; CLIP takes its last token.",
    )
