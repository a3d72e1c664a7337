"""What is a stub, which cell answers an exercise, and how a cell is cut into its statements."""

import ast
import time

import nbformat
import pytest

from embedding_course.checking.intake.answers import Choice, choose
from embedding_course.checking.intake.cells import Cell, Role, cell_of, cells_of
from embedding_course.checking.intake.statements import definitions, first_line, same_code, split
from embedding_course.checking.intake.steps import rest_to_run, steps
from embedding_course.checking.intake.stubs import is_stub, still_raises
from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import LESSONS
from grader.course_source.stub import definition
from grader.paths import ROOT
from tests.redteam.honest import TOPIC
from tests.support.classes import perfect

TOPICS = [lesson.topic for lesson in LESSONS if lesson.written]


def stubs() -> list[tuple[str, ast.stmt]]:
    stubs_by_exercise = []
    for topic in TOPICS:
        names = {exercise.grade_id: exercise for exercise in exercises_of(topic)}
        released = nbformat.read(ROOT / "notebooks" / topic / f"{topic}.ipynb", as_version=4)
        for cell in cells_of(released):
            if cell.grade_id in names:
                exercise = names[cell.grade_id]
                stubs_by_exercise.append((exercise.id, definitions(cell.source)[exercise.name]))
    return stubs_by_exercise


STUBS = stubs()


def test_every_stub_of_the_course_is_one() -> None:
    assert len(STUBS) == sum(len(exercises_of(topic)) for topic in TOPICS) > 0
    assert [name for name, stub in STUBS if not is_stub(stub)] == []
    assert all(still_raises(stub) for _, stub in STUBS)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_right_answer_is_a_stub(topic: str) -> None:
    given = dict(STUBS)
    for choice in choose(cells_of(perfect(topic)), exercises_of(topic)):
        assert choice.cell is not None and choice.real == [choice.cell]
        answer = definitions(choice.cell.source)[choice.exercise.name]
        assert not is_stub(answer) and not still_raises(answer) and not same_code(answer, given[choice.exercise.id])


def body_of(stub: ast.stmt) -> list[ast.stmt]:
    """The body in which the last `raise` of a stub stands."""
    assert isinstance(stub, (ast.FunctionDef, ast.ClassDef))
    return stub.body if isinstance(stub, ast.FunctionDef) else body_of(stub.body[-1])


def test_of_each_stub_a_half_written_answer_is_none() -> None:
    """A line before the `raise`, or another one in its place, in the last method of a class alone."""
    for name, stub in STUBS:
        for line, gone in (("y = 1", 0), ("return 1", 1), ("pass", 1)):
            mine = ast.parse(ast.unparse(stub)).body[0]
            body = body_of(mine)
            body[-1:] = [*ast.parse(line if line != "return 1" else "def f(): return 1").body, *body[-1:][gone:]]
            assert not is_stub(mine), name
            assert not same_code(mine, stub)


CODE = {
    "def f(x): raise NotImplementedError()": True,
    "def f(x):\n    '''Words.'''\n    # YOUR CODE HERE\n    raise NotImplementedError": True,
    "async def f(x): raise NotImplementedError()": True,
    "def f(x): raise NotImplementedError('later')": False,
    "def f(x): 'Words alone.'": False,
    "def f(x): pass": False,
    "def f(x):\n    raise NotImplementedError()\n    return x": False,
    "def f(x):\n    if x: raise NotImplementedError()": False,
    "f = lambda x: x": False,
    "if True:\n    def f(x): raise NotImplementedError()": False,
    "class f:\n    'Words.'\n    def __init__(self):\n        super().__init__()\n        raise NotImplementedError()\n"
    "    def forward(self): raise NotImplementedError()": True,
    "class f:\n    def __init__(self):\n        super().__init__()\n    def forward(self): raise NotImplementedError()": True,
    "class f:\n    def __init__(self):\n        super().__init__()\n        self.x = 1\n"
    "    def forward(self): raise NotImplementedError()": False,
    "class f:\n    def __init__(self): raise NotImplementedError()\n    def forward(self): return 1": False,
    "class f:\n    def __init__(self):\n        super().__init__()": False,
    "class f: x = 1": False,
}


@pytest.mark.parametrize("source", CODE)
def test_what_a_stub_is(source: str) -> None:
    (definition,) = {id(node): node for node in definitions(source).values()}.values()
    assert is_stub(definition) is CODE[source]


def test_nothing_is_no_stub() -> None:
    assert not is_stub(None) and not still_raises(None)


def cell(position: int, source: str, grade_id: str = "") -> Cell:
    return Cell(position, "code", source, grade_id)


def chosen(*cells: Cell) -> Choice:
    return choose(cells, exercises_of(TOPIC)[:1])[0]


def test_which_cell_answers() -> None:
    first = exercises_of(TOPIC)[0]
    name, label = first.name, first.grade_id
    answer, stub = f"def {name}(x): return x", f"def {name}(x): raise NotImplementedError()"
    labelled, loose = cell(1, answer, label), cell(2, answer)
    assert chosen(labelled, loose).cell == labelled
    assert chosen(cell(1, stub, label), loose).cell == loose and chosen(cell(1, stub, label), loose).by_name
    assert chosen(cell(1, "def f(:", label), cell(2, stub)).cell == cell(1, "def f(:", label)
    assert chosen(cell(1, " ", label), cell(2, stub)).cell == cell(2, stub)
    assert chosen(cell(1, " ", label)).cell == cell(1, " ", label)
    assert chosen(cell(1, "x = 1")).cell is None
    assert chosen(labelled, cell(2, answer, label)).cell == cell(2, answer, label)


