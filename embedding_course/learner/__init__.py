"""Provide what a learner calls in a notebook, and keep a record of their work."""
