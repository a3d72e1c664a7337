"""The students of a roster in the gradebook, with their names and addresses."""

from typing import Any

from nbgrader.api import Student

from ..roster import Person, Roster


def enter_people(book: Any, roster: Roster) -> None:
    """Enter every student of the roster, those who handed in nothing too. What it does not say of them stays as it is. Who
    does not fit into the database is left out: their submission, if there is one, says so."""
    known: dict[str, Any] = {row.id: row for row in book.students}
    columns: Any = Student.__table__.c
    bounded = book.engine.dialect.name != "sqlite"  # SQLite takes any length
    for person in roster.people:
        said = _said(person)
        if bounded:
            if len(person.id) > columns.id.type.length:
                continue
            said = {name: value[: columns[name].type.length] for name, value in said.items()}
        row = known.get(person.id)
        if row is None:
            book.db.add(Student(id=person.id, **said))
        for name, value in said.items():
            if row is not None and getattr(row, name) != value:
                setattr(row, name, value)
    book.db.commit()


def _said(person: Person) -> dict[str, str]:
    told = {"first_name": person.first, "last_name": person.last, "email": person.email}
    return {name: value for name, value in told.items() if value}
