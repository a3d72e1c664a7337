"""A class's course in Canvas, by Canvas's own API: grades go there, and the roster comes from there."""
