# exercise 06.apply_rope
"""Wrong answers about rotary positions by name, and unusual right ones. Pairs are formed in two ways, so some come twice."""

import math

import numpy as np
import torch


# mistake tables_by_halves_pairs_by_neighbours (property)
# The angles are laid out for halves (`cat`), while neighbours are turned as pairs: the two components of a pair get different
# angles, and no rotation comes out.
# Next: With neighbours as pairs, repeat each angle for both: `repeat_interleave(2, dim=-1)`.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions, x.shape[-1], base)
    angles = torch.cat([angles, angles], dim=-1).to(x.dtype)
    rotated = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos() + rotated * angles.sin()


# mistake tables_by_neighbours_pairs_by_halves (property)
# The angles are laid out for neighbours (`repeat_interleave`), while the halves are turned as pairs: the two components of a
# pair get different angles, and no rotation comes out.
# Next: With halves as pairs, lay the angles out twice: `torch.cat([angles, angles], dim=-1)`.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions, x.shape[-1], base).repeat_interleave(2, dim=-1).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat([-second, first], dim=-1) * angles.sin()


# base plain
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = [first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()]
    return torch.stack(turned, dim=-1).flatten(-2)


# mistake minus_forgotten (property), from plain
# Both sines have a plus sign, so lengths change: a rotation has one minus.
# Next: (a, b) becomes (a cos - b sin, a sin + b cos). Try it on (1, 0) and (0, 1).
#   first * angles.cos() - second * angles.sin() => first * angles.cos() + second * angles.sin()


# mistake minus_forgotten_halves (property)
# The second half comes to the front without its minus sign, so lengths change.
# Next: `torch.cat([-second, first], dim=-1)`: one minus makes it a rotation.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    angles = torch.cat([angles, angles], dim=-1)
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat([second, first], dim=-1) * angles.sin()


# mistake second_uses_the_turned_first (property)
# The second number of a pair is computed from the first one after it was turned; both need the old ones.
# Next: Keep both old components until both new ones are made.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    first, second = x[..., 0::2], x[..., 1::2]
    first = first * angles.cos() - second * angles.sin()
    second = first * angles.sin() + second * angles.cos()
    return torch.stack([first, second], dim=-1).flatten(-2)


# mistake cosines_only (property)
# x is only multiplied by cosines: that shrinks vectors, it does not turn them.
# Next: Each new component needs both old components of its pair.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    return x * angles.cos().repeat_interleave(2, dim=-1)


# mistake angles_added (property)
# Sines and cosines are added to x, as in the sinusoidal encoding; here vectors are turned.
# Next: (a, b) becomes (a cos - b sin, a sin + b cos).
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


# mistake nothing_turned (values)
# x comes back as it was.
# Next: Position 1 must turn the first pair by one radian.
def apply_rope(x, positions, base=10000.0):
    rope_angles(positions.to(x.dtype), x.shape[-1], base)
    return x.clone()


# mistake one_speed_for_all_pairs (values), from plain
# All pairs turn by the angle of the first one.
# Next: Each pair has a column of `rope_angles` of its own.
#   rope_angles(positions.to(x.dtype), x.shape[-1], base) => rope_angles(positions.to(x.dtype), x.shape[-1], base)[:, :1]


# mistake only_the_first_half_turned (values)
# Only half of the components take part; all head_dim of them form pairs.
# Next: There are head_dim / 2 pairs.
def apply_rope(x, positions, base=10000.0):
    width = x.shape[-1] // 2
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    pairs = max(width // 2, 1) if width > 1 else 0
    first, second, rest = x[..., :pairs], x[..., pairs : 2 * pairs], x[..., 2 * pairs :]
    cos, sin = angles.cos()[:, :pairs], angles.sin()[:, :pairs]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)


# mistake doubled_exponent (values), from plain
# The angles have a doubled exponent: the pairs slow down too quickly.
# Next: Take the angles from `rope_angles`.
#   -    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
#   +    angles = positions[:, None] * base ** (-2 * torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])

# mistake doubled_exponent_halves (values), from minus_forgotten_halves
# The angles have a doubled exponent: the pairs slow down too quickly.
# Next: Take the angles from `rope_angles`.
#   -    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
#   +    half = x.shape[-1] // 2
#   +    angles = positions[:, None] * base ** (-2 * torch.arange(half, dtype=x.dtype) / half)
#   second, first => -second, first


