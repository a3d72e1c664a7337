"""Provide the warm-up notebook: eight small exercises on tensors, checked at once and not graded."""
