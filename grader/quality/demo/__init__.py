"""A class of invented students, made from the catalogues, whose scores are known beforehand."""
