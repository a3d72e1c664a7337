"""What a learner calls in a notebook, and what is kept of their work."""
