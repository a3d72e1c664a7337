"""nbgrader's exchange: the folders through which a hub's students fetch, hand in, and fetch feedback."""
