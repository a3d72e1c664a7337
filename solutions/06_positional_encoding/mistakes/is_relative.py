# exercise 06.is_relative
import numpy as np
import torch


# mistake lengths_only (values)
# Only lengths are compared, which is offset 0; dot products of different positions are never looked at.
# Next: Compare the dot products of pairs that are, say, 5 apart, for many p.
def is_relative(encode):
    x = torch.randn(1, 1, 1, 16, generator=torch.Generator().manual_seed(1)).expand(1, 1, 512, 16)
    lengths = encode(x, torch.arange(512))[0, 0].norm(dim=-1)
    return bool((lengths.max() - lengths.min()) / lengths.max() < 0.01)


# mistake near_the_start_only (values)
# Only positions close to 0 are tried: slow drifts, and everything that happens later, stay unseen.
# Next: Take positions from all over 0 to 511.
def is_relative(encode):
    generator = torch.Generator().manual_seed(1)
    order = torch.randperm(12, generator=generator)
    q, k = torch.randn(2, 1, 1, 1, 32, generator=generator).expand(2, 1, 1, 12, 32)
    back = order.argsort()
    scores = encode(q, order)[0, 0, back] @ encode(k, order)[0, 0, back].T
    spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-10, 11))
    return bool(spread < 0.05 * scores.abs().max() and scores.max() - scores.min() > 0.02 * scores.abs().max())


# base plain
def is_relative(encode):
    generator = torch.Generator().manual_seed(1)
    order = torch.randperm(512, generator=generator)
    q, k = torch.randn(2, 1, 1, 1, 32, generator=generator).expand(2, 1, 1, 512, 32)
    back = order.argsort()
    scores = encode(q, order)[0, 0, back] @ encode(k, order)[0, 0, back].T
    size = scores.abs().max()
    spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-500, 501, 25))
    return bool(spread < 0.01 * size and scores.max() - scores.min() > 0.01 * size)


# mistake neighbours_only (values), from plain
# Each dot product is compared only with the one a position further: a slow drift stays below the tolerance.
# Next: Compare the first of all pairs with the last.
#   -    spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-500, 501, 25))
#   +    steps = max((scores.diagonal(o)[1:] - scores.diagonal(o)[:-1]).abs().max() for o in (0, 1, 2, 5, 9))
#   spread < 0.01 * size and scores.max() - scores.min() > 0.01 => steps < 0.02 * size and scores.max() - scores.min() > 0.02


# mistake positions_in_order_only (values)
# The positions always come in order: an encoder that uses the index in the sequence instead passes.
# Next: Shuffle the positions, or leave gaps of different sizes between them.
def is_relative(encode):
    q, k = torch.randn(2, 1, 1, 1, 32, generator=torch.Generator().manual_seed(1)).expand(2, 1, 1, 512, 32)
    scores = encode(q, torch.arange(512))[0, 0] @ encode(k, torch.arange(512))[0, 0].T
    size = scores.abs().max()
    spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-500, 501, 25))
    return bool(spread < 0.01 * size and scores.max() - scores.min() > 0.01 * size)


# mistake doing_nothing_passes (values), from plain
# An encoder whose dot products never change passes: it is never asked whether positions matter at all.
# Next: Two different offsets must give two different dot products.
#   -    size = scores.abs().max()
#   spread < 0.01 * size and scores.max() - scores.min() > 0.01 * size => spread < 0.01 * scores.abs().max()

# mistake nothing_about_the_given_positions (values), from positions_in_order_only
# With positions in order, and without asking whether they matter, two kinds of broken encoders pass: those that use the index
# in the sequence and those that do nothing.
# Next: Shuffle the positions, and ask that two different offsets give two different dot products.
#   -    size = scores.abs().max()
#   bool(spread < 0.01 * size and scores.max() - scores.min() > 0.01 * size) => bool(spread < 0.01 * scores.abs().max())


# mistake bit_by_bit (values)
# Every encoder is called broken, the sound ones too: dot products in floating point never agree to the last bit (or something
# is demanded that no encoder has).
# Next: Allow for rounding: a hundredth of the largest dot product will do.
def is_relative(encode):
    q, k = torch.randn(2, 1, 1, 1, 32, generator=torch.Generator().manual_seed(1)).expand(2, 1, 1, 512, 32)
    scores = encode(q, torch.arange(512))[0, 0] @ encode(k, torch.arange(512))[0, 0].T
    return all(bool((scores.diagonal(o) == scores[0, o]).all()) for o in range(0, 500, 25)) and bool(scores.std() > 0)


# mistake always_true (values)
# Every encoder is called relative.
# Next: Try it on an encoder that is not: `lambda x, positions: x * (1 + positions[:, None])`.
def is_relative(encode):
    x = torch.randn(1, 1, 8, 4)
    return encode(x, torch.arange(8)).shape == x.shape


# mistake turned_round (values), from plain
# True and False are swapped.
# Next: True means: the encoder is relative.
#   < 0.01 * size and scores.max() - scores.min() > => > 0.01 * size or scores.max() - scores.min() <

