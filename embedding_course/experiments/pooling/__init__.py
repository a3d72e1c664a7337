"""Experiments of notebook 08."""
