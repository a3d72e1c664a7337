"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.experiments.gradients import glove_start

CURVES = {"02_glove": glove_start.measure}
