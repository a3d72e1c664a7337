"""What is wrong with a course.toml, as one sentence."""

from typing import Any

#: What a class's own decisions stand in.
FILE = "course.toml"


class WrongCourse(ValueError):
    """A course.toml that cannot be followed. The message names the key, the value and what is allowed."""


def shown(value: Any) -> str:
    """A value nearly as it stands in the file, shortened.

    >>> shown("Asia/Peking"), shown(True), shown(3)
    ('"Asia/Peking"', 'true', '3')
    """
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
