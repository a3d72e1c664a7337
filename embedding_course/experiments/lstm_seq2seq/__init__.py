"""Run the experiments of notebook 05."""
