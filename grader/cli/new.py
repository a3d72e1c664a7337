"""`grader new`."""

def new() -> None:
    """Placeholder."""
