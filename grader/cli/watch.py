"""`grader grade --watch`: until Ctrl-C."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.exchange.settings import ExchangeSettings
    from ..classroom.grade_record import GradeRecord
    from ..engine.fork_server import Learners
    from ..marking.run import Run
    from ..marking.submission_task import Graded


def pause(seconds: float) -> None:
    """Wait between two looks."""
    time.sleep(seconds)


@dataclass
class Watching:
    """A watch as it is shown: a line for each submission graded, and each remark once."""

    classroom: Classroom
    chosen: Sequence[str]
    run: Run
    every: float
    exchange: ExchangeSettings | None
    line_of: Callable[[Graded], str]
    write_line: Callable[[GradeRecord], object]
    then: Callable[[Graded], object]
    _printed: set[str] = field(default_factory=set)
    _taken: set[str] = field(default_factory=set)

    def start(self, shared: Learners | None) -> None:
        """Look, grade, wait, until KeyboardInterrupt. What goes wrong and may pass is printed once and tried again."""
        from ..marking.hidden_check import fresh_seed
        from ..marking.watch import Watch

        run = self.run if self.run.seed is not None else replace(self.run, seed=fresh_seed())
        with self._learners(shared) as learners:
            watch = Watch(self.classroom, self.chosen, run, learners)
            where = "submitted/ and nbgrader's exchange" if self.exchange else "submitted/"
            typer.echo(f"Watching {where} of {self.classroom.home} every {self.every:g} s; Ctrl-C ends it.")
            while True:
                self._look(watch.round)
                pause(self.every)

    def _look(self, grade_round: Callable[[], Iterator[Graded]]) -> None:
        from ..classroom.exchange.settings import NoExchange
        from ..classroom.only_writer import Busy
        from ..classroom.policy.toml_file import FILE, WrongCourse
        from ..classroom.roster import BadRoster

        try:
            if self.exchange:
                self._collect(self.exchange)
            for submission, why in self.classroom.misnamed(self.chosen, self.run.student):
                self._once(f"{submission.student[:40]!r} {submission.topic}: {why}")
            for graded in grade_round():
                self.write_line(graded.record)
                typer.echo(self.line_of(graded))
                if not graded.record.stored:
                    self._once(
                        f"Results wait in results/: {graded.record.reason}; they go into the gradebook when it can be written."
                    )
                self.then(graded)
        except WrongCourse as error:
            self._once(f"{FILE}: {error}")
        except (Busy, BadRoster, NoExchange) as error:
            self._once(f"{error}")

    def _collect(self, settings: ExchangeSettings) -> None:
        from ..classroom.exchange.collect import collect_exchange
        from ..classroom.policy.course import load_course, people_of

        course = load_course(self.classroom.home)
        plan, taken = collect_exchange(settings, self.classroom, course, people_of(course), known=self._taken)
        self._taken |= taken
        for item in plan.items:
            if item.why and item.action in ("left", "aside", "new", "replaces"):
                self._once(f"{item.student or item.file.path.parts[0][:80]!r} {item.topic}: {item.why}")

    def _once(self, words: str) -> None:
        if words not in self._printed:
            self._printed.add(words)
            typer.echo(words, err=True)

    def _learners(self, shared: Learners | None) -> contextlib.AbstractContextManager[Learners]:
        from ..classroom.policy.course import load_course
        from ..engine.fork_server import Learners

        if shared:
            return contextlib.nullcontext(shared)
        run = self.run
        return Learners(
            strongest=run.strongest,
            trusted=run.trusted,
            limits=run.limits,
            time_limits=run.time_limits,
            hidden=[self.classroom.home],
            topics=self.chosen,
            python=load_course(self.classroom.home).python,
        )
