"""Collect from nbgrader's exchange into submitted/, by the rules that hold for archives too."""

from collections.abc import Collection
from dataclasses import replace

from embedding_course.files import atomic_write

from ..class_folder import Classroom
from ..collect.archive import Contents
from ..collect.kinds import STAMP
from ..collect.plan import Plan, Wish, make_plan
from ..collect.store_files import SECRET, carry_out
from ..policy.course import Course
from ..roster import Roster
from .inbound import Arrival, arrivals, files_of, refused, secret_of
from .settings import ExchangeSettings


def collect_exchange(
    settings: ExchangeSettings,
    classroom: Classroom,
    course: Course,
    roster: Roster,
    wish: Wish | None = None,
    *,
    dry_run: bool = False,
    known: Collection[str] = (),
) -> tuple[Plan, set[str]]:
    """Take the newest submission of each student for each notebook of the class from the exchange.

    Nothing in the exchange is changed.

    Parameters
    ----------
    settings : ExchangeSettings
    classroom : Classroom
    course : Course
    roster : Roster
    wish : Wish, optional
        What the instructor asked for; its layout is not used.
    dry_run : bool, optional
        True if nothing is to be written.
    known : collection of str, optional
        Names of folders in the exchange that are not looked at.

    Returns
    -------
    plan
        The plan as it was carried out.
    folders
        Names of folders in the exchange that need no second look.

    Raises
    ------
    NoExchange
        If the exchange cannot be read.
    OSError
        If a submission cannot be written. Whatever was there is then still there.
    """
    new_arrivals = arrivals(settings, course.topics, known)
    taken = {
        files[0].path: new_arrival
        for new_arrival in new_arrivals
        if not new_arrival.problem
        for files in [files_of(new_arrival)]
    }
    files = [
        file
        for new_arrival in new_arrivals
        for file in ([refused(new_arrival)] if new_arrival.problem else files_of(new_arrival))
    ]
    contents = Contents("exchange", sorted(files, key=lambda file: file.path))
    plan = make_plan(contents, classroom, course, roster, replace(wish or Wish(), layout="nbgrader"))
    plan.layout = "exchange"
    plan.items = [item for item in plan.items if item.file.path.name != STAMP]  # made for the plan, and no file of anybody's
    by_place = {index: taken[item.file.path] for index, item in enumerate(plan.items) if item.file.path in taken}
    for index, arrival in by_place.items():
        item = plan.items[index]
        if item.taken and item.action != "unchanged" and arrival.note:
            plan.items[index] = replace(item, why="; ".join(filter(None, (item.why, arrival.note))))
    if dry_run:
        return plan, set()
    carry_out(plan, classroom)
    done = {index: arrival for index, arrival in by_place.items() if plan.items[index].action != "left"}
    for index, arrival in done.items():
        _keep_secret(plan, index, arrival, classroom)
    return plan, {arrival.folder.name for arrival in done.values()}


def _keep_secret(plan: Plan, index: int, arrival: Arrival, classroom: Classroom) -> None:
    """Store the secret beside the submission so that only the instructor can read it: it gives access to the feedback."""
    item, secret = plan.items[index], secret_of(arrival)
    if item.taken and secret and (item.team is None or item.student == item.claim.name):  # each page has a name of its own
        atomic_write(classroom.submitted / item.student / item.topic / SECRET, secret, mode=0o600)
