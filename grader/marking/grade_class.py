"""Grade a class: mark submissions several at a time, write each one's results as it is done."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ..classroom import records
from ..classroom.attempts import Attempts
from ..classroom.class_folder import Classroom, Submission, now
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.book import Book
from ..classroom.only_writer import only_writer
from ..classroom.policy.course import Course, load_course, people_of
from ..classroom.policy.points import Terms
from ..classroom.roster import Roster
from ..engine.fork_server import Learners
from ..engine.interpreter import version_of_python
from ..submission.plain_file import one_line
from .open_marker import open_marker
from .run import Run
from .store import Store
from .submission_task import Graded, Task
from .team_work import Shared, share_out
from .to_grade import Kept, read_unfinished, waiting
from .to_grade import begin as begin_run
from .to_grade import finish as finish_run


def grade_class(
    classroom: Classroom,
    topics: Sequence[str],
    run: Run | None = None,
    shared: Learners | None = None,
    course: Course | None = None,
    begin: Callable[[int], object] = lambda count: None,
) -> Iterator[Graded]:
    """Grade what waits, store it, and yield each submission as it is done.

    One seed serves the whole run, so that everybody meets the same hidden cases. The seed is in every record, and a run that
    continues an interrupted run uses its seed. Workers mark; only this process writes.

    Parameters
    ----------
    shared
        Learner processes that stay open after the run.
    course
        The course.toml of the class, if the caller has read it.
    begin
        Called with the number of submissions to grade.

    Raises
    ------
    Busy
        If another process writes to the class.
    WrongCourse, BadRoster
        If the class's course.toml or roster cannot be used.
    """
    run, course = run or Run(), course or load_course(classroom.home)
    run, people = replace(run, python=course.python), people_of(course)
    with only_writer(classroom.home), Book(classroom.db_url) as book:
        came, store = Attempts(classroom, course), Store(classroom, book, course)
        kept = records.by_submission(classroom.home)  # read with the lock in hand: another run may just have ended
        anew = store.reweigh(kept, topics)
        earlier = read_unfinished(classroom.home, run)
        misnamed, todo = list(_misnamed(classroom, topics, run)), waiting(came, topics, run, kept, earlier)
        if run.force and earlier and not todo:  # it was done: this is another one
            earlier, todo = None, waiting(came, topics, run, kept)
        begin(len(misnamed) + len(anew) + len(todo))
        yield from (*misnamed, *anew)
        if not todo:
            store.enter_people(people)
            store.settle(kept.values())
            return
        if run.python and not run.scheduler:
            version_of_python(run.python)  # WrongPython before anything is written
        seed = begin_run(classroom.home, run, earlier)
        book.make()
        shared_work = share_out(came, todo, kept, run)
        tasks = [_task(submission, seed, run, came, kept) for submission in shared_work.todo]
        tasks.sort(key=lambda task: task.submission.topic)  # neighbours share what a worker has prepared for a notebook
        if tasks:
            common = Counter(task.seed for task in tasks).most_common(1)[0][0]
            chosen = sorted({waiting_file.topic for waiting_file in todo})
            with open_marker(run, chosen, common, len(tasks), hidden=[classroom.home], shared=shared) as marker:
                done = marker.mark(tasks)  # workers start here, before a connection to the gradebook is open
                yield from _graded(done, store, kept, people, shared_work)
        else:
            yield from _graded((), store, kept, people, shared_work)
        finish_run(classroom.home, run)


def _misnamed(classroom: Classroom, topics: Sequence[str], run: Run) -> Iterator[Graded]:
    """Return submissions whose folder name is not valid; they are reported in each run and not stored."""
    for submission, reason in classroom.misnamed(topics, run.student):
        record = GradeRecord(
            student=one_line(submission.student, 40),
            topic=submission.topic,
            status="unreadable",
            reason=reason,
            seed=0,
            submission="",
            graded_at=now(),
        )
        yield Graded(submission, record)


def _graded(done: Iterable[Graded], store: Store, kept: Kept, people: Roster, shared_work: Shared) -> Iterator[Graded]:
    store.enter_people(people)
    store.settle(kept.values())
    left = Counter((submission.student, submission.topic) for submission in shared_work.everything)
    ready: dict[tuple[str, str], list[Graded]] = {}
    for graded in shared_work.with_team(done):
        whose = graded.submission.student, graded.submission.topic
        ready.setdefault(whose, []).append(graded)
        if len(ready[whose]) == left[whose]:  # which of a student's files counts is known when all of them are graded
            yield from store.put(ready.pop(whose))
    store.settle_lateness()


def _task(submission: Submission, seed: int, run: Run, came: Attempts, kept: Kept) -> Task:
    """Return the task for one submission, with the seed of its cases.

    A run for one exercise only adds its result to an earlier record of the same file.
    """
    earlier = kept.get((submission.topic, submission.student))
    if earlier is not None and earlier.submission not in ("", came.digest(submission)):
        earlier = None
    if run.same_seeds and earlier is not None:
        seed = next(
            (result.seed for result in earlier.results if result.exercise == run.exercise and result.seed), earlier.seed
        )
    return Task(
        submission,
        seed,
        run.exercise,
        earlier if run.exercise else None,
        _terms(came, submission),
        run.python,
        came.course.language,
    )


def _terms(came: Attempts, submission: Submission) -> Terms:
    team = came.team(submission)
    return came.course.terms_of(submission.topic, (submission.student, *(team.members if team else ())))
