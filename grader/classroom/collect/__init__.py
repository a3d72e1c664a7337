"""Submissions as they come, from learning platforms or by hand, into the class's folder."""
