"""Run the experiments of notebook 10."""
