"""Wrong answers about layer norm by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

NORM = "07.layer_norm"


@mistake(
    NORM, "sample_std_plus_eps", stage="values",
    diagnosis="Two things differ from PyTorch: `std` divides by d - 1, and eps is added outside the root.",
    next_step="Take the variance with unbiased=False, add eps, then the root.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta


@base("plain")
def layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, (x.shape[-1],), gamma, beta, eps)


altered(
    NORM, "eps_ignored", "plain", {"(x.shape[-1],), gamma, beta, eps": "x.shape[-1:], gamma, beta"}, stage="values",
    diagnosis="eps is always 1e-5, whatever is asked for.",
    next_step="Hand the parameter on.",
)


@mistake(
    NORM, "another_default", stage="values",
    diagnosis="What is added to the variance is not eps as it is given (1e-5 where nothing is said).",
    next_step="Keep the signature, and take the root of variance + eps.",
)
def layer_norm(x, gamma, beta, eps=1e-12):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


@mistake(
    NORM, "whole_tensor", stage="values",
    diagnosis="Mean and variance are taken over the whole tensor; each row has its own.",
    next_step="Pass `dim=-1, keepdim=True`.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    if x.numel() == 0:
        return x.clone()
    return (x - x.mean()) / torch.sqrt(x.var(unbiased=False) + eps) * gamma + beta


@mistake(
    NORM, "axis_1", stage="values",
    diagnosis="Axis 1 is the last one only for two axes; for (B, T, d) it is time.",
    next_step="Count from the end: dim=-1.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    axis = 1 if x.ndim > 1 else 0
    mean, var = x.mean(axis, keepdim=True), x.var(axis, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


@mistake(
    NORM, "time_and_width_together", stage="values",
    diagnosis="A whole sentence is normalised at once; each position has a mean and a variance of its own.",
    next_step="Only the last axis: dim=-1.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    axes = (-2, -1) if x.ndim > 2 else (-1,)
    mean, var = x.mean(axes, keepdim=True), x.var(axes, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


@mistake(
    NORM, "keepdim_missing", stage="raises",
    diagnosis="Without keepdim the means (one for each row) are lined up with the columns.",
    next_step="Pass `keepdim=True` to mean and var. For square tensors there would not even be an error.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, unbiased=False) + eps) * gamma + beta


@mistake(
    NORM, "mean_not_subtracted", stage="values",
    diagnosis="The mean is not subtracted; this is the root-mean-square norm of other models.",
    next_step="Subtract each row's mean first.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * gamma + beta


@mistake(
    NORM, "difference_of_squares", stage=("values", "not finite"),
    diagnosis="E[x²] - E[x]² loses all digits where the mean is much larger than the standard deviation.",
    next_step="Subtract the mean first, then take the mean of the squares.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = ((x * x).mean(-1, keepdim=True) - mean * mean).clamp(min=0)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


@mistake(
    NORM, "statistics_cut_off", stage="values",
    diagnosis="Mean and variance are treated as constants: the gradient lacks what flows through them.",
    next_step="Leave `.detach()` and `torch.no_grad` out.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(-1, keepdim=True).detach(), x.var(-1, unbiased=False, keepdim=True).detach()
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


@mistake(
    NORM, "a_layer_of_its_own", stage="property",
    diagnosis="gamma and beta are copied into a new nn.LayerNorm: no gradient reaches the arguments.",
    next_step="Compute with gamma and beta themselves, or hand them to F.layer_norm.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    layer = nn.LayerNorm(x.shape[-1], eps=eps, dtype=x.dtype)
    layer.weight.data, layer.bias.data = gamma.data, beta.data
    return layer(x)


altered(
    NORM, "no_gradient", "plain",
    {", (x.shape[-1],), gamma, beta": ".detach(), x.shape[-1:], gamma.detach(), beta.detach()"},
    stage="property",
    diagnosis="Gradients cannot flow: the computation is cut off from its inputs.",
    next_step="Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`.",
)


@mistake(
    NORM, "centred_in_place", stage="property",
    diagnosis="`x -= ...` changes the caller's tensor.",
    next_step="Make a new one: `centred = x - x.mean(...)`.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * gamma + beta


@mistake(
    NORM, "three_axes_only", stage="raises",
    diagnosis="It takes exactly three axes for granted; x may have any number.",
    next_step="Count from the end: dim=-1.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(2, keepdim=True), x.var(2, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


@mistake(
    NORM, "rounds_to_float32", stage="values",
    diagnosis="float64 rows pass through float32 on the way: half of the digits are lost.",
    next_step="Leave `.float()` out.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x.float(), x.shape[-1:], gamma.float(), beta.float(), eps).to(x.dtype)


altered(
    NORM, "always_float32", "plain",
    {", (x.shape[-1],), gamma, beta": ".float(), x.shape[-1:], gamma.float(), beta.float()"},
    stage="dtype",
    diagnosis="The result is float32 whatever comes in.",
    next_step="Leave `.float()` out.",
)


@mistake(
    NORM, "root_of_zero", stage="not finite",
    diagnosis="The standard deviation is taken as a root and squared again; where it is 0 the root's slope is infinite, and "
    "the gradient is nan.",
    next_step="Keep the variance: add eps to it, then take the root once.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    spread = torch.sqrt((centred**2).mean(dim=-1, keepdim=True))
    return centred / torch.sqrt(spread**2 + eps) * gamma + beta


@mistake(
    NORM, "eps_as_a_floor", stage="values",
    diagnosis="eps is taken as the least variance; it is added to every variance.",
    next_step="Write `variance + eps` under the root.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance.clamp(min=eps)) * gamma + beta


@mistake(
    NORM, "view_of_rows", stage="raises",
    diagnosis="`view` is asked for rows of a tensor whose axes do not lie in order.",
    next_step="Use `reshape`, or leave the shape alone: dim=-1 and keepdim=True do for any number of axes.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    rows = x.view(-1, x.shape[-1])
    centred = rows - rows.mean(dim=1, keepdim=True)
    variance = centred.square().mean(dim=1, keepdim=True)
    return (centred / torch.sqrt(variance + eps) * gamma + beta).view(x.shape)


@mistake(
    NORM, "difference_of_squares", stage=("not finite", "values"),
    diagnosis="The variance is E[x²] − mean²: the difference of two nearly equal numbers when the mean is large, and rounding "
    "makes it wrong, or negative.",
    next_step="Subtract the mean first, then average the squares.",
)
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta


@right_form(NORM, "torchs_own")
def layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, (x.shape[-1],), gamma, beta, eps)


@right_form(NORM, "var_mean_and_rsqrt")
def layer_norm(x, gamma, beta, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(beta, (x - mean) * torch.rsqrt(var + eps), gamma)


@right_form(NORM, "float64_inside")
def layer_norm(x, gamma, beta, eps=1e-5, dim=-1):
    y = x.to(torch.float64)
    mean = y.sum(dim, keepdim=True) / y.shape[dim]
    square = (y**2).sum(dim, keepdim=True) / y.shape[dim] - mean**2
    out = (y - mean) / (square.clamp(min=0) + eps) ** 0.5
    return (out * gamma + beta).to(x.dtype)


@right_form(NORM, "row_by_row")
def layer_norm(x, gamma, beta, eps=1e-5):
    out = torch.zeros_like(x).reshape(-1, x.shape[-1])
    for i, row in enumerate(x.reshape(-1, x.shape[-1])):
        centred = row - row.mean()
        out[i] = gamma * centred / ((centred @ centred) / len(row) + eps).sqrt() + beta
    return out.view(x.shape)


@right_form(NORM, "transposed_and_back")
def layer_norm(x, gamma, beta, eps=1e-5):
    print(x.shape)
    columns = x.movedim(-1, 0)
    centred = columns - columns.mean(dim=0)
    scale = centred.pow(2).mean(dim=0).add(eps).pow(-0.5)
    return (centred * scale).movedim(0, -1) * gamma + beta
