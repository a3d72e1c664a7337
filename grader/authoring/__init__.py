"""From `solutions/` to notebooks: what an author of lessons and exercises runs."""
