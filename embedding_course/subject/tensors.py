"""Provide `torch` if the course in use has tensors; otherwise a stand-in, and torch is never imported.

>>> torch.Tensor.__name__
'Tensor'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .course import course

__all__ = ["TENSORS", "torch"]

#: Are the numbers of this course tensors? Without torch they are arrays of numpy.
TENSORS = course().subject.torch

if TYPE_CHECKING or TENSORS:
    import torch
else:
    from . import torch_stub as torch
