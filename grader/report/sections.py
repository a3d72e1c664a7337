"""Compare the sections of a class, and say how much of a difference may be chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .number_text import percent

#: Smaller sections, counted in students or teams, are not compared.
MIN_UNITS = 10
_RESAMPLES = 4000
_ERROR = 0.05


@dataclass(frozen=True)
class SectionLine:
    """One section: how many of its students there are, from how many work was graded, and the mean share of the points.

    `difference` is the mean minus that of everybody else, between `low` and `high`. All four are None if there are too few.
    """

    section: str
    students: int
    graded: int
    mean: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> str:
        """Return the difference and its interval in percentage points, as `−4 (−11 to +3)`."""
        if self.difference is None or self.low is None or self.high is None:
            return ""
        return f"{_points(self.difference)} ({_points(self.low)} to {_points(self.high)})"

    @property
    def words(self) -> str:
        """Return what follows from the numbers."""
        if self.difference is None or self.low is None or self.high is None:
            return f"too few to compare: fewer than {MIN_UNITS} here, or elsewhere"
        if self.low > 0:
            return "more than the others"
        return "less than the others" if self.high < 0 else "may be chance"


@dataclass(frozen=True)
class Comparison:
    """The sections of a class by name, and the share of random divisions whose means differ as much (None if not known)."""

    lines: tuple[SectionLine, ...]
    chance: float | None = None

    @property
    def method(self) -> str:
        """Return one sentence on the intervals, and one on the whole; empty if nothing could be compared."""
        if self.chance is None:
            return ""
        return (
            "The differences are in points of 100, with intervals that hold for all sections together with "
            f"{percent(0.95)} confidence (studentized bootstrap over students; a team counts as one). If the sections were "
            f"divided by lot, their means would differ as much as here in {percent(self.chance)} of the divisions "
            "(permutation test)."
        )


def compare_sections(
    shares: Mapping[str, float], members: Mapping[str, list[str]], team_of: Mapping[str, str] | None = None
) -> Comparison:
    """Compare each section with everybody else who is in a section.

    Parameters
    ----------
    shares : mapping of str to float
        The share of the points, by student.
    members : mapping of str to list of str
        The students of each section.
    team_of : mapping of str to str, optional
        The team of those who handed in together: their results are not independent, so a team counts once in its section.

    Examples
    --------
    >>> compare_sections({"ada": 0.5, "bo": 0.9}, {"A": ["ada"], "B": ["bo"]}).lines[0].words
    'too few to compare: fewer than 10 here, or elsewhere'
    """
    values = {section: _values(shares, students, team_of or {}) for section, students in members.items()}
    large = [section for section, units in values.items() if len(units) >= MIN_UNITS]
    all_values = np.concatenate([values[section] for section in values]) if values else np.empty(0)
    compared = [section for section in large if len(all_values) - len(values[section]) >= MIN_UNITS]
    generator = np.random.default_rng(0)  # the same class has the same page
    lines = []
    for section, students in members.items():
        graded = sum(student in shares for student in students)
        if section not in compared:
            lines.append(SectionLine(section, len(students), graded))
            continue
        others = np.concatenate([units for name, units in values.items() if name != section])
        error = _ERROR / (len(compared) if len(values) > 2 else 1)  # of two sections the one comparison is the other's mirror
        low, high = _interval(values[section], others, error, generator)
        mean = float(values[section].mean())
        lines.append(SectionLine(section, len(students), graded, mean, mean - float(others.mean()), low, high))
    chance = _chance([values[section] for section in large], generator) if len(large) > 1 else None
    return Comparison(tuple(lines), chance)


def _values(shares: Mapping[str, float], students: list[str], team_of: Mapping[str, str]) -> np.ndarray:
    """Return a value for each student with a share, and one, their mean, for those of one team."""
    units: dict[tuple[str, str], list[float]] = {}
    for student in students:
        if student in shares:
            team = team_of.get(student, "")
            units.setdefault(("team", team) if team else ("student", student), []).append(shares[student])
    return np.array([sum(unit) / len(unit) for unit in units.values()])


def _interval(here: np.ndarray, others: np.ndarray, error: float, generator: np.random.Generator) -> tuple[float, float]:
    """Return the interval of the difference of the means by the studentized bootstrap, which holds for small samples too."""
    difference, variance = here.mean() - others.mean(), _variance(here) + _variance(others)
    shift, variances = np.zeros(_RESAMPLES), np.zeros(_RESAMPLES)
    for sign, values in ((1, here), (-1, others)):
        draws = generator.choice(values, (_RESAMPLES, len(values)))
        shift += sign * (draws.mean(axis=1) - values.mean())
        variances += _variance(draws)
    if not variance:
        return float(difference), float(difference)
    distances = shift / np.sqrt(np.maximum(variances, variance / 100))
    low, high = np.quantile(distances, [error / 2, 1 - error / 2])
    return float(difference - high * np.sqrt(variance)), float(difference - low * np.sqrt(variance))


def _variance(values: np.ndarray) -> np.ndarray:
    """Return the variance of the mean of each row."""
    return values.var(axis=-1, ddof=1) / values.shape[-1]


def _chance(groups: list[np.ndarray], generator: np.random.Generator) -> float:
    """Return the share of random divisions into groups of these sizes whose means differ as much, or more."""
    pooled = np.concatenate(groups)
    ends = np.cumsum([len(group) for group in groups])
    starts = np.r_[0, ends[:-1]]
    sizes = ends - starts

    def spread(values: np.ndarray) -> np.ndarray:
        means = np.add.reduceat(values, starts, axis=-1) / sizes
        return (sizes * (means - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)

    mixed = generator.permuted(np.broadcast_to(pooled, (_RESAMPLES, len(pooled))), axis=1)
    as_much = int((spread(mixed) >= spread(pooled) - 1e-12).sum())
    return (as_much + 1) / (_RESAMPLES + 1)


def _points(share: float) -> str:
    return f"{100 * share:+.0f}".replace("-", "−").replace("+0", "0").replace("−0", "0")
