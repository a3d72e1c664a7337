"""Run the experiments of notebook 04."""
