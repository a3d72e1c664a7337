"""Wrong answers about the formula of layer norm by name: what is left out, swapped, or lacks its brackets."""

import torch

from grader.course_source.catalogue import altered, base

NORM = "07.layer_norm"


@base("written_out")
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


altered(
    NORM, "divides_by_d_minus_1", "written_out", {"unbiased=False, ": ""}, stage="values",
    diagnosis="The variance divides by d - 1; PyTorch's layer norm divides by d.",
    next_step="`x.var(dim=-1, unbiased=False, keepdim=True)`.",
)

altered(
    NORM, "eps_beside_the_root", "written_out", {"torch.sqrt(var + eps)": "(torch.sqrt(var) + eps)"}, stage="values",
    diagnosis="eps is added to the standard deviation; PyTorch adds it to the variance, under the root.",
    next_step="`torch.sqrt(variance + eps)`.",
)

altered(
    NORM, "no_eps", "written_out", {" + eps": ""}, stage=("not finite", "values"),
    diagnosis="eps is not used: a row of standard deviation 0 becomes nan, and small values come out too large.",
    next_step="Add eps to the variance.",
)

altered(
    NORM, "first_axis", "written_out", {"mean(-1": "mean(0", "var(-1": "var(0"}, stage="values",
    diagnosis="Mean and variance run down the columns, as in batch norm; layer norm runs along each row.",
    next_step="Use dim=-1 instead of dim=0.",
)

altered(
    NORM, "variance_instead_of_the_root", "written_out", {"torch.sqrt": ""}, stage="values",
    diagnosis="The rows are divided by the variance; it should be its square root.",
    next_step="`torch.sqrt(variance + eps)`.",
)

altered(
    NORM, "gamma_and_beta_swapped", "written_out", {"gamma + beta": "beta + gamma"}, stage="values",
    diagnosis="gamma is added and beta multiplied; it is the other way round.",
    next_step="`normalised * gamma + beta`.",
)

altered(
    NORM, "gamma_plus_one", "written_out", {"* gamma": "* (1 + gamma)"}, stage="values",
    diagnosis="The rows are stretched by 1 + gamma; it should be gamma.",
    next_step="Multiply with gamma as it is.",
)

altered(
    NORM, "no_beta", "written_out", {" + beta": ""}, stage="values",
    diagnosis="beta is not added.",
    next_step="Add it at the end.",
)

altered(
    NORM, "no_gamma", "written_out", {" * gamma": ""}, stage="values",
    diagnosis="gamma is not used.",
    next_step="Multiply the normalised rows by gamma before beta is added.",
)

altered(
    NORM, "beta_inside", "written_out", {"return (x": "return ((x", " * gamma + beta": " + beta) * gamma"}, stage="values",
    diagnosis="beta is added before the rows are stretched by gamma.",
    next_step="First times gamma, then plus beta.",
)

altered(
    NORM, "mean_alone_divided", "written_out", {"(x - mean)": "(x - mean", "+ eps)": "+ eps))"}, stage="values",
    diagnosis="Only the mean is divided by the standard deviation: in `x - mean / std` Python divides first.",
    next_step="Put brackets around the difference: `(x - mean) / std`.",
)

altered(
    NORM, "mean_alone_divided_and_stretched", "written_out", {"(x - mean)": "x - mean"}, stage="values",
    diagnosis="Without brackets only the mean is divided by the standard deviation and multiplied by gamma; x stays as it is.",
    next_step="Put brackets around the difference: `(x - mean) / std * gamma + beta`.",
)

altered(
    NORM, "beta_stretched_too", "written_out", {"gamma + beta": "(gamma + beta)"}, stage="values",
    diagnosis="The rows are multiplied by gamma + beta; beta is added afterwards.",
    next_step="Take the brackets around gamma + beta away: first times gamma, then plus beta.",
)

altered(
    NORM, "gamma_in_the_denominator", "written_out", {"/ torch.sqrt": "/ (torch.sqrt", "* gamma": "* gamma)"}, stage="values",
    diagnosis="The rows are divided by gamma; they are multiplied by it.",
    next_step="Divide by the standard deviation alone, then multiply by gamma.",
)

altered(
    NORM, "eps_beside_the_quotient", "written_out", {"sqrt(var + eps)": "sqrt(var) + eps"}, stage=("values", "not finite"),
    diagnosis="eps is added to the quotient and gamma multiplies eps alone: Python divides before it adds.",
    next_step="eps belongs under the root, beside the variance: `torch.sqrt(variance + eps)`.",
)
