"""Moments as people and platforms write them: dateutil's English and ISO forms, and Moodle's in some other languages."""

import re
import unicodedata
from datetime import datetime

from dateutil import parser

#: The months in English, German, French and Spanish, without accents; whole words, since a beginning may be another language's.
_MONTHS = (
    "january jan januar janner janvier janv enero ene",
    "february feb februar feber fevrier fevr fev febrero",
    "march mar marz maerz mrz mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug aout agosto ago",
    "september sept sep septembre septiembre setiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dic",
)
_CHINESE = re.compile(
    r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?[\s,]*(?:\(?(?:星期|周|礼拜)[一二三四五六日天]\)?)?[\s,]*"
    r"(凌晨|早上|上午|中午|下午|晚上)?\s*(\d{1,2})\s*[:时点]\s*(\d{1,2})\s*分?(?::(\d{2}))?\s*"
)
_WRITTEN_OUT = re.compile(
    r"(?:[^\W\d]+\.?,?\s+)?(?P<day>\d{1,2})(?:\.|er)?\s+(?:de\s+)?(?P<month>[^\W\d]+)\.?\s+(?:del?\s+)?(?P<year>\d{4}),?\s+"
    r"(?:(?:um|a|a las|a la)\s+)?(?P<hour>\d{1,2})(?::|\s?h\s?)(?P<minute>\d{2})(?::(?P<second>\d{2}))?\s*(?:Uhr\b)?\s*",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?=\D|$),?")
_EITHER = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}(?=\D|$)")
_HALF = re.compile(r"\b([ap])\.?\s?m\b\.?", re.IGNORECASE)


def read_moment(text: str) -> datetime:
    """Return the moment that a text says, or raise ValueError or OverflowError if it says none or might say two.

    >>> read_moment("Donnerstag, 5. März 2026, 18:00") == read_moment("2026年3月5日 星期四 18:00")
    True
    """
    text = unicodedata.normalize("NFKC", text).strip()
    return parser.parse(_chinese(text) or _european(text) or _numbers(text))


def _chinese(text: str) -> str:
    match = _CHINESE.match(text)
    if not match:
        return ""
    year, month, day, half, hour, minute, second = match.groups()
    late = half in ("下午", "晚上") or (half == "中午" and int(hour) < 11)
    hours = int(hour) + 12 if late and int(hour) < 12 else 0 if half in ("凌晨", "上午") and int(hour) == 12 else int(hour)
    return f"{year}-{month}-{day} {hours}:{minute}:{second or '00'} {text[match.end() :]}"


def _european(text: str) -> str:
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    match = _WRITTEN_OUT.match(plain)
    month = _month(match["month"].casefold()) if match else 0
    if match is None or not month:
        return ""
    fields = match.groupdict(default="00")
    rest = _HALF.sub(r"\1m", plain[match.end() :])
    return f"{fields['year']}-{month}-{fields['day']} {fields['hour']}:{fields['minute']}:{fields['second']} {rest}"


def _month(word: str) -> int:
    return next((number for number, words in enumerate(_MONTHS, 1) if word in words.split()), 0)


def _numbers(text: str) -> str:
    """Return the text with dotted dates in ISO form, or raise ValueError if a date with slashes can be read in two ways.

    In dates with dots the day comes first. In dates with slashes the order differs between countries.
    """
    either = _EITHER.match(text)
    if either and max(int(either[1]), int(either[2])) <= 12 and int(either[1]) != int(either[2]):
        raise ValueError(text)
    return _DOTTED.sub(r"\3-\2-\1", text, count=1)
