"""The names that learning platforms give to entries, one reader for each platform.

Names at any other depth than the platform's, and whatever lies inside an archive or a folder of a student's own, are the
student's: they may say which notebook a file is, and never whose.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from embedding_course.subject.lessons import LESSONS

from ..roster import CANVAS, MOODLE
from .handed_in_file import Claim
from .kinds import stem_of
from .plain_names import full_topic_in, names_nobody, turn_of

#: Reads the part of a path at a depth, given the name of what the path lies in; None where the platform did not write it.
Reader = Callable[[Sequence[str], int, str], Claim | None]

MOODLE_NAME = re.compile(r"(?P<name>.+?)(?:_(?P<number>\d+))?_assignsubmission_[a-z]+(?:_(?P<rest>.*))?", re.IGNORECASE)
#: Canvas's numbers never begin with 0, and are no year and month.
CANVAS_NAME = re.compile(
    r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?!(?:19|20)\d\d_\d{1,2}[_.])(?P<user>[1-9]\d*)_(?P<upload>[1-9]\d*)_(?P<rest>.+)"
)
_CANVAS_TEXT = re.compile(r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<user>[1-9]\d*)_(?P<rest>(?:text|link|media)\.\w+)")
_CANVAS_ANONYMOUS = re.compile(r"anon(?P<late>_LATE)?_(?P<user>[0-9A-Za-z]+)_(?P<upload>[1-9]\d*)_(?P<rest>.+)")
_BLACKBOARD = re.compile(r"(?P<who>.+)_attempt_(?P<when>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<rest>.+)|(?P<summary>\.txt))")
_BRIGHTSPACE = re.compile(
    r"(?P<user>\d+)-(?P<folder>\d+) - (?P<name>.+?) ?- (?P<when>[^-]*\b\d{4}\b[^-]*?)(?: - (?P<rest>.+))?"
)
_SAKAI = re.compile(r"(?P<last>[^/(),]+), ?(?P<first>[^/(),]+?) ?\((?P<login>[^()/]+)\)(?:_submissionText\.html?)?")
_ILIAS = re.compile(r"(?P<last>[^_/]+)_(?P<first>[^_/]+)_(?P<login>[^/]+)_(?P<user>\d+)")
_ILIAS_TEAM = re.compile(r"Team[ _](?P<number>\d+)", re.IGNORECASE)
_GRADESCOPE = re.compile(r"submission_(?P<number>\d+)")
_SUBMISSIONS = re.compile(r"(?P<assignment>.+?)-submissions(?:\W.*)?")
_FORMS = re.compile(r"(?P<work>.+) - (?P<name>[^\d\W][^/]*?)(?: ?\(\d{1,3}\))?")
_PARTICIPANT = re.compile(r"participant|teilnehmer(?:[/*_]?in)?|participante?|参与者|参加者|成员", re.IGNORECASE)
_COPY = frozenset({"copy", "kopie", "copie", "copia", "副本"})
_REVEAL = "let the platform show the names, download again, and collect that"


def _rest(parts: Sequence[str], depth: int, rest: str | None = None) -> tuple[str, ...]:
    """Return what a student called the work: the names below the entry, or what the platform's name ends in."""
    below = tuple(parts[depth + 1 :])
    return (*((rest,) if rest else ()), *below)


