"""The experiments of notebook 08 whose curves are recorded by `grader curves`."""

from embedding_course.experiments.curves import Curves
from embedding_course.experiments.pooling import causal_embedder, paraphrases, published_poolings, window_experiments
from grader.marking.project.task import read_task


def hidden_queries(pool_mean, pool_max, pool_cls, pool_last, pool_weighted) -> Curves:
    """Return the ranks for the hidden queries of the project, which learners do not have."""
    task = read_task()
    queries = {query.text: [task.names[position] for position in query.right] for query in task.hidden}
    return published_poolings.measure(pool_mean, pool_max, pool_cls, pool_last, pool_weighted, queries)


CURVES = {
    "08_causal": causal_embedder.measure,
    "08_five_questions": published_poolings.five_questions_ranks,
    "08_mixing": window_experiments.mixing,
    "08_published": hidden_queries,
    "08_twins": paraphrases.with_twins,
}
