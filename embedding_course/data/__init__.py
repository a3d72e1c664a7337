"""Provide the data of the lessons: texts, pictures with captions, loans, and rules by which text is split."""
