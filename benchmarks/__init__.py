"""How fast grading is here: `python -m benchmarks` measures, and writes `docs/benchmarks.md`.

Every claim is a ratio of two figures that were measured in one run on one machine.
"""
