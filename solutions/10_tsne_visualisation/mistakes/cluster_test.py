# exercise 10.cluster_test
import numpy as np
import torch
from sklearn.metrics import silhouette_samples, silhouette_score

# survivor data > null → data >= null
# the silhouette of the labels is never equal to the percentile to the last bit

# survivor 500 → 501
# survivor 500 → 499
# one shuffle more or less: the task leaves the number free from 100 on


# base plain
def cluster_test(x, y, labels, generator):
    orders = [torch.randperm(len(labels), generator=generator) for _ in range(40)]
    null = np.quantile([silhouette_score(x, labels[order]) for order in orders], 0.95)
    data = silhouette_score(x, labels)
    return {"data": float(data), "map": float(silhouette_score(y, labels)), "null": float(null), "real": bool(data > null)}


# mistake null_of_the_map (values), from plain
# The shuffles were scored on the map; the question is what chance gives in the data.
# Next: Score the shuffled labels in x.
#   x, labels[order] => y, labels[order]

# mistake verdict_on_the_map (values), from plain
# “real” compares the map's silhouette with the null; the map is what is to be doubted.
# Next: Compare the data's silhouette.
#   data = silhouette_score(x, labels) => data, drawn = silhouette_score(x, labels), silhouette_score(y, labels)
#   silhouette_score(y, labels)), "null": float(null), "real": bool(data => drawn), "null": float(null), "real": bool(drawn

# mistake data_and_map_exchanged (values), from plain
# “data” holds the silhouette of the map and “map” that of the data.
# Next: x is the data, y the map.
#   data = silhouette_score(x, labels) => data, drawn = silhouette_score(x, labels), silhouette_score(y, labels)
#   "data": float(data), "map": float(silhouette_score(y, labels)) => "data": float(drawn), "map": float(data)


# mistake mean_of_the_shuffles (values)
# The null is the mean of the shuffles: half of all chance results lie above it.
# Next: Take the 95th percentile.
def cluster_test(x, y, labels, generator):
    null = np.mean([silhouette_score(x, labels[torch.randperm(len(labels), generator=generator)]) for _ in range(40)])
    data = silhouette_score(x, labels)
    return {"data": float(data), "map": float(silhouette_score(y, labels)), "null": float(null), "real": bool(data > null)}


# mistake low_percentile (values), from plain
# The null is a low percentile: nearly all shuffles lie above it.
# Next: Take the 95th: `np.quantile(values, 0.95)`, or `np.percentile(values, 95)`, which counts in hundredths.
#   0.95 => 0.05


# mistake labels_not_shuffled (values)
# The null is the silhouette of the labels themselves: nothing was shuffled.
# Next: Index the labels with a new permutation each time.
def cluster_test(x, y, labels, generator):
    data = silhouette_score(x, labels)
    return {"data": float(data), "map": float(silhouette_score(y, labels)), "null": float(data), "real": False}


# mistake generator_not_used (property), from mean_of_the_shuffles
# The shuffles come from the global random state; the generator is not used.
# Next: `torch.randperm(n, generator=generator)`.
#   -    null = np.mean([silhouette_score(x, labels[torch.randperm(len(labels), generator=generator)]) for _ in range(40)])
#   +    null = np.quantile([silhouette_score(x, labels[torch.randperm(len(labels))]) for _ in range(40)], 0.95)

# mistake seed_of_its_own (property), from plain
# The shuffles come from a seed of the function's own, always the same; the generator is not used.
# Next: `torch.randperm(n, generator=generator)`.
#   orders = [torch.randperm(len(labels), generator=generator) for _ in range(40)] => rng = np.random.default_rng(0)
#   labels[order]) for order in orders => rng.permutation(labels.numpy())) for _ in range(40)

# mistake always_real (values), from plain
# “real” asks whether the silhouette is not 0; it must be above what chance gives.
# Next: `data > null`.
#   data > null => data

# mistake verdict_turned_round (values), from plain
# “real” is True when chance does better than the labels.
# Next: `data > null`.
#   data > null => data < null


