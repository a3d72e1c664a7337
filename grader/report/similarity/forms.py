"""Bring an answer to a form in which names, comments, strings and layout make no difference, without what the stub gave."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat.notebooknode import NotebookNode

from embedding_course.checking.intake.statements import broken_parts, definitions, is_docstring, statements
from embedding_course.exercises import exercises_of

from ...classroom.attempts import Attempts
from ...classroom.class_folder import Classroom
from ...classroom.policy.course import Course, load_course
from ...course_source.notebook import released
from ...submission.read import read_notebook
from ...submission.rebuild import rebuild

#: More tokens than this are not compared: no answer is so long.
MAX_TOKENS = 4000
_SKIPPED = {tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.ENCODING, tokenize.ENDMARKER}
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def form(source: str, stub: str) -> tuple[str, ...]:
    r"""Return the tokens of what the learner wrote, in order; none if the stub was left as it is.

    Names that the answer binds itself are numbered in the order in which they turn up; those of libraries and attributes
    stay. Code that is no Python is cut into words and signs as it stands.

    >>> one = form("def f(x):\n    y = x + 1  # next\n    return y", "def f(x):\n    raise NotImplementedError()")
    >>> one == form("def f(a):\n    total = a + 1\n    return total", "def f(x):\n    raise NotImplementedError()")
    True
    """
    nodes = () if broken_parts(source) else statements(source)
    try:
        tokens = _plain_tokens(nodes, stub) if nodes else _words(source, stub)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):  # code made to be hard to read
        tokens = _words(source, stub)
    return tuple(tokens[:MAX_TOKENS])


def _plain_tokens(nodes: tuple[ast.stmt, ...], stub: str) -> list[str]:
    kept = _without_stub(nodes, definitions(stub))
    tree = _Plain(_bound(nodes)).visit(ast.Module(body=kept, type_ignores=[]))
    return _tokens(ast.unparse(ast.fix_missing_locations(tree)))


def _words(source: str, stub: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", "\n".join(own_lines(source, stub)))


def own_lines(source: str, stub: str) -> list[str]:
    """Return the lines that the stub does not hold, for a person to read; the lines that open a definition stay."""
    given = {line.strip() for line in stub.splitlines()}
    lines = [line.rstrip() for line in source.splitlines()]
    return [line for line in lines if line and (line.strip() not in given or re.match(r"\s*(async def|def|class)\b", line))]


def _without_stub(nodes: tuple[ast.stmt, ...], stub: dict[str, ast.stmt]) -> list[ast.stmt]:
    """Return copies of the statements of an answer's bodies, without signature, docstring and lines of the stub."""
    kept: list[ast.stmt] = []
    for node in _fresh(nodes):
        given = stub.get(getattr(node, "name", ""))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, _Function) and isinstance(given, _Function):
            kept += _body(node, given)
        elif isinstance(node, ast.ClassDef) and isinstance(given, ast.ClassDef):
            methods = {statement.name: statement for statement in given.body if isinstance(statement, _Function)}
            for member in node.body:
                theirs = methods.get(getattr(member, "name", ""))
                kept += _body(member, theirs) if isinstance(member, _Function) and theirs is not None else [member]
        else:
            kept.append(node)
    return [node for node in kept if not is_docstring(node)]


def _fresh(nodes: tuple[ast.stmt, ...]) -> list[ast.stmt]:
    """Copy the trees of `statements`, which are shared."""
    return ast.parse("\n".join(ast.unparse(node) for node in nodes)).body


def _body(node: ast.FunctionDef | ast.AsyncFunctionDef, stub: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    given = {ast.dump(statement) for statement in stub.body}
    return [body_statement for body_statement in node.body if ast.dump(body_statement) not in given]


def _bound(nodes: tuple[ast.stmt, ...]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        for inner in ast.walk(node):
            if isinstance(inner, ast.arg):
                names.add(inner.arg)
            elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                names.add(inner.id)
            elif isinstance(inner, (*_Function, ast.ClassDef)):
                names.add(inner.name)
    return names - {"self"}


class _Plain(ast.NodeTransformer):
    """Numbers the names that are bound, and drops what makes no difference: annotations, docstrings, the words of texts."""

    def __init__(self, bound: set[str]) -> None:
        self.bound = bound
        self.numbers: dict[str, str] = {}

    def _name(self, name: str) -> str:
        return self.numbers.setdefault(name, f"v{len(self.numbers)}") if name in self.bound else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._name(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._name(node.arg))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("s") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("s")

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self._name(node.name), None
        node.body = [statement for statement in node.body if not is_docstring(statement)] or [ast.Pass()]
        return self.generic_visit(node)


def _tokens(text: str) -> list[str]:
    tokens = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.INDENT:
            tokens.append("→")
        elif token.type == tokenize.DEDENT:
            tokens.append("←")
        elif token.type not in _SKIPPED:
            tokens.append(token.string)
    return tokens


#: Shorter answers have so few right forms that nothing follows from two being alike.
MIN_TOKENS = 15


@dataclass(frozen=True)
class Answer:
    """What one student answered to one exercise: its form, and the lines that are shown.

    `team` is the team that handed it in. Answers of one team are not compared with one another. `origin` is the name of another
    class, empty for an answer of this one.
    """

    student: str
    form: tuple[str, ...]
    lines: tuple[str, ...]
    team: str = ""
    origin: str = ""

    @property
    def label(self) -> str:
        """Return what a page calls the student: the id, with the name of another class."""
        return f"{self.student} in {self.origin}" if self.origin else self.student


def stubs_of(topic: str) -> dict[str, str]:
    """Return what learners get in each solution cell of a notebook, by the cell's label."""
    return _solutions(released(topic))


def answers_of(
    classroom: Classroom, topics: Sequence[str], course: Course | None = None, origin: str = ""
) -> dict[str, list[Answer]]:
    """Return the answers that are long enough to be compared, by exercise id.

    Files that cannot be read are skipped. If several members of a team handed in the same file, it is taken once.

    Parameters
    ----------
    classroom : Classroom
    topics : sequence of str
        Names of the notebooks.
    course : Course, optional
        Course of the class; by default it is read from its folder.
    origin : str, optional
        Name of the class, if it is another one than the one that is looked at.
    """
    answers: dict[str, list[Answer]] = defaultdict(list)
    came = Attempts(classroom, course or load_course(classroom.home))
    seen: set[tuple[str, str, str]] = set()
    for topic in topics:
        ours = released(topic)
        stubs = stubs_of(topic)
        for submission in classroom.submissions([topic]):
            if submission.missing():
                continue
            team = came.team(submission)
            whose = team.says if team else ""
            key = (whose, topic, came.digest(submission))
            if team and key in seen:
                continue
            seen.add(key)
            try:
                theirs = _solutions(rebuild(ours, read_notebook(submission.path), topic))
            except Exception:  # no submission may end the comparison of a class; grading says what is wrong with it
                continue
            for exercise in exercises_of(topic):
                text, stub = theirs.get(exercise.grade_id, ""), stubs[exercise.grade_id]
                tokens = form(text, stub)
                if len(tokens) >= MIN_TOKENS:
                    answers[exercise.id].append(Answer(submission.student, tokens, tuple(own_lines(text, stub)), whose, origin))
    return dict(answers)


def _solutions(notebook: NotebookNode) -> dict[str, str]:
    return {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")
    }
