"""The last real token: hints and reasons; the cases are those of every pooling."""

from .poolings import pooling

pool_last = pooling(
    "pool_last",
    "The last real token",
    "In a model that reads from left to right, only the last token has attended to the whole sentence. `mask.sum() - 1` finds "
    "it only with padding on the right.",
    (
        "Write the columns 0 … T-1 above the mask 0 1 1 0 1 0. Which column is wanted, and what is the sum of the mask?",
        "The number of real tokens says where the last one stands only when they are all at the front.",
        "It is the largest column index whose mask is 1; or the first one, read from the other end.",
        "Multiply the column indices with the mask and take the largest; then pick one vector a row, and "
        "zeros for rows without a 1.",
    ),
    {
        "right padding": "The result is the vector of the last real token, with the same numbers.",
        "any mask": "The last real token stands wherever the mask has its last 1.",
    },
    points=(1, 1, 0.5, 0.5, 0.5),
    example=([[2.0, 1.0], [4.0, 0.0], [9.0, 9.0]], [1, 1, 0]),
    difficulty=2,
    minutes=11,
    uses=("pool_cls",),
)
