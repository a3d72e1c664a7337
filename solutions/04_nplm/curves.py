"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.experiments.nplm import larger_text, nplm_ablations, reference_table, word_table

CURVES = {
    "04_larger_text": larger_text.measure,
    "04_windows": nplm_ablations.measure_windows,
    "04_variants": nplm_ablations.measure_variants,
}

TABLES = {"04_words": word_table.word_table, "04_reference": reference_table.reference_table}
