"""The one intake of notebooks: which cell answers which exercise, what is a stub, which statements of other cells an answer
needs, and what of it all runs, in order. Grading and `doctor` call it, and whatever else cuts pieces out of cells. Nothing is
run for it.

`cells` reads cells, `statements` cuts them, `stubs` says what is no answer yet, `answers` chooses, `needed` finds helpers by
their `effects`, and `steps` is what runs.
"""
