"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.experiments.attention import attention_ablations as ablations

CURVES = {
    "07_floor": ablations.floor,
    "07_parts": ablations.parts,
    "07_depth": ablations.depth,
    "07_inside": ablations.inside,
}
