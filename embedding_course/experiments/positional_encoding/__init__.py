"""Run the experiments of notebook 06."""
