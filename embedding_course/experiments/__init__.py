"""Run small experiments and measurements for the notebooks, one in each module. No exercise is solved here."""
