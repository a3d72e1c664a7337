"""Where marks are kept: nbgrader's gradebook, and a record beside it for each submission."""
