"""Experiments of notebook 02."""
