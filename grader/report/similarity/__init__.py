"""Answers of one class that are more alike than is usual: pairs to look at, never a verdict."""
