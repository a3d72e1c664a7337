# exercise 10.joint_probabilities
import numpy as np
import torch


# mistake sums_to_n (values)
# The mean of both directions sums to n; one distribution over all pairs sums to 1.
# Next: Divide by the number of points as well.
def joint_probabilities(p):
    return (p + p.T) / 2


# mistake sums_to_two (values)
# Both directions are added, and only n is divided by: the result sums to 2.
# Next: Divide by 2n.
def joint_probabilities(p):
    return (p + p.T) / len(p)


# mistake not_symmetric (values), from sums_to_two
# Only one direction counts, and the result is not symmetric: the transpose is missing.
# Next: Add the transpose first.
#   (p + p.T) / len(p) => p / p.sum()


# mistake product_of_directions (values)
# The two directions are multiplied: a pair that is a neighbour on one side only is lost.
# Next: Take the mean, not the product.
def joint_probabilities(p):
    both = p * p.T
    return both / both.sum().clamp(min=1e-12)


# mistake larger_direction (values)
# The larger of the two directions is taken; it is their mean.
# Next: Add p and its transpose, and halve.
def joint_probabilities(p):
    both = torch.maximum(p, p.T)
    return both / both.sum()


# mistake divided_by_all_pairs (values), from sums_to_two
# It is divided by the number of pairs, n²; the rows sum to 1, so their total is only n.
# Next: Sum your result: it should be 1.
#   (p + p.T) / len(p) => (p + p.T) / (2 * p.numel())

# mistake large_floor (values), from sums_to_two
# The floor under the probabilities is not tiny: pairs that are no neighbours count.
# Next: 1e-12 is enough to keep a logarithm finite.
#   (p + p.T) / len(p) => ((p + p.T) / (2 * len(p))).clamp(min=1e-3)


# mistake added_in_place (property)
# `p += p.T` writes to the caller's matrix.
# Next: `p + p.T` makes a new tensor.
def joint_probabilities(p):
    joint = (p + p.T) / (2 * len(p))
    p += p.T.clone()
    return joint


# mistake pairs_once (values), from sums_to_two
# Each pair is kept once, above the diagonal; the matrix is symmetric.
# Next: Leave `triu` out.
#   (p + p.T) / len(p) => torch.triu((p + p.T) / len(p))

# mistake always_float32 (dtype), from sums_to_two
# The result is float32 whatever comes in; it should have the dtype of p.
# Next: Leave p in the type in which it came.
#   (p + p.T) / len(p) => ((p + p.T) / (2 * len(p))).float()


# right form floor_of_the_paper_s_code
def joint_probabilities(p):
    joint = p + p.T
    return torch.clamp(joint / joint.sum(), min=1e-12)


# right form loop
def joint_probabilities(p):
    n = p.shape[0]
    joint = torch.zeros_like(p)
    for i in range(n):
        for j in range(n):
            joint[i, j] = (p[i, j] + p[j, i]) / (2 * n)
    return joint


# right form numpy_with_machine_floor
def joint_probabilities(p, floor=np.finfo(np.double).eps):
    a = p.numpy()
    return torch.from_numpy(np.maximum((a + a.T) / (2 * len(a)), floor)).to(p.dtype)


# right form means_of_the_halves
def joint_probabilities(p):
    return torch.stack([p, p.transpose(0, 1)]).mean(dim=0).div(p.size(0))
