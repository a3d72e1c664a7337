"""A mean in which later tokens count more: hints and reasons; the cases are those of every pooling."""

from .poolings import pooling

pool_weighted = pooling(
    "pool_weighted",
    "The weighted mean of the real tokens",
    "SGPT pools a left-to-right model this way: later tokens have seen more, so they get more weight.",
    (
        "For the mask 0 1 0 1 1 the weights are 0 1 0 2 3: they count the real tokens, not the columns.",
        "Which running total of the mask counts the real tokens up to each position? What must happen to it at padding?",
        "Divide by the sum of the weights, not by the number of tokens; for an empty row that sum is 0.",
        "`cumsum` along the tokens, times the mask, gives the weights; the rest goes as for the mean.",
    ),
    {
        "right padding": "The real tokens have the weights 1, 2, 3, …, and their sum is what is divided by.",
        "any mask": "The weights count real tokens: padding in front or in between uses no number up.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    example=([[9.0, 9.0], [1.0, 0.0], [4.0, 6.0]], [0, 1, 1]),
    tries=("which uses up no weight",),
    difficulty=2,
    minutes=11,
    core=False,
    uses=("pool_mean",),
)
