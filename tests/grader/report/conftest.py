"""A class whose answers a report is made of."""

import msgspec
import pytest

from embedding_course.checking.result import Result
from grader.classroom.grade_record import GradeRecord
from tests.support.report_records import NAMES, record, result


@pytest.fixture
def klass() -> list[GradeRecord]:
    """Return the records of twenty-four students in a class in which two further exercises count as core.

    Students who are better elsewhere are better in renorm_rows and worse in tied_scores.
    """
    records = []
    for index, name in enumerate(NAMES):
        able = index / (len(NAMES) - 1)
        results = [
            result("03.renorm_rows", float(able > 0.4), None if able > 0.4 else "columns"),
            result("03.lookup_with_max_norm_", round(able, 1)),
            result("03.grad_after_lookup", round(able, 1)),
            _core(result("03.tied_scores", float(able < 0.2))),
            _core(result("03.norm_trace", 0.0, status="timed out" if index == 3 else "not attempted")),
        ]
        records.append(record(name, results))
    return records


def _core(verdict: Result) -> Result:
    return msgspec.structs.replace(verdict, core=True)
