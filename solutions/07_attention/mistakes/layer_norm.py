# exercise 07.layer_norm
import torch
import torch.nn as nn
import torch.nn.functional as F


# right form torchs_own
def layer_norm(x, gamma, beta, eps=1e-5):
    return F.layer_norm(x, (x.shape[-1],), gamma, beta, eps)


# right form var_mean_and_rsqrt
def layer_norm(x, gamma, beta, eps=1e-5):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(beta, (x - mean) * torch.rsqrt(var + eps), gamma)


# right form float64_inside
def layer_norm(x, gamma, beta, eps=1e-5, dim=-1):
    y = x.to(torch.float64)
    mean = y.sum(dim, keepdim=True) / y.shape[dim]
    square = (y**2).sum(dim, keepdim=True) / y.shape[dim] - mean**2
    out = (y - mean) / (square.clamp(min=0) + eps) ** 0.5
    return (out * gamma + beta).to(x.dtype)


# right form row_by_row
def layer_norm(x, gamma, beta, eps=1e-5):
    out = torch.zeros_like(x).reshape(-1, x.shape[-1])
    for i, row in enumerate(x.reshape(-1, x.shape[-1])):
        centred = row - row.mean()
        out[i] = gamma * centred / ((centred @ centred) / len(row) + eps).sqrt() + beta
    return out.view(x.shape)


# right form transposed_and_back
def layer_norm(x, gamma, beta, eps=1e-5):
    print(x.shape)
    columns = x.movedim(-1, 0)
    centred = columns - columns.mean(dim=0)
    scale = centred.pow(2).mean(dim=0).add(eps).pow(-0.5)
    return (centred * scale).movedim(0, -1) * gamma + beta


# mistake sample_std_plus_eps (values)
# Two things differ from PyTorch: `std` divides by d - 1, and eps is added outside the root.
# Next: Take the variance with unbiased=False, add eps, then the root.
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + beta


# mistake eps_ignored (values), from torchs_own
# eps is always 1e-5, whatever is asked for.
# Next: Hand the parameter on.
#   (x.shape[-1],), gamma, beta, eps => x.shape[-1:], gamma, beta


# mistake another_default (values)
# What is added to the variance is not eps as it is given (1e-5 where nothing is said).
# Next: Keep the signature, and take the root of variance + eps.
def layer_norm(x, gamma, beta, eps=1e-12):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, eps)


# mistake whole_tensor (values)
# Mean and variance are taken over the whole tensor; each row has its own.
# Next: Pass `dim=-1, keepdim=True`.
def layer_norm(x, gamma, beta, eps=1e-5):
    if x.numel() == 0:
        return x.clone()
    return (x - x.mean()) / torch.sqrt(x.var(unbiased=False) + eps) * gamma + beta


