"""The right answer to 02.moved_rows."""

import torch


def moved_rows(optimizer: str, history: list[torch.Tensor], num_embeddings: int) -> torch.Tensor:
    """Return which rows of an embedding table differ from their start after these training steps.

    Each entry of `history` is one step: its ids are looked up, the backward pass sends them a gradient
    without zeros, the optimizer takes a step. The table starts without a row of zeros. Its gradient is dense,
    with zeros in the rows that were not looked up; only "sparse-adam" gets a sparse one.

    optimizer       "sgd", "sgd-momentum", "adam", "adamw" or "sparse-adam"; "adamw" has a weight decay of
                    0.01, the others have none
    history         list of int64 tensors of ids, one for each step, of any shape; tensors may be empty, and
                    so may the list
    num_embeddings  V, the number of rows of the table
    returns         bool tensor of shape (V,)

    >>> moved_rows("sgd", [torch.tensor([1, 1]), torch.tensor([3])], 5).tolist()
    [False, True, False, True, False]
    """
    # Weight decay shrinks every row at every step; without it a row must have had a gradient once.
    decays = optimizer == "adamw" and len(history) > 0
    moved = torch.full((num_embeddings,), decays)
    for ids in history:
        moved[ids.reshape(-1)] = True
    return moved
