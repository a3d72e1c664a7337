"""Marks to doubt: answers that are wrong in ways that no known mistake explains, gathered by what they compute."""

import re
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from embedding_course.checking.result import Result

from .answers import Answers, Typical


@dataclass(frozen=True)
class Cluster:
    """Unexplained wrong answers to one exercise that return the same in the public cases and fail in the same hidden ones.

    `relation` says how their result is related to the right one, if that is known. `known` is False if the record does not
    say what the answers return. In that case only the failing cases are the same.
    """

    exercise: str
    title: str
    students: tuple[str, ...]
    message: str
    relation: str
    points: float
    most: float
    known: bool
    example: Typical | None = None

    @property
    def count(self) -> int:
        """Return the number of students in the cluster."""
        return len(self.students)

    @property
    def command(self) -> str:
        """Return the command that names the whole cluster and adds it to the catalogue."""
        student = self.example.student if self.example else self.students[0]
        whose = student if re.fullmatch(r"[\w@.][\w@.+-]*", student) else shlex.quote(student)
        return f'grader mistake add {self.exercise} --from {whose} --name … --diagnosis "…" --next-step "…"'


def clusters_of(pairs: Sequence[tuple[str, Result]]) -> list[Cluster]:
    """Return the clusters of unexplained wrong answers, the largest first; equal ones in the order of the exercises."""
    groups: dict[tuple[object, ...], list[tuple[str, Result]]] = defaultdict(list)
    for student, result in pairs:
        if result.status in ("wrong", "partly") and result.mistake is None and not result.blamed and result.case:
            failed = tuple(name for criterion in result.criteria for name in criterion.failed_cases)
            groups[result.exercise, result.computed, result.stage, result.case, failed].append((student, result))
    clusters = []
    for those in groups.values():
        first = those[0][1]
        students = tuple(student for student, _ in those)
        clusters.append(
            Cluster(
                first.exercise,
                first.title,
                students,
                first.message,
                first.diagnosis,
                first.score,
                first.max_score,
                bool(first.computed),
            )
        )
    return sorted(clusters, key=lambda cluster: (-len(cluster.students), cluster.exercise, cluster.students))


def with_code(clusters: Sequence[Cluster], answers: Answers) -> list[Cluster]:
    """Return the clusters, each with its most typical answer."""
    return [replace(cluster, example=answers.typical(cluster.students, cluster.exercise)) for cluster in clusters]
