"""Published word tests are read as they are."""

from pathlib import Path

import pytest
import torch

from embedding_course.data.published import PublishedError, analogies, word_similarity
from tests.support.published import published


def test_rated_pairs() -> None:
    rated = published(lambda: word_similarity("wordsim353"))
    assert len(rated.pairs) == 353 and rated.ratings.shape == (353,) and rated.ratings.dtype == torch.float64
    assert rated.pairs[1] == ("tiger", "cat") and rated.ratings[1] == 7.35
    rated = published(lambda: word_similarity("simlex999"))
    assert len(rated.pairs) == 999 and rated.pairs[0] == ("old", "new") and rated.ratings[0] == 1.58
    assert rated.ratings.min() >= 0 and rated.ratings.max() <= 10


def test_analogies_by_category() -> None:
    found = published(analogies)
    assert sum(map(len, found.values())) == 19_544 and len(found) == 14
    assert found["capital-common-countries"][0] == ("Athens", "Greece", "Baghdad", "Iraq")


def test_an_unknown_name_is_said() -> None:
    with pytest.raises(ValueError, match="no word test 'wordsim': there are wordsim353, simlex999"):
        word_similarity("wordsim")


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "simlex999.txt").write_text("old\tnew\t9\n", encoding="utf-8")
    with pytest.raises(PublishedError, match="is not the published file"):
        word_similarity("simlex999", tmp_path)
