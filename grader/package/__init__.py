"""Packages for services that run a grading of their own: an autograder for Gradescope, repositories for GitHub Classroom."""
