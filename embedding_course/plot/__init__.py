"""Draw the figures of the course: one look, direct labels, alternative text, Chinese where the machine has a font for it."""
