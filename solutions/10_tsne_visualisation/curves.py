"""What takes too long for notebook 10, or needs the published GloVe; recorded by `grader curves`."""

from functools import partial

from embedding_course.experiments.tsne_visualisation import (
    digits_map,
    document_map,
    engine_versions,
    function_map,
    published_words,
)
from grader.course_source.catalogue import references

_SEARCH = references("09_contrastive_training")

CURVES = {
    "10_drift": partial(engine_versions.measure, _SEARCH["info_nce"], _SEARCH["warmup_cosine"]),
    "10_glove": published_words.measure_geometry,
    "10_google": published_words.measure_analogies,
}

TABLES = {
    "09_functions": partial(function_map.make, _SEARCH["info_nce"], _SEARCH["warmup_cosine"]),
    "10_digits_map": digits_map.make,
    "10_documents_map": document_map.make,
    "10_glove_words": published_words.make_excerpt,
}
