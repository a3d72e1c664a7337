"""The experiments of notebook 05 whose curves are recorded by `grader curves`."""

from embedding_course.demo import translation_experiments as experiments

CURVES = {
    "05_slips": experiments.slips,
    "05_joined": experiments.joined,
    "05_widths": experiments.widths,
    "05_tables": experiments.tables,
    "05_unknown_words": experiments.narrow,
}
