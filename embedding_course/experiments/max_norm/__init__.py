"""Experiments of notebook 03."""
