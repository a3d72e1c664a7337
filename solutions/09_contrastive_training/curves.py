"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.experiments.contrastive_training import search_variants as experiments

CURVES = {
    "09_settings": experiments.settings,
    "09_hard_negatives": experiments.hard,
}
