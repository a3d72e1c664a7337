"""What a wrong result is of the right one: its double, its transpose, right but for padded entries."""
