"""Short forms of what a learner of notebook 09 writes, for tests of the demonstrations that take it as an argument."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def info_nce(queries, positives, scale, negatives=None):
    positives = positives if negatives is None else torch.cat([positives, negatives])
    logits = scale * F.normalize(queries, dim=-1) @ F.normalize(positives, dim=-1).T
    return F.cross_entropy(logits, torch.arange(len(queries)))


def clip_loss(logits):
    there = torch.arange(len(logits))
    return (F.cross_entropy(logits, there) + F.cross_entropy(logits.T, there)) / 2


class LogitScale(nn.Module):
    def __init__(self, init=14.2857, maximum=100.0):
        super().__init__()
        self.log, self.maximum = nn.Parameter(torch.tensor(math.log(init))), maximum

    def forward(self):
        return self.log.exp().clamp(max=self.maximum)


def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return floor + (peak - floor) * (1 + math.cos(math.pi * min((step - warmup) / (total - warmup), 1))) / 2


def false_negative_mask(groups):
    return (groups[:, None] == groups) & ~torch.eye(len(groups), dtype=torch.bool)


def recall_at_k(similarity, relevant, k):
    best = similarity.topk(min(k, similarity.shape[1])).indices
    return (best == relevant[:, None]).any(dim=1).float().mean().item()
