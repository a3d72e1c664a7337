"""Train the two tables of notebook 05's translator with attention, as in the lesson."""

from functools import cache

from ...learner.own_tables import Table, keep_table
from .translation import CHINESE, ENGLISH, Setting, train
from .translator import Translator


def _tables_of(model: Translator) -> dict[str, Table]:
    """Return the tables by the names under which they are kept."""
    return {
        "05_chinese": Table(model.source_table.weight.detach(), CHINESE().words),
        "05_english": Table(model.target_table.weight.detach(), ENGLISH().words),
    }


def keep_tables(model: Translator) -> None:
    """Keep both tables for later notebooks."""
    for name, table in _tables_of(model).items():
        keep_table(name, table.vectors, table.words)


@cache
def _trained() -> dict[str, Table]:
    return _tables_of(train(Setting()).model)


def chinese_table() -> Table:
    """Return the table of the Chinese words."""
    return _trained()["05_chinese"]


def english_table() -> Table:
    """Return the table of the English words."""
    return _trained()["05_english"]
