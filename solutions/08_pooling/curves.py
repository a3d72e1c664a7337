"""The experiments of notebook 08 whose curves are recorded by `grader curves`."""

from embedding_course.experiments.pooling import causal_embedder, paraphrases, window_experiments

CURVES = {
    "08_causal": causal_embedder.measure,
    "08_mixing": window_experiments.mixing,
    "08_twins": paraphrases.with_twins,
}
