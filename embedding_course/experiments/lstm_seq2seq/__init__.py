"""Experiments of notebook 05."""
