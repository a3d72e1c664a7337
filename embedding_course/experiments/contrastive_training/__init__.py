"""Experiments of notebook 09."""
