"""Keep the catalogues in `locale/` in step with the English texts, and compile them: `make locale`.

Each language has a folder of catalogues in gettext's form: `embedding_course.po` for the machinery, and one for each
notebook. `state.toml` beside them names the catalogues that are complete: in these a missing or stale entry is a fault.
"""

import io
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from embedding_course.checking import expected
from embedding_course.exercises import exercises_of
from embedding_course.files import atomic_write
from embedding_course.messages import CATALOGUES, DOMAIN
from embedding_course.subject.lessons import LESSONS, topics

from ..course_source.catalogue_file import sentences
from ..course_source.lesson import read_cells
from ..course_source.start_here import NAME as START_HERE
from ..paths import GRADERS_CATALOGUES, ROOT, SOLUTIONS
from .messages import (
    Extracted,
    glossary_messages,
    ledger_messages,
    machinery_messages,
    notebook_messages,
    start_here_messages,
)
from .translation_faults import faults_of

#: Codes that `set_language` takes, and the folders of their catalogues.
LANGUAGES = {"zh": "zh_CN"}
LOCALE = ROOT / "locale"
_WIDTH = 120
#: Catalogues carry no date, so that the same texts give the same bytes.
_NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class State:
    """What is known of one catalogue.

    Attributes
    ----------
    name : str
        Name of the catalogue.
    messages, missing, stale : int
        How many texts there are, how many have no translation, and how many translations belong to no text any more.
    faults : list of str
        One sentence for each translation that does not fit its text.
    complete : bool
        True if `state.toml` says that nothing may be missing.
    """

    name: str
    messages: int
    missing: int
    stale: int
    faults: list[str]
    complete: bool


def file_of(language: str, name: str) -> Path:
    """Return the path of a catalogue."""
    return LOCALE / LANGUAGES[language] / f"{name}.po"


def compiled_file(language: str, *, secret: bool = False) -> Path:
    """Return the path of the file that `set_language` reads, or of the one that only the grader has."""
    return (GRADERS_CATALOGUES if secret else CATALOGUES) / language / "LC_MESSAGES" / f"{DOMAIN}.mo"


def templates() -> dict[str, Catalog]:
    """Return one catalogue without translations for the machinery, the glossary, the ledger and each notebook, by name."""
    sources = {DOMAIN: machinery_messages(), "glossary": glossary_messages(), "claims": ledger_messages()}
    sources[START_HERE] = start_here_messages()
    sources |= {lesson.topic: notebook_messages(lesson) for lesson in LESSONS if lesson.written}
    return {name: _template(name, messages) for name, messages in sources.items()}


def _template(name: str, messages: Iterable[Extracted]) -> Catalog:
    catalogue = Catalog(project=name, domain=name, creation_date=_NO_DATE, revision_date=_NO_DATE)
    for message in messages:
        if message.text:
            catalogue.add(
                (message.text, message.several) if message.several else message.text,
                locations=[(message.path, message.line)],
                flags=["python-brace-format"] if message.has_slots else [],
                context=message.context or None,
            )
    return catalogue


def read(language: str, name: str) -> Catalog:
    """Return a catalogue, an empty one if there is no file yet."""
    path = file_of(language, name)
    if not path.exists():
        return Catalog(locale=LANGUAGES[language], domain=name)
    with path.open("rb") as file:
        return read_po(file, locale=LANGUAGES[language], domain=name)


def merged(language: str, name: str, template: Catalog) -> Catalog:
    """Return a catalogue with the texts that there are now; a translation without a text is kept at its end, as obsolete."""
    catalogue = read(language, name)
    catalogue.update(template, no_fuzzy_matching=True, update_header_comment=True)
    catalogue.header_comment = f"# {LANGUAGES[language]}: {name}"
    return _undated(catalogue)


def _undated(catalogue: Catalog) -> Catalog:
    """Return the catalogue with a head that says its language and nothing of people and dates."""
    catalogue.fuzzy = False
    catalogue.project, catalogue.version, catalogue.last_translator = DOMAIN, "", ""
    catalogue.language_team = catalogue.msgid_bugs_address = ""
    catalogue.creation_date = catalogue.revision_date = _NO_DATE
    return catalogue


def update(language: str) -> list[State]:
    """Write all catalogues of a language anew, with the texts that there are now, and return their states."""
    states = []
    for name, template in templates().items():
        catalogue = merged(language, name, template)
        path = file_of(language, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=_WIDTH, include_lineno=False, omit_header=False)
        states.append(state_of(language, name, catalogue))
    return states


