"""Where the exchange is and what holds for it: nbgrader's own configuration, as its own commands read it."""

import contextlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nbgrader.apps.baseapp import NbGrader
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import Exchange, ExchangeCollect
from traitlets.config import Config

from embedding_course.subject.titles import COURSE_ID

from ...errors import PhraseError

_Kind = TypeVar("_Kind", bound=Exchange)


class NoExchange(PhraseError, RuntimeError):
    """The exchange cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class ExchangeSettings:
    """nbgrader's configuration of one class; `root` is the exchange's folder, `course_id` the course's name in it."""

    config: Config
    root: Path
    course_id: str
    check_owner: bool

    @property
    def inbound(self) -> Path:
        """Return where submissions arrive, one folder each: `{student}+{notebook}+{time}+{random}`."""
        return self.root / self.course_id / "inbound"

    def run(self, kind: type[_Kind], topic: str, **folders: Any) -> None:
        """Let one of nbgrader's exchange converters handle a notebook without output.

        Parameters
        ----------
        kind : type
            Class of the converter.
        topic : str
            Name of the notebook.
        **folders : Any
            Further traits of nbgrader's CourseDirectory, such as `root`.

        Raises
        ------
        NoExchange
            If the converter fails. The message holds what it said.
        """
        folder = CourseDirectory(config=self.config)
        for name, value in {"course_id": self.course_id, "assignment_id": topic, "student_id": "*", **folders}.items():
            setattr(folder, name, value)
        converter = kind(coursedir=folder, authenticator=Authenticator(config=self.config), config=self.config, log=_quiet())
        if "force" in converter.trait_names():
            converter.force = True  # type: ignore[attr-defined] - a trait of the one that releases
        try:
            converter.start()
        except ExchangeError as error:
            raise NoExchange(f"nbgrader's exchange in {self.root} says: {error}") from None
        except OSError as error:
            raise NoExchange(f"nbgrader's exchange in {self.root} cannot be written ({error})") from None


def read_settings(home: Path) -> ExchangeSettings:
    """Return the nbgrader settings of the class in `home`: its nbgrader_config.py and the settings of the whole machine.

    Raises
    ------
    NoExchange
        If the settings cannot be read, or the exchange that they name does not exist.
    """
    app = NbGrader()
    app.raise_config_file_errors = True
    try:
        with contextlib.chdir(home):
            app.load_config_file()
        exchange = ExchangeCollect(config=app.config, log=_quiet())
        course_id = CourseDirectory(config=app.config).course_id or COURSE_ID
    except (Exception, SystemExit) as error:  # whatever a configuration file does
        raise NoExchange(f"nbgrader's configuration cannot be followed ({type(error).__name__}: {error})") from None
    root = Path(exchange.root)
    if not root.is_dir():
        raise NoExchange(
            f"there is no exchange folder {root}: make it (mode 0777), or name another in nbgrader_config.py as c.Exchange.root"
        )
    return ExchangeSettings(app.config, root, course_id, exchange.check_owner)


def _quiet() -> logging.Logger:
    """Return a logger that drops nbgrader's messages; errors are raised as exceptions."""
    logger = logging.getLogger("grader.exchange")
    logger.propagate = False
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return logger
