"""The students of a course in Canvas, as rows of the gradebook that Canvas exports by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .connection import asking

if TYPE_CHECKING:
    from canvasapi.course import Course as CanvasCourse

#: The first columns of Canvas's gradebook. Rosters and grades are read by them, whether they come by hand or from here.
COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
EMAIL = "Email"


def students_of(course: CanvasCourse) -> dict[int, list[str]]:
    """Return the cells below `COLUMNS` and `EMAIL` for each student of the course, by Canvas's number for the student.

    Canvas's test student is left out. A cell is empty where the token's owner may not see what belongs there.

    Raises
    ------
    CanvasError
        If Canvas refuses or cannot be reached.
    """
    with asking("give the students of the course"):
        sections = {section.id: str(section.name) for section in course.get_sections()}
        users = list(
            course.get_users(
                enrollment_type=["student"], enrollment_state=["active", "invited"], include=["enrollments", "email"]
            )
        )
        return {user.id: _cells(user, sections) for user in users}


def _cells(user: Any, sections: dict[int, str]) -> list[str]:
    enrollments = [item for item in getattr(user, "enrollments", []) if item.get("type") == "StudentEnrollment"]
    numbers = [enrollment["course_section_id"] for enrollment in enrollments]
    names = dict.fromkeys(sections[number] for number in numbers if number in sections)
    values = (
        getattr(user, "sortable_name", None) or user.name,
        user.id,
        getattr(user, "sis_user_id", None),
        getattr(user, "login_id", None),
        " and ".join(names),  # as Canvas writes it in its own export
        getattr(user, "email", None),
    )
    return ["" if value is None else str(value).strip() for value in values]