def _moodle(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read Full Name_12345_assignsubmission_file_/03_max_norm.ipynb, or the older flat form."""
    match = MOODLE_NAME.fullmatch(parts[depth])
    if not match:
        return None
    name, number = match["name"].strip(), match["number"] or ""
    rest = _rest(parts, depth, match["rest"])
    claim = Claim("moodle", name, number=number, label=rest, turn=turn_of(rest[-1]) if rest else 0)
    if _PARTICIPANT.fullmatch(name):
        return replace(claim, name=f"{name} {number}", words=(MOODLE + number,), problem=_blind("Moodle"))
    return replace(claim, words=(MOODLE + number, name) if number else (name,), team=not number)


def _canvas(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read lovelaceada_LATE_12345_67890_03_max_norm-1.ipynb."""
    part = parts[depth]
    match = _CANVAS_ANONYMOUS.fullmatch(part)
    if match:
        claim = Claim("canvas", f"anon_{match['user']}", number=match["user"], label=_rest(parts, depth, match["rest"]))
        turn = int(match["upload"]) * 1000 + turn_of(match["rest"])
        return replace(claim, late=bool(match["late"]), turn=turn, problem=_blind("Canvas"))
    match = CANVAS_NAME.fullmatch(part)
    if match and full_topic_in(f"{match['upload']}_{match['rest']}"[:40]) and not full_topic_in(match["rest"]):
        return None  # ada_1_10_tsne_visualisation.ipynb holds a notebook's number and not an upload's
    upload = match["upload"] if match else "0"
    match = match or _CANVAS_TEXT.fullmatch(part)
    if not match:
        return None
    return Claim(
        "canvas",
        match["name"],
        (CANVAS + match["user"], match["name"]),
        match["user"],
        _rest(parts, depth, match["rest"]),
        bool(match["late"]),
        turn=int(upload) * 1000 + turn_of(match["rest"]),
    )


def _blackboard(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read Homework 3_ada_attempt_2026-03-05-18-00-00_03_max_norm.ipynb; a login may hold an underscore."""
    match = _BLACKBOARD.fullmatch(parts[depth])
    if not match or "_" not in match["who"]:
        return None
    pieces = match["who"].split("_")
    logins = ["_".join(pieces[start:]) for start in range(len(pieces) - 1, 0, -1)]
    when = _moment(match["when"], "%Y-%m-%d-%H-%M-%S")
    return Claim("blackboard", logins[0], tuple(logins), label=_rest(parts, depth, match["rest"]), when=when)


def _brightspace(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read 12345-67890 - Ada Lovelace - Mar 5, 2026 600 PM/03_max_norm.ipynb, or all of it in a file's name."""
    match = _BRIGHTSPACE.fullmatch(parts[depth])
    if not match:
        return None
    text = re.sub(r"\b(\d{1,2}):?(\d\d)(?: ?([AP]M))?$", r"\1:\2 \3", match["when"].replace(",", "").strip()).strip()
    forms = [f"{day} %Y {hour}" for day in ("%b %d", "%d %b", "%B %d", "%d %B") for hour in ("%I:%M %p", "%H:%M")]
    when = next(filter(None, (_moment(text, form) for form in forms)), None)
    number = f"{match['user']}-{match['folder']}" if match["user"] else ""
    return Claim(
        "brightspace", match["name"].strip(), (match["name"].strip(),), number, _rest(parts, depth, match["rest"]), when=when
    )


def _sakai(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read Homework 3/Lovelace, Ada(ada)/Submission attachment(s)/03_max_norm.ipynb."""
    match = _SAKAI.fullmatch(parts[depth])
    if not match:
        return None
    name = f"{match['first'].strip()} {match['last'].strip()}"
    return Claim("sakai", match["login"].strip(), (match["login"].strip(), name), label=_rest(parts, depth))


def _gradescope(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read assignment_12_export/submission_345/03_max_norm.ipynb; a file beside the folders says whose it is."""
    match = _GRADESCOPE.fullmatch(parts[depth])
    if not match or depth == len(parts) - 1:
        return None
    why = "Gradescope names nobody in its folders: keep submission_metadata.yml beside them, where it says whose each is"
    return Claim("gradescope", parts[depth], label=_rest(parts, depth), turn=int(match["number"]), problem=why)


def _ilias(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read Abgaben/Lovelace_Ada_ada_12345/20260305180000_03_max_norm.ipynb, which lies below Team 12 if teams hand in."""
    if _ILIAS_TEAM.fullmatch(parts[depth]) and depth + 2 < len(parts) and _ILIAS.fullmatch(parts[depth + 1]):
        return _ilias(parts, depth + 1, root)
    match = _ILIAS.fullmatch(parts[depth])
    if not match or depth == len(parts) - 1 or full_topic_in(parts[depth]):
        return None
    stamp = re.match(r"(\d{14})_", parts[-1])
    label = (*parts[depth + 1 : -1], parts[-1][15:] if stamp else parts[-1])
    name = f"{match['first']} {match['last']}"
    return Claim("ilias", match["login"], (match["login"], name), label=label, turn=int(stamp[1]) if stamp else 0)


def _google(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read work - Ada Lovelace.ipynb, as Google Forms calls an upload."""
    match = _FORMS.fullmatch(stem_of(parts[depth])) if depth == len(parts) - 1 else None
    if not match or match["name"].casefold() in _COPY or names_nobody(match["name"]):
        return None
    return Claim("google", match["name"], (match["name"],), label=(match["work"],), turn=turn_of(stem_of(parts[depth])))


def _github(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read max-norm-submissions/max-norm-adal/03_max_norm.ipynb."""
    above = parts[depth - 1] if depth else root
    match = _SUBMISSIONS.fullmatch(above)
    start = match["assignment"] if match else ""
    if depth == len(parts) - 1 or not start or not parts[depth].startswith(f"{start}-"):
        return None
    login = parts[depth][len(start) + 1 :]
    return Claim("github", login, (login,), label=(start, *parts[depth + 1 :])) if login else None


def _nbgrader(parts: Sequence[str], depth: int, root: str) -> Claim | None:
    """Read ada/03_max_norm/03_max_norm.ipynb."""
    if len(parts) < depth + 3 or not any(parts[depth + 1] == lesson.topic for lesson in LESSONS):
        return None
    return Claim("nbgrader", parts[depth], (parts[depth],), label=tuple(parts[depth + 1 :]))


def _blind(platform: str) -> str:
    return f"{platform} has left the names out (anonymous grading): {_REVEAL}"


def _moment(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(" ".join(text.split()), form)
    except ValueError:
        return None


#: Names that nobody chooses by chance: they are seen at any depth.
PLATFORMS: dict[str, Reader] = {
    "moodle": _moodle,
    "canvas": _canvas,
    "blackboard": _blackboard,
    "brightspace": _brightspace,
    "sakai": _sakai,
    "gradescope": _gradescope,
    "nbgrader": _nbgrader,
}
#: All of them; those of the others are seen only where the outermost names stand.
READERS: dict[str, Reader] = {**PLATFORMS, "github": _github, "ilias": _ilias, "google": _google}
