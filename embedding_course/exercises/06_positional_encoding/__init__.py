"""Notebook 06: sinusoidal and learned positions, the sum that enters BERT, rotary positions, and a test for them."""

from .apply_rope import apply_rope
from .input_embedding import input_embedding
from .is_relative import is_relative
from .learned_positions import LearnedPositions
from .rope_angles import rope_angles
from .shift_matrix import shift_matrix
from .sinusoidal_positions import sinusoidal_positions

EXERCISES = (
    sinusoidal_positions,
    shift_matrix,
    LearnedPositions,
    input_embedding,
    rope_angles,
    apply_rope,
    is_relative,
)
