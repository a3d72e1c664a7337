"""The commands, one module each.

A caller in the same process may hand over warm learners as the context's `obj`; commands that want ordinary ones use those.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: a grade must not depend on the machine

import typer

from embedding_course.subject.titles import TITLE

from .attack import attack
from .audit import audit
from .build import build
from .class_ import class_
from .class_forget import forget
from .class_keep import backup, restore
from .collect import collect
from .curves import curves
from .demo import demo
from .doctor import doctor
from .export import export
from .feedback import feedback
from .figures import figures
from .grade import grade
from .lab import lab
from .mistake import mistake
from .new import new
from .options import course_option
from .package import package
from .project import project
from .receipt import receipt
from .regrade import regrade
from .release import release
from .report import report
from .report_problem import report_problem
from .sentences import Commands
from .similar import similar
from .site import site
from .submit import submit
from .terminal import echo
from .try_ import try_

__all__ = ["app"]

typer.echo = echo  # all commands print through it, so that no name in what they print can steer a terminal

app = typer.Typer(
    cls=Commands, help=f"Build, grade and examine the course “{TITLE}”.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False,
)  # fmt: skip
app.callback()(course_option)
app.command()(build)
app.command("try")(try_)
app.command("report-problem")(report_problem)
app.command()(audit)
app.command()(grade)
app.command()(feedback)
app.command()(regrade)
app.command()(similar)
app.command()(new)
app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(attack)
app.command()(demo)
app.command()(report)
app.command()(curves)
app.command()(figures)
app.command()(lab)
app.command()(doctor)
app.command()(submit)
app.command()(receipt)
app.command()(release)
app.command()(site)
class_.command()(forget)
class_.command()(backup)
class_.command()(restore)
app.add_typer(class_, name="class")
app.add_typer(mistake, name="mistake")
app.add_typer(package, name="package")
app.add_typer(project, name="project")
app.command()(collect)
app.command()(export)
