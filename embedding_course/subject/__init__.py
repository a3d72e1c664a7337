"""The course in use: its `subject.toml`, its notebooks, its errors, and torch where its numbers are tensors."""
