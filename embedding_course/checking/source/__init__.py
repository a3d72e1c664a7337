"""What stands in a learner's answer, read from its text and never run: slips that show in it, and which words occur."""
