"""Experiments of notebook 06."""
