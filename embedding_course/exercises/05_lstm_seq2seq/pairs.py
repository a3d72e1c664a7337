"""Results that come in pairs: (h, c), (outputs, (h, c)), (logits, state)."""

from collections.abc import Sequence
from typing import Any

from ...checking.exercise import Case, Comparison, Mismatch, NamedParts
from ...checking.show import describe
from ...messages import COMMA, Code, Listing, Message

_AS_IT_CAME = "what came back"


class Pair(Comparison):
    """Compares the parts of a result one by one, and says so when it has other parts than asked for."""

    @staticmethod
    def of(result: Any, form: Sequence[Any]) -> NamedParts:
        """Return the members of `result` by their names in `form`: ("h", "c") or ("outputs", ("h", "c"))."""
        parts = NamedParts()
        if _take(result, form, parts):
            return parts
        return NamedParts({_AS_IT_CAME: result})

    def __call__(self, expected: Any, got: Any, case: Case) -> Mismatch | None:
        """Compare an answer with the expected pair, after its form: a result of another form is wrong in its type."""
        value = got.value
        if expected.raised is None and got.raised is None and isinstance(value, dict) and _AS_IT_CAME in value:
            came, form = value[_AS_IT_CAME], Code(_words(expected.value))
            if came is None:
                missing = Message("{expected} was expected; None came back. Is a `return` missing?", expected=form)
                return Mismatch("type", missing)
            message = Message("{expected} was expected; {received} came back.", expected=form)
            hidden = message.fill(received=_kinds(came, sizes=False))
            return Mismatch("type", message.fill(received=_kinds(came, sizes=True)), hidden)
        return super().__call__(expected, got, case)


def _take(result: Any, form: Any, parts: NamedParts) -> bool:
    if isinstance(form, str):
        parts[form] = result
        return not isinstance(result, (list, tuple))
    if not isinstance(result, (list, tuple)) or len(result) != len(form):
        return False
    return all([_take(item, part, parts) for item, part in zip(result, form, strict=True)])


def _words(parts: NamedParts) -> str:
    """Return the form that was asked for in words, such as "(h, c)", from the parts of the right answer."""
    names = [name for name in parts if not name.startswith("gradient") and not name.endswith("training mode")]
    if len(names) == 2:
        return f"({', '.join(names)})"
    return f"({names[0]}, ({', '.join(names[1:])}))"


def _kinds(came: Any, sizes: bool, depth: int = 0) -> Message:
    if isinstance(came, list) and 0 < len(came) <= 4 and depth < 2:
        kinds = [_kinds(item, sizes, depth + 1) for item in came]
        return Message("({kinds})", kinds=Listing(kinds, COMMA))
    return describe(came, sizes=sizes)
