"""Repositories for GitHub Classroom: the students' template, which holds nothing hidden, and one of the instructor's own."""
