"""Notebook 06: sinusoidal and learned positions, the sum that enters BERT, rotary positions, and a test for them."""

from __future__ import annotations

from .added import input_embedding, learned_positions
from .relative import is_relative
from .rope import apply_rope, rope_angles
from .sinusoid import shift_matrix, sinusoidal_positions

__all__ = ["EXERCISES"]

EXERCISES = (
    sinusoidal_positions,
    shift_matrix,
    learned_positions,
    input_embedding,
    rope_angles,
    apply_rope,
    is_relative,
)
