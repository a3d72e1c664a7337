# exercise 06.apply_rope
import torch


# mistake added_instead_of_turned (property)
# Sines and cosines are added to x, as with a table of positions; here pairs are turned.
# Next: (a, b) becomes (a cos - b sin, a sin + b cos): nothing is added but parts of x itself.
def apply_rope(x, positions, base=10000.0):
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)
    return x + torch.cat([angles.sin(), angles.cos()], dim=-1)


# mistake first_half_of_the_head_turned (values)
# Only the first half of each head is turned, as some models do; all of its components were asked for.
# Next: Take the pairs from the whole head, with head_dim / 2 angles.
def apply_rope(x, positions, base=10000.0):
    if x.shape[-1] < 4:
        turned, rest = x, x[..., :0]
    else:
        turned, rest = x.split([x.shape[-1] // 4 * 2, x.shape[-1] - x.shape[-1] // 4 * 2], dim=-1)
    angles = rope_angles(positions.to(x.dtype), turned.shape[-1], base)
    first, second = turned[..., 0::2], turned[..., 1::2]
    pairs = [first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()]
    return torch.cat([torch.stack(pairs, dim=-1).flatten(-2), rest], dim=-1)
