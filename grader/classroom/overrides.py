"""Decisions of people over verdicts: an accepted answer, all answers like it, a hidden case that is forgiven to the class.

They are kept in `results/overrides.json` of the class, with author and reason, and are applied whenever points are
weighed. A decision is never deleted: undoing it notes who did so, and when.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import msgspec

from embedding_course.checking.result import CriterionResult, Result
from embedding_course.files import atomic_write
from embedding_course.messages import Message

from ..errors import UserError
from .class_folder import now

FILE = "results/overrides.json"
_MODE = 0o600


class Override(msgspec.Struct, frozen=True, kw_only=True):
    """One decision. One of `student`, `computed`, `mistake` and `case` says whom it concerns.

    Attributes
    ----------
    number
        From 1, by which the decision is named.
    student
        The student whose answer is accepted.
    computed
        The computed key of the answers that are accepted, whoever wrote them.
    mistake
        The name of the known mistake whose answers are accepted, whoever wrote them.
    case
        The hidden case that fails nobody.
    share
        The share of the exercise's points that an accepted answer earns, above 0 and up to 1.
    why, by, at
        Reason, author, and the moment in UTC.
    undone_by, undone_at
        Who undid the decision and when; empty while it holds.
    """

    number: int
    exercise: str
    why: str
    by: str
    at: str
    student: str = ""
    computed: str = ""
    mistake: str = ""
    case: str = ""
    share: float = 1.0
    undone_by: str = ""
    undone_at: str = ""

    @property
    def holds(self) -> bool:
        """Return True unless the decision was undone."""
        return not self.undone_at

    def accepts(self, result: Result) -> bool:
        """Return True if this accepts an answer; whose answer it is was looked at before."""
        alike = self.computed in ("", result.computed) and self.mistake in ("", result.mistake)
        return result.exercise == self.exercise and not self.case and alike

    @property
    def sentence(self) -> str:
        """Return the decision as the learner reads it."""
        message = Message("A person decided on this answer ({name}): {why}")
        if self.case:
            message = Message("A person decided that the hidden case “{case}” fails nobody ({name}): {why}", case=self.case)
        return str(message.fill(name=self.by, why=self.why))


def read_overrides(home: Path) -> tuple[Override, ...]:
    """Return all decisions of a class, the undone ones too.

    Raises
    ------
    UserError
        If the file was damaged; nothing is then graded as if nobody had decided anything.
    """
    path = home / FILE
    try:
        return tuple(msgspec.json.decode(path.read_bytes(), type=list[Override]))
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(
            f"{path} cannot be read ({error}): it holds what people decided on answers. Put back a copy of it, or move it away "
            "and decide again."
        ) from None


def add_override(home: Path, override: Override) -> Override:
    """Append a decision and return it with its number. The caller holds the lock on the class."""
    known = read_overrides(home)
    numbered = msgspec.structs.replace(override, number=len(known) + 1)
    _write(home, [*known, numbered])
    return numbered


def undo_override(home: Path, number: int, by: str) -> Override:
    """Undo a decision and return it. The caller holds the lock on the class.

    Raises
    ------
    UserError
        If there is no such decision, or it was undone before.
    """
    known = list(read_overrides(home))
    if not 0 < number <= len(known):
        there = f"they are numbered 1 to {len(known)}" if known else "nobody has decided anything yet"
        raise UserError(f"There is no decision {number}: {there}.")
    override = known[number - 1]
    if not override.holds:
        raise UserError(f"Decision {number} was undone before, by {override.undone_by} at {override.undone_at}.")
    known[number - 1] = msgspec.structs.replace(override, undone_by=by, undone_at=now())
    _write(home, known)
    return known[number - 1]


def forget_student(home: Path, student: str) -> bool:
    """Remove a student's name from the decisions on their answers, and return True if there were any."""
    known = read_overrides(home)
    if all(override.student != student for override in known):
        return False
    gone = {"student": "\n", "undone_by": "grader class forget", "undone_at": now()}  # no folder has such a name
    _write(home, [msgspec.structs.replace(past, **gone) if past.student == student else past for past in known])
    return True


def _write(home: Path, overrides: Sequence[Override]) -> None:
    (home / FILE).parent.mkdir(parents=True, exist_ok=True)
    atomic_write(home / FILE, msgspec.json.format(msgspec.json.encode(overrides), indent=1) + b"\n", _MODE)


def concerning(overrides: Iterable[Override], topic: str, students: Collection[str] = ()) -> tuple[Override, ...]:
    """Return the decisions that hold for a notebook and for a submission of these students (several, if they are a team)."""
    return tuple(
        override
        for override in overrides
        if override.holds and override.exercise.startswith(f"{topic[:2]}.") and override.student in ("", *students)
    )


def decided(result: Result, overrides: Sequence[Override]) -> Result:
    """Return a verdict with the points that people decided on. A decision never takes points away."""
    result = _forgiven(result, [override for override in overrides if override.case and override.exercise == result.exercise])
    accepting = [override for override in overrides if override.accepts(result)]
    if not accepting:
        return result
    best = max(accepting, key=lambda override: (override.share, override.number))
    score = round(best.share * result.max_score, 6)
    if score <= result.score:
        return result
    whole = best.share == 1.0
    return msgspec.structs.replace(
        result,
        score=score,
        passed=whole,
        status="passed" if whole else "partly",
        criteria=[_given(criterion) for criterion in result.criteria] if whole else result.criteria,
        decided=best.sentence,
    )


def _forgiven(result: Result, overrides: Sequence[Override]) -> Result:
    """Return a verdict in which no criterion fails because of forgiven cases alone."""
    cases = {override.case for override in overrides}
    freed = [
        not criterion.passed and bool(criterion.failed_cases) and cases.issuperset(criterion.failed_cases)
        for criterion in result.criteria
    ]
    if not any(freed):
        return result
    criteria = [_given(criterion) if free else criterion for criterion, free in zip(result.criteria, freed, strict=True)]
    gained = sum(new.earned - old.earned for new, old in zip(criteria, result.criteria, strict=True))
    passed = all(criterion.passed for criterion in criteria)
    used = [override for override in overrides if any(override.case in old.failed_cases for old in result.criteria)]
    return msgspec.structs.replace(
        result,
        score=result.max_score if passed else round(min(result.score + gained, result.max_score), 6),
        passed=passed,
        status="passed" if passed else "partly",
        criteria=criteria,
        decided=" ".join(override.sentence for override in used),
    )


def _given(criterion: CriterionResult) -> CriterionResult:
    return msgspec.structs.replace(criterion, earned=criterion.points, passed=True)
