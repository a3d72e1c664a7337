"""Tables that people and platforms export as CSV: read in whatever style they have, and written back in the same one."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from embedding_course.files import atomic_write

from ..errors import UserError
from .platform_headings import count_known

_MAX_BYTES = 32 * 2**20
_SEPARATORS = (",", ";", "\t", "|")
#: A header is looked for in so many lines.
_ROWS_ABOVE = 20
#: A first line that names the separator for spreadsheets.
_SEP_LINE = re.compile(r'\s*"?sep=(.)"?[ ,;\t]*(?:\r\n|\r|\n|\Z)', re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_DECIMAL_COMMA, _DECIMAL_POINT = re.compile(r"-?\d+,\d+"), re.compile(r"-?\d+\.\d+")
#: What a file of another kind begins with, and what to call it.
_OTHER_KINDS = (
    (b"PK\x03\x04", "an Excel or LibreOffice workbook (or a zip file)"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"%PDF", "a PDF file"),
    (b"<", "a web page or XML"),
    (b"{", "JSON"),
    (b"\x1f\x8b", "a compressed file"),
)
#: Letters and signs that Western European names and headings have beyond ASCII. Those that Windows-1252 has for Icelandic are
#: left out: in files from Turkey and the Czech Republic the same bytes are other letters.
_WESTERN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿŠšŽžŒœŸ‘’“”„‚«»–—…·°º \u00a0")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
#: Signs within a word, which other encodings have instead of letters.
_SIGN_IN_WORD = re.compile(r"[^\W\d_][«»“”„‚‘–—…·°º]+[^\W\d_]")


class BadRoster(UserError, ValueError):
    """A file that is no list of students; the message says why."""


@dataclass
class Table:
    """A CSV file.

    `rows` are all rows as values of cells. `header_row` is the position of the header in them, and `lines` are the rows below
    it. `notes` say what the reader has to know.
    """

    separator: str
    encoding: str
    rows: list[list[str]]
    raw: list[list[str]] = field(repr=False)
    ends: list[str] = field(repr=False)
    header_row: int = 0
    first_line: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def header(self) -> list[str]:
        """Return the cells of the header."""
        return self.rows[self.header_row]

    @property
    def lines(self) -> list[list[str]]:
        """Return the rows below the header."""
        return self.rows[self.header_row + 1 :]

    def write(self, path: Path, rows: Sequence[Sequence[object]]) -> None:
        """Write `rows`, the header and the lines with other values, in the style of the file that was read.

        Its separator, encoding, quotation marks, line ends and decimal commas are kept. A cell with its old value is written
        as it stood there, sign by sign.
        """
        comma, quoted = self._has_decimal_commas(), self._quotes_all()
        text = [self.first_line]
        every = [*self.rows[: self.header_row], *rows]
        for index, row in enumerate(every):
            kept = self.raw[index]
            cells = [
                kept[column] if column < len(kept) and value == self.rows[index][column] else self._cell(value, comma, quoted)
                for column, value in enumerate(row)
                if column < len(kept) or len(kept) >= len(self.header) or any(row[column:])
            ]
            end = self.ends[index] or ("" if index == len(every) - 1 else self.ends[0])
            text.append(self.separator.join(cells) + end)
        atomic_write(path, "".join(text).encode(self.encoding))

    def _cell(self, value: object, comma: bool, quoted: bool) -> str:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        text = "" if value is None else f"{round(float(value), 4):.10g}" if isinstance(value, int | float) else str(value)
        text = text.replace(".", ",") if number and comma else text
        if quoted or any(sign in text for sign in (self.separator, '"', "\r", "\n")):
            return '"' + text.replace('"', '""') + '"'
        return text

    def _has_decimal_commas(self) -> bool:
        cells = [cell.strip() for row in self.lines for cell in row]
        return any(map(_DECIMAL_COMMA.fullmatch, cells)) and not any(map(_DECIMAL_POINT.fullmatch, cells))

    def _quotes_all(self) -> bool:
        cells = [cell.strip() for cell in self.raw[self.header_row] if cell.strip()]
        return bool(cells) and all(cell.startswith('"') for cell in cells)


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the header of a CSV file and the rows that are not empty.

    Raises
    ------
    BadRoster
        If the file is no table.
    """
    table = load_table(path)
    return table.header, [row for row in table.lines if any(row)]


