"""S3: its program, and what it says about counting and about long sentences."""

from __future__ import annotations

import os
import subprocess
import sys

import torch

from embedding_course.data.dog_and_machine import story
from embedding_course.data.three_sentences import SENTENCES, WORDS
from grader.catalogue import references

from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found

s3 = Source("S3")


@s3.claim("`list(set(words))` numbers the words.", WRONG, at("04", "bug-set"))
def ids_from_a_set() -> Finding:
    program = f"print(list(set({' '.join(SENTENCES).split()!r})).index('喜欢'))"
    ids = set()
    for seed in range(4):  # what Python draws anew in each run, drawn here for it
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONUTF8": "1"}
        told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True)
        ids.add(int(told.stdout))
    return found(
        len(ids) == 1,
        f"In four runs of Python, each with its own hash seed, 喜欢 had {len(ids)} different ids.",
        "A set has no order of its own, so a saved model reads other words in the next run. dict.fromkeys keeps the order of "
        "appearance.",
    )


@s3.claim("`predict.squeeze()` gives one prediction for each sentence.", CONDITION, at("04", "bug-squeeze"))
def squeezed_predictions() -> Finding:
    model = references("04_nplm")["NPLM"](7, 2, 2, 2)
    ids = torch.tensor([[WORDS.index(word) for word in sentence.split()[:2]] for sentence in SENTENCES])

    def counted(batch: torch.Tensor) -> int:
        predict = model(batch).max(1, keepdim=True)[1]  # (B, 1)
        try:
            return len(list(predict.squeeze()))
        except TypeError:
            return -1

    three, one = counted(ids), counted(ids[:1])
    return found(
        {"three sentences": three == 3, "one sentence": one == 1},
        f"Three sentences: {three} predictions. One sentence: "
        f"{'TypeError, a number cannot be looped over' if one < 0 else one}.",
        "For two sentences or more. squeeze(1) names the axis that is meant.",
    )


@s3.claim("With 100,000 words there are 10^15 combinations of three.", HOLDS, at("04", "stored"))
def combinations_of_three() -> Finding:
    count = 100_000**3
    return found(count == 10**15, f"100,000³ = {count:.0e}".replace("e+", "e") + ".")


@s3.claim("An n-gram model must store all of them.", WRONG, at("04", "stored-lesson"))
def stored_combinations() -> Finding:
    words = story("english").split()
    vocabulary, seen = len(set(words)), len(set(zip(words, words[1:], words[2:], strict=False)))
    return found(
        seen == vocabulary**3,
        f"The course's story: {vocabulary} words, {vocabulary**3:,} possible runs of three, {seen} that occur.",
        f"Only those seen: a text of N words has N - 2 runs at most, here {len(words) - 2}. What fails is that new text "
        "asks for others.",
    )


@s3.claim("The model solves long-range dependence.", WRONG, at("04", "bug-window"), at("04", "outside"))
def fixed_window() -> Finding:
    context, sentence = 4, torch.arange(7)
    model = references("04_nplm")["NPLM"](7, context, 8, 16)
    model(sentence[None, -context:])[0].logsumexp(0).backward()
    reached = model.embedding.weight.grad.any(dim=1).tolist()
    other = sentence.clone()
    other[:3] = torch.tensor([6, 5, 4])
    with torch.no_grad():
        change = (model(other[None, -context:]) - model(sentence[None, -context:])).abs().max().item()
    return found(
        all(reached) and change > 0,
        f"A sentence of 7 words, a window of {context}: gradient reaches words {[i for i, one in enumerate(reached) if one]} "
        "only; "
        f"other words in the first three places change the logits by {change:g}.",
        "It cures sparsity, not short sight: what lies outside the window has no influence at all.",
    )
