# exercise 07.causal_mask
import numpy as np
import torch


# base plain
def causal_mask(length):
    return torch.tril(torch.ones(length, length, dtype=torch.bool))


# mistake upper_triangle (values), from plain
# This is the upper triangle: every position sees the future and not the past.
# Next: Rows are queries, columns are keys. Swap the two, or use `tril`.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool).triu()

# mistake true_is_forbidden (values), from plain
# True marks what is forbidden; in this course True means may attend.
# Next: Negate the mask with `~`.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)

# mistake blind_to_itself (values), from plain
# The diagonal is False: no position sees itself, and the first one sees nothing at all.
# Next: Row i allows the columns 0 to i, and i itself is one of them.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool).tril(diagonal=-1)

# mistake one_word_ahead (values), from plain
# Each position also sees the next one, which is the very word it has to predict.
# Next: Row i ends with column i: `tril()` without diagonal=1.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool).tril(diagonal=1)

# mistake numbers_instead_of_bool (dtype), from plain
# The mask holds numbers, but the exercise asks for bool.
# Next: Pass `dtype=torch.bool` to `torch.ones`, or end with `.bool()`.
#   length, dtype=torch.bool => length


# mistake scores_to_add (dtype)
# This is a matrix of 0 and minus infinity to be added to scores, but the exercise asks for a bool mask.
# Next: Return True where it holds 0.
def causal_mask(length):
    return torch.full((length, length), float("-inf")).triu(diagonal=1)


# mistake with_batch_and_head_axes (shape), from plain
# The mask has further axes, but the exercise asks for (length, length), which broadcasts by itself.
# Next: Leave `[None, None]` out.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool).tril()[None, None]

# mistake everything_allowed (values), from plain
# Everything is allowed: nothing hides the future.
# Next: Keep the lower triangle of it: row i allows the columns 0 to i.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.ones(length, length, dtype=torch.bool)


# mistake only_the_last_two (values)
# Each position sees itself and the one before; it should see everything before.
# Next: Row i allows all of the columns 0 to i.
def causal_mask(length):
    eye = torch.eye(length)
    return (eye + eye.roll(-1, dims=1).tril()).bool()


# mistake only_itself (values), from plain
# Each position sees only itself; it should see everything before, too.
# Next: Row i allows all of the columns 0 to i.
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.eye(length, dtype=torch.bool)


# mistake fixed_size (shape)
# The mask is cut out of one of fixed size, so longer texts get too small a mask.
# Next: Build it from `length`.
def causal_mask(length):
    largest = torch.ones(64, 64, dtype=torch.bool).tril()
    return largest[:length, :length]


# right form lower_triangle_of_ones, from plain
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.tril(torch.ones(length, length)) == 1


# right form not_upper
def causal_mask(length, device=None):
    return ~torch.triu(torch.ones((length, length), dtype=torch.bool, device=device), diagonal=1)


# right form loops
def causal_mask(length):
    mask = torch.zeros(length, length).bool()
    for i in range(length):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


# right form nested_list
def causal_mask(length):
    return torch.tensor([[column <= row for column in range(length)] for row in range(length)])


# right form numpy_inside, from plain
#   torch.tril(torch.ones(length, length, dtype=torch.bool)) => torch.from_numpy(np.tri(length, dtype=bool))


# right form running_sum
def causal_mask(length):
    return torch.eye(length).flip(1).cumsum(dim=1).flip(1) > 0
