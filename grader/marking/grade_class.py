"""Grade a class: mark submissions several at a time, write each one's results as it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..classroom import records
from ..classroom.class_folder import Classroom, Submission, now
from ..classroom.only_writer import only_writer
from ..classroom.policy.course import Course, load_course
from ..classroom.policy.people import people_of
from ..classroom.roster import Roster
from ..course_source.notebook import release, source
from ..engine.fork_server import Learners
from ..engine.interpreter import version_of_python
from ..gradebook.book import Book
from ..submission.one_line import one_line
from .check_version import check_version
from .marker import Marker
from .open_marker import open_marker
from .run import Run
from .store import Store
from .submission_task import Graded, Task
from .unfinished import Unfinished, read_unfinished
from .unfinished import begin as begin_run
from .unfinished import finish as finish_run

__all__ = ["grade_class", "waiting"]

#: The class's records by topic and student, read once.
Kept = Mapping[tuple[str, str], records.GradeRecord]


def waiting(
    room: Classroom, topics: Sequence[str], run: Run, course: Course, kept: Kept, earlier: Unfinished | None = None
) -> list[Submission]:
    """The submissions that this run has to grade: new or changed files, or changed checks, points or Python; with `force`, all
    but those that the forced run which it goes on with has done."""
    found = []
    for submission in room.submissions(topics, run.student):
        if run.students is not None and submission.student not in run.students:
            continue
        record = kept.get((submission.topic, submission.student))
        forced = run.exercise or (run.force and (earlier is None or record is None or record.seed != earlier.seed))
        if forced or record is None or not _done(record, submission, course):
            found.append(submission)
    return found


def _done(record: records.GradeRecord, submission: Submission, course: Course) -> bool:
    same_checks = record.terms == course.terms_of(submission.topic).stamp and record.check == check_version(submission.topic)
    return same_checks and record.python == course.python and record.submission == records.digest(submission.path)


def grade_class(
    room: Classroom, topics: Sequence[str], run: Run | None = None, shared: Learners | None = None,
    course: Course | None = None, begin: Callable[[int], object] = lambda count: None,
) -> Iterator[Graded]:  # fmt: skip
    """Grade what waits, store it, and yield each submission as it is done.

    One seed serves the whole run, so that everybody meets the same hidden cases; it stands in every record, and a run
    that was ended half way goes on with it. Workers mark; only this process writes. Busy when another one does;
    WrongCourse or BadRoster when the class's course.toml or roster cannot be followed. `shared` are learners that stay open,
    `course` is the course.toml where the caller has read it; `begin` hears how many submissions there will be.
    """
    run, course = run or Run(), course or load_course(room.home)
    run, people = replace(run, python=course.python), people_of(course)
    with only_writer(room.home), Book(room.db_url) as book:
        kept = records.by_submission(room.home)  # read with the lock in hand: another run may just have ended
        earlier = read_unfinished(room.home, run)
        misnamed, todo = list(_misnamed(room, topics, run)), waiting(room, topics, run, course, kept, earlier)
        if run.force and earlier and not todo:  # it was done: this is another one
            earlier, todo = None, waiting(room, topics, run, course, kept)
        begin(len(misnamed) + len(todo))
        yield from misnamed
        store = Store(room, book, course)
        if not todo:
            store.enter_people(people)
            store.settle(kept.values())
            return
        if run.python and not run.scheduler:
            version_of_python(run.python)  # WrongPython before anything is written
        seed = begin_run(room.home, run, earlier)
        book.make()
        tasks = [_task(submission, seed, run, course, kept) for submission in todo]
        common = Counter(task.seed for task in tasks).most_common(1)[0][0]
        chosen = sorted({entry.topic for entry in todo})
        with open_marker(run, chosen, common, len(todo), hidden=[room.home], shared=shared) as marker:
            yield from _graded(marker, tasks, store, kept, people)
        finish_run(room.home, run)


def _misnamed(room: Classroom, topics: Sequence[str], run: Run) -> Iterator[Graded]:
    """Said anew in each run and stored nowhere: there is no place that could bear the name."""
    for submission, reason in room.misnamed(topics, run.student):
        record = records.GradeRecord(
            student=one_line(submission.student, 40), topic=submission.topic, status="unreadable", reason=reason, seed=0,
            submission="", graded_at=now(),
        )  # fmt: skip
        yield Graded(submission, record)


def _graded(marker: Marker, tasks: Sequence[Task], store: Store, kept: Kept, people: Roster) -> Iterator[Graded]:
    done = marker.mark(tasks)  # workers start here, before a connection to the gradebook is open
    for topic in sorted({task.submission.topic for task in tasks}):
        store.introduce(topic, release(source(topic)))
    store.enter_people(people)
    store.settle(kept.values())
    for graded in done:
        yield store.put(graded)
    store.settle_lateness()


def _task(submission: Submission, seed: int, run: Run, course: Course, kept: Kept) -> Task:
    """What to mark, with which cases; a run narrowed to one exercise adds to the record that is there."""
    earlier = kept.get((submission.topic, submission.student))
    if run.same_seeds and earlier is not None:
        seed = next((one.seed for one in earlier.results if one.exercise == run.exercise and one.seed), earlier.seed)
    return Task(
        submission, seed, run.exercise, earlier if run.exercise else None, course.terms_of(submission.topic), run.python
    )
