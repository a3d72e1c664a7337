"""Wrong answers about joint probabilities by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

JOINT = "10.joint_probabilities"


@base("plain")
def joint_probabilities(p):
    return (p + p.T) / len(p)


altered(
    JOINT, "sums_to_n", "plain", {"len(p)": "2"}, stage="values",
    diagnosis="The mean of both directions sums to n; one distribution over all pairs sums to 1.",
    next_step="Divide by the number of points as well.",
)


@mistake(
    JOINT, "sums_to_two", stage="values",
    diagnosis="Both directions are added, and only n is divided by: the result sums to 2.",
    next_step="Divide by 2n.",
)
def joint_probabilities(p):
    return (p + p.T) / len(p)


altered(
    JOINT, "not_symmetric", "plain", {"(p + p.T) / len(p)": "p / p.sum()"}, stage="values",
    diagnosis="Only one direction counts, and the result is not symmetric: the transpose is missing.",
    next_step="Add the transpose first.",
)


@mistake(
    JOINT, "product_of_directions", stage="values",
    diagnosis="The two directions are multiplied: a pair that is a neighbour on one side only is lost.",
    next_step="Take the mean, not the product.",
)
def joint_probabilities(p):
    both = p * p.T
    return both / both.sum().clamp(min=1e-12)


@mistake(
    JOINT, "larger_direction", stage="values",
    diagnosis="The larger of the two directions is taken; it is their mean.",
    next_step="Add p and its transpose, and halve.",
)
def joint_probabilities(p):
    both = torch.maximum(p, p.T)
    return both / both.sum()


altered(
    JOINT, "divided_by_all_pairs", "plain", {"len(p)": "(2 * p.numel())"}, stage="values",
    diagnosis="It is divided by the number of pairs, n²; the rows sum to 1, so their total is only n.",
    next_step="Sum your result: it should be 1.",
)

altered(
    JOINT, "large_floor", "plain", {"p + p.T) / len(p": "(p + p.T) / (2 * len(p))).clamp(min=1e-3"}, stage="values",
    diagnosis="The floor under the probabilities is not tiny: pairs that are no neighbours count.",
    next_step="1e-12 is enough to keep a logarithm finite.",
)


@mistake(
    JOINT, "added_in_place", stage="property",
    diagnosis="`p += p.T` writes to the caller's matrix.",
    next_step="`p + p.T` makes a new tensor.",
)
def joint_probabilities(p):
    joint = (p + p.T) / (2 * len(p))
    p += p.T.clone()
    return joint


altered(
    JOINT, "pairs_once", "plain", {"(p + p.T) / len(p)": "torch.triu((p + p.T) / len(p))"}, stage="values",
    diagnosis="Each pair is kept once, above the diagonal; the matrix is symmetric.",
    next_step="Leave `triu` out.",
)

altered(
    JOINT, "always_float32", "plain", {"p + p.T) / len(p": "(p + p.T) / (2 * len(p))).float("}, stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of p.",
    next_step="Leave p in the type in which it came.",
)


@right_form(JOINT, "floor_of_the_paper_s_code")
def joint_probabilities(p):
    joint = p + p.T
    return torch.clamp(joint / joint.sum(), min=1e-12)


@right_form(JOINT, "loop")
def joint_probabilities(p):
    n = p.shape[0]
    joint = torch.zeros_like(p)
    for i in range(n):
        for j in range(n):
            joint[i, j] = (p[i, j] + p[j, i]) / (2 * n)
    return joint


@right_form(JOINT, "numpy_with_machine_floor")
def joint_probabilities(p, floor=np.finfo(np.double).eps):
    a = p.numpy()
    return torch.from_numpy(np.maximum((a + a.T) / (2 * len(a)), floor)).to(p.dtype)


@right_form(JOINT, "means_of_the_halves")
def joint_probabilities(p):
    return torch.stack([p, p.transpose(0, 1)]).mean(dim=0).div(p.size(0))
