"""Experiments of notebook 10."""
