# exercise 06.rope_angles
import math

import numpy as np
import torch


# base plain
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = positions[:, None] * speeds
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


# mistake doubled_exponent (values), from plain
# The exponent is doubled: `arange(0, head_dim, 2)` already holds the numbers 2i, and head_dim is the whole head.
# Next: Either count pairs and write 2 * i, or count by twos and leave the 2 out.
#   -torch.arange(0, head_dim, 2, dtype=torch.float64) => -2 * torch.arange(0, head_dim, 2, dtype=torch.float64)

# mistake halved_exponent (values), from plain
# The exponent is -i / head_dim with i counting pairs: the factor 2 is missing.
# Next: The slowest pair has the exponent -(head_dim - 2) / head_dim, nearly -1 for a wide head.
#   0, head_dim, 2 => head_dim // 2
#   angles.float() => angles

# mistake faster_and_faster (values), from plain
# The exponent lacks its minus sign: later pairs turn faster instead of more slowly.
# Next: Pair 0 has speed 1, and all others are slower.
#   -torch.arange(0, head_dim, 2, dtype=torch.float64) => torch.arange(0, head_dim, 2, dtype=torch.float64)

# mistake slow_pairs_first (values), from plain
# The pairs stand in reverse order: the fastest comes last.
# Next: Column 0 should be the positions themselves.
#   -    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
#   +    speeds = (base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)).flip(0)


# mistake pairs_start_at_1 (values)
# Pairs are counted from 1: the fastest one, with speed 1, is missing.
# Next: Column 0 should be the positions themselves.
def rope_angles(positions, head_dim, base=10000.0):
    pairs = torch.arange(1, head_dim // 2 + 1, dtype=torch.float64)
    angles = positions[:, None] * base ** (-2 * pairs / head_dim)
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


# mistake slowest_pair_reaches_base (values)
# The exponents run from 0 to -1 inclusive (divided by the number of pairs minus 1).
# Next: Divide 2i by head_dim: the last exponent stays above -1.
def rope_angles(positions, head_dim, base=10000.0):
    exponents = torch.linspace(0, 1, head_dim // 2, dtype=torch.float64)
    angles = positions[:, None] * base**-exponents
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


# mistake whole_number_exponent (values), from plain
# `//` cuts the exponents to whole numbers: most pairs turn at one speed.
# Next: Divide with `/`.
#   -    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
#   +    speeds = base ** -(torch.arange(0, head_dim, 2) // head_dim).double()

# mistake one_angle_for_each_number (shape), from plain
# There is an angle for each of the head_dim components; a pair shares one.
# Next: The result has head_dim / 2 columns; an angle that is needed twice can be repeated later.
#   -    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()
#   +    angles = angles.to(positions.dtype) if positions.is_floating_point() else angles.float()
#   +    return torch.cat([angles, angles], dim=-1)

# mistake a_speed_for_each_number (shape), from plain
# All head_dim exponents are used, one for each component; a pair shares one angle.
# Next: Count by twos: `torch.arange(0, head_dim, 2)`.
#   0, head_dim, 2 => head_dim

# mistake axes_swapped (shape), from plain
# Rows and columns are swapped: a row belongs to a position.
# Next: `torch.outer(positions, speeds)`, in this order.
#   positions[:, None] * speeds => speeds[:, None] * positions

# mistake reduced_to_one_turn (values), from plain
# Whole turns are left out; the angles themselves were asked for.
# Next: Leave the `%` out: sine and cosine do that by themselves.
#   positions[:, None] * speeds => (positions[:, None] * speeds) % (2 * math.pi)

# mistake sines_of_the_angles (values), from plain
# The sines of the angles come back; the angles themselves were asked for.
# Next: Leave `sin` to `apply_rope`.
#   positions[:, None] * speeds => (positions[:, None] * speeds).sin()

# mistake in_degrees (values), from plain
# The angles are converted to degrees; radians were asked for.
# Next: The position times the speed is already the angle in radians.
#   positions[:, None] * speeds => torch.rad2deg(positions[:, None] * speeds)

# mistake full_turns (values), from plain
# The angles are multiplied by 2π, as if the speeds were turns for each position.
# Next: Leave the factor out: pair 0 turns by one radian at each step.
#   angles = positions[:, None] * speeds => angles = 2 * math.pi * positions[:, None] * speeds

# mistake counts_instead_of_positions (values), from plain
# Only the number of positions is used: the angles are those of 0, 1, 2, ...
# Next: Multiply with the positions that are given.
#   positions[:, None] => torch.arange(len(positions))[:, None]

# mistake counted_from_the_first (values), from plain
# The first position is subtracted from all of them.
# Next: Use the positions as they are.
#   positions[:, None] => (positions - positions[:1])[:, None]

# mistake positions_in_order (values), from plain
# The positions are sorted (or made unique) first; row t belongs to positions[t].
# Next: Leave the positions in their order.
#   positions[:, None] => positions.sort().values[:, None]

# mistake cut_to_whole_positions (values), from plain
# Fractions of positions are cut off.
# Next: Leave `.long()` and `int()` out: 2.5 is a position too.
#   positions[:, None] => positions.long()[:, None]


# base in_float32
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    return positions.float()[:, None] * speeds


# mistake whole_number_angles (dtype), from in_float32
# The angles get the positions' type, and int64 cuts every fraction off.
# Next: int64 positions must give floating angles.
#   positions.float()[:, None] * speeds => (positions[:, None] * speeds).to(positions.dtype)


# mistake int_positions_only (raises)
# It fails for floating positions: they are used as an index into a table of angles.
# Next: Multiply with the positions instead of looking them up: 2.5 is a position too.
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2) / head_dim)
    table = torch.arange(10001)[:, None] * speeds
    return table[positions]


