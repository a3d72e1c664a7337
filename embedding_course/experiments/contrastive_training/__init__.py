"""Run the experiments of notebook 09."""
