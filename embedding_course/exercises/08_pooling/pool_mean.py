"""The mean of the real tokens: hints and reasons; the cases are those of every pooling."""

from .poolings import pooling

pool_mean = pooling(
    "pool_mean",
    "The mean of the real tokens",
    "Most sentence encoders pool this way. The plain `mean(dim=1)` also averages the padding.",
    (
        "On paper: the vectors 2, 4 and 9 with the mask 1, 1, 0. What is the mean, and what did you divide by?",
        "Sum over the real tokens only, then divide each row by its own number of real tokens.",
        "The mask has shape (B, T) and the vectors (B, T, d): give the mask a third axis, and they multiply.",
        "Clamp each row's count to at least 1 before you divide: a sum of zeros then stays zeros.",
    ),
    {
        "right padding": "Only real tokens count, in the sum and in the number that it is divided by.",
        "any mask": "The mask says which tokens are real, not the length: padding may stand anywhere.",
    },
    points=(1.5, 1, 0.5, 0.5, 0.5),
    example=([[2.0, 1.0], [4.0, 0.0], [9.0, 9.0]], [1, 1, 0]),
    difficulty=1,
    minutes=10,
)
