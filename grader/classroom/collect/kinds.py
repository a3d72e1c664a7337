"""What a file is by its name: perhaps a notebook, work in a form that cannot be graded, or something that lies beside work."""

import re
from pathlib import PurePosixPath

from embedding_course.files import STATE_FOLDER

from .archive_endings import bare, is_archive

#: What a learner's progress file is called, and nbgrader's file with the time of submission.
PROGRESS, STAMP = "progress.json", "timestamp.txt"
_SYSTEM_FOLDERS = frozenset(
    {"__macosx", ".git", ".venv", "venv", "node_modules", "__pycache__", ".vscode", ".idea", ".trash", "$recycle.bin"}
)
_SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".gitignore", ".gitattributes", ".gitkeep"})
_CHECKPOINTS = ".ipynb_checkpoints"
_NOTEBOOK = re.compile(r"\.ipynb(?![a-z])", re.IGNORECASE)
_ONLINE_TEXT = re.compile(r"onlinetext(?:_.*)?\.html?|.*_(?:text|link|submissionText)\.html?", re.IGNORECASE)
_ONLY_THE_NOTEBOOK = "ask for the notebook itself (.ipynb)"
#: By ending, what a file is and what to ask its student for.
_ASK = {
    (".py", ".r", ".jl", ".m"): f"a script has no cells; {_ONLY_THE_NOTEBOOK}",
    (".pdf", ".html", ".htm", ".mht", ".mhtml", ".tex", ".md"): f"a print-out cannot be graded; {_ONLY_THE_NOTEBOOK}",
    (".rar", ".7z", ".zipx", ".ace", ".arj", ".cab", ".lzh", ".zst", ".iso", ".dmg", ".sitx"):
        "an archive of a kind that is not opened; unpack it and give the folder, or ask for a .zip",
    (".gdoc", ".gsheet", ".gslides", ".gcolab", ".url", ".webloc", ".lnk", ".desktop", ".website"):
        "a link to a file and not the file; ask for File > Download > .ipynb",
    (".doc", ".docx", ".odt", ".rtf", ".pages", ".ppt", ".pptx", ".xls", ".xlsx"):
        f"a document of an office program; {_ONLY_THE_NOTEBOOK}",
    (".crdownload", ".part", ".partial", ".download", ".tmp"): f"a download that broke off; {_ONLY_THE_NOTEBOOK} again",
    (".eml", ".msg"): "a mail; save the file attached to it, or ask for the notebook (.ipynb)",
}  # fmt: skip
_BY_ENDING = {ending: sentence for endings, sentence in _ASK.items() for ending in endings}


def is_of_the_system(path: PurePosixPath) -> bool:
    """Return True if an operating system or a tool made the file, and nobody handed it in.

    >>> is_of_the_system(PurePosixPath("__MACOSX/ada/._03.ipynb")), is_of_the_system(PurePosixPath("ada/03.ipynb"))
    (True, False)
    """
    folders = {part.casefold() for part in path.parts[:-1]}
    name = path.name.casefold()
    return bool(folders & _SYSTEM_FOLDERS) or name in _SYSTEM_FILES or name.startswith(("._", "~$"))


def is_checkpoint(path: PurePosixPath) -> bool:
    """Return True if it is a copy that Jupyter keeps of its own accord."""
    return _CHECKPOINTS in (part.casefold() for part in path.parts)


def may_be_notebook(path: PurePosixPath) -> bool:
    """Return True if the content may be a notebook, so that it is worth reading.

    >>> [may_be_notebook(PurePosixPath(name)) for name in ("a.ipynb", "a.ipynb.txt", "a", "a.json", "a.pdf")]
    [True, True, True, True, False]
    """
    name = path.name
    if name in (PROGRESS, STAMP) or STATE_FOLDER in path.parts:
        return False
    if ask_for(path):
        return False
    return bool(_NOTEBOOK.search(name)) or PurePosixPath(name).suffix.casefold() in ("", ".json", ".txt") or _ends_oddly(name)


def _ends_oddly(name: str) -> bool:
    """Return True if what follows the last dot is no ending, as in `homework_07.03.2026` or `03 max norm v2.final copy`."""
    return not re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{0,9}|\.7z", PurePosixPath(name).suffix)


def calls_itself_notebook(path: PurePosixPath) -> bool:
    """Return True if the name holds `.ipynb`."""
    return bool(_NOTEBOOK.search(path.name)) and not ask_for(path)


def ask_for(path: PurePosixPath) -> str:
    """Return what to ask a student who handed in such a file, or an empty string if its name does not tell.

    >>> ask_for(PurePosixPath("work.rar"))
    'an archive of a kind that is not opened; unpack it and give the folder, or ask for a .zip'
    """
    if path.stem.casefold() == "readme":
        return ""
    if _is_online_text(path):
        return f"text typed into the platform; {_ONLY_THE_NOTEBOOK}"
    return _BY_ENDING.get(PurePosixPath(path.name).suffix.casefold(), "")


def _is_online_text(path: PurePosixPath) -> bool:
    """Return True if it is what a platform wrote of a text typed into it."""
    return bool(_ONLINE_TEXT.fullmatch(path.name)) or "_assignsubmission_onlinetext" in str(path.parent)


def is_work(path: PurePosixPath) -> bool:
    """Return True if it is work of a student's by its name: a notebook, an archive, or work in another form."""
    return calls_itself_notebook(path) or is_archive(path.name) or bool(ask_for(path))


def stem_of(name: str) -> str:
    """Return a file's name without the endings that say what it is.

    >>> stem_of("abl03.ipynb.txt"), stem_of("work.tar.gz"), stem_of("homework_07.03.2026.ipynb")
    ('abl03', 'work', 'homework_07.03.2026')
    """
    name = bare(name)
    match = _NOTEBOOK.search(name)
    if match and match.start() > 0:
        return name[: match.start()] + re.sub(r"(?:\.(?:txt|json|html?))+$", "", name[match.end() :], flags=re.IGNORECASE)
    return name if _ends_oddly(name) else PurePosixPath(name).stem
