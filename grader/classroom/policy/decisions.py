"""What a class decided, in sentences for whoever wrote its course.toml."""

from collections.abc import Iterator
from datetime import timedelta

from embedding_course.checking.result import number
from embedding_course.exercises.index import entries_of

from ...course_source.stored import labelled_cells
from .course import Course
from .lateness import Late, Lateness, duration
from .rubrics import misfit
from .term import term_grade
from .toml_file import WrongCourse

#: Shares of an invented student's points, one notebook after another; one was not handed in.
_EXAMPLE = (0.9, 0.5, 1.0, None, 0.8)
#: Shares of the points that four files of an invented student earn, and how late the invented student is.
_FILES = (0.6, 0.9, 0.7, 0.8)
_LATE = timedelta(days=1, hours=3)


def changes(course: Course) -> Iterator[str]:
    """Yield a sentence for each kind of change to the lessons' own points."""
    kinds = {
        "Other points": [change for topic in course.topics for change in _points(course, topic)],
        "Counted as core": _sorted_as(course, core=True),
        "Extra credit only": _sorted_as(course, core=False),
        "Projects that count": [f"{name} {number(points)}" for name, points in course.projects.items()],
        "Not counted": sorted(name for topic in course.topics for name in course.terms_of(topic).dropped),
    }
    for kind, names in kinds.items():
        if names:
            yield f"{kind}: {', '.join(names)}."


def _points(course: Course, topic: str) -> Iterator[str]:
    terms = course.terms_of(topic)
    for exercise in entries_of(topic):
        worth = terms.points.get(exercise.id, exercise.points)
        if worth != exercise.points:
            yield f"{exercise.id} {number(worth)} instead of {number(exercise.points)}"
    if terms.written is not None:
        answers = (cell["metadata"]["nbgrader"] for name, cell in labelled_cells(topic).items() if name.endswith("-answer"))
        own = next((float(marks["points"]) for marks in answers), terms.written)
        if terms.written != own:
            yield f"{topic[:2]}.written {number(terms.written)} instead of {number(own)}"


def _sorted_as(course: Course, core: bool) -> list[str]:
    return sorted(name for topic in course.topics for name, is_core in course.terms_of(topic).core.items() if is_core == core)


def late_policy(late: Late) -> str:
    """Return what lateness takes.

    >>> late_policy(Late(per_day=10, most=50, grace=15))
    "Lateness takes 10 % of a notebook's points for each day begun, 50 % at most; 15 minutes are forgiven."
    """
    if not late.per_day and late.closed_after is None:
        return "Lateness takes nothing: there is no per_day in [late]."
    lines = ["Lateness takes nothing at first"]
    if late.per_day:
        most = f", {number(late.most)} % at most" if late.most < 100 else ""
        lines = [f"Lateness takes {number(late.per_day)} % of a notebook's points for each day begun{most}"]
    if late.grace:
        lines.append(f"{number(late.grace)} minute{'s are' if late.grace != 1 else ' is'} forgiven")
    if late.closed_after is not None:
        days = f"{number(late.closed_after)} day{'s' * (late.closed_after != 1)}"
        lines.append(f"what comes more than {days} late earns nothing")
    return f"{'; '.join(lines)}."


def attempt_rule(course: Course) -> str:
    """Return which of several submissions of one student counts.

    >>> attempt_rule(Course((), attempt_rule="last", most_attempts=3))
    'Of the first 3 submissions of one student counts the last one; later ones are graded and shown.'
    """
    rule = {"best": "the best one, lateness included", "last": "the last one", "last on time": "the last one that is on time"}
    most = course.most_attempts
    if most is None:
        return f"Of several submissions of one student counts {rule[course.attempt_rule]}."
    if most == 1:
        return "Of several submissions of one student counts the first one; later ones are graded and shown."
    return (
        f"Of the first {most} submissions of one student counts {rule[course.attempt_rule]}; later ones are graded and shown."
    )


