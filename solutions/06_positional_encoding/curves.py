"""The race of notebook 06 over several seeds: `make curves` records it with the reference answers."""

from embedding_course.experiments.positional_encoding import copy_race

CURVES = {"06_race": copy_race.measure}
