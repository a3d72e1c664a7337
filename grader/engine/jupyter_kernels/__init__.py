"""Learners' code in Jupyter kernels, for nbclient and whatever is built on it.

One runner beside the engine's own: `ZygoteKernels` forks kernels from the warm zygote, sealed as everything that comes from
it. The cells go through nbclient, the hidden cases over the same wire as ever, so both runners give the same scores.
"""
