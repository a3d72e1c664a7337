"""The project `search_engine`: a learner's whole engine, graded by hidden queries between two engines of our own."""
