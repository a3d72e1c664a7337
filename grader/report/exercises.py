"""How the exercises went, the most difficult first."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from embedding_course.checking.result import Result
from embedding_course.exercises.index import entries


@dataclass(frozen=True)
class CriterionLine:
    """One part of an exercise: what it asks, and the share of the submissions that do it."""

    exercise: str
    says: str
    share: float


@dataclass
class ExerciseLine:
    """How one exercise went: counts of each status, and for each criterion how many met it."""

    id: str
    title: str
    core: bool
    statuses: Counter[str] = field(default_factory=Counter)
    met: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))

    @property
    def count(self) -> int:
        """Return the number of submissions."""
        return self.statuses.total()

    def share(self, status: str) -> float:
        """Return the share of submissions with this status; everything else that earned nothing counts as "wrong"."""
        if status == "wrong":
            others = sum(self.statuses[name] for name in ("passed", "partly", "cell failed", "not attempted"))
            return (self.count - others) / self.count if self.count else 0.0
        return self.statuses[status] / self.count if self.count else 0.0

    @property
    def criteria(self) -> list[CriterionLine]:
        """Return the parts of the exercise, the one that fewest met first."""
        lines = [CriterionLine(self.id, says, sum(met) / len(met)) for says, met in self.met.items()]
        return sorted(lines, key=lambda line: line.share)


def by_failure(pairs: Sequence[tuple[str, Result]]) -> list[ExerciseLine]:
    """Return a line for each exercise: core exercises first, and those that fewest got right first."""
    lines: dict[str, ExerciseLine] = {}
    for _, result in pairs:
        if result.status == "our fault":  # says nothing about the class
            continue
        line = lines.setdefault(result.exercise, ExerciseLine(result.exercise, result.title, result.core))
        line.statuses[result.status] += 1
        for criterion in result.criteria:
            line.met[criterion.says].append(criterion.passed)
    order = {name: position for position, name in enumerate(entries())}
    return sorted(lines.values(), key=lambda line: (not line.core, line.share("passed"), order.get(line.id, len(order))))
