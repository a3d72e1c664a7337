"""Marking written answers: one question, all students, several people at once."""
