"""How fast grading is here: `grader bench` measures, and writes `docs/benchmarks.md`. Every claim is a ratio of two figures
of one run on one machine."""
