"""Notebook 02: gradients of lookup and loss, what an optimizer moves, pretrained vectors."""

from __future__ import annotations

from .backward import embedding_grad, embedding_grad_with_options, softmax_cross_entropy_grad
from .numeric import numeric_grad
from .pretrained import load_pretrained
from .updates import moved_rows, sparse_sgd_step_

__all__ = ["EXERCISES"]

EXERCISES = (
    embedding_grad,
    softmax_cross_entropy_grad,
    numeric_grad,
    embedding_grad_with_options,
    sparse_sgd_step_,
    moved_rows,
    load_pretrained,
)
