"""Provide published models to tests: where one is missing, the test is skipped, or fails where all are to be there."""

import os
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import pytest

from embedding_course.data.published import BertModel, PublishedError, StaticTable, WordVectors, glove, minilm, static_table

T = TypeVar("T")
#: Continuous integration sets this variable, so that no test of a published model is skipped there.
REQUIRED = "EMBEDDING_COURSE_REAL_REQUIRED"


def published(load: Callable[[], T]) -> T:
    """Return what `load` returns; skip the test, or fail it, if a published file is missing."""
    try:
        return load()
    except PublishedError as error:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{REQUIRED} is set, but `make real` did not install everything: {error}")
        pytest.skip(f"`make real` installs what this test needs: {error}")


_minilm, _glove, _static_table = cache(minilm), cache(glove), cache(static_table)


@pytest.fixture
def bert() -> BertModel:
    return published(_minilm)


@pytest.fixture
def word_vectors() -> WordVectors:
    return published(_glove)


@pytest.fixture
def token_table() -> StaticTable:
    return published(_static_table)
