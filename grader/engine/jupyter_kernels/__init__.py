"""Learners' code in Jupyter kernels, for nbclient and whatever is built on it.

Two runners beside the engine's own: `ZygoteKernels` forks kernels from the warm zygote, sealed as everything that comes
from it; `StockKernels` starts them as nbclient always does. The cells
go through nbclient, the hidden cases over the same wire as ever, so all runners give the same scores.
"""
