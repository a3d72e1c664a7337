"""Run the experiments of notebook 07."""
