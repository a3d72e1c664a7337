"""Wrong answers about the shift matrix by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import mistake, right_form

SHIFT = "06.shift_matrix"


@mistake(
    SHIFT, "turned_backwards", stage="values",
    diagnosis="The matrix moves backwards: it is the transpose of the one asked for.",
    next_step="Multiply a row of the table by it: sin(a + b) = sin a cos b + cos a sin b has a plus sign.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / base ** (i / d)
        matrix[i, i], matrix[i, i + 1] = math.cos(b), -math.sin(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = math.sin(b), math.cos(b)
    return matrix


@mistake(
    SHIFT, "both_signs_plus", stage="values",
    diagnosis="Both sines have a plus sign: cos(a + b) = cos a cos b - sin a sin b has a minus.",
    next_step="Set k = 1 and d = 2 and multiply by (sin 0, cos 0) = (0, 1) and by (sin 1, cos 1).",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / base ** (i / d)
        matrix[i, i], matrix[i, i + 1] = math.cos(b), math.sin(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = math.sin(b), math.cos(b)
    return matrix


@mistake(
    SHIFT, "sines_and_cosines_swapped", stage="values",
    diagnosis="Sine and cosine are swapped in the blocks: with k = 0 each block should be the identity.",
    next_step="cos b stands on the diagonal.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / base ** (i / d)
        matrix[i, i], matrix[i, i + 1] = math.sin(b), math.cos(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = -math.cos(b), math.sin(b)
    return matrix


@mistake(
    SHIFT, "only_the_diagonal", stage="values",
    diagnosis="The matrix is diagonal; but sin(a + b) needs both sin a and cos a.",
    next_step="Each pair needs a full block of two rows and two columns.",
)
def shift_matrix(k, d, base=10000.0):
    speeds = base ** (-torch.arange(0, d, 2) / d)
    return torch.diag(torch.cos(k * speeds).repeat_interleave(2))


@mistake(
    SHIFT, "doubled_exponent", stage="values",
    diagnosis="The exponent is doubled: the loop variable 0, 2, 4, ... is already 2i.",
    next_step="Take the same speeds as in the table.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / base ** (2 * i / d)
        matrix[i, i], matrix[i, i + 1] = math.cos(b), math.sin(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = -math.sin(b), math.cos(b)
    return matrix


@mistake(
    SHIFT, "halves_instead_of_neighbours", stage="values",
    diagnosis="Column i is paired with column i + d/2; in this table neighbours are pairs.",
    next_step="Put the blocks onto the diagonal: rows and columns 2i and 2i + 1.",
)
def shift_matrix(k, d, base=10000.0):
    angles = k * base ** (-torch.arange(0, d, 2) / d)
    cos, sin = torch.diag(torch.cos(angles)), torch.diag(torch.sin(angles))
    return torch.cat([torch.cat([cos, sin], dim=1), torch.cat([-sin, cos], dim=1)])


@mistake(
    SHIFT, "one_speed_for_all", stage="values",
    diagnosis="All pairs are turned by the angle of the first; each has a speed of its own.",
    next_step="Print the angle of each pair: does it depend on i, and is its exponent a fraction?",
)
def shift_matrix(k, d, base=10000.0):
    block = torch.tensor([[math.cos(k), math.sin(k)], [-math.sin(k), math.cos(k)]])
    return torch.block_diag(*[block] * (d // 2))


@mistake(
    SHIFT, "right_for_one_position_only", stage="values",
    diagnosis="This matrix is fitted to one position; the same matrix has to do for all of them.",
    next_step="Try it on PE[5] as well. Only the addition theorems hold everywhere.",
)
def shift_matrix(k, d, base=10000.0):
    speeds = base ** (-torch.arange(0, d, 2) / d)

    def row(p):
        return torch.stack([torch.sin(p * speeds), torch.cos(p * speeds)], dim=1).flatten()

    return torch.outer(row(3 + k), row(3)) / row(3).dot(row(3))


@mistake(
    SHIFT, "rows_moved", stage="values",
    diagnosis="This matrix moves the numbers of a row to other columns; asked for is the row of another position.",
    next_step="The shift is along positions, and a vector knows its position by its angles alone.",
)
def shift_matrix(k, d, base=10000.0):
    return torch.roll(torch.eye(d), k, dims=0)


@mistake(
    SHIFT, "always_forwards", stage="values",
    diagnosis="A negative k moves forwards too.",
    next_step="Leave out `abs`, or a second change of sign: the sine changes its sign with k.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = abs(k) / base ** (i / d)
        matrix[i, i], matrix[i, i + 1] = math.cos(b), math.sin(b)
        matrix[i + 1, i], matrix[i + 1, i + 1] = -math.sin(b), math.cos(b)
    return matrix


@mistake(
    SHIFT, "no_steps_back", stage="values",
    diagnosis="One step is repeated k times in a loop, which does nothing for a negative k.",
    next_step="Turn by k times the speed at once; a negative k then turns back by itself.",
)
def shift_matrix(k, d, base=10000.0):
    step = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = 1 / base ** (i / d)
        step[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    matrix = torch.eye(d)
    for _ in range(k):
        matrix = step @ matrix
    return matrix


@mistake(
    SHIFT, "one_step_times_k", stage="values",
    diagnosis="The matrix of one step is multiplied by the number k; k steps are a turn by an angle k times as large.",
    next_step="Put k into the angle.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = 1 / base ** (i / d)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    return k * matrix


@mistake(
    SHIFT, "always_one_step", stage="values",
    diagnosis="The matrix always moves by one position: k is not used.",
    next_step="The angle is k times the speed of the pair.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = 1 / base ** (i / d)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    return matrix


@mistake(
    SHIFT, "base_fixed", stage="values",
    diagnosis="The base is always 10000, whatever is given.",
    next_step="Use the parameter `base`.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = k / 10000 ** (i / d)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    return matrix


@mistake(
    SHIFT, "zeros_between_blocks_forgotten", stage="shape",
    diagnosis="The blocks come back one below the other; they belong onto the diagonal of a (d, d) matrix.",
    next_step="Start from `torch.zeros(d, d)` and write block i to rows and columns 2i and 2i + 1.",
)
def shift_matrix(k, d, base=10000.0):
    angles = k * base ** (-torch.arange(0, d, 2) / d)
    cos, sin = torch.cos(angles), torch.sin(angles)
    return torch.stack([torch.stack([cos, sin], dim=1), torch.stack([-sin, cos], dim=1)], dim=1)


@mistake(
    SHIFT, "at_most_511_steps", stage="values",
    diagnosis="Beyond 511 steps nothing changes any more, as if k had to lie in a table of 512 positions.",
    next_step="Turn by k times the speed of each pair; no table is needed for it.",
)
def shift_matrix(k, d, base=10000.0):
    matrix = torch.zeros(d, d)
    for i in range(0, d, 2):
        b = max(-511, min(k, 511)) / base ** (i / d)
        matrix[i : i + 2, i : i + 2] = torch.tensor([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
    return matrix


@right_form(SHIFT, "block_diagonal_tensors")
def shift_matrix(k, d, base=10000.0):
    blocks = []
    for i in range(d // 2):
        b = torch.tensor(k * base ** (-2 * i / d), dtype=torch.float64)
        blocks.append(torch.stack([torch.stack([b.cos(), b.sin()]), torch.stack([-b.sin(), b.cos()])]))
    return torch.block_diag(*blocks)


@right_form(SHIFT, "power_of_one_step")
def shift_matrix(k, d, base=10000.0):
    step = torch.zeros(d, d, dtype=torch.float64)
    for i in range(0, d, 2):
        b = base ** (-i / d)
        step[i, i] = step[i + 1, i + 1] = math.cos(b)
        step[i, i + 1], step[i + 1, i] = math.sin(b), -math.sin(b)
    return torch.linalg.matrix_power(step, k)


@right_form(SHIFT, "matrix_exponential")
def shift_matrix(k, d, base=10000.0):
    generator = np.zeros((d, d))
    for i in range(0, d, 2):
        generator[i, i + 1], generator[i + 1, i] = base ** (-i / d), -(base ** (-i / d))
    return torch.matrix_exp(torch.from_numpy(generator) * k)


@right_form(SHIFT, "solved_from_all_positions")
def shift_matrix(k, d, base=10000.0):
    positions = torch.arange(4000, dtype=torch.float64)

    def table(p):
        angles = torch.outer(p, torch.tensor(base, dtype=torch.float64) ** (-torch.arange(0, d, 2) / d))
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    return torch.linalg.lstsq(table(positions), table(positions + k)).solution.T.float()


@right_form(SHIFT, "from_the_row_at_k")
def shift_matrix(k, d, base=10000.0):
    row = sinusoidal_positions(abs(k) + 1, d, base)[-1]
    sin, cos = row[0::2] * (1 if k >= 0 else -1), row[1::2]
    matrix = torch.diag(cos.repeat_interleave(2))
    even = torch.arange(0, d, 2)
    matrix[even, even + 1] = sin
    matrix[even + 1, even] = -sin
    return matrix
