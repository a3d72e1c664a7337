"""Express meanings as sentences: the same meaning in the word order of each language."""

from .event import ASK, NO, YES, Event
from .question import What, Where, Who
from .state import Compared, Described, Exists, Located
from .transfer import Gift, Handover, Mishap, Request
from .wish import CAN, LIKE, WANT, Wish

__all__ = [
    "ASK", "CAN", "LIKE", "NO", "WANT", "YES", "Compared", "Described", "Event", "Exists", "Gift", "Handover", "Located",
    "Mishap", "Request", "What", "Where", "Who", "Wish",
]