# mistake too_generous (values), from plain
# A drift of 5 or 10 % passes: the tolerance is too wide, or only a part of the positions is tried.
# Next: Rounding is a millionth; a drift of 2 % must be found, anywhere from 0 to 511.
#   spread < 0.01 * size => spread < 0.2 * size


# mistake small_drifts_pass (values)
# A drift of 2 or 3 % in length passes, which makes about 5 % in dot products.
# Next: Rounding is a millionth: make the tolerance a hundredth of the largest dot product.
def is_relative(encode):
    generator = torch.Generator().manual_seed(1)
    order = torch.randperm(512, generator=generator)
    q, k = torch.randn(2, 1, 1, 1, 32, generator=generator).expand(2, 1, 1, 512, 32)
    back = order.argsort()
    first, second = encode(q, order)[0, 0, back], encode(k, order)[0, 0, back]
    for scores in (first @ second.T, first @ first.T):
        size = scores.abs().max()
        spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-500, 501, 25))
        if spread > 0.07 * size or scores.max() - scores.min() < 0.01 * size:
            return False
    return True


# mistake length_of_x_demanded (values), from plain
# The encoded vector must be as long as x: sound encoders that weight or lengthen all vectors alike are called broken.
# Next: Compare encoded vectors with one another, not with x.
#        q, k = torch.randn(2, 1, 1, 1, 32, generator=generator).expand(2, 1, 1, 512, 32)
#   +    if not torch.allclose(encode(q, order).norm(dim=-1), q.norm(dim=-1), rtol=1e-2):
#   +        return False

# mistake identity_at_position_0_demanded (values), from plain
# Position 0 must leave x as it is: sound encoders that turn it too are called broken.
# Next: The question is about differences of positions only; where the turning begins does not matter.
#   -    scores = encode(q, order)[0, 0, back] @ encode(k, order)[0, 0, back].T
#   +    first, second = encode(q, order)[0, 0, back], encode(k, order)[0, 0, back]
#   +    if not torch.allclose(first[0], q[0, 0, 0], atol=1e-3):
#   +        return False
#   +    scores = first @ second.T

# mistake some_pairs_suffice (values), from plain
# One pair that agrees is enough here; all pairs of one offset have to agree.
# Next: Use the largest difference (or `all`), not the least (or `any`).
#   -    spread = max(scores.diagonal(o).max() - scores.diagonal(o).min() for o in range(-500, 501, 25))
#   +    agree = any(abs(scores[p, p + 5] - scores[0, 5]) < 0.01 * size for p in (60, 300, 500))
#   spread < 0.01 * size => agree


# mistake called_otherwise (raises)
# encode is called with something that it does not take: an odd d, x without its four axes, or a position outside 0 to 511.
# Next: x is (1, 1, T, d) with an even d; there is one position from 0 to 511 for each of the T vectors.
def is_relative(encode):
    x = torch.randn(1024, 32)
    scores = encode(x, torch.arange(1024)) @ encode(x, torch.arange(1024)).T
    return bool((scores.diagonal(5) - scores[0, 5]).abs().max() < 0.1)


# mistake drift_instead_of_verdict (type)
# The size of the drift comes back; a verdict, True or False, was asked for.
# Next: Compare the drift with your tolerance.
def is_relative(encode):
    x = torch.randn(1, 1, 1, 32, generator=torch.Generator().manual_seed(1)).expand(1, 1, 512, 32)
    encoded = encode(x, torch.arange(512))[0, 0]
    diagonal = (encoded @ encoded.T).diagonal(5)
    return float(diagonal.max() - diagonal.min())


# mistake a_verdict_for_each_offset (shape)
# There is a verdict for each offset; one for the encoder was asked for.
# Next: Finish with `.all()`.
def is_relative(encode):
    x = torch.randn(1, 1, 1, 32, generator=torch.Generator().manual_seed(1)).expand(1, 1, 512, 32)
    encoded = encode(x, torch.arange(512))[0, 0]
    scores = encoded @ encoded.T
    spread = torch.stack([scores.diagonal(o).max() - scores.diagonal(o).min() for o in (1, 5, 40)])
    return spread < 0.01 * scores.abs().max()


# mistake no_return (type), from drift_instead_of_verdict
# Nothing comes back: the verdict is printed, or never returned.
# Next: End with `return`.
#   return float(diagonal.max() - diagonal.min()) => print(bool(diagonal.max() - diagonal.min() < 0.1))


# right form pair_by_pair
def is_relative(encode):
    torch.manual_seed(0)
    q, k = torch.randn(1, 1, 1, 8), torch.randn(1, 1, 1, 8)

    def score(a, p, b, r):
        pair = encode(torch.cat([a, b], dim=2), torch.tensor([p, r]))[0, 0]
        return float(pair[0] @ pair[1])

    size = float(max(score(v, 0, v, 0) for v in (q, k)))
    seen = []
    for offset in (0, 1, 3, 10, 40):
        for a, b in ((q, k), (q, q), (k, q)):
            found = [score(a, start, b, start + offset) for start in (0, 5, 33, 128, 250, 260, 400, 471)]
            if max(found) - min(found) > 0.01 * size:
                return False
            if (a is q) and (b is k):
                seen.append(found[0])
    return max(seen) - min(seen) > 0.01 * size


