"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.experiments.contrastive_training import codes_and_fusion, late_interaction, small_world
from embedding_course.experiments.contrastive_training import search_variants as experiments

CURVES = {
    "09_widths": experiments.widths,
    "09_settings": experiments.settings,
    "09_hard_negatives": experiments.hard,
    "09_codes_and_fusion": codes_and_fusion.measure,
    "09_small_world": small_world.measure,
    "09_late_interaction": late_interaction.measure,
}