# mistake axis_1 (values)
# Axis 1 is the last one only for two axes; for (B, T, d) it is time.
# Next: Count from the end: dim=-1.
def layer_norm(x, gamma, beta, eps=1e-5):
    axis = 1 if x.ndim > 1 else 0
    mean, var = x.mean(axis, keepdim=True), x.var(axis, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake time_and_width_together (values)
# A whole sentence is normalised at once; each position has a mean and a variance of its own.
# Next: Only the last axis: dim=-1.
def layer_norm(x, gamma, beta, eps=1e-5):
    axes = (-2, -1) if x.ndim > 2 else (-1,)
    mean, var = x.mean(axes, keepdim=True), x.var(axes, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake keepdim_missing (raises)
# Without keepdim the means (one for each row) are lined up with the columns.
# Next: Pass `keepdim=True` to mean and var. For square tensors there would not even be an error.
def layer_norm(x, gamma, beta, eps=1e-5):
    return (x - x.mean(-1)) / torch.sqrt(x.var(-1, unbiased=False) + eps) * gamma + beta


# mistake mean_not_subtracted (values)
# The mean is not subtracted; this is the root-mean-square norm of other models.
# Next: Subtract each row's mean first.
def layer_norm(x, gamma, beta, eps=1e-5):
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * gamma + beta


# mistake difference_of_squares (values, not finite)
# E[x²] - E[x]² loses all digits where the mean is much larger than the standard deviation.
# Next: Subtract the mean first, then take the mean of the squares.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = ((x * x).mean(-1, keepdim=True) - mean * mean).clamp(min=0)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake statistics_cut_off (values)
# Mean and variance are treated as constants: the gradient lacks what flows through them.
# Next: Leave `.detach()` and `torch.no_grad` out.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(-1, keepdim=True).detach(), x.var(-1, unbiased=False, keepdim=True).detach()
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake a_layer_of_its_own (property)
# gamma and beta are copied into a new nn.LayerNorm: no gradient reaches the arguments.
# Next: Compute with gamma and beta themselves, or hand them to F.layer_norm.
def layer_norm(x, gamma, beta, eps=1e-5):
    layer = nn.LayerNorm(x.shape[-1], eps=eps, dtype=x.dtype)
    layer.weight.data, layer.bias.data = gamma.data, beta.data
    return layer(x)


# mistake no_gradient (property), from torchs_own
# Gradients cannot flow: the computation is cut off from its inputs.
# Next: Take out `torch.no_grad`, `.detach()`, `.data` and `.numpy()`.
#   x, (x.shape[-1],), gamma, beta => x.detach(), x.shape[-1:], gamma.detach(), beta.detach()


# mistake centred_in_place (property)
# `x -= ...` changes the caller's tensor.
# Next: Make a new one: `centred = x - x.mean(...)`.
def layer_norm(x, gamma, beta, eps=1e-5):
    x -= x.mean(-1, keepdim=True)
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + eps) * gamma + beta


# mistake three_axes_only (raises)
# It takes exactly three axes for granted; x may have any number.
# Next: Count from the end: dim=-1.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(2, keepdim=True), x.var(2, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake rounds_to_float32 (values), from torchs_own
# float64 rows pass through float32 on the way: half of the digits are lost.
# Next: Leave `.float()` out.
#   , (x.shape[-1],), gamma, beta, eps => .float(), x.shape[-1:], gamma.float(), beta.float(), eps).to(x.dtype

# mistake always_float32 (dtype), from torchs_own
# The result is float32 whatever comes in.
# Next: Leave `.float()` out.
#   x, (x.shape[-1],), gamma, beta => x.float(), x.shape[-1:], gamma.float(), beta.float()


# mistake root_of_zero (not finite)
# The standard deviation is taken as a root and squared again; where it is 0 the root's slope is infinite, and the gradient is
# nan.
# Next: Keep the variance: add eps to it, then take the root once.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    spread = torch.sqrt((centred**2).mean(dim=-1, keepdim=True))
    return centred / torch.sqrt(spread**2 + eps) * gamma + beta


# mistake eps_as_a_floor (values)
# eps is taken as the least variance; it is added to every variance.
# Next: Write `variance + eps` under the root.
def layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance.clamp(min=eps)) * gamma + beta


# mistake view_of_rows (raises)
# `view` is asked for rows of a tensor whose axes do not lie in order.
# Next: Use `reshape`, or leave the shape alone: dim=-1 and keepdim=True do for any number of axes.
def layer_norm(x, gamma, beta, eps=1e-5):
    rows = x.view(-1, x.shape[-1])
    centred = rows - rows.mean(dim=1, keepdim=True)
    variance = centred.square().mean(dim=1, keepdim=True)
    return (centred / torch.sqrt(variance + eps) * gamma + beta).view(x.shape)


# mistake difference_of_squares (not finite, values)
# The variance is E[x²] − mean²: the difference of two nearly equal numbers when the mean is large, and rounding makes it wrong,
# or negative.
# Next: Subtract the mean first, then average the squares.
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    variance = (x * x).mean(-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(variance + eps) * gamma + beta
