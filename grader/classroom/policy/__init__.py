"""What one class decides for itself in its course.toml: notebooks, points, deadlines. The lessons stay as they are."""
