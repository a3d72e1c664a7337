"""The experiments of notebook 05 whose curves are recorded by `grader curves`."""

from embedding_course.experiments.lstm_seq2seq import translation_experiments as experiments
from embedding_course.experiments.lstm_seq2seq import translation_tables

CURVES = {
    "05_slips": experiments.slips,
    "05_joined": experiments.joined,
    "05_widths": experiments.widths,
    "05_tables": experiments.tables,
    "05_unknown_words": experiments.narrow,
}

TABLES = {"05_chinese": translation_tables.chinese_table, "05_english": translation_tables.english_table}
