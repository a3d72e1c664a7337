"""A submitted notebook: read it, and put its answers into the instructor's notebook."""
