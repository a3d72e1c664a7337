"""Experiments of notebook 07."""
