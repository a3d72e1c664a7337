"""The students of a course in Canvas, as rows of the gradebook that Canvas exports by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .connection import asking

if TYPE_CHECKING:
    from canvasapi.course import Course as CanvasCourse

#: The first columns of Canvas's gradebook. Rosters and grades are read by them, whether they come by hand or from here.
COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
EMAIL = "Email"
#: How many entries Canvas is asked for at once: the most that it gives.
PER_PAGE = 100
#: Who is in the course now. Canvas also knows inactive, completed and deleted enrolments.
_STATES = ("active", "invited")


def students_of(course: CanvasCourse) -> dict[int, list[str]]:
    """Return the cells below `COLUMNS` and `EMAIL` for each student of the course, by Canvas's number for the student.

    Canvas's test student and students who dropped the course are left out. A section that a student dropped is not named. A
    cell is empty where the token's owner may not see what belongs there.

    Raises
    ------
    CanvasError
        If Canvas refuses or cannot be reached.
    """
    with asking("give the students of the course"):
        sections = {section.id: str(section.name) for section in course.get_sections(per_page=PER_PAGE)}
        users = list(
            course.get_users(
                enrollment_type=["student"],
                enrollment_state=list(_STATES),
                include=["enrollments", "email"],
                per_page=PER_PAGE,
            )
        )
        return {user.id: _cells(user, sections) for user in users}


def _cells(user: Any, sections: dict[int, str]) -> list[str]:
    enrollments = [
        item
        for item in getattr(user, "enrollments", [])
        if item.get("type") == "StudentEnrollment" and item.get("enrollment_state", "active") in _STATES
    ]
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
