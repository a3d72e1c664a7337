"""S4: layer norm and residual connections."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .agreement import spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted
from .shared_runs import last_losses, recorded

s4 = Source("S4")
NORM, BLOCK = "Layer Normalization", "完整的 Transformer Block"


@s4.claim(
    "Layer norm divides by σ + ε.",
    CONDITION,
    at("07", "bug-norm"),
    at("07", "norm-run"),
    quote=quoted(NORM, "LN(x) = γ * (x - μ) / (σ + ε) + β"),
)
def epsilon_of_layer_norm() -> Measured:
    """Compare σ + ε with √(σ² + ε) for tokens of large and small spread."""
    trials, descriptions = {}, []
    for size in (1.0, 1e-3):
        x = size * torch.randn(5, 64, dtype=torch.float64)
        theirs = nn.LayerNorm(64, dtype=torch.float64)(x).detach()
        centred, sigma = x - x.mean(dim=1, keepdim=True), x.std(dim=1, keepdim=True, correction=0)
        off = ((centred / (sigma + 1e-5)).norm() / theirs.norm()).item() - 1
        inside = spread(centred / (sigma.square() + 1e-5).sqrt(), theirs)
        trials[f"tokens of spread {size:g}"] = abs(off) < 1e-3
        descriptions.append(f"{size:g}: {'less than 0.1 %' if abs(off) < 1e-3 else f'{off:.0%}'} longer")
        assert inside < 1e-9
    return found(
        trials,
        f"Against torch's layer, ε = 1e-5, tokens of spread {'; of spread '.join(descriptions)}. √(σ² + ε) agrees to rounding.",
        "Nearly, as long as σ is far above √ε. PyTorch divides by √(σ² + ε).",
    )


@s4.claim(
    "With γ = σ and β = μ layer norm undoes itself.",
    WRONG,
    at("07", "bug-norm"),
    at("07", "norm-run"),
    quote=quoted(
        NORM,
        '如果训练后 γ = std，β = mean…相当于"取消"归一化！',
        "if after training γ = std and β = mean, … that amounts to cancelling the normalisation!",
    ),
)
def undoing_layer_norm() -> Measured:
    """Set γ and β to σ and μ of one token, and compute which tokens come back."""
    x = 3 * torch.randn(5, 64, dtype=torch.float64) + torch.arange(5.0)[:, None]
    layer = nn.LayerNorm(64, dtype=torch.float64)
    with torch.no_grad():
        layer.weight.fill_(x[0].std(correction=0).item())
        layer.bias.fill_(x[0].mean().item())
        back = layer(x)
    errors = (back - x).abs().amax(dim=1)
    return found(
        bool((errors < 1e-3).all()),
        "Set to σ and μ of the first of five tokens: that one comes back (to rounding and ε), the others are off by "
        f"{errors[1:].min():.1f} and more.",
        "γ and β belong to features and are the same for all tokens; μ and σ are each token's own, and are lost.",
    )


def _one_token(norm: nn.Module, others: int) -> torch.Tensor:
    """Return what becomes of the first of 1 + `others` tokens, in training."""
    x = torch.randn(64, 8, generator=torch.Generator().manual_seed(0))
    return norm.train()(x[: 1 + others])[0].detach()


@s4.claim(
    "Layer norm has nothing to do with the batch's size, and batch norm is unsteady in small batches.",
    HOLDS,
    at("07", "norm-lesson"),
    at("07", "batch-norm"),
    quote=quoted(NORM, "Layer Norm 与 batch size 无关", "layer norm has nothing to do with the batch size"),
)
def norms_and_batches() -> Measured:
    """Compare one token in batches of several sizes under layer norm and batch norm."""
    moved = {
        name: [spread(_one_token(norm, others), _one_token(norm, 63)) for others in (1, 7, 31)]
        for name, norm in (("layer norm", nn.LayerNorm(8)), ("batch norm", nn.BatchNorm1d(8)))
    }
    distances = ", ".join(f"{distance:.2f}" for distance in moved["batch norm"])
    return found(
        {
            "layer norm": max(moved["layer norm"]) < 1e-6,
            "batch norm": moved["batch norm"][0] > 2 * moved["batch norm"][-1] > 0.1,
        },
        "One token in batches of 2, 8 and 32, against a batch of 64: layer norm gives the same, batch norm moves it by "
        f"{distances}.",
    )


@s4.claim(
    "Layer norm does in use what it did in training; batch norm does not.",
    HOLDS,
    at("07", "norm-lesson"),
    at("07", "batch-norm"),
    quote=quoted(NORM, "Layer Norm 训练和推理完全一致", "layer norm is exactly the same in training and in use"),
)
def norms_in_use() -> Measured:
    """Compare layer norm and batch norm in training mode and in eval mode."""
    x = torch.randn(64, 8, generator=torch.Generator().manual_seed(0))
    moved = {
        name: spread(norm.train()(x), norm.eval()(x))
        for name, norm in (("layer norm", nn.LayerNorm(8)), ("batch norm", nn.BatchNorm1d(8)))
    }
    return found(
        {"layer norm": moved["layer norm"] == 0, "batch norm": moved["batch norm"] > 0.1},
        f"64 tokens in training and in use: layer norm 0 apart, batch norm {moved['batch norm']:.2f} (its running means).",
    )


@s4.claim(
    "Models of language are usually trained with small batches.",
    CONDITION,
    at("07", "batch-norm"),
    quote=quoted(NORM, "NLP模型通常用小 batch（内存限制）", "models of language usually use small batches (limits of memory)"),
)
def small_batches() -> Measured:
    """Compare published batches, and how far a feature's mean over a batch is from its true mean."""
    texts = {"BERT, fine-tuned": 32, "BERT, pretrained": 256, "S4's own training": 1024}
    images = 256  # in a batch of ResNet, a model with batch norm
    spread_of_mean = {count: torch.randn(2000, count).mean(dim=1).std().item() for count in (32, 256, 1024)}
    means = ", ".join(f"{value:.2f} for {count}" for count, value in spread_of_mean.items())
    return found(
        {name: count < images for name, count in texts.items()},
        f"Texts in a batch: {', '.join(f'{name} {count:,}' for name, count in texts.items())}; ResNet: {images} images. A mean "
        f"over a batch, of a feature with standard deviation 1, is off by {means}.",
        "In fine-tuning. Pretraining uses large batches, and S4 itself recommends 1,024 to 4,096 further on. The reason that "
        "holds for any batch: texts have different lengths, and padding would enter the means.",
    )


