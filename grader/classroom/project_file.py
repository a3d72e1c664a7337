"""A pyproject.toml, written."""

import json
from collections.abc import Mapping
from typing import Any


def as_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Tables by their names as TOML; empty ones are left out.

    >>> as_text({"project": {"name": "numpy-basics", "dependencies": ["numpy"]}, "tool.x": {}})
    '[project]\\n"name" = "numpy-basics"\\n"dependencies" = ["numpy"]\\n'
    """
    return "\n".join(_table(name, table) for name, table in tables.items() if table)


def _table(name: str, table: Mapping[str, Any]) -> str:
    lines = [f"{json.dumps(key)} = {_value(value)}" for key, value in table.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)  # strings and lists of strings are the same in JSON and TOML
