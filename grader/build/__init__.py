"""From `solutions/` to notebooks and shipped expectations."""
