"""Group written answers by likeness, so that a group can be marked at once and each answer is still looked at."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

#: Answers whose cosine distance is at most this belong to one group.
_FAR = 0.45


def groups_of(answers: Mapping[str, str]) -> list[list[str]]:
    """Return the students in groups of like answers: blank ones last, larger groups first, each group by name.

    Answers are compared by the n-grams of their characters, which needs no words and so serves Chinese too.

    Parameters
    ----------
    answers : mapping of str to str
        Student to text.

    Examples
    --------
    >>> groups_of({"ada": "The clip writes.", "bo": "the clip writes", "cy": "", "di": "梯度不经过范数"})
    [['ada', 'bo'], ['di'], ['cy']]
    """
    texts = {student: _plain(text) for student, text in answers.items()}
    blank = sorted(student for student, text in texts.items() if not text)
    written = sorted(student for student, text in texts.items() if text)
    groups = [written] if len(written) == 1 else []
    if len(written) > 1:
        from sklearn.cluster import AgglomerativeClustering
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectors: Any = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True).fit_transform(
            [texts[student] for student in written]
        )
        settings: Any = {"n_clusters": None, "distance_threshold": _FAR, "metric": "cosine", "linkage": "average"}
        cluster = AgglomerativeClustering(**settings)
        by_label: dict[int, list[str]] = {}
        for student, label in zip(written, cluster.fit_predict(vectors.toarray()), strict=True):
            by_label.setdefault(int(label), []).append(student)
        groups = sorted(by_label.values(), key=lambda group: (-len(group), group[0]))
    return [*groups, *([blank] if blank else [])]


def _plain(text: str) -> str:
    """Return a text without case, punctuation and spaces at its ends; empty for one without a letter or digit."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in folded)
    return " ".join(words.split())
