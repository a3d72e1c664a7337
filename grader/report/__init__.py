"""The class report: one HTML page made from the records of a class."""
