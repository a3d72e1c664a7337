# exercise 06.sinusoidal_positions
import math

import numpy as np
import torch


# right form two_loops
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range(0, d, 2):
            table[p, i] = math.sin(p / base ** (i / d))
            if i + 1 < d:
                table[p, i + 1] = math.cos(p / base ** (i / d))
    return table


# right form exponential_of_a_logarithm
def sinusoidal_positions(length, d, base=10000.0):
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(base) / d))
    pe = torch.zeros(length, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)[:, : d // 2]
    return pe


# right form numpy_float64
def sinusoidal_positions(length, d, base=10000.0):
    columns = np.arange(d)
    angles = np.arange(length)[:, None] / np.power(base, 2 * (columns // 2) / d)[None]
    return torch.from_numpy(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))


# right form cosine_as_shifted_sine
def sinusoidal_positions(length, d, base=10000.0):
    columns = torch.arange(d, dtype=torch.float64)
    speeds = base ** -(2 * torch.div(columns, 2, rounding_mode="floor") / d)
    return torch.sin(torch.outer(torch.arange(length).double(), speeds) + (columns % 2) * math.pi / 2).float()


# right form complex_numbers
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.outer(torch.arange(length).double(), base ** (-torch.arange(0, d, 2).double() / d))
    turned = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([turned.imag, turned.real], dim=-1).reshape(length, -1)[:, :d] if length else torch.zeros(0, d)


# right form turned_step_by_step
def sinusoidal_positions(length, d, base=10000.0, dtype=torch.float64):
    speeds = torch.tensor([base ** (-(column - column % 2) / d) for column in range(d)], dtype=dtype)
    even = torch.tensor([column % 2 == 0 for column in range(d)])
    rows = [torch.where(even, torch.sin(p * speeds), torch.cos(p * speeds)) for p in range(length)]
    return torch.stack(rows) if rows else torch.empty(0, d)


# mistake doubled_exponent (values), from two_loops
# The exponent is doubled: the loop variable runs over 0, 2, 4, ..., so it is already the 2i of the formula.
# Next: Divide the column index itself by d, or let i run over 0, 1, 2, ... and keep the 2i.
#   -            table[p, i] = math.sin(p / base ** (i / d))
#   +            angle = p / base ** (2 * i / d)
#   +            table[p, i] = math.sin(angle)
#   math.cos(p / base ** (i / d)) => math.cos(angle)


# base plain
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d // 2])
    return table


# mistake halved_exponent (values), from plain
# The exponent is i / d with i counting pairs: the factor 2 of the formula is missing.
# Next: For the last pair of a wide table the exponent should be nearly 1; print yours.
#   0, d, 2 => (d + 1) // 2

# mistake logarithm_to_base_10 (values), from plain
# The powers of base are made by `exp` and a logarithm to base 10: `exp` undoes the natural one only.
# Next: Write `math.log(base)`, or raise base itself to the power.
#   / base ** (torch.arange(0, d, 2) / d => * torch.exp(torch.arange(0, d, 2) * (-math.log10(base) / d)

# mistake a_speed_for_each_column (values), from plain
# Every column has an angle of its own; the cosine in column 2i + 1 belongs to the angle of column 2i.
# Next: Sine and cosine of one pair belong to one angle: compute the angle once for both.
#   0, d, 2 => d
#   torch.sin(angles) => torch.sin(angles[:, 0::2])
#   :, : d // 2 => :, 1::2


# mistake column_taken_for_its_pair (values)
# The formula's i counts pairs of columns, yours counts columns: no sine shares its angle with a cosine.
# Next: Columns 2i and 2i + 1 belong to pair i: `column // 2` is its number.
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for position in range(length):
        for i in range(d):
            angle = position / base ** (2 * i / d)
            table[position, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return table


# mistake sines_then_cosines (values)
# All sines stand on the left and all cosines on the right; they should alternate.
# Next: Fill `table[:, 0::2]` with the sines and `table[:, 1::2]` with the cosines.
def sinusoidal_positions(length, d, base=10000.0):
    pairs = (d + 1) // 2
    angles = torch.arange(length)[:, None] / base ** (2 * torch.arange(pairs) / d)
    return torch.cat([torch.sin(angles), torch.cos(angles[:, : d // 2])], dim=1)


# mistake cosine_first (values), from plain
# Sine and cosine are swapped: position 0 should start with 0, 1.
# Next: Even columns hold the sine, odd ones the cosine.
#   torch.sin => torch.cos
#   torch.cos => torch.sin


# mistake only_sines (values)
# Every column is a sine; odd columns hold the cosine.
# Next: At position 0 all odd columns should be 1.
def sinusoidal_positions(length, d, base=10000.0):
    columns = torch.arange(d) // 2 * 2
    return torch.sin(torch.arange(length)[:, None] / base ** (columns / d))


# mistake sine_by_odd_position (values)
# Sine or cosine is chosen by the position; it is the column that decides.
# Next: Even columns are sines at every position.
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for column in range(d):
            angle = p / base ** (2 * (column // 2) / d)
            table[p, column] = math.sin(angle) if p % 2 == 0 else math.cos(angle)
    return table


# mistake positions_start_at_1 (values), from plain
# The first row belongs to position 1; it should belong to position 0.
# Next: Row 0 should be 0, 1, 0, 1, ...
#   torch.arange(length) => torch.arange(1, length + 1)

# mistake pairs_start_at_1 (values), from plain
# Pairs are counted from 1, so the fastest one, with angle p, is missing.
# Next: The first pair has i = 0: its angle is the position itself.
#   -    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
#   +    pairs = torch.arange(1, (d + 1) // 2 + 1)
#   +    angles = torch.arange(length)[:, None] / base ** (2 * pairs / d)

# mistake multiplied (values), from plain
# The position is multiplied by base^(2i/d) where it should be divided: later pairs turn faster, not slower.
# Next: The minus sign belongs to the exponent, or the power below the fraction line.
#   ] / => ].double() *


# mistake precedence (values)
# `base ** 2 * i / d` is (base²) · i / d: the brackets around the exponent are missing.
# Next: Write `base ** (2 * i / d)`.
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range((d + 1) // 2):
            angle = p / max(base**2 * i / d, 1e-9)
            table[p, 2 * i] = math.sin(angle)
            if 2 * i + 1 < d:
                table[p, 2 * i + 1] = math.cos(angle)
    return table


# mistake whole_number_exponent (values), from precedence
# `2 * i // d` is always 0, so all pairs turn at one speed.
# Next: Divide with `/`.
#   max(base**2 * i / d, 1e-9) => base ** (2 * i // d)

# mistake slowest_pair_reaches_base (values), from plain
# The exponents are spread from 0 to 1 inclusive (divided by the number of pairs minus 1); the formula divides by d.
# Next: Use 2i / d: the last exponent stays below 1.
#   -    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
#   +    pairs = (d + 1) // 2
#   +    exponents = torch.arange(pairs) / max(pairs - 1, 1)
#   +    angles = torch.arange(length)[:, None] / base**exponents

# mistake base_fixed (values), from plain
# The base is always 10000, whatever is given.
# Next: Use the parameter `base`.
#   base ** (torch.arange(0, d, 2) / d) => 10000 ** (torch.arange(0, d, 2) / d)


# mistake odd_width_rounded_up (values)
# For an odd d the exponent is divided by d + 1: the width of the table with one more column, cut afterwards.
# Next: Divide by d as it was given, also when one cosine is missing.
def sinusoidal_positions(length, d, base=10000.0):
    width = d + d % 2
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, width, 2) / width)
    table = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(length, width)
    return table[:, :d]


# mistake odd_width_grows (shape)
# For an odd d the table has one column too many: the last cosine belongs to no column.
# Next: Cut the table to d columns.
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).flatten(1)


# mistake odd_width_loses_a_column (shape)
# For an odd d the last sine is missing: only whole pairs are made.
# Next: An odd d has (d + 1) / 2 sines and (d - 1) / 2 cosines.
def sinusoidal_positions(length, d, base=10000.0):
    pairs = torch.arange(d // 2)
    angles = torch.arange(length)[:, None] / base ** (2 * pairs / d)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).flatten(1)


# mistake odd_width_last_column_empty (values)
# For an odd d the last column stays 0: it should hold the sine of the last angle.
# Next: An odd d has (d + 1) / 2 sines and (d - 1) / 2 cosines.
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for i in range(d // 2):
        angles = torch.arange(length) / base ** (2 * i / d)
        table[:, 2 * i] = torch.sin(angles)
        table[:, 2 * i + 1] = torch.cos(angles)
    return table


# mistake even_width_only (raises), from plain
# It fails for an odd d, where there is one sine column more than there are cosine columns.
# Next: Cut the angles to d // 2 columns before you take the cosine.
#   angles[:, : d // 2] => angles

# mistake sine_of_a_number (raises), from two_loops
# `torch.sin` takes a tensor, and here it is given a Python number: TypeError.
# Next: Use `math.sin` for single numbers, or make all angles at once as a tensor.
#   math.sin => torch.sin
#   math.cos => torch.cos

# mistake axes_swapped (shape), from plain
# The table is transposed: positions are rows, and here they are columns.
# Next: The result has the shape (length, d).
#   return table => return table.T

# mistake batch_axis (shape), from plain
# There is an axis too many in front; the table itself was asked for.
# Next: Leave `unsqueeze(0)` out: broadcasting over a batch needs no axis of length 1.
#   return table => return table.unsqueeze(0)


# mistake whole_number_table (dtype)
# The table is made of whole numbers, and sines are cut off to 0.
# Next: Make it with `torch.zeros(length, d)`, without a dtype of positions or ids.
def sinusoidal_positions(length, d, base=10000.0):
    positions = torch.arange(length)[:, None]
    angles = positions / base ** (torch.arange(0, d, 2) / d)
    table = positions.new_zeros(length, d)
    table[:, 0::2] = torch.sin(angles).long()
    table[:, 1::2] = torch.cos(angles[:, : d // 2]).long()
    return table


# mistake fails_without_positions (raises)
# It fails when length is 0: `torch.stack` needs at least one row.
# Next: Make the table first, with `torch.zeros(length, d)`, and fill it.
def sinusoidal_positions(length, d, base=10000.0):
    rows = []
    for p in range(length):
        pairs = [(math.sin(p / base ** (i / d)), math.cos(p / base ** (i / d))) for i in range(0, d, 2)]
        rows.append(torch.tensor([number for pair in pairs for number in pair][:d]))
    return torch.stack(rows)


# mistake empty_table_without_columns (shape), from fails_without_positions
# With no positions the table loses its columns: a list without rows does not know how wide they are.
# Next: Make the table first, with `torch.zeros(length, d)`, and fill it.
#   torch.tensor([number for pair in pairs for number in pair][:d]) => [number for pair in pairs for number in pair][:d]
#   torch.stack => torch.tensor
