"""S1: how it looks at a finished table."""

from __future__ import annotations

import math

import torch

from embedding_course.experiments.nplm.word_classes import class_of, neighbour_accuracy
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


def _statistics(vectors: torch.Tensor) -> dict[str, float]:
    """Return the three numbers that S1 prints for a table."""
    return {
        "mean": vectors.mean().item(),
        "standard deviation": vectors.std().item(),
        "mean norm": vectors.norm(dim=1).mean().item(),
    }


@s1.claim(
    "Mean, standard deviation and norms belong to a check of a table's quality.",
    CONDITION,
    at("10", "check-up"),
    at("10", "healthy-lesson"),
    quote=quoted(QUALITY, "# 检查embedding的统计特性", "check the statistics of the embedding"),
)
def statistics_of_a_table() -> Measured:
    """Compare the statistics of a good table with those of a table that has exploded, and of one that was never trained."""
    trained, drawn = _trained("05_english").vectors[4:], torch.randn(231, 48)
    tables = {"trained": trained, "never trained": drawn, "exploded": 50 * trained}
    numbers = {name: _statistics(vectors) for name, vectors in tables.items()}

    def apart(name: str) -> bool:
        good, other = numbers["trained"], numbers[name]
        return any(abs(other[key] - good[key]) > 0.1 * max(1.0, abs(good[key])) for key in good)

    lines = "; ".join(f"{name} {', '.join(f'{value:.2f}' for value in values.values())}" for name, values in numbers.items())
    return found(
        {f"shows a table that is {name}": apart(name) for name in ("exploded", "never trained")},
        "Mean, standard deviation and mean norm of the table of a translator that gets "
        f"{recorded('05_widths').numbers['48']:.0%} right, of a drawn one, and of the first times 50: {lines}.",
        "They show accidents, such as a table that exploded. They cannot tell a trained table from a drawn one: compare pairs "
        "of words, and test the table in use.",
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
    CONDITION,
    at("10", "norms"),
    at("10", "bug-outliers"),
    quote=quoted(ANOMALIES, "outliers = torch.where(torch.abs(norms - mean_norm) > threshold * std_norm)[0]"),
)
def outliers_are_sick() -> Measured:
    """Find the flagged rows of a fresh table, and of one in which a row is ten times as long."""
    table = torch.nn.Embedding(1000, 64, padding_idx=0).weight.detach()

    def flagged(vectors: torch.Tensor) -> list[int]:
        norms = vectors.norm(dim=1)
        return ((norms - norms.mean()).abs() > 3 * norms.std()).nonzero().flatten().tolist()

    fresh, broken = flagged(table), table.clone()
    broken[7] *= 10
    norms = table.norm(dim=1)
    distance = ((norms - norms.mean()).abs() / norms.std())[0]
    others = sum(row != 0 for row in fresh)
    return found(
        {"a row that is ten times as long": 7 in flagged(broken), "rows of a fresh table": not fresh},
        f"A fresh table of 1,000 rows with padding_idx=0, as in S1's encoders: the padding row is {distance:.1f} standard "
        f"deviations from the mean and is flagged, besides {others} healthy {'row' if others == 1 else 'rows'}. With row 7 "
        f"made ten times as long: rows {flagged(broken)}.",
        "It finds a row that is far too long. But it also flags the padding row, which is zero on purpose, and of a thousand "
        "healthy rows about three, as any test at three standard deviations does. Leave out the padding row and look at each.",
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
