# exercise 09.false_negative_mask
import numpy as np
import torch
import torch.nn.functional as F


# mistake diagonal_left_out_too (values)
# The diagonal is True: every row's own positive would be left out of the loss.
# Next: Set the diagonal to False at the end.
def false_negative_mask(groups):
    return groups[:, None] == groups[None, :]


# mistake upside_down (values)
# True stands where groups differ: that leaves out the real negatives.
# Next: Compare with `==`.
def false_negative_mask(groups):
    return groups[:, None] != groups[None, :]


# mistake what_to_keep (values)
# This marks what stays in, diagonal included; True means leave out.
# Next: Invert the mask with `~`.
def false_negative_mask(groups):
    same = groups[:, None] == groups[None, :]
    return ~same | torch.eye(len(groups), dtype=torch.bool)


# mistake upper_half_only (values)
# Only pairs with i < j are marked; a row's false negatives may also stand before it.
# Next: The mask is symmetric: if i and j belong together, so do j and i.
def false_negative_mask(groups):
    return (groups[:, None] == groups[None, :]).triu(diagonal=1)


# mistake neighbours_only (values)
# Only rows next to each other are compared; a group may be scattered over the batch.
# Next: Compare every row with every other row.
def false_negative_mask(groups):
    n = len(groups)
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n - 1):
        if groups[i] == groups[i + 1]:
            mask[i, i + 1] = mask[i + 1, i] = True
    return mask


# mistake first_partner_only (values)
# Each row is marked against one partner only; a group may have more than two rows.
# Next: Do not stop at the first partner that you find.
def false_negative_mask(groups):
    n = len(groups)
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            if i != j and groups[i] == groups[j]:
                mask[i, j] = True
                break
    return mask


# mistake group_0_ignored (values)
# The group 0 is treated as no group; it is one like any other.
# Next: Compare the numbers; do not test whether they are true.
def false_negative_mask(groups):
    same = (groups[:, None] == groups[None, :]) & (groups != 0)[:, None]
    return same.fill_diagonal_(False)


# mistake close_numbers_count_as_equal (values)
# Numbers beside each other count as one group: a tolerance is for floating numbers, groups are names.
# Next: Compare with `==`.
def false_negative_mask(groups):
    a = groups.double()
    same = torch.isclose(a[:, None], a[None, :], rtol=5e-3)
    return same.fill_diagonal_(False)


# mistake numbers_instead_of_bool (dtype)
# The mask is made of numbers; masks are bool, so that `~` and `masked_fill` work.
# Next: Leave the comparison as it is, or convert with `.bool()`.
def false_negative_mask(groups):
    same = (groups[:, None] == groups[None, :]).long()
    return same - torch.eye(len(groups), dtype=torch.long)


# mistake compares_row_with_itself (shape)
# The groups are compared entry by entry: (N,). Every pair needs an entry, (N, N).
# Next: Give one side a second axis: `groups[:, None]`.
def false_negative_mask(groups):
    return groups == groups


# mistake sign_of_the_difference (values)
# The difference is only tested from one side: pairs with a smaller group are marked too.
# Next: Equal means a difference of exactly 0.
def false_negative_mask(groups):
    same = (groups[:, None] - groups[None, :]) <= 0
    return same.fill_diagonal_(False)


# mistake fails_without_rows (raises)
# It fails for an empty batch, whose mask has shape (0, 0).
# Next: A comparison with broadcasting needs no special case.
def false_negative_mask(groups):
    rows = [(groups == g) for g in groups]
    mask = torch.stack(rows)
    return mask.fill_diagonal_(False)


# mistake compares_as_float32 (values)
# The groups are compared as floating numbers, which run large whole numbers together.
# Next: Compare the int64 numbers themselves.
def false_negative_mask(groups):
    numbers = groups.float()
    return (numbers[:, None] == numbers) & ~torch.eye(len(groups), dtype=torch.bool)


# mistake compares_as_bytes (values)
# The groups are stored as uint8, in which 300 and 44 are one number.
# Next: Compare the int64 numbers themselves.
def false_negative_mask(groups):
    numbers = groups.to(torch.uint8)
    return (numbers[:, None] == numbers) & ~torch.eye(len(groups), dtype=torch.bool)


# right form loops
def false_negative_mask(groups):
    n = len(groups)
    mask = torch.zeros((n, n), dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            mask[i, j] = i != j and groups[i].item() == groups[j].item()
    return mask


# right form and_not_eye
def false_negative_mask(groups, verbose=True):
    same = groups.unsqueeze(0).eq(groups.unsqueeze(1))
    if verbose:
        print(same.sum())
    return same & ~torch.eye(groups.numel(), dtype=torch.bool)


# right form numpy_inside
def false_negative_mask(groups):
    g = groups.numpy()
    same = np.equal.outer(g, g)
    np.fill_diagonal(same, False)
    return torch.from_numpy(same)


# right form one_hot_product
def false_negative_mask(groups):
    _, number = torch.unique(groups, return_inverse=True)
    member = F.one_hot(number, max(len(groups), 1)).float()
    return (member @ member.T).bool().logical_xor(torch.eye(len(groups), dtype=torch.bool))


# right form both_triangles
def false_negative_mask(groups):
    n = len(groups)
    mask = torch.zeros(n, n, dtype=torch.uint8)
    i, j = torch.triu_indices(n, n, offset=1)
    mask[i, j] = (groups[i] == groups[j]).to(torch.uint8)
    return (mask + mask.T) > 0


# right form exclusive_or
def false_negative_mask(groups, device=None):
    return torch.eq(groups.unsqueeze(1), groups).logical_xor(torch.eye(groups.numel(), dtype=torch.bool))