def states(language: str) -> list[State]:
    """Return the states of all catalogues as they are now, without writing anything."""
    return [state_of(language, name, merged(language, name, template)) for name, template in templates().items()]


def state_of(language: str, name: str, catalogue: Catalog) -> State:
    """Return what is known of a catalogue that `merged` returned."""
    entries = [message for message in catalogue if message.id]
    done = [message for message in entries if is_translated(message)]
    faults = [f"{name}: “{_start(message)}”: {fault}" for message in done for fault in faults_of(message)]
    return State(name, len(entries), len(entries) - len(done), len(catalogue.obsolete), faults, name in complete(language))


def complete(language: str) -> frozenset[str]:
    """Return the names of the catalogues that are said to be complete."""
    path = LOCALE / LANGUAGES[language] / "state.toml"
    return frozenset(tomllib.loads(path.read_text(encoding="utf-8"))["complete"]) if path.exists() else frozenset()


def is_translated(message: Message) -> bool:
    """Return True if each form of a message has a text."""
    return all(message.string) if isinstance(message.string, (tuple, list)) else bool(message.string)


def _start(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return text[:60].replace("\n", " ")


def clashes(language: str) -> list[str]:
    """Return a sentence for each text without a context that two catalogues translate differently: one would hide the other."""
    seen: dict[str, tuple[str, str]] = {}
    sentences = []
    for name in _names(language):
        for message in read(language, name):
            if isinstance(message.id, str) and message.id and not message.context and is_translated(message):
                other, string = seen.setdefault(message.id, (name, str(message.string)))
                if string != message.string:
                    sentences.append(f"“{message.id[:60]}” is {string} in {other} and {message.string} in {name}")
    return sentences


def _names(language: str) -> list[str]:
    """Return the names of the catalogues that there are, that of the machinery first."""
    return [DOMAIN, *sorted({path.stem for path in file_of(language, DOMAIN).parent.glob("*.po")} - {DOMAIN})]


def compiled(language: str, *, secret: bool = False) -> bytes:
    """Return the translations of a language as one compiled catalogue.

    A text without a context means the same everywhere, so the first of several catalogues that have it decides.

    Parameters
    ----------
    language : str
    secret : bool, optional
        True for the texts that only instructors have: model answers, and sentences of mistakes that no public case shows,
        which may hold a line of the right answer. Otherwise all others.
    """
    whole = _undated(Catalog(locale=LANGUAGES[language], domain=DOMAIN))
    kept_back = instructors_texts()
    for name in _names(language):
        for message in read(language, name):
            wanted = bool(message.id) and ((message.context or "", message.id) in kept_back) == secret
            if wanted and is_translated(message) and whole.get(message.id, message.context) is None:
                whole.add(message.id, message.string, context=message.context)
    body = io.BytesIO()
    write_mo(body, whole)
    return body.getvalue()


def instructors_texts() -> frozenset[tuple[str, str]]:
    """Return context and text of what no learner gets."""
    texts = set()
    for topic in topics():
        cells = read_cells(SOLUTIONS / topic / "lesson.py")
        texts |= {(cell.key, cell.source) for cell in cells if cell.meta.get("model_answer")}
        built = [exercise for exercise in exercises_of(topic) if expected.file_of(exercise).exists()]
        prints = [mistake for exercise in built for mistake in expected.load(exercise).fingerprints]
        shipped = {text for mistake in prints for text in (mistake.diagnosis, mistake.next_step)}
        for path in (SOLUTIONS / topic / "mistakes").glob("*.py"):
            texts |= {("", sentence.text) for sentence in sentences(path) if sentence.text not in shipped}
    return frozenset(texts)


def compile_all() -> None:
    """Write the compiled catalogues of each language that are not as they should be."""
    for language in LANGUAGES:
        for secret in (False, True):
            path = compiled_file(language, secret=secret)
            body = compiled(language, secret=secret)
            if not path.exists() or path.read_bytes() != body:
                path.parent.mkdir(parents=True, exist_ok=True)
                atomic_write(path, body)


def main() -> None:
    """Bring the catalogues of all languages up to date, and print what is missing, stale or at fault."""
    for language in LANGUAGES:
        for state in update(language):
            counts = f"{state.messages} texts, {state.missing} missing, {state.stale} stale, {len(state.faults)} faults"
            print(f"{language} {state.name}: {counts}{', complete' if state.complete else ''}")
            for fault in state.faults:
                print(f"  {fault}")
        for sentence in clashes(language):
            print(sentence)
    compile_all()


if __name__ == "__main__":
    main()
