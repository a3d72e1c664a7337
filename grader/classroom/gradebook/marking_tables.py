"""The tables of written marks, which stand beside nbgrader's own in the gradebook of a class.

A mark is never changed: a new row replaces it, and names the row that it replaces. Two people who replace the same row at the
same time meet the unique constraint, so that the second one gets an error, on SQLite as on PostgreSQL.

nbgrader's own tables have no versions, so a trigger of the database notes each change of points and comments that a person
entered, whoever makes it: formgrader, a script, or the marking page, which labels its own.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    delete,
    inspect,
    select,
    text,
)

__all__ = [
    "ALLOTTED",
    "CHANGES",
    "COMMENTS",
    "MARKS",
    "OPENED",
    "QUESTIONS",
    "RUBRIC",
    "SECOND_MARKS",
    "forget_marks",
    "last_marks",
    "make_tables",
    "unmade",
]

_METADATA = MetaData()
_ID = 128

#: What marking a question began with: the seed of the second marker's sample, and the rubric that was given.
QUESTIONS = Table(
    "course_marked_question",
    _METADATA,
    Column("question", String(_ID), primary_key=True),
    Column("seed", String(32), nullable=False),
    Column("rubric_from", String(20), nullable=False),  # "course.toml", "the lesson", "the page" or ""
    Column("rubric_given", JSON, nullable=False),  # texts and points, as course.toml or the lesson had them
)

RUBRIC = Table(
    "course_rubric_item",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("question", String(_ID), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("points", Float, nullable=False),
    Column("retired", Boolean, nullable=False, default=False),
)


def _mark_columns() -> list[Column[object]]:
    return [
        Column("id", Integer, primary_key=True),
        Column("question", String(_ID), nullable=False),
        Column("student", String(_ID), nullable=False),
        Column("items", JSON, nullable=False),
        Column("adjustment", Float, nullable=False),
        Column("comment", Text, nullable=False),
        Column("author", String(_ID), nullable=False),
        Column("at", String(40), nullable=False),
        Column("answer", String(64), nullable=False),  # SHA-256 of the text that was marked
    ]


MARKS = Table(
    "course_written_mark",
    _METADATA,
    *_mark_columns(),
    Column("replaces", Integer, nullable=False),  # the id of the mark before, 0 for the first
    UniqueConstraint("question", "student", "replaces"),
)

#: Marks of a second person, who did not see the first one; `first` is the id of the mark that counted then.
SECOND_MARKS = Table(
    "course_second_mark",
    _METADATA,
    *_mark_columns(),
    Column("first", Integer, nullable=False),
    UniqueConstraint("question", "student"),
)

#: Who has which answer open, renewed while the page shows it.
OPENED = Table(
    "course_opened_answer",
    _METADATA,
    Column("question", String(_ID), primary_key=True),
    Column("student", String(_ID), primary_key=True),
    Column("author", String(_ID), primary_key=True),
    Column("at", Float, nullable=False),
)

#: Who marks which answer, as the page assigned it; course.toml decides on all others.
ALLOTTED = Table(
    "course_allotted_answer",
    _METADATA,
    Column("question", String(_ID), primary_key=True),
    Column("student", String(_ID), primary_key=True),
    Column("marker", String(_ID), nullable=False),
)

#: Comments that are kept to be used again, shared by all who mark a question.
COMMENTS = Table(
    "course_kept_comment",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("question", String(_ID), nullable=False, index=True),
    Column("text", Text, nullable=False),
    Column("author", String(_ID), nullable=False),
    Column("at", String(40), nullable=False),
    Column("retired", Boolean, nullable=False, default=False),
)

#: Changes of what a person entered in nbgrader's tables; `row` is the id of nbgrader's row.
CHANGES = Table(
    "course_gradebook_change",
    _METADATA,
    Column("id", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),  # "points" or "comment"
    Column("row", String(32), nullable=False, index=True),
    Column("before", Text),
    Column("after", Text),
    Column("at", String(40), nullable=False),
    Column("by_desk", Boolean, nullable=False),
)

#: Table and column of nbgrader that a trigger watches, by the kind of a change.
_WATCHED = {"points": ("grade", "manual_score"), "comment": ("comment", "manual_comment")}
_TO_CHANGES = 'INSERT INTO course_gradebook_change (kind, "row", "before", "after", at, by_desk) VALUES'
_SQLITE = """
CREATE TRIGGER IF NOT EXISTS course_journal_{kind} AFTER UPDATE OF {column} ON {table}
WHEN OLD.{column} IS NOT NEW.{column} BEGIN
{insert} ('{kind}', NEW.id, OLD.{column}, NEW.{column}, strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'), 0);
END"""
_POSTGRESQL = (
    """
CREATE OR REPLACE FUNCTION course_journal_{kind}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{insert} ('{kind}', NEW.id, OLD.{column}, NEW.{column},
to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'), false);
RETURN NULL; END $$""",
    """
CREATE TRIGGER course_journal_{kind} AFTER UPDATE OF {column} ON {table} FOR EACH ROW
WHEN (OLD.{column} IS DISTINCT FROM NEW.{column}) EXECUTE FUNCTION course_journal_{kind}()""",
)


def make_tables(connection: Connection) -> None:
    """Make the tables and the triggers where they are missing."""
    _METADATA.create_all(connection)
    sqlite = connection.dialect.name == "sqlite"
    for kind, (table, column) in _WATCHED.items():
        if not sqlite:
            query = text("SELECT 1 FROM pg_trigger WHERE tgname = :name AND tgrelid = to_regclass(:of)")
            if connection.execute(query, {"name": f"course_journal_{kind}", "of": f'"{table}"'}).scalar():
                continue
        for statement in (_SQLITE,) if sqlite else _POSTGRESQL:
            connection.exec_driver_sql(statement.format(kind=kind, table=f'"{table}"', column=column, insert=_TO_CHANGES))


def unmade(connection: Connection) -> bool:
    """Return True if nobody has marked written answers in this gradebook yet, or an older version of the course did."""
    return not set(_METADATA.tables).issubset(inspect(connection).get_table_names())


def forget_marks(connection: Connection, student: str) -> None:
    """Remove all that these tables hold of a student. Call it while nbgrader's tables still know the student."""
    if unmade(connection):
        return
    submitted = (
        "SELECT {table}.id FROM {table} JOIN submitted_notebook ON {table}.notebook_id = submitted_notebook.id "
        "JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id "
        "WHERE submitted_assignment.student_id = :student"
    )
    for table, _ in _WATCHED.values():
        rows = connection.execute(text(submitted.format(table=f'"{table}"')), {"student": student}).scalars().all()
        connection.execute(delete(CHANGES).where(CHANGES.c.row.in_(rows)))
    for table in (MARKS, SECOND_MARKS, OPENED, ALLOTTED):
        connection.execute(delete(table).where(table.c.student == student))


def last_marks(connection: Connection, topic: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Return author and time of the mark that counts, by student and cell.

    An answer whose points or comment were changed elsewhere since, as in formgrader, is left out: nobody knows by whom.
    """
    if unmade(connection):
        return {}
    newest: dict[tuple[str, str], tuple[str, str]] = {}
    query = select(MARKS).where(MARKS.c.question.startswith(f"{topic}/", autoescape=True)).order_by(MARKS.c.id)
    for row in connection.execute(query).mappings():
        newest[row["student"], row["question"].partition("/")[2]] = (row["author"], row["at"])
    for table, _ in _WATCHED.values():
        # `grade` and `comment` both lead to cell and submission by the same columns.
        changed = text(
            f"SELECT submitted_assignment.student_id, base_cell.name FROM course_gradebook_change AS journal "
            f'JOIN "{table}" AS marked ON marked.id = journal."row" JOIN base_cell ON base_cell.id = marked.cell_id '
            "JOIN submitted_notebook ON marked.notebook_id = submitted_notebook.id "
            "JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id "
            "JOIN notebook ON submitted_notebook.notebook_id = notebook.id "
            "WHERE notebook.name = :topic AND NOT journal.by_desk AND journal.id = "
            '(SELECT max(later.id) FROM course_gradebook_change AS later WHERE later."row" = journal."row")'
        )
        for student, cell in connection.execute(changed, {"topic": topic}):
            newest.pop((student, cell), None)
    return newest
