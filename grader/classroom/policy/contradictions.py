"""Settings of a course.toml that can be followed but contradict each other, or that have no effect."""

from collections.abc import Iterator

from embedding_course.checking.result import number

from .course import Course


def contradictions(course: Course) -> Iterator[str]:
    """Yield a sentence for each pair of settings that cannot both be meant, and for each setting that changes nothing.

    What cannot be followed at all is an error of `load_course`; what is said here holds as it is written.
    """
    yield from _of_lateness(course)
    yield from _of_attempts(course)
    yield from _of_excuses(course)
    if course.term is not None:
        for name in course.projects:
            if not course.term.weights[name]:
                yield f"term.weights: {name} counts in [projects], and its weight 0 leaves it out of the grade of the term."


def _of_lateness(course: Course) -> Iterator[str]:
    late = course.late
    if (late.per_day or late.closed_after is not None) and not course.deadlines:
        yield "[late] has no effect: there are no [deadlines], so nothing is late."
    if late.most < 100 and not late.per_day:
        yield f"late.most = {number(late.most)} has no effect without per_day."
    if late.closed_after is not None and late.per_day and late.most < 100:
        before = late.per_day * max(1.0, late.closed_after)
        if before < late.most:
            yield (
                f"late.most = {number(late.most)} is never reached: after {number(late.closed_after)} days, when lateness "
                f"takes {number(before)} %, closed_after takes everything."
            )


def _of_attempts(course: Course) -> Iterator[str]:
    if course.attempt_rule == "last on time" and not course.deadlines:
        yield 'attempts.score = "last on time" means "last" here: there are no [deadlines].'
    if course.most_attempts == 1:
        yield f'attempts.most = 1: the first file counts, so score = "{course.attempt_rule}" has no effect.'


def _of_excuses(course: Course) -> Iterator[str]:
    if course.excused and course.term is None:
        yield "[[excused]] changes exports only: there is no [term], so no grade of the term leaves anything out."
    for student, topic in sorted(course.excused):
        if (student, topic) in course.extensions:
            yield f"{student} is excused from {topic} and has an extension for it; only one of the two is needed."
        if course.term is not None and not course.term.weights[topic]:
            yield f"{student} is excused from {topic}, which has weight 0 and counts for nobody."
    if course.term is None:
        return
    weighed = {topic for topic in course.topics if course.term.weights[topic]}
    for student in sorted({student for student, _ in course.excused}):
        left = len(weighed - {topic for person, topic in course.excused if person == student})
        if not left:
            yield f"{student} is excused from every notebook that has a weight, so nothing but projects can count."
        elif course.term.drop >= left:
            yield (
                f"{student} is excused from so many notebooks that {left} remain, and term.drop = {course.term.drop} would "
                "leave none: one always counts."
            )
