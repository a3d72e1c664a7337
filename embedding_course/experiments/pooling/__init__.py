"""Run the experiments of notebook 08."""