def load_table(path: Path) -> Table:
    """Read a CSV file, whatever separates its cells and however its text is encoded.

    Lines above the header (a title, a date, `sep=;`) are not part of the table.

    Raises
    ------
    BadRoster
        If the file is no CSV file, or its encoding is not certain. The message is one sentence.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise BadRoster(f"{path.name} is far too large for a list of students.")
        content = path.read_bytes()
    except OSError as error:
        raise BadRoster(f"{path}: the file cannot be read ({error.strerror}).") from None
    text, encoding, notes = _decoded(content, path.name)
    if not text.strip():
        raise BadRoster(f"{path.name} is empty.")
    match = _SEP_LINE.match(text)
    first_line = match[0] if match else ""
    text = text[len(first_line) :]
    if not text.strip():
        raise BadRoster(f"{path.name} is empty.")
    tables = [_split(text, separator) for separator in ([match[1]] if match else _SEPARATORS)]
    scored = [(*_find_header(rows), -index) for index, (rows, _, _) in enumerate(tables)]
    *_, above, index = max(scored)
    rows, raw, ends = tables[-index]
    separator = match[1] if match else _SEPARATORS[-index]
    return Table(separator, encoding, rows, raw, ends, above, first_line, notes)


def read_number(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or a decimal comma, or None if there is none.

    >>> read_number("20,00"), read_number(" 18.5 "), read_number("1.234,50"), read_number("EX")
    (20.0, 18.5, 1234.5, None)
    """
    bare = re.sub(r"[\s'’]", "", unicodedata.normalize("NFKC", text))
    if "," in bare and "." in bare:  # the one further right is the decimal sign
        thousands = "," if bare.rindex(",") < bare.rindex(".") else "."
        bare = bare.replace(thousands, "")
    return float(bare.replace(",", ".")) if _NUMBER.fullmatch(bare) else None


def _decoded(content: bytes, name: str) -> tuple[str, str, list[str]]:
    """Return the text, the encoding in which it can be written back, and what has to be said of it."""
    kind = next((kind for start, kind in _OTHER_KINDS if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start)), "")
    if kind:
        raise BadRoster(f"{name} is {kind}, not a CSV file: open it in a spreadsheet and save it as CSV (UTF-8).")
    encoding = _unicode_encoding(content)
    try:
        text = content.decode(encoding)
        if "\x00" in text:
            raise BadRoster(f"{name} is not text; export it as CSV (UTF-8).")
        return text, encoding, []
    except UnicodeDecodeError:
        pass
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        text = ""
    runs = _BEYOND_ASCII.findall(text)
    western = all(set(run) <= _WESTERN and (len(run) == 1 or (len(run) == 2 and "ø" not in run)) for run in runs)
    western = western and not _SIGN_IN_WORD.search(text)
    if not text or encoding != "utf-8" or not western:
        raise BadRoster(
            f"{name} is not UTF-8 text, and in which other encoding it is cannot be told for certain; export it as CSV (UTF-8)."
        )
    example = next(word for word in re.findall(r"[^\s,;|\"]+", text) if _BEYOND_ASCII.search(word))
    message = f"{name} is not UTF-8 text; it was read as Windows-1252 (“{example}”). If that is wrong, save it as CSV (UTF-8)."
    return text, "cp1252", [message]


def _unicode_encoding(content: bytes) -> str:
    """Return the Unicode encoding that a file declares, or that the positions of its zero bytes show."""
    if content.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    even, odd = content[:2000:2].count(0), content[1:2000:2].count(0)
    if even + odd and not len(content) % 2:
        return "utf-16-le" if odd > even else "utf-16-be"
    return "utf-8"


def _split(text: str, separator: str) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """Return the rows of a text, the same rows as they are written, and the line end of each row.

    A quotation mark that is never closed is treated as an ordinary character.
    """
    mark = re.escape(separator)
    quoted = rf' *"[^"]*(?:""[^"]*)*"(?= *(?:{mark}|[\r\n]|\Z))'
    cell = re.compile(rf"((?:{quoted})?[^{mark}\r\n]*)({mark}|\r\n|\r|\n|\Z)")
    rows, raw, ends = [], [], []
    values: list[str] = []
    written: list[str] = []
    position = 0
    while position < len(text):
        match = cell.match(text, position)
        assert match is not None  # every part may be empty
        written.append(match[1])
        values.append(_value(match[1]))
        position = match.end()
        if match[2] != separator:
            rows.append(values)
            raw.append(written)
            ends.append(match[2])
            values, written = [], []
    if values:  # the text ends behind a separator
        rows.append([*values, ""])
        raw.append([*written, ""])
        ends.append("")
    return rows, raw, ends


def _value(raw: str) -> str:
    bare = raw.strip(" ")
    return bare[1:-1].replace('""', '"') if len(bare) > 1 and bare[0] == bare[-1] == '"' else raw


def _find_header(rows: Sequence[Sequence[str]]) -> tuple[int, int, int]:
    """Return how many of a table's columns are known, how many it has, and how many rows stand above its header.

    The header is the row with the most known columns of those that have more filled cells than each row above them; else the
    first row that holds anything.
    """
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows[:_ROWS_ABOVE]]
    wider = [index for index, count in enumerate(filled) if count > max(filled[:index], default=0)]
    known = {index: count_known(rows[index]) for index in wider}
    chosen = max(wider, key=lambda index: (known[index], -index), default=0)
    return known.get(chosen, 0), filled[chosen] if known.get(chosen) else len(rows[chosen]), chosen
