"""Experiments of notebook 04."""
