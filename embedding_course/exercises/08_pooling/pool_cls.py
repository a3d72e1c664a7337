"""The first real token: hints and reasons; the cases are those of every pooling."""

from .poolings import pooling

pool_cls = pooling(
    "pool_cls",
    "The first real token",
    "BERT classifies a text by the vector of the first token. With padding on the left, column 0 is no token at all.",
    (
        "Which column holds the first real token when a sentence is padded on the left?",
        "Find that column for each row, then pick one vector a row.",
        "`argmax` of a mask of ints is the first position of its largest number: what is that for a row of 0 and 1?",
        "Index with two tensors at once, one of row indices and one of column indices. A row without a 1 needs a second look.",
    ),
    {
        "right padding": "The result is the vector of the first real token, with the same numbers.",
        "any mask": "The first real token stands wherever the mask has its first 1.",
    },
    points=(0.5, 0.5, 0.5, 0.25, 0.25),
    example=([[9.0, 9.0], [4.0, 0.0], [2.0, 1.0]], [0, 1, 1]),
    difficulty=1,
    minutes=8,
)
