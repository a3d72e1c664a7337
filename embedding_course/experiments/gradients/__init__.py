"""Run the experiments of notebook 02."""
