# exercise 10.tsne_gradient
import numpy as np
import torch


# base plain
def tsne_gradient(p, y):
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)


# mistake wrong_sign (values), from plain
# The sign is turned round: following it downhill drives neighbours apart.
# Next: (p - q) times (y_i - y_j): a pair that is too far apart, p > q, gets a gradient away from each other.
#   p - kernel / kernel.sum() => kernel / kernel.sum() - p

# mistake without_the_four (values), from plain
# The factor 4 is missing.
# Next: Each pair stands in the loss twice, and the square's derivative brings another 2.
#   4 * ( => (

# mistake two_for_four (values), from plain
# The factor is 2 here; it is 4, since each pair stands in the loss twice.
# Next: Count how often |y_i - y_j|² occurs in the sum over all i and j.
#   4 => 2

# mistake kernel_missing (values), from plain
# The factor 1 / (1 + |y_i - y_j|²) is missing: distant pairs pull far too hard. That is the gradient of SNE with a Gaussian
# kernel.
# Next: Differentiate log(1 + |y_i - y_j|²) by y_i.
#   (p - kernel / kernel.sum()) * kernel => p - kernel / kernel.sum()

# mistake q_for_the_kernel (values), from plain
# The last factor is q; it is the kernel before it was normalised.
# Next: Keep both: kernel = 1 / (1 + |y_i - y_j|²), and q = kernel / sum.
#   -    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)
#   +    q = kernel / kernel.sum()
#   +    return 4 * ((p - q) * q).unsqueeze(-1).mul(difference).sum(1)

# mistake q_not_normalised (values), from plain
# The kernel is compared with p as it is; q is the kernel divided by its sum.
# Next: Both p and q sum to 1 over all pairs.
#   kernel / kernel.sum() => kernel

# mistake diagonal_in_the_sum (values), from plain
# The sum that normalises q counts each point as its own neighbour, n times 1.
# Next: Set the kernel's diagonal to 0 before you sum it.
#   (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0) => 1 / (1 + difference.square().sum(-1))

# mistake q_row_by_row (values), from plain
# q is normalised row by row; it is one distribution over all pairs.
# Next: Divide by one number, the sum of the whole kernel.
#   -    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)
#   +    q = kernel / kernel.sum(dim=1, keepdim=True)
#   +    return 4 * ((p - q) * kernel).unsqueeze(-1).mul(difference).sum(1)

# mistake gaussian_on_the_map (values), from plain
# On the map the kernel is a Gaussian; t-SNE's is 1 / (1 + |y_i - y_j|²), with its heavy tails.
# Next: The t in t-SNE is Student's t distribution with one degree of freedom.
#   (1 / (1 + difference.square().sum(-1))).fill_diagonal_ => torch.exp(-difference.square().sum(-1)).fill_diagonal_
#   kernel.sum() => kernel.sum().clamp(min=1e-30)

# mistake distance_for_its_square (values), from plain
# The kernel has the distance where its square belongs.
# Next: 1 / (1 + |y_i - y_j|²): leave the root out.
#   difference.square().sum(-1) => difference.norm(dim=-1)

# mistake kernel_squared (values), from plain
# The kernel is a factor once too often.
# Next: (p - q), the kernel once, the difference.
#   (p - kernel / kernel.sum()) * kernel => (p - kernel / kernel.sum()) * kernel**2

# mistake averaged (values), from plain
# The forces on a point are averaged; they add up.
# Next: `sum` over j, not `mean`.
#   sum(1 => mean(1

# mistake attraction_only (values), from plain
# Only p pulls; q, which pushes all points apart, is missing.
# Next: The factor is p - q.
#   (p - kernel / kernel.sum()) * kernel => p * kernel

# mistake early_exaggeration (values), from plain
# p is multiplied by 12, as the first steps of an optimizer do; the gradient is that of p as given.
# Next: Leave the exaggeration to the loop that calls this function.
#   p - kernel / kernel.sum() => 12 * p - kernel / kernel.sum()

