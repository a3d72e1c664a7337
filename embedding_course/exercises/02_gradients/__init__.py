"""Notebook 02: gradients of lookup and loss, what an optimiser moves, pretrained vectors."""

from __future__ import annotations

from .backward import embedding_grad, embedding_grad_with_options, softmax_cross_entropy_grad

__all__ = ["EXERCISES"]

EXERCISES = (embedding_grad, softmax_cross_entropy_grad, embedding_grad_with_options)
