"""S1: how it looks at a finished table."""

from __future__ import annotations

import math

import torch

from .entry import CONDITION, WRONG, Finding, Source, at, found

s1 = Source("S1")


@s1.claim("t-SNE with its defaults maps the 15 words of the example.", WRONG, at("10", "fifteen"))
def tsne_of_fifteen_words() -> Finding:
    from sklearn.manifold import TSNE

    vectors = torch.randn(15, 16).numpy()
    default = TSNE().perplexity
    try:
        TSNE().fit_transform(vectors)
        said = ""
    except ValueError as error:
        said = type(error).__name__
    small = TSNE(perplexity=5, max_iter=250, random_state=0).fit_transform(vectors)
    return found(
        said == "",
        f"The default perplexity is {default:g}: {said or 'no error'}. With 5 the map has shape {tuple(small.shape)}.",
        "The perplexity must be less than the number of points, and for a few points much less.",
    )


@s1.claim("Rows whose norm is more than three standard deviations from the mean are the sick ones.", WRONG, at("10", "norms"))
def outliers_are_sick() -> Finding:
    table = torch.nn.Embedding(1000, 64, padding_idx=0)
    norms = table.weight.detach().norm(dim=1)
    distance = (norms - norms.mean()).abs() / norms.std()
    flagged = (distance > 3).nonzero().flatten().tolist()
    others = [row for row in flagged if row != 0]
    return found(
        0 not in flagged,
        f"A fresh table of 1,000 rows with padding_idx=0: the padding row stands {distance[0]:.1f} standard deviations off "
        "and is "
        f"flagged, besides {len(others)} healthy {'row' if len(others) == 1 else 'rows'}.",
        "The first that it flags is the padding row, which is zero on purpose. Leave that row out.",
    )


@s1.claim("The test of three standard deviations finds a row that sticks out.", CONDITION, at("10", "bug-outliers"))
def outliers_in_small_tables() -> Finding:
    trials, told = {}, []
    for rows in (5, 10, 11, 100):
        norms = torch.ones(rows, dtype=torch.float64)
        norms[0] = 1e6
        z = ((norms - norms.mean()).abs() / norms.std()).max().item()
        trials[f"{rows} rows"] = z > 3
        told.append(f"{rows} rows: {z:.2f}")
        assert math.isclose(z, (rows - 1) / math.sqrt(rows), rel_tol=1e-6)
    return found(
        trials,
        f"One norm a million times the others. Standard deviations from the mean: {'; '.join(told)}.",
        "From 11 rows on: no number can lie further than (n - 1) / √n standard deviations from the mean of n.",
    )
