"""From a submitted file to marks."""
