"""S3: its program, and what it says about counting and about long sentences."""

from __future__ import annotations

import os
import subprocess
import sys

import torch

from embedding_course.data.dog_and_machine import story
from embedding_course.data.three_sentences import SENTENCES, WORDS
from grader.course_source.catalogue import references

from .agreement import agree
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s3 = Source("S3")
TROUBLES = '一、传统模型的世纪困境：当n-gram遇上"月光族难题"'


@s3.claim(
    "`list(set(words))` numbers the words.",
    WRONG,
    at("04", "bug-set"),
    quote=quoted("2.1.1 建立语料库", 'word_list = list(set(" ".join(sentences).split()))'),
)
def ids_from_a_set() -> Measured:
    """Count the ids that one word gets from `list(set(words))` in four runs of Python."""
    program = f"print(list(set({' '.join(SENTENCES).split()!r})).index('喜欢'))"
    ids = set()
    for seed in range(4):  # what Python draws anew in each run, drawn here for it
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONUTF8": "1"}
        completed = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True)
        ids.add(int(completed.stdout))
    return found(
        len(ids) == 1,
        f"In four runs of Python, each with its own hash seed, 喜欢 had {len(ids)} different ids. In S3 itself 我 is word 2 in "
        "what the program prints (2.1.1) and word 1 in the batch that follows from it (2.1.4).",
        "A set has no order of its own, so a saved model reads other words in the next run. dict.fromkeys keeps the order of "
        "appearance.",
    )


@s3.claim(
    "`predict.squeeze()` gives one prediction for each sentence.",
    CONDITION,
    at("04", "bug-squeeze"),
    quote=quoted("2.1.6 用NPLM预测新词", "predict_strs = [idx_to_word[n.item()] for n in predict.squeeze()]"),
)
def squeezed_predictions() -> Measured:
    """Count the predictions behind `squeeze()` for three sentences and for one."""
    model = references("04_nplm")["NPLM"](7, 2, 2, 2)
    ids = torch.tensor([[WORDS.index(word) for word in sentence.split()[:2]] for sentence in SENTENCES])

    def counted(batch: torch.Tensor) -> int:
        predict = model(batch).data.max(1)[1]  # (B,), as in the line before the quoted one
        try:
            return len(list(predict.squeeze()))
        except TypeError:
            return -1

    three_count, one_count = counted(ids), counted(ids[:1])
    return found(
        {"three sentences": three_count == 3, "one sentence": one_count == 1},
        f"Three sentences: {three_count} predictions. One sentence: "
        f"{'TypeError, a number cannot be looped over' if one_count < 0 else one_count}.",
        "For two sentences or more. `.max(1)[1]` has the shape (B,) already: leave squeeze() out.",
    )


@s3.claim(
    "With 100,000 words there are 10^15 combinations of three.",
    HOLDS,
    at("04", "stored"),
    quote=quoted(TROUBLES, "当n=3时，词表大小10万 → 需要存储10^15个组合", "with n = 3 and 100,000 words → 10^15 combinations"),
)
def combinations_of_three() -> Measured:
    """Compute the number of combinations of three among 100,000 words."""
    count = 100_000**3
    return found(count == 10**15, f"100,000³ = {count:.0e}".replace("e+", "e") + ".")


@s3.claim(
    "An n-gram model has to store all of them.",
    WRONG,
    at("04", "bug-stored"),
    at("04", "stored-lesson"),
    quote=quoted(TROUBLES, "需要存储10^15个组合", "10^15 combinations need to be stored"),
)
def stored_combinations() -> Measured:
    """Compare the n-grams of three that occur in the course's story with all possible ones."""
    words = story("english").split()
    vocabulary, seen = len(set(words)), len(set(zip(words, words[1:], words[2:], strict=False)))
    return found(
        seen == vocabulary**3,
        f"The course's story: {vocabulary} words, {vocabulary**3:,} possible trigrams, of which {seen} occur.",
        f"Only those seen: a text of N words has N - 2 trigrams at most, here {len(words) - 2}. What fails is that new text "
        "asks for others.",
    )


@s3.claim(
    "An n-gram model cannot catch what stands further apart than its window.",
    HOLDS,
    at("04", "bug-window"),
    quote=quoted(
        TROUBLES,
        '长程依赖：无法捕捉"虽然…但是…"的超距离关联',
        "long-range dependence: it cannot catch the far link of “although … but …”",
    ),
)
def window_of_counts() -> Measured:
    """Compare the probability of a word that depends on one four places back, for windows of three and four."""
    although, but, and_, three_words = 4, 8, 9, [6, 7, 6]
    sentences = [[although, *three_words, but], [5, *three_words, and_]]

    def chance_of_but(window: int) -> float:
        X, Y = references("04_nplm")["make_ngrams"](sentences, window, 2, 3)
        asked = torch.tensor([although, *three_words])[-window:]
        after = Y[(asked == X).all(dim=1)]
        return (after == but).float().mean().item()

    near, far = chance_of_but(3), chance_of_but(4)
    return found(
        {"a window that ends before it": agree(0.5, near), "a window that reaches it": agree(1, far)},
        "Two sentences that differ in the first word and the last, with three like words between: the chance of the last word "
        f"is {near:g} by counts after three words, {far:g} by counts after four.",
    )
