"""Read where the course is published, from the table `[tool.embedding-course]` of pyproject.toml.

A course of somebody else has the table `[published]` in its `subject.toml` instead.

The setup cell of every notebook, the badges and the links follow from it. Change it there, and run `grader build`.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from embedding_course.subject.course import SUBJECT, course

from ..errors import UserError
from ..paths import ROOT

_FILE, _TABLE = (
    (ROOT / "pyproject.toml", ("tool", "embedding-course")) if course().ours else (course().home / SUBJECT, ("published",))
)
_GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_UNSAFE = re.compile(r"[\"'`$\\%\x00-\x1f]")


class WrongSetting(UserError, ValueError):
    """The table cannot be used; the message says which entry, and what belongs there."""


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the course is published.

    Attributes
    ----------
    repository
        The public address of the course on GitHub; empty if there is none.
    branch
        The branch to which badges and links lead.
    package
        What the setup cell installs if there is no wheel in the notebook's folder: a name on the package index or an address.
        Empty if the course is not published.
    """

    repository: str = ""
    branch: str = "main"
    package: str = ""

    @property
    def owner_and_name(self) -> str:
        """Return the repository as "owner/name"; empty while there is none."""
        match = _GITHUB.fullmatch(self.repository)
        return match[1] if match else ""


@cache
def read_setting(path: Path = _FILE) -> Setting:
    """Return the setting in `path`; missing values keep their defaults. Raise WrongSetting if it cannot be used."""
    where = f"[{'.'.join(_TABLE)}] in {path.name}"
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for name in _TABLE:
        table = table.get(name, {})
    try:
        setting = msgspec.convert(table, Setting)
    except msgspec.ValidationError as error:
        raise WrongSetting(f"{where}: {error}; it holds repository, branch and package, each a text.") from None
    if setting.repository and not setting.owner_and_name:
        raise WrongSetting(
            f"{where}: {setting.repository!r} is no address that Colab opens; "
            "repository is empty, or https://github.com/OWNER/NAME."
        )
    if not setting.branch.strip():
        raise WrongSetting(f"{where}: branch is empty; it names the branch that badges and links lead to.")
    for name in ("branch", "package"):
        if _UNSAFE.search(getattr(setting, name)):
            raise WrongSetting(f"{where}: {name} is {getattr(setting, name)!r}; it may not hold quotes, %, $ or backslashes.")
    return setting