def _held_out(noise: float, norm: bool) -> tuple[float, float, float]:
    """Train 16 small classifiers on 100 examples each; return accuracy and loss on new ones, and the loss in training."""
    models, width, generator = 16, 32, torch.Generator().manual_seed(0)
    teacher = torch.randn(models, 10, 5, generator=generator)

    def draw(count: int) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.randn(models, count, 10, generator=generator)
        return x, (x @ teacher + noise * torch.randn(models, count, 5, generator=generator)).argmax(dim=-1)

    (x, y), (new_x, new_y) = draw(100), draw(1000)
    weights = [
        ((2 * torch.rand(models, rows, columns, generator=generator) - 1) * rows**-0.5).requires_grad_()
        for rows, columns in ((10, width), (width, width), (width, 5))
    ]
    biases = [torch.zeros(models, 1, columns, requires_grad=True) for columns in (width, width, 5)]

    def logits(x: torch.Tensor) -> torch.Tensor:
        for weight, bias in zip(weights[:2], biases[:2], strict=True):
            x = x @ weight + bias
            x = (F.layer_norm(x, (width,)) if norm else x).relu()
        return x @ weights[2] + biases[2]

    stepper = torch.optim.Adam([*weights, *biases], lr=0.01)
    for _ in range(200):
        stepper.zero_grad()
        F.cross_entropy(logits(x).flatten(0, 1), y.flatten()).mul(models).backward()
        stepper.step()
    with torch.no_grad():
        new = logits(new_x)
        loss = F.cross_entropy(new.flatten(0, 1), new_y.flatten()).item()
        return (
            (new.argmax(dim=-1) == new_y).float().mean().item(),
            loss,
            F.cross_entropy(logits(x).flatten(0, 1), y.flatten()).item(),
        )


