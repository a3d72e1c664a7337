"""Wrong answers about the gradient of t-SNE by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

GRADIENT = "10.tsne_gradient"


@base("plain")
def tsne_gradient(p, y):
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)


altered(
    GRADIENT, "wrong_sign", "plain", {"p - kernel / kernel.sum()": "kernel / kernel.sum() - p"}, stage="values",
    diagnosis="The sign is turned round: following it downhill drives neighbours apart.",
    next_step="(p - q) times (y_i - y_j): a pair that is too far apart, p > q, gets a gradient away from each other.",
)

altered(
    GRADIENT, "without_the_four", "plain",
    {"return 4 * ((p - kernel / kernel.sum": "return ((p - kernel / kernel.sum"},
    stage="values",
    diagnosis="The factor 4 is missing.",
    next_step="Each pair stands in the loss twice, and the square's derivative brings another 2.",
)

altered(
    GRADIENT, "two_for_four", "plain", {"return 4": "return 2"}, stage="values",
    diagnosis="The factor is 2 here; it is 4, since each pair stands in the loss twice.",
    next_step="Count how often |y_i - y_j|² occurs in the sum over all i and j.",
)

altered(
    GRADIENT, "kernel_missing", "plain",
    {"(p - kernel / kernel.sum()) * kernel": "p - kernel / kernel.sum()"},
    stage="values",
    diagnosis="The factor 1 / (1 + |y_i - y_j|²) is missing: distant pairs pull far too hard. That is the gradient of "
    "SNE with a Gaussian kernel.",
    next_step="Differentiate log(1 + |y_i - y_j|²) by y_i.",
)


@mistake(
    GRADIENT, "q_for_the_kernel", stage="values",
    diagnosis="The last factor is q; it is the kernel before it was normalised.",
    next_step="Keep both: kernel = 1 / (1 + |y_i - y_j|²), and q = kernel / sum.",
)
def tsne_gradient(p, y):
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    q = kernel / kernel.sum()
    return 4 * ((p - q) * q).unsqueeze(-1).mul(difference).sum(1)


altered(
    GRADIENT, "q_not_normalised", "plain", {" / kernel.sum()": ""}, stage="values",
    diagnosis="The kernel is compared with p as it is; q is the kernel divided by its sum.",
    next_step="Both p and q sum to 1 over all pairs.",
)

altered(
    GRADIENT, "diagonal_in_the_sum", "plain",
    {"(1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)": "1 / (1 + difference.square().sum(-1))"},
    stage="values",
    diagnosis="The sum that normalises q counts each point as its own neighbour, n times 1.",
    next_step="Set the kernel's diagonal to 0 before you sum it.",
)


@mistake(
    GRADIENT, "q_row_by_row", stage="values",
    diagnosis="q is normalised row by row; it is one distribution over all pairs.",
    next_step="Divide by one number, the sum of the whole kernel.",
)
def tsne_gradient(p, y):
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    q = kernel / kernel.sum(dim=1, keepdim=True)
    return 4 * ((p - q) * kernel).unsqueeze(-1).mul(difference).sum(1)


@mistake(
    GRADIENT, "gaussian_on_the_map", stage="values",
    diagnosis="On the map the kernel is a Gaussian; t-SNE's is 1 / (1 + |y_i - y_j|²), with its heavy tails.",
    next_step="The t in t-SNE is Student's t distribution with one degree of freedom.",
)
def tsne_gradient(p, y):
    difference = y[:, None] - y[None]
    kernel = torch.exp(-difference.square().sum(-1)).fill_diagonal_(0)
    return 4 * ((p - kernel / kernel.sum().clamp(min=1e-30)) * kernel).unsqueeze(-1).mul(difference).sum(1)


altered(
    GRADIENT, "distance_for_its_square", "plain",
    {"difference.square().sum(-1)": "difference.norm(dim=-1)"},
    stage="values",
    diagnosis="The kernel has the distance where its square belongs.",
    next_step="1 / (1 + |y_i - y_j|²): leave the root out.",
)

altered(
    GRADIENT, "kernel_squared", "plain", {"* kernel).unsqueeze(": "* kernel**2).unsqueeze("}, stage="values",
    diagnosis="The kernel is a factor once too often.",
    next_step="(p - q), the kernel once, the difference.",
)

altered(
    GRADIENT, "averaged", "plain", {").sum(1": ").mean(1"}, stage="values",
    diagnosis="The forces on a point are averaged; they add up.",
    next_step="`sum` over j, not `mean`.",
)

altered(
    GRADIENT, "attraction_only", "plain", {"(p - kernel / kernel.sum())": "p"}, stage="values",
    diagnosis="Only p pulls; q, which pushes all points apart, is missing.",
    next_step="The factor is p - q.",
)

altered(
    GRADIENT, "early_exaggeration", "plain",
    {"return 4 * ((p - kernel /": "return 4 * ((12 * p - kernel /"},
    stage="values",
    diagnosis="p is multiplied by 12, as the first steps of an optimizer do; the gradient is that of p as given.",
    next_step="Leave the exaggeration to the loop that calls this function.",
)

altered(
    GRADIENT, "a_force_for_each_pair", "plain", {".mul(difference).sum(1)": " * difference"}, stage="shape",
    diagnosis="This is a force for each pair; the gradient adds them up for each point.",
    next_step="Sum over the second axis.",
)


@mistake(
    GRADIENT, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in; it should have the dtype of y.",
    next_step="Leave p and y in the type in which they came.",
)
def tsne_gradient(p, y):
    p, y = p.float(), y.float()
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)


@mistake(
    GRADIENT, "map_centred_in_place", stage="property",
    diagnosis="y itself was centred; it belongs to the caller.",
    next_step="`y - mean` makes a new tensor, `y -= mean` does not; and the gradient needs no centring.",
)
def tsne_gradient(p, y):
    y -= y.mean(dim=0)
    difference = y[:, None] - y[None]
    kernel = (1 / (1 + difference.square().sum(-1))).fill_diagonal_(0)
    return 4 * ((p - kernel / kernel.sum()) * kernel).unsqueeze(-1).mul(difference).sum(1)


@right_form(GRADIENT, "autograd")
def tsne_gradient(p, y):
    y = y.detach().clone().double().requires_grad_()
    others = ~torch.eye(len(y), dtype=torch.bool)
    kernel = 1 / (1 + (y[:, None] - y[None]).square().sum(-1))[others]
    loss = -(p[others].double() * (kernel / kernel.sum()).log()).sum()
    loss.backward()
    return y.grad.to(p.dtype)


@right_form(GRADIENT, "laplacian")
def tsne_gradient(p, y):
    squares = (y * y).sum(1)
    kernel = 1 / (1 + (squares[:, None] + squares - 2 * y @ y.T).clamp(min=0))
    kernel.fill_diagonal_(0)
    if float(y.abs().max()) > 10:
        kernel = 1 / (1 + torch.cdist(y, y, compute_mode="donot_use_mm_for_euclid_dist") ** 2)
        kernel.fill_diagonal_(0)
    pull = (p - kernel / kernel.sum()) * kernel
    return 4.0 * (torch.diag(pull.sum(1)).double() @ y.double() - pull.double() @ y.double()).to(y.dtype)


@right_form(GRADIENT, "loop_over_points")
def tsne_gradient(p, y, eps=1e-12):
    n = len(y)
    kernel = torch.zeros(n, n, dtype=y.dtype)
    for i in range(n):
        for j in range(n):
            if i != j:
                kernel[i, j] = 1 / (1 + (y[i] - y[j]).dot(y[i] - y[j]))
    q = torch.clamp(kernel / kernel.sum(), min=eps)
    return torch.stack([4 * (((p[i] - q[i]) * kernel[i])[:, None] * (y[i] - y)).sum(0) for i in range(n)])


@right_form(GRADIENT, "numpy_einsum")
def tsne_gradient(p, y):
    a = y.numpy().astype(np.float64)
    difference = a[:, None, :] - a[None, :, :]
    kernel = 1.0 / (1.0 + np.einsum("ijk,ijk->ij", difference, difference))
    np.fill_diagonal(kernel, 0.0)
    pull = (p.numpy() - kernel / kernel.sum()) * kernel
    return torch.from_numpy(4.0 * np.einsum("ij,ijk->ik", pull, difference)).to(y.dtype)


@mistake(
    GRADIENT, "autograd_on_the_caller_s_map", stage="property",
    diagnosis="The gradient is taken at the caller's own y: it stays there, and the next call adds to it.",
    next_step="Take a copy first, `y = y.detach().clone().requires_grad_()`, or write the sum over the points.",
)
def tsne_gradient(p, y):
    y.requires_grad_()
    kernel = 1 / (1 + (y[:, None] - y[None]).square().sum(-1)) * (1 - torch.eye(len(y), dtype=y.dtype))
    apart = ~torch.eye(len(y), dtype=torch.bool)
    (-(p[apart] * (kernel[apart] / kernel.sum()).log()).sum()).backward()
    return y.grad


@mistake(
    GRADIENT, "products_off_the_origin", stage="values",
    diagnosis="|a|² + |b|² - 2ab of points off the origin is a small difference of large numbers: the kernels are rounded.",
    next_step="Subtract the points from one another; you need the differences anyway.",
)
def tsne_gradient(p, y):
    squares = y.square().sum(1)
    kernel = (1 / (1 + squares[:, None] + squares - 2 * y @ y.T)).fill_diagonal_(0)
    force = (p - kernel / kernel.sum()) * kernel
    return 4 * (force.unsqueeze(-1) * (y[:, None] - y[None])).sum(1)
