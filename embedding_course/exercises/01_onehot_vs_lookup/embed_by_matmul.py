"""Embedding as a matrix product."""

from ...checking.exercise import Criterion, Exercise
from .embed_cases import embed_cases

embed_by_matmul = Exercise(
    id="01.embed_by_matmul",
    title="Embedding as a matrix product",
    why="It shows that an embedding is a linear layer without bias on one-hot vectors.",
    difficulty=1,
    minutes=12,
    core=False,
    criteria=(
        Criterion("vectors", 1, "one-hot rows times the table"),
        Criterion("any shape", 0.5, "ids of any shape, the width comes last"),
        Criterion("any table", 0.5, "float64, memory with gaps, large values"),
    ),
    hints=(
        "Your `one_hot` gives (*ids.shape, V); the table is (V, d). What does `@` make of the two?",
        "How many classes are there? The table knows: it has one row for each.",
        "Both sides of `@` need one floating type: bring the one-hot rows to that of the table.",
    ),
    cases=embed_cases,
    uses=("one_hot",),
)
