"""Run the experiments of notebook 01."""
