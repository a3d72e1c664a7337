"""S4: how an embedding model is trained, and judged."""

from __future__ import annotations

import math

import torch
from torch import nn

from embedding_course.data.digits_captions import digits

from .agreement import agree, rounds_to, spread
from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted
from .shared_runs import recorded

s4 = Source("S4")
CONTRAST, SCALE = "对比学习（Contrastive Learning）", "大规模训练"


@s4.claim(
    "InfoNCE with similarities .85 and .12 at temperature .05: 17 and 2.4, exp(17) ≈ 2.4e7, a loss of about 0.",
    HOLDS,
    at("09", "pair-question"),
    at("09", "tiny"),
    quote=quoted(CONTRAST, "numerator = exp(17) ≈ 2.4e7"),
)
def loss_of_two_similarities() -> Measured:
    """Compute the InfoNCE loss of similarities .85 and .12 at temperature .05."""
    logits = torch.tensor([0.85, 0.12], dtype=torch.float64) / 0.05
    loss = nn.functional.cross_entropy(logits[None], torch.tensor([0])).item()
    exact = rounds_to(logits[0].item(), "17.0") and rounds_to(logits[1].item(), "2.4")
    return found(
        {"logits": exact, "exp(17)": rounds_to(math.exp(logits[0]) / 1e7, "2.4"), "loss": loss < 1e-6},
        f"Logits {logits[0]:.1f} and {logits[1]:.1f}, exp(17) = {math.exp(17):,.0f}, loss {loss:.2e} in float64.",
    )


@s4.claim(
    "The loss as printed, with exp of the similarities, gives InfoNCE.",
    CONDITION,
    at("09", "09.info_nce"),
    quote=quoted(CONTRAST, "denominator = np.exp(sim_pos) + np.exp(sim_neg)"),
)
def exponentials_overflow() -> Measured:
    """Compare the loss with plain exponentials to cross_entropy at temperatures .05 and .001."""
    trials = {}
    for temperature in (0.05, 0.001):
        right, wrong = (torch.tensor(similarity / temperature, dtype=torch.float64) for similarity in (0.85, 0.84))
        plain = -(right.exp() / (right.exp() + wrong.exp())).log().item()
        safe = nn.functional.cross_entropy(torch.stack([right, wrong])[None], torch.tensor([0])).item()
        trials[f"temperature {temperature}"] = agree(safe, plain, 1e-6)
    return found(
        trials,
        "Similarities .85 and .84 in float64: right at temperature .05. At .001 exp(850) is infinite, and the loss nan.",
        "As long as 1 / temperature is below 709 (in float32: 88). A log-sum-exp has no such limit.",
    )


@s4.claim(
    "A small temperature makes the distribution sharper.",
    HOLDS,
    at("09", "shares-question"),
    at("09", "shares-figure"),
    quote=quoted(
        CONTRAST,
        '温度小（如 0.05）：分布更"尖锐"，模型更自信',
        "small temperature (such as .05): the distribution is sharper, the model surer of itself",
    ),
)
def temperature_sharpens() -> Measured:
    """Compute the share of the largest similarity at four temperatures."""
    cosines = torch.tensor([0.85, 0.70, 0.40, 0.12, -0.30])
    shares = [(cosines / temperature).softmax(dim=0)[0].item() for temperature in (1, 0.2, 0.05, 0.01)]
    return found(
        shares == sorted(shares),
        "The share of .85 among .85, .70, .40, .12, -.30 at temperatures 1, .2, .05 and .01: "
        f"{', '.join(f'{share:.0%}' for share in shares)}.",
    )


@s4.claim(
    "In-batch negatives can be false ones.",
    HOLDS,
    at("09", "stall-lesson"),
    at("09", "batch-figure"),
    quote=quoted(SCALE, '可能包含"假负样本"（其实也相关）', "may contain “false negatives” (which are relevant, too)"),
)
def false_negatives() -> Measured:
    """Count the other captions in a batch that fit a picture, on average."""
    shown = digits("train", 128).digits
    others = ((shown[:, None] == shown).sum(dim=1) - 1).double().mean().item()
    return found(
        others > 1, f"128 pictures of ten digits and their captions: {others:.0f} other captions fit a picture, on average."
    )


