"""Notebook 02: gradients of lookup and loss, what an optimizer moves, pretrained vectors."""

from .embedding_grad import embedding_grad
from .embedding_grad_with_options import embedding_grad_with_options
from .load_pretrained import load_pretrained
from .moved_rows import moved_rows
from .numeric_grad import numeric_grad
from .softmax_cross_entropy_grad import softmax_cross_entropy_grad
from .sparse_sgd_step import sparse_sgd_step_

EXERCISES = (
    embedding_grad,
    softmax_cross_entropy_grad,
    numeric_grad,
    embedding_grad_with_options,
    sparse_sgd_step_,
    moved_rows,
    load_pretrained,
)
