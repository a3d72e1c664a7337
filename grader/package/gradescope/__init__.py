"""The autograder that Gradescope runs: a zip with two scripts, and the program that they start."""
