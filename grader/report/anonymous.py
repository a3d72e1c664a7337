"""A form of the report for showing around: pseudonyms, and nothing by which one could tell who is meant.

A pseudonym is a number drawn at random once and kept in the class's `results/` folder, so that it stays the same from week
to week and says nothing about the name. Whatever people wrote themselves, file names and times are left out.
"""

from collections.abc import Sequence

import msgspec

from ..classroom.grade_record import GradeRecord
from ..classroom.pseudonyms import Key
from ..classroom.requests import Request
from .summary import Waiting

#: With fewer progress files, their sums could reveal one student.
MIN_PROGRESS_FILES = 5


def anonymous_records(records: Sequence[GradeRecord], key: Key) -> list[GradeRecord]:
    """Return the records under pseudonyms, in the order of these; without reasons and notes (they may name files) and times."""
    key.learn(record.student for record in records)
    anonymised_records = []
    for record in records:
        results = [
            msgspec.structs.replace(result, message="" if result.status != "our fault" else result.message)
            for result in record.results
        ]
        facts = {"student": key.pseudonym(record.student), "results": results, "graded_at": "", "submission": ""}
        facts |= {"handed_in": "", "others": [], "unweighted": [], "team": "", "members": []}
        anonymised_records.append(msgspec.structs.replace(record, notes=[], reason="", **facts))
    return sorted(anonymised_records, key=lambda record: (record.student, record.topic))


def anonymous_requests(requests: Sequence[Request], key: Key) -> list[Request]:
    """Return the requests under pseudonyms and without their words: only that there was one stays."""
    key.learn(request.student for request in requests)
    anonymised_requests = [
        Request(key.pseudonym(original.student), original.topic, original.exercise, "", original.state) for original in requests
    ]
    return sorted(anonymised_requests, key=lambda request: (request.student, request.topic, request.exercise))


def anonymous_waiting(waiting: Waiting, key: Key) -> Waiting:
    """Return under pseudonyms what waits for a person, and without what could show who is meant."""
    pairs = [*waiting.not_due, *waiting.absent, *waiting.ungraded]
    key.learn([*waiting.listed, *(student for student, _ in pairs)])
    return Waiting(
        waiting.by_hand,
        anonymous_requests(waiting.requests, key),
        waiting.tries if len(waiting.tries) >= MIN_PROGRESS_FILES else (),
        [key.pseudonym(student) for student in waiting.listed],
        {(key.pseudonym(student), topic) for student, topic in waiting.not_due},
        sorted((key.pseudonym(student), topic) for student, topic in waiting.absent),
        sorted((key.pseudonym(student), topic) for student, topic in waiting.ungraded),
    )
