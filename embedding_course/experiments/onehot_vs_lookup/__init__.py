"""Experiments of notebook 01."""
