"""The maps of notebook 10 that take too long to make in a lesson; recorded by `grader curves`."""

from functools import partial

from embedding_course.experiments.tsne_visualisation import digits_map, function_map
from grader.course_source.catalogue import references

_SEARCH = references("09_contrastive_training")

TABLES = {
    "09_functions": partial(function_map.make, _SEARCH["info_nce"], _SEARCH["warmup_cosine"]),
    "10_digits_map": digits_map.make,
}
