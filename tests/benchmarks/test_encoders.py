"""The page of benchmarks tells of both encoders, or why they were not measured."""

import pytest

from benchmarks import encoders
from embedding_course.data.published import PublishedError


def test_both_speeds_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders, "version", lambda name: "1.0")
    text = encoders.described((40.0, 50.0, 2e-7), "")
    assert "| the course's encoder | 40 |" in text and "| sentence-transformers 1.0 | 50 |" in text
    assert text.endswith("at most 2e-07.")


def test_a_missing_model_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise PublishedError("MiniLM is not on this machine.")

    monkeypatch.setattr(encoders, "minilm", missing)
    assert encoders.section().endswith("Not measured: MiniLM is not on this machine.")
