"""What a learner has done: the record, its summary, and the ways in which it is shown."""
