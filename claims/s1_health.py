"""S1: how it looks at a finished table."""

from __future__ import annotations

import math

import torch

from embedding_course.experiments.nplm.word_classes import class_of, neighbour_accuracy
from embedding_course.experiments.tsne_visualisation.table_health import check_up
from embedding_course.learner.own_tables import Table, read_table
from grader.course_source.catalogue import references
from grader.paths import ROOT

from .entry import CONDITION, WRONG, Measured, Source, at, found, quoted
from .shared_runs import recorded

s1 = Source("S1")
QUALITY, MAPS, ANOMALIES = "6.1 embedding质量检查", "6.2 embedding可视化", "6.3 embedding异常检测"


def _trained(name: str) -> Table:
    """Read a table as recorded, whatever learners keep."""
    return read_table(ROOT / "data" / "tables" / f"{name}.safetensors", own=False)


@s1.claim(
    "Mean, standard deviation and norms belong to a table's quality.",
    WRONG,
    at("10", "check-up"),
    at("10", "healthy-lesson"),
    quote=quoted(QUALITY, "# 检查embedding的统计特性", "check the statistics of the embedding"),
)
def statistics_of_a_table() -> Measured:
    """Compare mean, standard deviation and norms of a trained and an untrained table."""
    trained, drawn = _trained("05_english").vectors[4:], torch.randn(231, 48)
    descriptions, apart = [], []
    for name, measure in (
        ("mean", torch.mean),
        ("standard deviation", torch.std),
        ("mean norm", lambda x: x.norm(dim=1).mean()),
    ):
        values = [measure(vectors).item() for vectors in (trained, drawn)]
        descriptions.append(f"{name} {values[0]:.2f} and {values[1]:.2f}")
        apart.append(abs(values[0] - values[1]) > 0.1 * max(1.0, abs(values[1])))
    cosines = [abs(check_up(vectors).mean_cosine) for vectors in (trained, drawn)]
    return found(
        any(apart),
        f"The table of a translator that gets {recorded('05_widths').numbers['48']:.0%} right, and one that was never trained: "
        f"{', '.join(descriptions)}; mean cosines up to {max(cosines):.2f}.",
        "They cannot tell the two apart. What a table knows shows in pairs of words and in what it is used for.",
    )


@s1.claim(
    "t-SNE with its defaults maps the words of the example.",
    WRONG,
    at("10", "bug-perplexity"),
    at("10", "fifteen"),
    quote=quoted(MAPS, "reducer = TSNE(n_components=2, random_state=42)"),
)
def tsne_of_fifteen_words() -> Measured:
    """Run t-SNE on a table of 15 rows, with the default perplexity and with 5."""
    from sklearn.manifold import TSNE

    vectors = torch.randn(15, 64).numpy()  # the size that S1 prints for its example: torch.Size([15, 64])
    default = TSNE().perplexity
    try:
        TSNE(n_components=2, random_state=42).fit_transform(vectors)
        error_name = ""
    except ValueError as error:
        error_name = type(error).__name__
    small = TSNE(perplexity=5, max_iter=250, random_state=0).fit_transform(vectors)
    return found(
        error_name == "",
        f"A table of 15 rows, as in its example. The default perplexity is {default:g}: {error_name or 'no error'}. With 5 the "
        "map has "
        f"shape {tuple(small.shape)}.",
        "The perplexity must be less than the number of points, and for a few points much less.",
    )


@s1.claim(
    "In a well trained table words of a kind stand together.",
    CONDITION,
    at("10", "word-map"),
    at("10", "pairs-lesson"),
    quote=quoted(
        MAPS,
        '如果embedding训练得好，"爱"、"喜欢"等情感词应该彼此接近',
        "if the embedding is trained well, words of feeling such as “love” and “like” should be near one another",
    ),
)
def kinds_in_good_tables() -> Measured:
    """Compute how often the nearest word is of the same class, in trained and in untrained tables."""
    nearest, shares = references("04_nplm")["nearest"], {}
    for name, vectors in (("language model", _trained("04_words").vectors), ("translator", _trained("05_english").vectors)):
        for label, rows in ((name, vectors), (f"{name}, never trained", torch.randn_like(vectors))):
            shares[label] = neighbour_accuracy(rows, class_of(), nearest)
    return found(
        {name: shares[name] > 2 * shares[f"{name}, never trained"] for name in ("language model", "translator")},
        "The nearest word is of the same class: "
        f"{', '.join(f'{name} {share:.0%}' for name, share in shares.items())}. The translator gets "
        f"{recorded('05_widths').numbers['48']:.0%} of its sentences right.",
        "If the training had to put the knowledge into the table. A translator can keep it in its LSTMs.",
    )


@s1.claim(
    "Rows whose norm is more than three standard deviations from the mean are anomalous.",
    WRONG,
    at("10", "norms"),
    at("10", "bug-outliers"),
    quote=quoted(ANOMALIES, "outliers = torch.where(torch.abs(norms - mean_norm) > threshold * std_norm)[0]"),
)
def outliers_are_sick() -> Measured:
    """Find the rows of a fresh table whose norm is more than three standard deviations from the mean."""
    fresh = torch.nn.Embedding(1000, 64, padding_idx=0)
    norms = fresh.weight.detach().norm(dim=1)
    distance = (norms - norms.mean()).abs() / norms.std()
    flagged = (distance > 3).nonzero().flatten().tolist()
    others = [row for row in flagged if row != 0]
    return found(
        not flagged,
        f"A fresh table of 1,000 rows with padding_idx=0, as in S1's encoders: the padding row stands {distance[0]:.1f} "
        "standard "
        f"deviations off and is flagged, besides {len(others)} healthy {'row' if len(others) == 1 else 'rows'}.",
        "The first that it flags is the padding row, which is zero on purpose. Leave that row out, and look at the rest.",
    )


@s1.claim(
    "The test of three standard deviations detects anomalous vectors.",
    CONDITION,
    at("10", "bug-outliers"),
    at("10", "ten-rows"),
    quote=quoted(ANOMALIES, "检测异常大或异常小的向量", "detect vectors that are anomalously large or small"),
)
def outliers_in_small_tables() -> Measured:
    """Compute how many standard deviations an extreme norm is from the mean in tables of 5 to 100 rows."""
    trials, descriptions = {}, []
    for rows in (5, 10, 11, 100):
        norms = torch.ones(rows, dtype=torch.float64)
        norms[0] = 1e6
        sample, population = ((norms - norms.mean()).abs().max() / norms.std(correction=correction) for correction in (1, 0))
        trials[f"{rows} rows"] = sample.item() > 3
        descriptions.append(f"{rows} rows: {sample:.2f} ({population:.2f})")
        assert math.isclose(sample, (rows - 1) / math.sqrt(rows), rel_tol=1e-6)
        assert math.isclose(population, math.sqrt(rows - 1), rel_tol=1e-6)
    return found(
        trials,
        "One norm a million times the others. Its distance from the mean in standard deviations of the sample, as torch.std "
        f"computes them (of the population): {'; '.join(descriptions)}.",
        "From 11 rows on. Among n rows none can lie further than (n - 1) / √n standard deviations of the sample from their "
        "mean, or "
        "√(n - 1) of the population: 2.85 and 3 for ten.",
    )
