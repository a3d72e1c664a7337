"""Run the experiments of notebook 11."""
