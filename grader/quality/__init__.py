"""Whether the checks are right: the audit, with its forgers and mutants, and what tries one file."""
