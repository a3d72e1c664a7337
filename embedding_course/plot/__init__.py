"""Figures of the course: one look, direct labels, alternative text, Chinese where the machine can set it."""