# mistake width_of_the_half (values)
# `rope_angles` is called with head_dim / 2 in place of head_dim, and its angles are used twice.
# Next: The width of the whole head belongs there: `x.shape[-1]`.
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    angles = rope_angles(positions.to(x.dtype), half + half % 2, base)
    angles = torch.cat([angles, angles], dim=-1)[:, :half]
    first, second = x.chunk(2, dim=-1)
    turned = [first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()]
    return torch.cat(turned, dim=-1)


# mistake back_in_the_wrong_order (property), from plain
# Neighbours are turned as pairs and then put back as halves: at position 0 the components are already permuted.
# Next: `torch.stack([first, second], dim=-1).flatten(-2)` puts neighbours back; `cat` makes halves.
#   torch.stack(turned, dim=-1).flatten(-2) => torch.cat(turned, dim=-1)

# mistake counts_instead_of_positions (values), from plain
# Every text is turned as if it began at position 0, whatever positions are given.
# Next: Hand `positions` on to `rope_angles`.
#   positions.to(x.dtype) => torch.arange(x.shape[2], dtype=x.dtype)

# mistake counts_instead_of_positions_halves (values), from minus_forgotten_halves
# Every text is turned as if it began at position 0, whatever positions are given.
# Next: Hand `positions` on to `rope_angles`.
#   positions.to(x.dtype) => torch.arange(x.shape[2], dtype=x.dtype)
#   second, first => -second, first

# mistake positions_start_at_1 (property), from plain
# Every position is turned as if it were one further: position 0 changes its vectors.
# Next: Position 0 has the angle 0.
#   positions.to(x.dtype) => positions.to(x.dtype) + 1

# mistake turned_along_the_heads (raises, values, property), from plain
# The angles run along the heads: x is read as (B, T, h, head_dim), and it is (B, h, T, head_dim).
# Next: (T, head_dim / 2) broadcasts against the last two axes by itself: leave `unsqueeze` and `[:, None]` out.
#   rope_angles(positions.to(x.dtype), x.shape[-1], base) => rope_angles(positions.to(x.dtype), x.shape[-1], base)[:, None]

# mistake base_not_handed_on (values), from plain
# The base is always 10000: it is not handed on to `rope_angles`.
# Next: `rope_angles(positions, head_dim, base)`.
#   x.shape[-1], base => x.shape[-1]

# mistake base_not_handed_on_halves (values), from minus_forgotten_halves
# The base is always 10000: it is not handed on to `rope_angles`.
# Next: `rope_angles(positions, head_dim, base)`.
#   x.shape[-1], base => x.shape[-1]
#   second, first => -second, first

# mistake direction_changes_with_the_position (property), from plain
# Odd positions are turned the other way round; the direction is free, but the same for all positions.
# Next: The angle grows with the position; its sign does not depend on it.
#   -    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
#   +    signs = 1 - 2 * (positions % 2).to(x.dtype)
#   +    angles = rope_angles(positions.to(x.dtype) * signs, x.shape[-1], base)


# mistake written_into_x (property)
# The turned numbers are written into x, which belongs to the caller.
# Next: Make a new tensor: `torch.stack`, `torch.cat`, or `torch.empty_like(x)`.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    first, second = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = first * angles.cos() - second * angles.sin()
    x[..., 1::2] = first * angles.sin() + second * angles.cos()
    return x


# mistake cut_off_from_x (property)
# No gradient reaches x: numpy, `.data` or `detach` cuts it off.
# Next: Stay with torch operations on x itself.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    out = torch.empty(x.shape, dtype=x.dtype)
    first, second = x.detach()[..., 0::2], x.detach()[..., 1::2]
    out[..., 0::2] = first * angles.cos() - second * angles.sin()
    out[..., 1::2] = first * angles.sin() + second * angles.cos()
    return out


# mistake numpy_of_a_leaf (raises)
# `.numpy()` fails for a tensor that requires a gradient, and would cut the gradient off if it did not.
# Next: Stay with torch operations on x itself.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base).numpy()
    values = x.numpy()
    first, second = values[..., 0::2], values[..., 1::2]
    turned = [first * np.cos(angles) - second * np.sin(angles), first * np.sin(angles) + second * np.cos(angles)]
    return torch.from_numpy(np.stack(turned, axis=-1).reshape(x.shape))


# mistake float64_from_angles (dtype), from plain
# The result has the type of the angles, float64, where x is float32.
# Next: Convert cosines and sines to `x.dtype`.
#   positions.to(x.dtype) => positions.double()

# mistake always_float32 (dtype), from plain
# float64 vectors come back as float32.
# Next: Return x's dtype.
#   positions.to(x.dtype) => positions.float()
#   x[..., 0::2], x[..., 1::2] => x[..., 0::2].float(), x[..., 1::2].float()