# right form one_vector_everywhere
def is_relative(encode, tolerance=0.015):
    x = torch.ones(1, 1, 512, 16) * torch.linspace(-1, 1.3, 16)
    order = torch.arange(511, -1, -1) ^ 1
    e = encode(x, order).squeeze()[torch.argsort(order)]
    gram = e @ e.T
    scale = gram.abs().max()
    close = tolerance * scale
    toeplitz = all((gram.diagonal(o) - gram[0, o]).abs().max() < close for o in range(0, 500, 3))
    place = encode(x[:, :, :3], torch.tensor([0, 50, 53])).squeeze()
    gaps = abs(place[0] @ place[1] - gram[0, 50]) < close and abs(place[1] @ place[2] - gram[0, 3]) < close
    return bool(toeplitz and gaps and (gram[0] - gram[0, 0]).abs().max() > close)


# right form numpy_and_random_pairs
def is_relative(encode):
    rng = np.random.default_rng(0)
    x = torch.from_numpy(rng.standard_normal((1, 1, 2, 6)))
    one, other = [], []
    for _ in range(60):
        offset = int(rng.integers(1, 100))
        p, r = rng.integers(0, 512 - offset, 2)
        for found, start in ((one, p), (other, r)):
            pair = encode(x, torch.tensor([start, start + offset]))[0, 0].numpy()
            found.append([pair[0] @ pair[1], pair[0] @ pair[0], pair[1] @ pair[1]])
    one, other = np.array(one), np.array(other)
    scale = np.abs(one).max()
    return np.bool_(np.abs(one - other).max() < 0.012 * scale and np.ptp(one[:, 0]) > 0.012 * scale)


# right form maps_read_off_a_basis
def is_relative(encode):
    d = 4
    positions = torch.tensor([0, 1, 2, 17, 18, 100, 101, 255, 256, 257, 300, 350, 351, 450, 510, 511])
    maps = torch.stack(
        [encode(torch.eye(d)[i].expand(1, 1, len(positions), d), positions)[0, 0] for i in range(d)], dim=1
    ).double()  # (T, d, d): row i is what becomes of basis vector i
    grams = torch.einsum("pik,qjk->pqij", maps, maps)
    offsets = positions[None] - positions[:, None]
    scale = grams.abs().max()
    zero = encode(torch.zeros(1, 1, len(positions), d), positions).abs().max()
    if zero > 0.01 * scale.sqrt():
        return torch.tensor(False)
    for offset in offsets.unique():
        same = grams[offsets == offset]
        if (same - same[0]).abs().max() > 0.01 * scale:
            return torch.tensor(False)
    single = encode(torch.eye(d)[None, None, :2], torch.tensor([0, 300]))[0, 0]
    agrees = abs(single[0] @ single[1] - grams[0, 10, 0, 1]) < 0.01 * scale
    return agrees & ((grams - grams[0, 0]).abs().max() > 0.01 * scale)


# right form large_and_thorough
def is_relative(encode):
    generator = torch.Generator().manual_seed(3)
    order = torch.randperm(512, generator=generator)
    q, k = torch.randn(2, 1, 1, 1, 64, dtype=torch.float64, generator=generator)
    eq = encode(q.expand(1, 1, 512, 64), order)[0, 0][order.argsort()]
    ek = encode(k.expand(1, 1, 512, 64), order)[0, 0][order.argsort()]
    lengths = eq.norm(dim=1)
    scores = eq @ ek.T
    size = eq.norm(dim=1).max() * ek.norm(dim=1).max()
    means = [scores.diagonal(o).mean() for o in range(-200, 201)]
    spread = max((scores.diagonal(o) - scores.diagonal(o).mean()).abs().max() for o in range(-200, 201))
    steady = lengths.std() / lengths.mean() < 0.004
    print("spread", float(spread / size))
    return bool(steady) and bool(spread < 0.005 * size) and bool(max(means) - min(means) > 0.005 * size)


# survivor 6 → 7
# survivor 6 → 5
# survivor 1 → 2
# survivor 1 → 2 (2)
# survivor 0 → -1
# survivor 0 → -1 (2)
# survivor 0 → -1 (3)
# survivor 2 → 1 (3)
# survivor 0 → 1 (3)
# survivor 500 → 501
# survivor 500 → 499
# survivor 20 → 21
# survivor 20 → 19
# Other random vectors, one of them twice, another one of the axes of length 1, other offsets: they show the same.

# survivor 0.01 * tables.abs().max() → 0.01
# survivor 0.01 * tables.abs().max() → 0.01 / tables.abs().max()
# survivor drift < tolerance < change → drift <= tolerance < change
# Rounding lies far below the tolerance and every fault far above it: a factor changes no verdict.
