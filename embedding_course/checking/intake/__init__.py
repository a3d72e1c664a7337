"""The one intake of notebooks: which cell answers which exercise, in which order the cells run, and where checks are made.

Grading and `doctor` call it, and so does everything else that cuts pieces out of cells. Nothing is run here.

`cells` reads cells, `statements` cuts them, `stubs` tells what is no answer yet, `answers` chooses, `graded_order` puts the
submission's and the lesson's cells into one order, and `steps` lists what runs.
"""
