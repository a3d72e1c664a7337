"""Record what a learner has done, summarise it, and show it."""
