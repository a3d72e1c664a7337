"""Wrong answers about the causal mask by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

CAUSAL = "07.causal_mask"


@mistake(
    CAUSAL, "upper_triangle", stage="values",
    diagnosis="This is the upper triangle: every position sees the future and not the past.",
    next_step="Rows are queries, columns are keys. Swap the two, or use `tril`.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).triu()


@mistake(
    CAUSAL, "true_is_forbidden", stage="values",
    diagnosis="True marks what is forbidden; in this course True means may attend.",
    next_step="Negate the mask with `~`.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)


@mistake(
    CAUSAL, "blind_to_itself", stage="values",
    diagnosis="The diagonal is False: no position sees itself, and the first one sees nothing at all.",
    next_step="Row i allows the columns 0 to i, and i itself is one of them.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril(diagonal=-1)


@mistake(
    CAUSAL, "one_word_ahead", stage="values",
    diagnosis="Each position also sees the next one, which is the very word it has to predict.",
    next_step="Row i ends with column i: `tril()` without diagonal=1.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril(diagonal=1)


@mistake(
    CAUSAL, "numbers_instead_of_bool", stage="dtype",
    diagnosis="The mask holds numbers; asked for is bool.",
    next_step="Pass `dtype=torch.bool` to `torch.ones`, or end with `.bool()`.",
)
def causal_mask(length):
    return torch.tril(torch.ones(length, length))


@mistake(
    CAUSAL, "scores_to_add", stage="dtype",
    diagnosis="This is a matrix of 0 and minus infinity to be added to scores; asked for is a bool mask.",
    next_step="Return True where it holds 0.",
)
def causal_mask(length):
    return torch.full((length, length), float("-inf")).triu(diagonal=1)


@mistake(
    CAUSAL, "with_batch_and_head_axes", stage="shape",
    diagnosis="The mask has further axes; asked for is (length, length), which broadcasts by itself.",
    next_step="Leave `[None, None]` out.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool).tril()[None, None]


@mistake(
    CAUSAL, "everything_allowed", stage="values",
    diagnosis="Everything is allowed: nothing hides the future.",
    next_step="Keep the lower triangle of it: row i allows the columns 0 to i.",
)
def causal_mask(length):
    return torch.ones(length, length, dtype=torch.bool)


@mistake(
    CAUSAL, "only_the_last_two", stage="values",
    diagnosis="Each position sees itself and the one before; it should see everything before.",
    next_step="Row i allows all of the columns 0 to i.",
)
def causal_mask(length):
    eye = torch.eye(length)
    return (eye + eye.roll(-1, dims=1).tril()).bool()


@mistake(
    CAUSAL, "only_itself", stage="values",
    diagnosis="Each position sees only itself; it should see everything before, too.",
    next_step="Row i allows all of the columns 0 to i.",
)
def causal_mask(length):
    return torch.eye(length, dtype=torch.bool)


@mistake(
    CAUSAL, "fixed_size", stage="shape",
    diagnosis="The mask is cut out of one of fixed size, so longer texts get too small a mask.",
    next_step="Build it from `length`.",
)
def causal_mask(length):
    largest = torch.ones(64, 64, dtype=torch.bool).tril()
    return largest[:length, :length]


@right_form(CAUSAL, "lower_triangle_of_ones")
def causal_mask(length):
    return torch.tril(torch.ones(length, length)) == 1


@right_form(CAUSAL, "not_upper")
def causal_mask(length, device=None):
    return ~torch.triu(torch.ones((length, length), dtype=torch.bool, device=device), diagonal=1)


@right_form(CAUSAL, "loops")
def causal_mask(length):
    mask = torch.zeros(length, length).bool()
    for i in range(length):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


@right_form(CAUSAL, "nested_list")
def causal_mask(length):
    return torch.tensor([[column <= row for column in range(length)] for row in range(length)])


@right_form(CAUSAL, "numpy_inside")
def causal_mask(length):
    return torch.from_numpy(np.tri(length, dtype=bool))


@right_form(CAUSAL, "running_sum")
def causal_mask(length):
    return torch.eye(length).flip(1).cumsum(dim=1).flip(1) > 0
