"""What takes too long for this notebook, or needs a published model or faiss: `grader curves` records it."""

from functools import partial

from embedding_course.experiments.contrastive_training import search_variants
from embedding_course.experiments.search_engine import costs, small_world
from grader.course_source.catalogue import references

_TRAINING = references("09_contrastive_training")
_OWN = references("11_search_engine")

CURVES = {
    "11_widths": partial(
        search_variants.widths,
        _TRAINING["info_nce"],
        _TRAINING["warmup_cosine"],
        _OWN["truncate_dimensions"],
        _TRAINING["recall_at_k"],
    ),
    "11_small_world": small_world.measure,
    "11_matryoshka": partial(costs.wordllama, _OWN["truncate_dimensions"]),
    "11_faiss": partial(costs.faiss_times, _OWN["binary_codes"]),
}