def test_a_cell_that_writes_a_file_answers_nothing() -> None:
    first = exercises_of(TOPIC)[0]
    written = cell(1, f"%%writefile mine.py\ndef {first.name}(x): return x")
    mine = cell(2, f"from mine import {first.name}", first.grade_id)
    assert chosen(written, mine).cell == mine and chosen(written).cell is None


def test_a_cell_is_read_however_odd_its_metadata() -> None:
    for metadata in (
        None,
        [],
        {"nbgrader": 3},
        {"nbgrader": {"grade_id": None, "solution": "yes"}},
        {"embedding_course": "given"},
    ):
        odd_cell = cell_of({"cell_type": "code", "source": 3, "metadata": metadata})
        assert odd_cell.source == "3" and odd_cell.role in ("own", "answer") and not odd_cell.id


def test_a_long_cell_is_one_step() -> None:
    long = Cell(1, "code", "\n" * 200_000 + "x = 1\n" * 4_000, "01-x", "answer")
    began = time.process_time()
    (step,) = steps([long, Cell(2, "code", "", "01-x-check", "check")])[:1]
    assert step.source == long.source and step.answers == ("x",) and step.named == "cell 1 (`x = 1`)"
    assert time.process_time() - began < 10


def test_a_piece_of_a_cell_is_cut_with_the_comment_behind_it() -> None:
    first, second, third = split("A = 1; B = '#'  # two of them\n@once\ndef f():\n    return A  # the first\n\n# apart")
    assert [first.for_people, second.for_people] == ["A = 1", "B = '#'  # two of them"]
    assert third.for_people == "@once\ndef f():\n    return A  # the first" and third.text.endswith("return A")
    assert (first_line(third.node), third.line, third.undecorated) == (2, 2, "def f():\n    return A")
    assert definition("@once\ndef f():\n    return 1  # one\n", "f") == "def f():\n    return 1  # one\n"


def test_many_statements_with_comments_are_cut_in_linear_time() -> None:
    began = time.process_time()
    assert len(split("\n".join(f"x{number} = 1  # {'# ' * 50}" for number in range(3_000)))) == 3_000
    assert time.process_time() - began < 5


def demonstrations(*cells: tuple[Role, str]) -> list[str]:
    """The demonstrations that run among these cells."""
    steps_taken = steps([Cell(position, "code", source, role=role) for position, (role, source) in enumerate(cells, 1)])
    return [step.source for step in steps_taken if step.kind == "demonstration"]


SHOWN: tuple[Role, str] = ("demonstration", "x = make()")


@pytest.mark.parametrize(
    "source",
    [
        "print(x)",
        "x += 1",
        "x = x[:3]",
        "y = [x for _ in y]",
        "for _ in y: x += 1",
        "def f(): return x",
        "f = lambda: x",
        "x.y = 1",
    ],
)
def test_a_demonstration_is_needed_by_what_reads_its_name(source: str) -> None:
    assert demonstrations(SHOWN, ("own", source)) == [SHOWN[1]]
    assert demonstrations(SHOWN, ("own", "y = 1"), ("own", source)) == [SHOWN[1]]
    assert demonstrations(SHOWN, ("own", "z = 1")) == []


def test_a_name_that_is_bound_in_between_needs_no_demonstration() -> None:
    assert demonstrations(SHOWN, ("own", "x = 1"), ("own", "print(x)")) == []
    assert demonstrations(SHOWN, ("own", "x = 1\nprint(x)\nx += 1")) == []
    assert demonstrations(SHOWN, ("given", "import a as x"), ("own", "print(x)")) == []
    assert demonstrations(SHOWN, ("own", "if y:\n    x = 1"), ("own", "print(x)")) == [SHOWN[1]]
    assert demonstrations(SHOWN, ("demonstration", "x = 2"), ("own", "print(x)")) == ["x = 2"]
    assert demonstrations(SHOWN, ("demonstration", "x = x + 2"), ("own", "print(x)")) == [SHOWN[1], "x = x + 2"]


def test_what_a_function_reads_may_be_bound_below_it() -> None:
    assert demonstrations(("own", "def f(): return x"), SHOWN, ("own", "f()")) == [SHOWN[1]]
    assert demonstrations(("own", "def f(): return x"), SHOWN, ("own", "x = 1")) == [SHOWN[1]]
    assert demonstrations(("given", "x = 0"), ("own", "def f(): return x"), SHOWN) == []
    assert demonstrations(("own", "print(x)"), SHOWN) == []


def test_what_a_needed_demonstration_needs_runs_too() -> None:
    assert demonstrations(("demonstration", "def make(): return 1"), ("demonstration", "z = 1"), SHOWN, ("own", "x")) == [
        "def make(): return 1",
        SHOWN[1],
    ]


def test_what_of_a_cell_runs_after_an_exception() -> None:
    source = "a = 1\nraise\nb = 2\na = 3\n@once\ndef f(): 1"
    assert rest_to_run(source, 2) == [("b = 2", ""), ("@once\ndef f(): 1", "def f(): 1")]
    assert rest_to_run(source, 5) == [("def f(): 1", "")] and rest_to_run(source, 6) == rest_to_run(source, 5)
    assert rest_to_run("def f(: 1\na = 1\na = 2", 1) == [("a = 1", ""), ("a = 2", "")]
