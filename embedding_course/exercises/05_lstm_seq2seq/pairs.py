"""Results that come in pairs: (h, c), (outputs, (h, c)), (logits, state)."""

from collections.abc import Sequence
from typing import Any

from ...checking.exercise import Case, Comparison, Mismatch, NamedParts
from ...checking.grammar import article
from ...checking.show import kind

_AS_IT_CAME = "what came back"


class Pair(Comparison):
    """Compares the parts of a result one by one, and says so when it has other parts than asked for."""

    @staticmethod
    def of(result: Any, form: Sequence[Any]) -> NamedParts:
        """The members of `result` by their names in `form`: ("h", "c") or ("outputs", ("h", "c"))."""
        found = NamedParts()
        if _take(result, form, found):
            return found
        return NamedParts({_AS_IT_CAME: result})

    def __call__(self, expected: Any, got: Any, case: Case) -> Mismatch | None:
        value = got.value
        if expected.raised is None and got.raised is None and isinstance(value, dict) and _AS_IT_CAME in value:
            came, form = value[_AS_IT_CAME], _words(expected.value)
            missing = "; is a `return` missing?" if came is None else ""
            return Mismatch("type", f"{_kinds(came)} came back where {form} was expected{missing}")
        return super().__call__(expected, got, case)


def _take(result: Any, form: Any, found: NamedParts) -> bool:
    if isinstance(form, str):
        found[form] = result
        return not isinstance(result, (list, tuple))
    if not isinstance(result, (list, tuple)) or len(result) != len(form):
        return False
    return all([_take(entry, part, found) for entry, part in zip(result, form, strict=True)])


def _words(parts: NamedParts) -> str:
    """The form that was asked for, told by the parts of the right answer."""
    names = [name for name in parts if not name.startswith("gradient") and not name.endswith("training mode")]
    if len(names) == 2:
        return f"({', '.join(names)})"
    return f"({names[0]}, ({', '.join(names[1:])}))"


def _kinds(came: Any, depth: int = 0) -> str:
    if isinstance(came, list) and 0 < len(came) <= 4 and depth < 2:
        return f"({', '.join(_kinds(entry, depth + 1) for entry in came)})"
    return "None" if came is None else article(kind(came))
