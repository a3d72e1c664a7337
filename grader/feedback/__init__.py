"""The pages that learners get back: what nbgrader makes of them, and how they are released."""