@s4.claim(
    "Hard negatives raise the model's power to discriminate.",
    CONDITION,
    at("09", "hard-text"),
    at("09", "hard-runs"),
    quote=quoted(SCALE, "提升模型判别能力", "raises the model's power to discriminate"),
)
def hard_negatives_help() -> Measured:
    """Compare recorded accuracies with and without hard negatives, for twin sentences and for the search engine."""
    twin_results, engine_results = recorded("08_twins").numbers, recorded("09_hard_negatives").numbers
    plain, hard = (twin_results[f"{name}, twins"] for name in ("others", "twins"))
    kinds = [engine_results[f"{kind}, recall@1"] for kind in ("nearest", "margin_0.0", "margin_0.1", "margin_0.2")]
    before, error = engine_results["in_batch, recall@1"], math.sqrt(0.58 * 0.42 / 820)
    return found(
        {"twins of sentences": hard > plain + 0.1, "the search engine": max(kinds) > before + 2 * error},
        f"Recorded. Telling a sentence's paraphrase from its twin: {plain:.0%} without twins in training, {hard:.0%} with. "
        "The search "
        f"engine's recall@1: {before:.3f} without, {min(kinds):.3f} to {max(kinds):.3f} with mined ones (one standard error is "
        f"{error:.3f}).",
        "Where random batches lack them and the task needs them. For the engine nothing can be measured.",
    )


@s4.claim(
    "Larger batches are better, as they hold more negatives.",
    HOLDS,
    at("09", "settings"),
    at("09", "settings-lesson"),
    quote=quoted(SCALE, "大 batch 提供更多负样本", "a large batch offers more negatives"),
)
def larger_batches() -> Measured:
    """Compare the recorded recall of the search engine by batch size."""
    sizes, recalls = zip(*recorded("09_settings").curves["batch"], strict=True)
    recall_text = ", ".join(f"{recall:.0%} with {size:.0f}" for size, recall in zip(sizes, recalls, strict=True))
    return found(list(recalls) == sorted(recalls), f"recall@1 of the search engine after 300 steps (recorded): {recall_text}.")


@s4.claim(
    "Warm-up prevents exploding gradients at the start.",
    CONDITION,
    at("09", "schedule-text"),
    quote=quoted(
        SCALE, "例如: 0 → 1e-4（防止初期梯度爆炸）", "for example 0 → 1e-4 (prevents exploding gradients at the start)"
    ),
)
def warm_up_and_gradients() -> Measured:
    """Compute AdamW's first step for small and large gradients, with and without a small learning rate."""
    moved = {}
    for size in (1e-3, 1e3):
        for rate in (1e-4, 1e-6):
            weight = nn.Parameter(torch.zeros(4))
            stepper = torch.optim.AdamW([weight], lr=rate)
            (size * weight).sum().backward()
            stepper.step()
            moved[size, rate] = weight.detach().abs().max().item()
    same = spread(torch.tensor(moved[1e-3, 1e-4]), torch.tensor(moved[1e3, 1e-4]))
    return found(
        {"the first gradient is smaller": same > 1e-6, "the first step is smaller": moved[1e3, 1e-6] < 0.1 * moved[1e3, 1e-4]},
        f"AdamW's first step at rate 1e-4: {moved[1e-3, 1e-4]:.0e} for a gradient of .001, {moved[1e3, 1e-4]:.0e} for one "
        "of 1,000.",
        "It makes the first steps small. Their gradients it leaves as they are, and with Adam a step does not grow with them.",
    )


@s4.claim(
    "V-measure tells the quality of clusters.",
    CONDITION,
    at("10", "v-text"),
    at("10", "chance"),
    quote=quoted(SCALE, "聚类质量 - V-measure", "quality of clusters: V-measure"),
)
def clusters_by_chance() -> Measured:
    """Compute the V-measure of random groupings of 500 points."""
    from sklearn.metrics import v_measure_score

    classes, scores = torch.arange(500) % 10, {}
    for groups in (10, 100, 250):
        scores[groups] = float(v_measure_score(classes, torch.randint(groups, (500,))))
    return found(
        {f"{groups} groups": score < 0.1 for groups, score in scores.items()},
        "500 points of ten classes, grouped by chance: "
        f"{', '.join(f'{score:.2f} with {groups} groups' for groups, score in scores.items())}.",
        "Between groupings with equally many groups. It is not corrected for chance, and rises with their number.",
    )
