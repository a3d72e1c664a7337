# exercise 07.layer_norm
"""Wrong answers about the formula of layer norm by name: what is left out, swapped, or lacks its brackets."""

import torch


# base written_out
def layer_norm(x, gamma, beta, eps=1e-5):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * gamma + beta


# mistake divides_by_d_minus_1 (values), from written_out
# The variance divides by d - 1; PyTorch's layer norm divides by d.
# Next: `x.var(dim=-1, unbiased=False, keepdim=True)`.
#   unbiased=False, keepdim=True => keepdim=True

# mistake eps_beside_the_root (values), from written_out
# eps is added to the standard deviation; PyTorch adds it to the variance, under the root.
# Next: `torch.sqrt(variance + eps)`.
#   (x - mean) / torch.sqrt(var + eps) => (x - mean) / (torch.sqrt(var) + eps)

# mistake no_eps (not finite, values), from written_out
# eps is not used: a row of standard deviation 0 becomes nan, and small values come out too large.
# Next: Add eps to the variance.
#   var + eps => var

# mistake first_axis (values), from written_out
# Mean and variance run down the columns, as in batch norm; layer norm runs along each row.
# Next: Use dim=-1 instead of dim=0.
#   -1, keepdim=True => 0, keepdim=True
#   -1, unbiased=False => 0, unbiased=False

# mistake variance_instead_of_the_root (values), from written_out
# The rows are divided by the variance; it should be its square root.
# Next: `torch.sqrt(variance + eps)`.
#   (x - mean) / torch.sqrt(var + eps) => (x - mean) / (var + eps)

# mistake gamma_and_beta_swapped (values), from written_out
# gamma is added and beta multiplied; it is the other way round.
# Next: `normalised * gamma + beta`.
#   (x - mean) / torch.sqrt(var + eps) * gamma + beta => (x - mean) / torch.sqrt(var + eps) * beta + gamma

# mistake gamma_plus_one (values), from written_out
# The rows are stretched by 1 + gamma; it should be gamma.
# Next: Multiply with gamma as it is.
#   (x - mean) / torch.sqrt(var + eps) * gamma => (x - mean) / torch.sqrt(var + eps) * (1 + gamma)

# mistake no_beta (values), from written_out
# beta is not added.
# Next: Add it at the end.
#   (x - mean) / torch.sqrt(var + eps) * gamma + beta => (x - mean) / torch.sqrt(var + eps) * gamma

# mistake no_gamma (values), from written_out
# gamma is not used.
# Next: Multiply the normalised rows by gamma before beta is added.
#   (x - mean) / torch.sqrt(var + eps) * gamma + beta => (x - mean) / torch.sqrt(var + eps) + beta

# mistake beta_inside (values), from written_out
# beta is added before the rows are stretched by gamma.
# Next: First times gamma, then plus beta.
#   (x - mean) / torch.sqrt(var + eps) * gamma + beta => ((x - mean) / torch.sqrt(var + eps) + beta) * gamma

# mistake mean_alone_divided (values), from written_out
# Only the mean is divided by the standard deviation: in `x - mean / std` Python divides first.
# Next: Put brackets around the difference: `(x - mean) / std`.
#   (x - mean) / torch.sqrt(var + eps) * gamma => (x - mean / torch.sqrt(var + eps)) * gamma

# mistake mean_alone_divided_and_stretched (values), from written_out
# Without brackets only the mean is divided by the standard deviation and multiplied by gamma; x stays as it is.
# Next: Put brackets around the difference: `(x - mean) / std * gamma + beta`.
#   (x - mean) / torch.sqrt(var + eps) * gamma => x - mean / torch.sqrt(var + eps) * gamma

# mistake beta_stretched_too (values), from written_out
# The rows are multiplied by gamma + beta; beta is added afterwards.
# Next: Take the brackets around gamma + beta away: first times gamma, then plus beta.
#   (x - mean) / torch.sqrt(var + eps) * gamma + beta => (x - mean) / torch.sqrt(var + eps) * (gamma + beta)

# mistake gamma_in_the_denominator (values), from written_out
# The rows are divided by gamma; they are multiplied by it.
# Next: Divide by the standard deviation alone, then multiply by gamma.
#   (x - mean) / torch.sqrt(var + eps) * gamma => (x - mean) / (torch.sqrt(var + eps) * gamma)

# mistake eps_beside_the_quotient (values, not finite), from written_out
# eps is added to the quotient and gamma multiplies eps alone: Python divides before it adds.
# Next: eps belongs under the root, beside the variance: `torch.sqrt(variance + eps)`.
#   (x - mean) / torch.sqrt(var + eps) * gamma => (x - mean) / torch.sqrt(var) + eps * gamma
