"""The recorded numbers of MiniLM's heads and layers are those of the model, where it is installed."""

import pytest

from claims import minilm_attention
from embedding_course.data.published import BertModel
from tests.support.published import bert  # noqa: F401


def test_the_recorded_numbers_are_those_of_the_model(bert: BertModel) -> None:  # noqa: F811
    measured, recorded = minilm_attention.measure(bert), minilm_attention.recorded()
    assert measured.keys() == recorded.keys()
    for name in minilm_attention.RELATIONS:
        assert measured["heads"][name] == pytest.approx(recorded["heads"][name], abs=0.02)
    for name in ("serving", "serving two"):
        assert measured[name] == pytest.approx(recorded[name], abs=2)
    for name in ("reach", "even reach", "alike"):
        assert measured[name] == pytest.approx(recorded[name], abs=0.02)
