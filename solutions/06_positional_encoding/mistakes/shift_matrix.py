# exercise 06.shift_matrix
import math

import numpy as np
import torch


# base plain
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / base ** (i / d)
        matrix[i, i], matrix[i, i + 1] = math.cos(b), math.sin(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = -math.sin(b), math.cos(b)
    return matrix


# mistake turned_backwards (values), from plain
# The matrix moves backwards: it is the transpose of the one asked for.
# Next: Multiply a row of the table by it: sin(a + b) = sin a cos b + cos a sin b has a plus sign.
#   math.cos(b), math.sin(b) => math.cos(b), -math.sin(b)
#   -math.sin(b) => math.sin(b)

# mistake both_signs_plus (values), from plain
# Both sines have a plus sign: cos(a + b) = cos a cos b - sin a sin b has a minus.
# Next: Set k = 1 and d = 2 and multiply by (sin 0, cos 0) = (0, 1) and by (sin 1, cos 1).
#   -math.sin(b) => math.sin(b)

# mistake sines_and_cosines_swapped (values), from plain
# Sine and cosine are swapped in the blocks: with k = 0 each block should be the identity.
# Next: cos b stands on the diagonal.
#   math.cos(b), math.sin(b) => math.sin(b), math.cos(b)
#   -math.sin(b), math.cos(b) => -math.cos(b), math.sin(b)


# mistake only_the_diagonal (values)
# The matrix is diagonal; but sin(a + b) needs both sin a and cos a.
# Next: Each pair needs a full block of two rows and two columns.
def shift_matrix(k, d, base=10000.0):
    speeds = base ** (-torch.arange(0, d, 2) / d)
    return torch.diag(torch.cos(k * speeds).repeat_interleave(2))


# mistake doubled_exponent (values), from plain
# The exponent is doubled: the loop variable 0, 2, 4, ... is already 2i.
# Next: Take the same speeds as in the table.
#   i / d => 2 * i / d


# mistake halves_instead_of_neighbours (values)
# Column i is paired with column i + d/2; in this table neighbours are pairs.
# Next: Put the blocks onto the diagonal: rows and columns 2i and 2i + 1.
def shift_matrix(k, d, base=10000.0):
    angles = k * base ** (-torch.arange(0, d, 2) / d)
    cos, sin = torch.diag(torch.cos(angles)), torch.diag(torch.sin(angles))
    return torch.cat([torch.cat([cos, sin], dim=1), torch.cat([-sin, cos], dim=1)])


# mistake one_speed_for_all (values)
# All pairs are turned by the angle of the first; each has a speed of its own.
# Next: Print the angle of each pair: does it depend on i, and is its exponent a fraction?
def shift_matrix(k, d, base=10000.0):
    block = torch.tensor([[math.cos(k), math.sin(k)], [-math.sin(k), math.cos(k)]])
    return torch.block_diag(*[block] * (d // 2))


# mistake right_for_one_position_only (values)
# This matrix is fitted to one position; the same matrix has to do for all of them.
# Next: Try it on PE[5] as well. Only the addition theorems hold everywhere.
def shift_matrix(k, d, base=10000.0):
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def row(p):
        return torch.stack([torch.sin(p * speeds), torch.cos(p * speeds)], dim=1).flatten()

    return torch.outer(row(3 + k), row(3)) / row(3).dot(row(3))


# mistake rows_moved (values)
# This matrix moves the numbers of a row to other columns, but the exercise asks for the row of another position.
# Next: The shift is along positions, and a vector knows its position by its angles alone.
def shift_matrix(k, d, base=10000.0):
    return torch.roll(torch.eye(d), k, dims=0)


# mistake always_forwards (values), from plain
# A negative k moves forwards too.
# Next: Leave out `abs`, or a second change of sign: the sine changes its sign with k.
#   k / base ** (i / d) => abs(k) / base ** (i / d)


# mistake no_steps_back (values)
# One step is repeated k times in a loop, which does nothing for a negative k.
# Next: Turn by k times the speed at once; a negative k then turns back by itself.
def shift_matrix(k, d, base=10000.0):
    step = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = 1 / base ** (i / d)
        step[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    matrix = torch.eye(d)
    for _ in range(k):
        matrix = step @ matrix
    return matrix


# mistake one_step_times_k (values)
# The matrix of one step is multiplied by the number k; k steps are a turn by an angle k times as large.
# Next: Put k into the angle.
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = 1 / base ** (i / d)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    return k * matrix


# mistake always_one_step (values), from one_step_times_k
# The matrix always moves by one position: k is not used.
# Next: The angle is k times the speed of the pair.
#   k * matrix => matrix

# mistake base_fixed (values), from one_step_times_k
# The base is always 10000, whatever is given.
# Next: Use the parameter `base`.
#   1 / base ** (i / d) => k / 10000 ** (i / d)
#   k * matrix => matrix


# mistake zeros_between_blocks_forgotten (shape)
# The blocks come back one below the other; they belong onto the diagonal of a (d, d) matrix.
# Next: Start from `torch.zeros(d, d)` and write block i to rows and columns 2i and 2i + 1.
def shift_matrix(k, d, base=10000.0):
    angles = k * base ** (-torch.arange(0, d, 2) / d)
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.stack([torch.stack([cos, sin], dim=1), torch.stack([-sin, cos], dim=1)], dim=1)


# mistake at_most_511_steps (values), from one_step_times_k
# Beyond 511 steps nothing changes any more, as if k had to lie in a table of 512 positions.
# Next: Turn by k times the speed of each pair; no table is needed for it.
#   1 => max(-511, min(k, 511))
#   k * matrix => matrix


# right form block_diagonal_tensors
def shift_matrix(k, d, base=10000.0):
    blocks = []
    for i in range(d // 2):
        b = torch.tensor(k * base ** (-2 * i / d), dtype=torch.float64)
        blocks.append(torch.stack([torch.stack([b.cos(), b.sin()]), torch.stack([-b.sin(), b.cos()])]))
    return torch.block_diag(*blocks)


# right form power_of_one_step
def shift_matrix(k, d, base=10000.0):
    step = torch.zeros(d, d, dtype=torch.float64)
    for i in range(0, d, 2):
        b = base ** (-i / d)
        step[i, i] = step[i + 1, i + 1] = math.cos(b)
        step[i, i + 1], step[i + 1, i] = math.sin(b), -math.sin(b)
    return torch.linalg.matrix_power(step, k)


# right form matrix_exponential
def shift_matrix(k, d, base=10000.0):
    generator = np.zeros((d, d))
    for i in range(0, d, 2):
        generator[i, i + 1], generator[i + 1, i] = base ** (-i / d), -(base ** (-i / d))
    return torch.matrix_exp(torch.from_numpy(generator) * k)


# right form solved_from_all_positions
def shift_matrix(k, d, base=10000.0):
    positions = torch.arange(4000, dtype=torch.float64)

    def table(p):
        angles = torch.outer(p, torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, d, 2) / d))
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    return torch.linalg.lstsq(table(positions), table(positions + k)).solution.T.float()


# right form from_the_row_at_k
def shift_matrix(k, d, base=10000.0):
    row = sinusoidal_positions(abs(k) + 1, d, base)[-1]
    sin, cos = row[0::2] * (1 if k >= 0 else -1), row[1::2]
    matrix = torch.diag(cos.repeat_interleave(2))
    even = torch.arange(0, d, 2)
    matrix[even, even + 1] = sin
    matrix[even + 1, even] = -sin
    return matrix
