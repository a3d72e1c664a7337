"""What a cell's source defines and needs: the reading that `doctor` shares with the grader."""

from __future__ import annotations

from embedding_course.statements import bound_names, definitions, needed, same_code, statements

__all__ = ["bound_names", "definitions", "needed", "same_code", "statements"]
