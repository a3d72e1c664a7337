"""List every meaning of the language, frame by frame; each verb and adjective has its own list of suitable nouns."""

from collections.abc import Iterator
from typing import Protocol

from . import circumstances, doings, questions, states, transfers

__all__ = ["FRAMES", "Meaning"]


class Meaning(Protocol):
    """Describe what can be said, and the forms in which it can be said."""

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        ...


#: Each frame yields its meanings, always in the same order.
FRAMES = (
    doings.things_done,
    doings.choices_made,
    doings.not_done_and_asked,
    doings.habits,
    circumstances.events_at_places,
    circumstances.journeys,
    circumstances.company,
    circumstances.manners,
    circumstances.animals,
    doings.wishes,
    transfers.gifts,
    transfers.things_put,
    transfers.mishaps,
    states.locations,
    states.there_is,
    states.qualities,
    states.comparisons,
    questions.what_and_where,
    questions.who,
)
