"""Run the experiments of notebook 03."""
