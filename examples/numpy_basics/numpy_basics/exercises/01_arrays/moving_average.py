"""The mean of each window: cases and comparison."""

from collections.abc import Iterator

from embedding_course.checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, length: int, width: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"values": draw.normal(length) + 2, "width": width}, criterion, because=because)

    width, more = draw.sizes(2, smallest=3)
    yield case("several windows", width + more, width, "windows")
    yield case("many windows", 40, 4, "windows")
    yield case("width 1", more, 1, "edges", "A window of one number is that number.")
    yield case("one window", width, width, "edges", "The whole list is one window.")
    refuse = "A window holds at least one number, and no more than there are: raise ValueError."
    yield case("width 0", more, 0, "range", refuse)
    yield case("a window that is too wide", width, width + 1, "range", refuse)


moving_average = Exercise(
    id="01.moving_average",
    title="The mean of each window",
    why="A noisy curve becomes readable when each point is the mean of its neighbours.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("windows", 1, "one mean for each window that lies within the values"),
        Criterion("edges", 1, "windows of one number, and of all of them"),
        Criterion("range", 1, "widths that fit no window raise ValueError"),
    ),
    hints=(
        "How many windows of width 3 lie within 10 values? (Eight.)",
        "`np.convolve(values, np.ones(width), mode=...)` adds up windows; look up what its modes leave out.",
    ),
    cases=_cases,
    core=False,
)
