"""The course as a site to read: lessons with their figures and verdicts, pages, tables, search. No answers."""
