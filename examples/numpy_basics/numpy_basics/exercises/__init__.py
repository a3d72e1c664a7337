"""The public half of every exercise: cases and comparison, no answers."""