# mistake cosine_silhouettes (values)
# The silhouettes are those of cosine distances; they should be Euclidean.
# Next: Leave `metric` at its default.
def cluster_test(x, y, labels, generator):
    def score(points, names):
        return float(silhouette_score(points, names, metric="cosine"))

    null = np.quantile([score(x, labels[torch.randperm(len(labels), generator=generator)]) for _ in range(40)], 0.95)
    return {"data": score(x, labels), "map": score(y, labels), "null": float(null), "real": score(x, labels) > null}


# mistake a_tuple (raises), from plain
# Four numbers come back in a tuple; a dict was asked for.
# Next: Return {"data": …, "map": …, "null": …, "real": …}.
#   -    return {"data": float(data), "map": float(silhouette_score(y, labels)), "null": float(null), "real": bool(data > null)}
#   +    return data, silhouette_score(y, labels), null, data > null


# mistake caller_s_labels_shuffled (property)
# labels itself was shuffled; it belongs to the caller.
# Next: Index into a new tensor: `labels[order]`.
def cluster_test(x, y, labels, generator):
    data, drawn = float(silhouette_score(x, labels)), float(silhouette_score(y, labels))
    scores = []
    for _ in range(40):
        labels[:] = labels[torch.randperm(len(labels), generator=generator)]
        scores.append(silhouette_score(x, labels))
    null = float(np.quantile(scores, 0.95))
    return {"data": data, "map": drawn, "null": null, "real": data > null}


# mistake one_shuffle (values), from mean_of_the_shuffles
# The labels were shuffled once: one draw says little about chance.
# Next: Shuffle at least 100 times, and take the 95th percentile.
#   -    null = np.mean([silhouette_score(x, labels[torch.randperm(len(labels), generator=generator)]) for _ in range(40)])
#   +    null = silhouette_score(x, labels[torch.randperm(len(labels), generator=generator)])

# mistake labels_drawn_with_replacement (raises), from plain
# Labels were drawn, not shuffled: some come up too often, and sometimes one is left alone.
# Next: `torch.randperm` uses each label once.
#   orders = [torch.randperm(len(labels => draws = [torch.randint(len(labels), (len(labels),
#   [silhouette_score(x, labels[order]) for order in orders] => [silhouette_score(x, labels[draw]) for draw in draws]

# mistake more_than_nothing (values), from plain
# “real” asks whether the silhouette is above 0; chance may be above 0 too.
# Next: `data > null`.
#   data > null => data > 0


# mistake mean_of_the_groups_means (values)
# Each group counts alike; in the silhouette each point does, so a large group counts for more.
# Next: Take the mean over all points at once.
def cluster_test(x, y, labels, generator):
    def score(points, names):
        each = silhouette_samples(points.numpy(), names.numpy())
        return float(np.mean([each[names.numpy() == name].mean() for name in names.unique().tolist()]))

    null = float(np.quantile([score(x, labels[torch.randperm(len(labels), generator=generator)]) for _ in range(100)], 0.95))
    data = score(x, labels)
    return {"data": data, "map": score(y, labels), "null": null, "real": data > null}


# right form numpy_seeded_by_the_generator
def cluster_test(x, y, labels, generator, shuffles=150):
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    names = np.asarray(labels)
    scores = np.array([silhouette_score(x, rng.permutation(names)) for _ in range(shuffles)])
    data = silhouette_score(x, names)
    null = np.percentile(scores, 95)
    return dict(data=data, map=silhouette_score(y, names), null=null, real=data > null)


# right form samples_and_0d_tensors
def cluster_test(x, y, labels, generator):
    def score(points, names):
        return torch.as_tensor(silhouette_samples(points, names)).double().mean()

    null = torch.stack([score(x, labels[torch.randperm(labels.numel(), generator=generator)]) for _ in range(100)])
    data, null = score(x, labels), null.quantile(0.95)
    return {"real": data > null, "null": null, "map": score(y, labels), "data": data, "shuffles": 100}


