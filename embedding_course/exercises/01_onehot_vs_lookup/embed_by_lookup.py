"""Embedding as a lookup."""

from ...checking.exercise import Criterion, Exercise
from .embed_cases import embed_cases

embed_by_lookup = Exercise(
    id="01.embed_by_lookup",
    title="Embedding as a lookup",
    why="This is what nn.Embedding does, and the reason why a vocabulary of a hundred thousand words is affordable.",
    difficulty=1,
    minutes=5,
    criteria=(
        Criterion("vectors", 1, "each id fetches its row"),
        Criterion("any shape", 0.5, "ids of any shape, the width comes last"),
        Criterion("any table", 0.5, "float64, memory with gaps, large values"),
    ),
    hints=(
        "Which row of the table would the product with a one-hot vector pick out?",
        "A tensor can be indexed with a tensor of ids.",
        "The result for ids of shape (B, T) is (B, T, d): look whether yours is, before you reshape anything.",
    ),
    cases=embed_cases,
)