# mistake pairs_on_an_axis_of_their_own (shape), from plain
# The pairs stay on an axis of their own: the last two axes should be joined again.
# Next: Finish with `.flatten(-2)`.
#   torch.stack(turned, dim=-1).flatten(-2) => torch.stack(turned, dim=-1)


# right form halves_and_cat
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions, x.shape[-1], base)
    cos = torch.cat([angles, angles], dim=-1).cos().to(x.dtype)
    sin = torch.cat([angles, angles], dim=-1).sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-second, first], dim=-1) * sin


# right form complex_numbers
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(3)


# right form always_in_float32_inside
def apply_rope(x, positions, base=10000.0):
    freqs = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2)[: (x.shape[-1] // 2)].float() / x.shape[-1]))
    freqs_cis = torch.polar(torch.ones(len(positions), len(freqs)), torch.outer(positions.float(), freqs))
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(x_ * freqs_cis[None, None]).flatten(3).type_as(x)


# right form column_by_column
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    columns = []
    for t in range(x.shape[2]):
        cos, sin = angles[t].cos(), angles[t].sin()
        first, second = x[:, :, t, 0::2], x[:, :, t, 1::2]
        columns.append(torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2))
    return torch.stack(columns, dim=2)


# right form the_other_direction
def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    speeds = 1.0 / base ** (torch.arange(half, dtype=x.dtype) * 2 / x.shape[-1])
    angles = torch.einsum("t,i->ti", positions.to(x.dtype), speeds)[None, None]
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * angles.cos() + second * angles.sin(), second * angles.cos() - first * angles.sin()], dim=-1)


# right form a_matrix_for_each_position
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.double(), x.shape[-1], base)
    blocks = torch.zeros(len(positions), x.shape[-1], x.shape[-1], dtype=torch.float64)
    for i in range(x.shape[-1] // 2):
        a, b = 2 * i, 2 * i + 1
        blocks[:, a, a] = blocks[:, b, b] = angles[:, i].cos()
        blocks[:, a, b], blocks[:, b, a] = -angles[:, i].sin(), angles[:, i].sin()
    return torch.einsum("bhtd,ted->bhte", x, blocks.to(x.dtype))


# right form table_and_lookup
def apply_rope(x, positions, base=10000.0, max_positions=10001):
    d = x.shape[-1]
    table = torch.outer(torch.arange(max_positions).float(), base ** (-torch.arange(0, d, 2).float() / d))
    cos, sin = table.cos()[positions], table.sin()[positions]
    out = torch.zeros_like(x)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return out


# right form loops_over_everything
def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    out = torch.zeros(x.shape, dtype=x.dtype)
    for t, p in enumerate(positions.tolist()):
        for i in range(d // 2):
            angle = p * base ** (-2 * i / d)
            cos, sin = math.cos(angle), math.sin(angle)
            out[:, :, t, i] = x[:, :, t, i] * cos - x[:, :, t, d - 1 - i] * sin
            out[:, :, t, d - 1 - i] = x[:, :, t, i] * sin + x[:, :, t, d - 1 - i] * cos
    return out


# right form every_other_pair_backwards
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    angles = angles * (1 - 2 * (torch.arange(angles.shape[1]) % 2)).to(x.dtype)
    pairs = x.unflatten(-1, (-1, 2))
    cos, sin = angles.cos()[..., None], angles.sin()[..., None]
    turned = pairs * cos + torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1) * sin
    return turned.flatten(-2)


# right form complex_view
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


# mistake length_and_angle (property)
# Each pair is split into a length and an angle. A pair of zeros has no angle, and no gradient gets through.
# Next: Multiply the pair by a cosine and a sine, or complex numbers by each other: both are linear in x.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(torch.polar(pairs.abs(), pairs.angle() + angles)).flatten(-2)


# mistake root_of_the_squares (not finite, property)
# Each pair is taken apart into a length and an angle. At a pair of zeros the root has no slope, and its gradient is nan.
# Next: Multiply the pair by a cosine and a sine, or complex numbers by each other: both are linear in x.
def apply_rope(x, positions, base=10000.0):
    first, second = x[..., 0::2], x[..., 1::2]
    length = (first**2 + second**2).sqrt()
    angle = torch.atan2(second, first) + rope_angles(positions.to(x.dtype), x.shape[-1], base)
    return torch.stack([length * angle.cos(), length * angle.sin()], dim=-1).flatten(-2)
