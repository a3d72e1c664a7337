"""NumPy basics: what the notebooks import."""

from pathlib import Path

from embedding_course.subject.course import begin

__getattr__ = begin(Path(__file__).parent)
