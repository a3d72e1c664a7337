"""Where the course is published: the table `[tool.embedding-course]` of pyproject.toml, and nowhere else. Of a course of
one's own it is the table `[published]` of its `subject.toml`.

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
    """`repository` is the public address of the course on GitHub, or empty while it has none; `branch` the branch that
    people are sent to; `package` what the setup cell installs where no wheel lies beside the notebook: a name on the package
    index, an address, or empty while it is published nowhere."""

    repository: str = ""
    branch: str = "main"
    package: str = ""

    @property
    def owner_and_name(self) -> str:
        """Return the repository as "owner/name"; empty while there is none."""
        found = _GITHUB.fullmatch(self.repository)
        return found[1] if found else ""


@cache
def read_setting(path: Path = _FILE) -> Setting:
    """Return the setting as it stands in `path`; what is missing there keeps its default. WrongSetting when it cannot be
    used."""
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
