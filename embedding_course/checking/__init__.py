"""From an exercise and an answer to a verdict: what a learner's kernel and the grader share."""
