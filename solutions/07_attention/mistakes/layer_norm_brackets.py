"""Wrong answers about layer norm that lack a pair of brackets, by name."""

import torch

from grader.course_source.catalogue import altered, base

NORM = "07.layer_norm"


@base("plain")
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    std = torch.sqrt((x - mean).square().mean(dim=-1, keepdim=True) + eps)
    return (x - mean) / std * gamma + beta


altered(
    NORM, "mean_alone_divided", "plain", {"(x - mean) / std * gamma": "(x - mean / std) * gamma"}, stage="values",
    diagnosis="Only the mean is divided by the standard deviation: in `x - mean / std` Python divides first.",
    next_step="Put brackets around the difference: `(x - mean) / std`.",
)

altered(
    NORM, "mean_alone_divided_and_stretched", "plain", {"(x - mean) / std": "x - mean / std"}, stage="values",
    diagnosis="Without brackets only the mean is divided by the standard deviation and multiplied by gamma; x stays as it is.",
    next_step="Put brackets around the difference: `(x - mean) / std * gamma + beta`.",
)

altered(
    NORM, "beta_stretched_too", "plain", {"* gamma + beta": "* (gamma + beta)"}, stage="values",
    diagnosis="The rows are multiplied by gamma + beta; beta is added afterwards.",
    next_step="Leave the brackets around gamma + beta out: first times gamma, then plus beta.",
)

altered(
    NORM, "gamma_in_the_denominator", "plain", {"/ std * gamma": "/ (std * gamma)"}, stage="values",
    diagnosis="The rows are divided by gamma; they are multiplied by it.",
    next_step="Divide by the standard deviation alone, then multiply by gamma.",
)
