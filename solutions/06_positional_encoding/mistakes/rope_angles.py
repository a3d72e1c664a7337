"""Wrong answers about rotary angles by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

ANGLES = "06.rope_angles"


@base("plain")
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(head_dim // 2, dtype=torch.float64) / head_dim)
    angles = positions[:, None] * speeds
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


altered(
    ANGLES, "doubled_exponent", "plain",
    {"base ** (-torch.arange(head_dim // 2, dtype=torch": "base ** (-2 * torch.arange(0, head_dim, 2, dtype=torch"},
    stage="values",
    diagnosis="The exponent is doubled: `arange(0, head_dim, 2)` already holds the numbers 2i, and head_dim is the whole head.",
    next_step="Either count pairs and write 2 * i, or count by twos and leave the 2 out.",
)

altered(
    ANGLES, "halved_exponent", "plain", {".float()": ""}, stage="values",
    diagnosis="The exponent is -i / head_dim with i counting pairs: the factor 2 is missing.",
    next_step="The slowest pair has the exponent -(head_dim - 2) / head_dim, nearly -1 for a wide head.",
)

altered(
    ANGLES, "faster_and_faster", "plain",
    {"= base ** (-torch.arange(head_dim // 2, dtype=torch": "= base ** (torch.arange(0, head_dim, 2, dtype=torch"},
    stage="values",
    diagnosis="The exponent lacks its minus sign: later pairs turn faster instead of more slowly.",
    next_step="Pair 0 has speed 1, and all others are slower.",
)

altered(
    ANGLES, "slow_pairs_first", "plain",
    {
        "base ** (-torch.arange(head_dim // 2, dtype=torch.float64) / head_dim)":
            "(base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)).flip(0)",
    },
    stage="values",
    diagnosis="The pairs stand in reverse order: the fastest comes last.",
    next_step="Column 0 should be the positions themselves.",
)


@mistake(
    ANGLES, "pairs_start_at_1", stage="values",
    diagnosis="Pairs are counted from 1: the fastest one, with speed 1, is missing.",
    next_step="Column 0 should be the positions themselves.",
)
def rope_angles(positions, head_dim, base=10000.0):
    pairs = torch.arange(1, head_dim // 2 + 1, dtype=torch.float64)
    angles = positions[:, None] * base ** (-2 * pairs / head_dim)
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


@mistake(
    ANGLES, "slowest_pair_reaches_base", stage="values",
    diagnosis="The exponents run from 0 to -1 inclusive (divided by the number of pairs minus 1).",
    next_step="Divide 2i by head_dim: the last exponent stays above -1.",
)
def rope_angles(positions, head_dim, base=10000.0):
    exponents = torch.linspace(0, 1, head_dim // 2, dtype=torch.float64)
    angles = positions[:, None] * base**-exponents
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


altered(
    ANGLES, "whole_number_exponent", "plain",
    {
        "(-torch.arange(head_dim // 2, dtype=torch.float64) / head_dim)":
            "-(torch.arange(0, head_dim, 2) // head_dim).double()",
    },
    stage="values",
    diagnosis="`//` cuts the exponents to whole numbers: most pairs turn at one speed.",
    next_step="Divide with `/`.",
)


@mistake(
    ANGLES, "one_angle_for_each_number", stage="shape",
    diagnosis="There is an angle for each of the head_dim components; a pair shares one.",
    next_step="The result has head_dim / 2 columns; whoever needs each angle twice can repeat it later.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = positions[:, None] * speeds
    angles = angles.to(positions.dtype) if positions.is_floating_point() else angles.float()
    return torch.cat([angles, angles], dim=-1)


altered(
    ANGLES, "a_speed_for_each_number", "plain", {"head_dim // 2": "head_dim"}, stage="shape",
    diagnosis="All head_dim exponents are used, one for each component; a pair shares one angle.",
    next_step="Count by twos: `torch.arange(0, head_dim, 2)`.",
)


@base("plain_2")
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = positions.long()[:, None] * speeds
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


altered(
    ANGLES, "axes_swapped", "plain_2",
    {"positions.long()[:, None] * speeds": "speeds[:, None] * positions"},
    stage="shape",
    diagnosis="Rows and columns are swapped: a row belongs to a position.",
    next_step="`torch.outer(positions, speeds)`, in this order.",
)

altered(
    ANGLES, "reduced_to_one_turn", "plain_2",
    {"positions.long()[:, None] * speeds": "(positions[:, None] * speeds) % (2 * math.pi)"},
    stage="values",
    diagnosis="Whole turns are left out; the angles themselves were asked for.",
    next_step="Leave the `%` out: sine and cosine do that by themselves.",
)

altered(
    ANGLES, "sines_of_the_angles", "plain_2",
    {"positions.long()[:, None] * speeds": "(positions[:, None] * speeds).sin()"},
    stage="values",
    diagnosis="The sines of the angles come back; the angles themselves were asked for.",
    next_step="Leave `sin` to `apply_rope`.",
)

altered(
    ANGLES, "in_degrees", "plain_2",
    {"positions.long()[:, None] * speeds": "torch.rad2deg(positions[:, None] * speeds)"},
    stage="values",
    diagnosis="The angles are converted to degrees; radians were asked for.",
    next_step="The position times the speed is already the angle in radians.",
)

altered(
    ANGLES, "full_turns", "plain_2", {"positions.long()": "2 * math.pi * positions"}, stage="values",
    diagnosis="The angles are multiplied by 2π, as if the speeds were turns for each position.",
    next_step="Leave the factor out: pair 0 turns by one radian at each step.",
)

altered(
    ANGLES, "counts_instead_of_positions", "plain_2",
    {"positions.long()": "torch.arange(len(positions))"},
    stage="values",
    diagnosis="Only the number of positions is used: the angles are those of 0, 1, 2, ...",
    next_step="Multiply with the positions that are given.",
)

altered(
    ANGLES, "counted_from_the_first", "plain_2", {"positions.long()": "(positions - positions[:1])"}, stage="values",
    diagnosis="The first position is subtracted from all of them.",
    next_step="Use the positions as they are.",
)

altered(
    ANGLES, "positions_in_order", "plain_2", {"long()": "sort().values"}, stage="values",
    diagnosis="The positions are sorted (or made unique) first; row t belongs to positions[t].",
    next_step="Leave the positions in their order.",
)


@mistake(
    ANGLES, "cut_to_whole_positions", stage="values",
    diagnosis="Fractions of positions are cut off.",
    next_step="Leave `.long()` and `int()` out: 2.5 is a position too.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = positions.long()[:, None] * speeds
    return angles.to(positions.dtype) if positions.is_floating_point() else angles.float()


@mistake(
    ANGLES, "whole_number_angles", stage="dtype",
    diagnosis="The angles get the positions' type, and int64 cuts every fraction off.",
    next_step="int64 positions must give floating angles.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    return (positions[:, None] * speeds).to(positions.dtype)


@mistake(
    ANGLES, "int_positions_only", stage="raises",
    diagnosis="It fails for floating positions: they are used as an index into a table of angles.",
    next_step="Multiply with the positions instead of looking them up: 2.5 is a position too.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2) / head_dim)
    table = torch.arange(10001)[:, None] * speeds
    return table[positions]


@mistake(
    ANGLES, "always_float32", stage="dtype",
    diagnosis="float64 positions give float32 angles.",
    next_step="Keep the floating type of the positions.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2).float() / head_dim)
    return positions.float()[:, None] * speeds


@mistake(
    ANGLES, "always_float64", stage="dtype",
    diagnosis="float32 positions give float64 angles.",
    next_step="Compute in float64 if you like, and return the floating type of the positions.",
)
def rope_angles(positions, head_dim, base=10000.0):
    speeds = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    return positions[:, None] * speeds


altered(
    ANGLES, "base_fixed", "plain",
    {
        "speeds = base ** (-torch.arange(head_dim // 2, dtype=torch.float64)":
            "speeds = 10000.0 ** (-torch.arange(0, head_dim, 2, dtype=torch.float64)",
    },
    stage="values",
    diagnosis="The base that is given is not the one that is used.",
    next_step="Use the parameter `base`.",
)

altered(
    ANGLES, "nothing_to_stack", "plain_2",
    {"positions.long()[:, None] * speeds": "torch.stack([p * speeds for p in positions])"},
    stage="raises",
    diagnosis="It fails when there are no positions.",
    next_step="An outer product needs no special care for empty positions.",
)


@mistake(
    ANGLES, "cosines_and_sines", stage="type",
    diagnosis="Two tables come back, the cosines and the sines; the angles themselves were asked for.",
    next_step="Leave cos and sin to `apply_rope`: return what you would take them of.",
)
def rope_angles(positions, head_dim, base=10000.0):
    angles = torch.outer(positions.float(), base ** (-torch.arange(0, head_dim, 2) / head_dim))
    return angles.cos(), angles.sin()


@mistake(
    ANGLES, "complex_turns", stage="type",
    diagnosis="Complex numbers of length 1 come back; the angles themselves were asked for.",
    next_step="Leave `torch.polar` to `apply_rope`: return the angles that you give it.",
)
def rope_angles(positions, head_dim, base=10000.0):
    angles = torch.outer(positions.float(), base ** (-torch.arange(0, head_dim, 2) / head_dim))
    return torch.polar(torch.ones_like(angles), angles)


@mistake(
    ANGLES, "positions_in_one_row", stage=("raises", "shape", "values"),
    diagnosis="The positions run along the row, where the pairs belong: `[None, :]` adds the new axis in front.",
    next_step="Position t is row t: `positions[:, None]` has the shape (T, 1), and each row gets all exponents.",
)
def rope_angles(positions, head_dim, base=10000.0):
    exponents = -torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim
    angles = positions[None, :] * base**exponents
    return angles.to(positions.dtype if positions.is_floating_point() else torch.float32)


@right_form(ANGLES, "outer_product_in_float32")
def rope_angles(positions, head_dim, base=10000.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.float32
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=dtype) / head_dim))
    return torch.outer(positions.to(dtype), inv_freq)


@right_form(ANGLES, "einsum_and_logarithms")
def rope_angles(positions, head_dim, base=10000.0, scale=1.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.get_default_dtype()
    speeds = torch.exp(torch.arange(0, head_dim, 2, dtype=dtype) * (-math.log(base) / head_dim))
    return torch.einsum("t,i->ti", positions.to(dtype) * scale, speeds)


@right_form(ANGLES, "two_loops")
def rope_angles(positions, head_dim, base=10000.0):
    dtype = positions.dtype if positions.is_floating_point() else torch.float64
    angles = torch.zeros(len(positions), head_dim // 2, dtype=dtype)
    for t, p in enumerate(positions.tolist()):
        for i in range(head_dim // 2):
            angles[t, i] = p * base ** (-2 * i / head_dim)
    return angles


@right_form(ANGLES, "numpy_inside")
def rope_angles(positions, head_dim, base=10000.0):
    speeds = np.power(float(base), -np.arange(0, head_dim, 2) / head_dim)
    angles = np.multiply.outer(positions.numpy().astype(np.float64), speeds)
    kept = positions.dtype if positions.is_floating_point() else torch.float32
    return torch.from_numpy(angles).to(kept)


@right_form(ANGLES, "speeds_by_steps")
def rope_angles(positions, head_dim, base=10000.0):
    ratio = base ** (-2 / head_dim)
    speeds = [1.0]
    while len(speeds) < head_dim // 2:
        speeds.append(speeds[-1] * ratio)
    p = positions if positions.is_floating_point() else positions.double()
    return p.unsqueeze(-1) @ torch.tensor([speeds], dtype=p.dtype)