# mistake always_float32 (dtype), from in_float32
# float64 positions give float32 angles.
# Next: Keep the floating type of the positions.
#   torch.arange(0, head_dim, 2, dtype=torch.float64) => torch.arange(0, head_dim, 2).float()

# mistake always_float64 (dtype), from in_float32
# float32 positions give float64 angles.
# Next: Compute in float64 if you like, and return the floating type of the positions.
#   positions.float() => positions

# mistake base_fixed (values), from plain
# The base that is given is not the one that is used.
# Next: Use the parameter `base`.
#   -    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
#   +    speeds = 10000.0 ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)

# mistake nothing_to_stack (raises), from plain
# It fails when there are no positions.
# Next: An outer product needs no special care for empty positions.
#   positions[:, None] * speeds => torch.stack([p * speeds for p in positions])


# mistake cosines_and_sines (type)
# Two tables come back, the cosines and the sines; the angles themselves were asked for.
# Next: Leave cos and sin to `apply_rope`: return what you would take them of.
def rope_angles(positions, head_dim, base=10000.0):
    angles = torch.outer(positions.float(), base ** (-torch.arange(0, head_dim, 2) / head_dim))
    return angles.cos(), angles.sin()


# mistake complex_turns (type)
# Complex numbers of length 1 come back; the angles themselves were asked for.
# Next: Leave `torch.polar` to `apply_rope`: return the angles that you give it.
def rope_angles(positions, head_dim, base=10000.0):
    angles = torch.outer(positions.float(), base ** (-torch.arange(0, head_dim, 2) / head_dim))
    return torch.polar(torch.ones_like(angles), angles)


# mistake positions_in_one_row (raises, shape, values)
# The positions run along the row, where the pairs belong: `[None, :]` adds the new axis in front.
# Next: Position t is row t: `positions[:, None]` has the shape (T, 1), and each row gets all exponents.
def rope_angles(positions, head_dim, base=10000.0):
    exponents = -torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
    angles = positions[None, :] * base**exponents
    return angles.to(positions.dtype if positions.is_floating_point() else torch.float32)


# right form outer_product_in_float32
def rope_angles(positions, head_dim, base=10000.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.float32
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=dtype) / head_dim))
    return torch.outer(positions.to(dtype), inv_freq)


# right form einsum_and_logarithms
def rope_angles(positions, head_dim, base=10000.0, scale=1.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.get_default_dtype()
    speeds = torch.exp(torch.arange(0, head_dim, 2, dtype=dtype) * (-math.log(base) / head_dim))
    return torch.einsum("t,i->ti", positions.to(dtype) * scale, speeds)


# right form two_loops
def rope_angles(positions, head_dim, base=10000.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.float64
    angles = torch.zeros(len(positions), head_dim // 2, dtype=dtype)
    for t, p in enumerate(positions.tolist()):
        for i in range(head_dim // 2):
            angles[t, i] = p * base ** (-2 * i / head_dim)
    return angles


# right form numpy_inside
def rope_angles(positions, head_dim, base=10000.0):
    speeds = np.power(float(base), -np.arange(0, head_dim, 2) / head_dim)
    angles = np.multiply.outer(positions.numpy().astype(np.float64), speeds)
    kept = positions.dtype if positions.is_floating_point() else torch.float32
    return torch.from_numpy(angles).to(kept)


# right form speeds_by_steps
def rope_angles(positions, head_dim, base=10000.0):
    ratio = base ** (-2 / head_dim)
    speeds = [1.0]
    while len(speeds) < head_dim // 2:
        speeds.append(speeds[-1] * ratio)
    p = positions if positions.is_floating_point() else positions.double()
    return p.unsqueeze(-1) @ torch.tensor([speeds], dtype=p.dtype)
