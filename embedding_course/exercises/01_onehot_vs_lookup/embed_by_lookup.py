"""Embedding as a lookup."""

from ...checking.exercise import Criterion, Exercise
from .embed_cases import embed_cases

embed_by_lookup = Exercise(
    id="01.embed_by_lookup",
    title="Embedding as a lookup",
    why="This is what nn.Embedding does. It makes a vocabulary of a hundred thousand words affordable.",
    difficulty=1,
    minutes=5,
    criteria=(
        Criterion("vectors", 1, "each id fetches its row"),
        Criterion("any shape", 0.5, "ids of any shape, the width comes last"),
        Criterion("any table", 0.5, "float64, memory with gaps, large values"),
    ),
    hints=(
        "The product with a one-hot vector picks one row of the table: the row whose number is the id.",
        "A tensor can be indexed with a tensor of ids.",
        "For ids of shape (B, T) the result is (B, T, d). Print the shape of yours before you reshape anything.",
    ),
    cases=embed_cases,
)
