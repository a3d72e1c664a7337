"""S2: wider is better."""

from __future__ import annotations

import itertools

import torch

from embedding_course.data.library_loans import loans
from embedding_course.experiments.contrastive_training import recommender
from grader.course_source.catalogue import references

from .entry import CONDITION, Measured, Source, at, found, quoted
from .shared_runs import recorded

s2 = Source("S2")


def _gains(values: list[float]) -> dict[str, bool]:
    """Return whether each step to the next width gains two points of a hundred or more."""
    return {f"step {step}": after - before > 0.02 for step, (before, after) in enumerate(itertools.pairwise(values), 1)}


@s2.claim(
    "With the dimension of the embeddings, what a model generates gets markedly better.",
    CONDITION,
    at("09", "recommend-lesson"),
    quote=quoted(
        "3.3 嵌入向量在Transformer中的应用",
        "实验表明,随着嵌入向量维度的增加,模型的生成质量也会显著提升。",
        "experiments show that as the dimension of the embeddings grows, what the model generates gets markedly better, too",
    ),
)
def wider_writes_better() -> Measured:
    """Test whether each larger width translates better in the recorded runs."""
    numbers = recorded("05_widths").numbers
    widths = [int(name) for name in numbers if name.isdigit()]
    right = [numbers[str(width)] for width in widths]
    return found(
        _gains(right),
        f"Our translator, trained at widths {', '.join(map(str, widths))}: {', '.join(f'{share:.1%}' for share in right)} "
        "of the "
        "sentences right (recorded).",
        "Up to a width that depends on the task: 48 is enough for these translations, and 128 brings nothing.",
    )


@s2.claim(
    "With the dimension of the embeddings, recommender systems get markedly better.",
    CONDITION,
    at("09", "recommend-lesson"),
    quote=quoted(
        "5.2 推荐系统中的嵌入向量应用",
        "实验表明,随着嵌入向量维度的增加,推荐系统的性能也会显著提升。",
        "experiments show that as the dimension of the embeddings grows, recommender systems get markedly better, too",
    ),
)
def wider_recommends_better() -> Measured:
    """Test whether each larger rank recommends better for 2,000 readers."""
    library, recall = loans(), references("09_contrastive_training")["recall_at_k"]
    readers, strength, books = torch.linalg.svd(library.seen().double(), full_matrices=False)
    ranks = (1, 2, 4, 8, 16, 32, 64)
    hits = [recall(recommender.hide((readers[:, :r] * strength[:r]) @ books[:r], library), library.next_one, 10) for r in ranks]
    popular = recall(recommender.hide(recommender.popular(library), library), library.next_one, 10)
    return found(
        _gains(hits),
        f"Loans of 2,000 readers as a product of two matrices of rank {', '.join(map(str, ranks))}: next loan among the "
        "ten for "
        f"{', '.join(f'{share:.0%}' for share in hits)} of them; the ten most popular books: {popular:.0%}.",
        "Up to rank 8, as many as there are genres. Beyond, the product remembers who took what, and gets worse.",
    )
