"""The largest of the real tokens: hints and reasons; the cases are those of every pooling."""

from .poolings import pooling

pool_max = pooling(
    "pool_max",
    "The maximum over the real tokens",
    "Each dimension is its largest number over the tokens. Padding must never be the largest, also among numbers below zero.",
    (
        "The vectors -3, -1 and a padding of 7: the answer is -1. What would multiplying with the mask give?",
        "Padding must be put to a number that is smaller than every real one, before the maximum is taken.",
        "`masked_fill` takes a bool mask that is True where something is to be replaced; minus infinity is a number here.",
        "A row of nothing but padding then has the maximum -inf. Choose its result with `torch.where`, or fill it again: "
        "multiplying -inf with 0 gives nan.",
    ),
    {
        "right padding": "Only real tokens take part, each column by itself; the largest of negative numbers is negative.",
        "any mask": "The mask says which tokens are real, not the length: padding may stand anywhere.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    example=([[-2.0, 1.0], [-4.0, 3.0], [9.0, 9.0]], [1, 1, 0]),
    difficulty=2,
    minutes=10,
    core=False,
)
