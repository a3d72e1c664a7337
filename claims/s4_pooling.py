"""S4: its poolings."""

from __future__ import annotations

import torch

from embedding_course.data.sentence_tasks import TASKS
from embedding_course.experiments.pooling import window
from grader.course_source.catalogue import references

from .agreement import below, spread
from .entry import CONDITION, Measured, Source, at, found, quoted
from .shared_runs import recorded

s4 = Source("S4")
POOLING = "第四步：Pooling（序列向量 → 单一向量）"


@s4.claim(
    "The sum weighted by the mask, divided by the mask's sum, leaves padding out.",
    CONDITION,
    at("08", "weights-lesson"),
    at("08", "08.pool_mean"),
    quote=quoted(POOLING, "sentence_vector = weighted_sum / attention_mask.sum()"),
)
def mean_by_the_mask() -> Measured:
    """Compare the masked mean with the right answer for four kinds of mask."""
    x, trials, worst = torch.randn(4, 8), {}, 0.0
    masks = {"right": [1, 1, 1, 0], "left": [0, 1, 1, 1], "holes": [1, 0, 1, 1], "nothing but padding": [0, 0, 0, 0]}
    for name, row in masks.items():
        mask = torch.tensor(row)
        pooled = (x * mask[:, None]).sum(dim=0) / mask.sum()
        right = references("08_pooling")["pool_mean"](x[None], mask[None])[0]
        trials[name] = bool(pooled.isfinite().all()) and spread(pooled, right) < 1e-6
        worst = max(worst, spread(pooled, right)) if trials[name] else worst
    return found(
        trials,
        f"Padding on the right, on the left and in holes: the mean of the real tokens ({below(worst)} off). With no real "
        "token it is "
        "0 / 0.",
        "With one real token at least.",
    )


@s4.claim(
    "The last token is no pooling for an encoder-only model.",
    CONDITION,
    at("08", "mixing-lesson"),
    at("08", "mixing"),
    quote=quoted(POOLING, "对 Encoder-only 模型（如 BERT）不适用", "not applicable to encoder-only models (such as BERT)"),
)
def last_token_of_an_encoder() -> Measured:
    """Compare last-token pooling of an encoder that was trained with it and of one that was not."""
    trained_so = [recorded("08_mixing").numbers[f"last, {task}"] for task in TASKS]
    pools = references("08_pooling")
    reader = window.train(pools["pool_cls"], "first", layers=1).reader
    reader.pool = pools["pool_last"]
    other = window.accuracy(reader, "first")
    return found(
        {"trained with it": min(trained_so) < 0.9, "trained with the first token": other < 0.9},
        f"A layer without a causal mask, four questions about the text, trained with the last token: {min(trained_so):.0%} "
        "right and "
        f"more (recorded). Trained with the first token and read at the last: {other:.0%} on the first word.",
        "Where the model was trained with another pooling. Trained with it, the last token knows the whole text.",
    )