def example_sentences(course: Course) -> Iterator[str]:
    """Yield what lateness, several files and extra credit come to for an invented student."""
    topic = next(iter(course.deadlines or course.topics))
    most = sum(course.terms_of(topic).worth(cell) or 0.0 for cell in labelled_cells(topic).values())
    late = course.late.share(_LATE)
    if course.deadlines and late:
        lateness = Lateness(course.deadlines[topic], _LATE, late)
        score = round(0.9 * most, 1)
        taken = lateness.points(score, most)
        yield (
            f"An invented student hands in {topic[:2]} {duration(_LATE)} late and earns {number(score)} of {number(most)}: "
            f"lateness takes {number(taken)}, which leaves {number(round(score - taken, 2))}."
        )
    files = _FILES[: course.most_attempts]
    on_time = [share for share in files if share != _FILES[-1] or not course.deadlines]
    counting = max(files) if course.attempt_rule == "best" else (on_time if "time" in course.attempt_rule else files)[-1]
    shares = f"{', '.join(f'{share:.0%}' for share in _FILES[:-1])} and {_FILES[-1]:.0%}"
    came_late = ", the last of them late" if course.deadlines else ""
    yield f"Four files of an invented student earn {shares}{came_late}: the one with {counting:.0%} counts."
    if course.most_extra is not None:
        whole = most + course.most_extra
        yield f"Whoever earns {number(whole + 1)} of {number(most)} with extra credit has {number(whole)} that count."


def term_sentences(course: Course) -> Iterator[str]:
    """Yield what the grade of the term comes to, with an invented student as an example."""
    if course.most_extra is not None:
        yield f"A notebook counts at most {number(course.most_extra)} points above its maximum."
    term = course.term
    if term is None:
        return
    short = {name: name[:2] if name in course.topics else name for name in term.weights}
    weights = ", ".join(f"{short[name]} {number(weight)}" for name, weight in term.weights.items())
    dropped = f"the {term.drop} lowest notebooks do not count" if term.drop > 1 else "the lowest notebook does not count"
    yield f"Term of {number(term.scale)} points, by weights: {weights}{f'; {dropped}' if term.drop else ''}."
    names = [name for name, weight in term.weights.items() if weight]
    shares = {name: share for name, share in zip(names, _EXAMPLE * len(names), strict=False) if share is not None}
    grade = term_grade(term, shares, projects=tuple(course.projects))
    parts = "; ".join(f"{short[part.name]} {part.share:.0%}, {part.state}" for part in grade.parts)
    yield f"An invented student: {parts}. That is {number(grade.points or 0.0)} of {number(term.scale)}."


def marking_sentences(course: Course) -> Iterator[str]:
    """Yield what the class decided on marking written answers."""
    if not course.names_shown:
        yield "Those who mark written answers see no names."
    if course.second_share:
        yield f"A second person marks {number(round(100 * course.second_share, 6))} % of the written answers."
    for allotment in course.allotments:
        kinds = {
            "notebooks": [topic[:2] for topic in allotment.notebooks],
            "sections": allotment.sections,
            "students": allotment.students,
        }
        limits = "; ".join(f"{kind} {', '.join(names)}" for kind, names in kinds.items() if names)
        markers = " and ".join(allotment.markers)
        many = len(allotment.markers) > 1
        yield f"{markers} mark{'' if many else 's'} {limits or 'all written answers'}{', about evenly' if many else ''}."


def rubric_sentences(course: Course) -> Iterator[str]:
    """Yield a sentence for each rubric of course.toml: its items, and by how much it misses the points of its question."""
    for topic, lines in course.rubrics.items():
        cells = [cell for cell in labelled_cells(topic).values() if cell["metadata"]["nbgrader"].get("solution")]
        worth = [course.terms_of(topic).worth(cell) for cell in cells if cell["metadata"]["nbgrader"].get("grade")]
        name = f"{topic[:2]}.written"
        if not worth:
            raise WrongCourse(f'rubrics."{name}": {topic} has no written question.')
        points = [line.points for line in lines]
        points_text = f"Rubric of {name}: {', '.join(map(number, points)) or 'no items'}."
        yield f"{points_text} {misfit(points, worth[0] or 0.0)}".strip()