# right form noise_sorted_into_permutations
def cluster_test(x, y, labels, generator):
    print("testing", len(labels), "labels")
    orders = torch.rand(120, len(labels), generator=generator).argsort(dim=1)
    distances = torch.cdist(x.double(), x.double())
    distances.fill_diagonal_(0.0)
    scores = [silhouette_score(distances.numpy(), labels[order].numpy(), metric="precomputed") for order in orders]
    found = silhouette_score(x.numpy(), labels.numpy())
    limit = sorted(scores)[int(0.95 * len(scores))]
    drawn = silhouette_score(y.numpy(), labels.numpy())
    return {"data": float(found), "map": float(drawn), "null": float(limit), "real": bool(found > limit)}


# right form points_shuffled_under_their_labels
def cluster_test(x, y, labels, generator):
    scores = [float(silhouette_score(x[torch.randperm(len(x), generator=generator)], labels)) for _ in range(100)]
    null = torch.tensor(scores).kthvalue(95).values
    data = float(silhouette_score(x, labels))
    return {"data": data, "map": float(silhouette_score(y, labels)), "null": null, "real": data > null}


# mistake seed_of_the_generator_alone (property)
# Only the generator's seed is looked at, not where it stands: one that was used gives the same shuffles.
# Next: Draw from the generator itself: `torch.randperm(n, generator=generator)`.
def cluster_test(x, y, labels, generator):
    state = np.random.RandomState(generator.initial_seed() % 2**32)
    drawn = [state.permutation(labels.numpy()) for _ in range(120)]
    data = float(silhouette_score(x.numpy(), labels.numpy()))
    null = float(np.percentile([silhouette_score(x.numpy(), one) for one in drawn], 95))
    return {"data": data, "map": float(silhouette_score(y.numpy(), labels.numpy())), "null": null, "real": data > null}


# mistake drawn_with_replacement (values)
# The labels are drawn anew, with replacement: some labels come up more often than they are, others less.
# Next: A shuffle keeps all labels and changes their order: `torch.randperm`.
def cluster_test(x, y, labels, generator):
    drawn = []
    while len(drawn) < 120:
        some = labels[torch.randint(len(labels), (len(labels),), generator=generator)]
        if 1 < len(some.unique()) < len(some):
            drawn.append(some.numpy())
    data = float(silhouette_score(x.numpy(), labels.numpy()))
    null = float(np.percentile([silhouette_score(x.numpy(), one) for one in drawn], 95))
    return {"data": data, "map": float(silhouette_score(y.numpy(), labels.numpy())), "null": null, "real": data > null}


# mistake a_level_of_its_own (values)
# “real” asks for a silhouette above a level of its own, beside the null.
# Next: Compare with the null only: what chance gives is the measure.
def cluster_test(x, y, labels, generator):
    drawn = [labels[torch.randperm(len(labels), generator=generator)].numpy() for _ in range(120)]
    data = float(silhouette_score(x.numpy(), labels.numpy()))
    null = float(np.percentile([silhouette_score(x.numpy(), one) for one in drawn], 95))
    on_map = float(silhouette_score(y.numpy(), labels.numpy()))
    return {"data": data, "map": on_map, "null": null, "real": data > max(null, 0.25)}


# mistake products_far_from_the_origin (values)
# |a|² + |b|² - 2ab of points far from the origin is a small difference of large numbers: in float32 the silhouettes are those
# of rounding.
# Next: Subtract the points from one another, or compute in float64: `x.double()`.
def cluster_test(x, y, labels, generator):
    def distances(points):
        gram = points @ points.T
        squares = gram.diagonal()[:, None] + gram.diagonal() - 2 * gram
        return squares.clamp(min=0).fill_diagonal_(0).sqrt().numpy()

    apart = distances(x)
    shuffles = [labels[torch.randperm(len(labels), generator=generator)].numpy() for _ in range(500)]
    chance = [silhouette_score(apart, shuffle, metric="precomputed") for shuffle in shuffles]
    data, null = float(silhouette_score(apart, labels.numpy(), metric="precomputed")), float(np.quantile(chance, 0.95))
    on_map = float(silhouette_score(distances(y), labels.numpy(), metric="precomputed"))
    return {"data": data, "map": on_map, "null": null, "real": data > null}
