"""A class whose answers a report is made of."""

import pytest

from grader.classroom.records import GradeRecord
from tests.support.report_records import NAMES, record, result


@pytest.fixture
def klass() -> list[GradeRecord]:
    """Twenty-four students: the better one is elsewhere, the better in renorm_rows; tied_scores is the other way round."""
    records = []
    for index, name in enumerate(NAMES):
        able = index / (len(NAMES) - 1)
        results = [
            result("03.renorm_rows", float(able > 0.4), None if able > 0.4 else "columns"),
            result("03.lookup_with_max_norm_", round(able, 1)),
            result("03.grad_after_lookup", round(able, 1)),
            result("03.tied_scores", float(able < 0.2)),
            result("03.norm_trace", 0.0, status="timed out" if index == 3 else "not attempted"),
        ]
        records.append(record(name, results))
    return records