@s4.claim(
    "Layer norm regularises a little: it reduces overfitting.",
    CONDITION,
    at("07", "norm-lesson"),
    quote=quoted(NORM, "轻微正则化：减少过拟合", "slight regularisation: reduces overfitting"),
    varies=True,
)
def layer_norm_regularises() -> Measured:
    """Compare small classifiers with and without layer norm on new examples, with few and with many wrong labels."""
    trials, lines = {}, []
    for name, noise in (("few wrong labels", 0.5), ("many wrong labels", 2.0)):
        (plain, plain_loss, _), (normed, normed_loss, trained) = (_held_out(noise, norm) for norm in (False, True))
        trials |= {f"accuracy, {name}": normed > plain + 0.01, f"loss, {name}": normed_loss < 0.95 * plain_loss}
        lines.append(
            f"{name}: accuracy {plain:.1%} without and {normed:.1%} with it, loss {plain_loss:.2f} and {normed_loss:.2f} "
            f"(in training {trained:.3f})"
        )
    return found(
        trials,
        f"16 classifiers, 100 examples each, tested on 1,000 new ones. {'; '.join(lines).capitalize()}.",
        "In the loss on new examples: its wrong predictions are less certain. In accuracy we see no gain, and it fits wrong "
        "labels as well as a net without it. It draws nothing at random and computes the same in training and in use.",
    )


@s4.claim(
    "Residual connections ease vanishing gradients in deep networks.",
    HOLDS,
    at("07", "norm-where"),
    quote=quoted(BLOCK, "缓解深层网络的梯度消失问题", "eases the problem of vanishing gradients in deep networks"),
)
def residual_gradients() -> Measured:
    """Compare the gradient at the input of 24 layers with and without residual connections."""
    layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(24))
    sizes = {}
    for name in ("without", "with"):
        x = torch.randn(16, 32, generator=torch.Generator().manual_seed(0)).requires_grad_()
        y = x
        for layer in layers:
            y = layer(y).tanh() + (y if name == "with" else 0)
        y.square().mean().backward()
        assert x.grad is not None
        sizes[name] = (x.grad.norm() / y.detach().norm()).item()
    return found(
        sizes["with"] > 1e3 * sizes["without"],
        f"24 layers: the gradient at the input, as a share of what comes out, is {sizes['without']:.0e} without them and "
        f"{sizes['with']:.0e} with them.",
    )


@s4.claim(
    "Pre-norm is more stable than post-norm.",
    HOLDS,
    at("07", "depth-question"),
    at("07", "depth"),
    quote=quoted(BLOCK, "Pre-LN 更稳定，最新模型多用 Pre-LN", "pre-norm is more stable, and most recent models use it"),
)
def pre_norm_is_steadier() -> Measured:
    """Compare the recorded losses of pre-norm and post-norm, with and without warm-up."""
    losses, named = last_losses("07_depth"), recorded("07_depth").label
    pairs = {"with warm-up": "", "without": "_cold"}
    return found(
        {name: losses[f"pre{end}"] < losses[f"post{end}"] - 0.5 for name, end in pairs.items()},
        "Covered words with twelve blocks, held-out loss after 300 steps (recorded): "
        f"{', '.join(f'{named(name)} {loss:.2f}' for name, loss in losses.items())}.",
    )