# mistake a_force_for_each_pair (shape), from plain
# This is a force for each pair; the gradient adds them up for each point.
# Next: Sum over the second axis.
#   ).mul(difference).sum(1) => ) * difference

# mistake always_float32 (dtype), from plain
# The result is float32 whatever comes in; it should have the dtype of y.
# Next: Leave p and y in the type in which they came.
#    def tsne_gradient(p, y):
#   +    p, y = p.float(), y.float()

# mistake map_centred_in_place (property), from plain
# y itself was centred; it belongs to the caller.
# Next: `y - mean` makes a new tensor, `y -= mean` does not; and the gradient needs no centring.
#    def tsne_gradient(p, y):
#   +    y -= y.mean(dim=0)


# right form autograd
def tsne_gradient(p, y):
    y = y.detach().clone().double().requires_grad_()
    others = ~torch.eye(len(y), dtype=torch.bool)
    kernel = 1 / (1 + (y[:, None] - y[None]).square().sum(-1))[others]
    loss = -(p[others].double() * (kernel / kernel.sum()).log()).sum()
    loss.backward()
    return y.grad.to(p.dtype)


# right form laplacian
def tsne_gradient(p, y):
    squares = (y * y).sum(1)
    kernel = 1 / (1 + (squares[:, None] + squares - 2 * y @ y.T).clamp(min=0))
    kernel.fill_diagonal_(0)
    if float(y.abs().max()) > 10:
        kernel = 1 / (1 + torch.cdist(y, y, compute_mode="donot_use_mm_for_euclid_dist") ** 2)
        kernel.fill_diagonal_(0)
    pull = (p - kernel / kernel.sum()) * kernel
    return 4.0 * (torch.diag(pull.sum(1)).double() @ y.double() - pull.double() @ y.double()).to(y.dtype)


# right form loop_over_points
def tsne_gradient(p, y, eps=1e-12):
    n = len(y)
    kernel = torch.zeros(n, n, dtype=y.dtype)
    for i in range(n):
        for j in range(n):
            if i != j:
                kernel[i, j] = 1 / (1 + (y[i] - y[j]).dot(y[i] - y[j]))
    q = torch.clamp(kernel / kernel.sum(), min=eps)
    return torch.stack([4 * (((p[i] - q[i]) * kernel[i])[:, None] * (y[i] - y)).sum(0) for i in range(n)])


# right form numpy_einsum
def tsne_gradient(p, y):
    a = y.numpy().astype(np.float64)
    difference = a[:, None, :] - a[None, :, :]
    kernel = 1.0 / (1.0 + np.einsum("ijk,ijk->ij", difference, difference))
    np.fill_diagonal(kernel, 0.0)
    pull = (p.numpy() - kernel / kernel.sum()) * kernel
    return torch.from_numpy(4.0 * np.einsum("ij,ijk->ik", pull, difference)).to(y.dtype)


# mistake autograd_on_the_caller_s_map (property)
# The gradient is taken at the caller's own y: it stays there, and the next call adds to it.
# Next: Take a copy first, `y = y.detach().clone().requires_grad_()`, or write the sum over the points.
def tsne_gradient(p, y):
    y.requires_grad_()
    kernel = 1 / (1 + (y[:, None] - y[None]).square().sum(-1)) * (1 - torch.eye(len(y), dtype=y.dtype))
    apart = ~torch.eye(len(y), dtype=torch.bool)
    (-(p[apart] * (kernel[apart] / kernel.sum()).log()).sum()).backward()
    return y.grad


# mistake products_off_the_origin (values)
# |a|² + |b|² - 2ab of points off the origin is a small difference of large numbers: the kernels are rounded.
# Next: Subtract the points from one another; you need the differences anyway.
def tsne_gradient(p, y):
    squares = y.square().sum(1)
    kernel = (1 / (1 + squares[:, None] + squares - 2 * y @ y.T)).fill_diagonal_(0)
    force = (p - kernel / kernel.sum()) * kernel
    return 4 * (force.unsqueeze(-1) * (y[:, None] - y[None])).sum(1)
