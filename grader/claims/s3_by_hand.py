"""S3, a walk through the neural probabilistic language model: what it computes by hand.

The tutorial's own weights are not repeated here. Ours (`data/three_sentences.py`) lead to the numbers that its example gives
when it is computed step by step.
"""

from __future__ import annotations

import torch
from torch import nn

from embedding_course.data.three_sentences import INPUT, PRINTED, SENTENCES, WEIGHTS, WORDS
from grader.catalogue import references

from .compare import agree, numbers, rounds_to, row, spread
from .entry import HOLDS, WRONG, Finding, Source, at, found

s3 = Source("S3")


def steps() -> dict[str, torch.Tensor]:
    """The example, step by step from the weights."""
    _, hidden, hidden_bias, output, output_bias = (torch.tensor(part, dtype=torch.float64) for part in WEIGHTS)
    sums = hidden @ torch.tensor(INPUT, dtype=torch.float64) + hidden_bias
    logits = output @ sums.tanh() + output_bias
    return {"sums": sums, "tanh": sums.tanh(), "logits": logits, "chances": logits.softmax(0)}


@s3.claim("The three sentences have 7 words, and the model 14 + 10 + 21 = 45 parameters.", HOLDS, at("04", "parameters"))
def forty_five_parameters() -> Finding:
    words = {word for sentence in SENTENCES for word in sentence.split()}
    model = references("04_nplm")["NPLM"](len(words), 2, 2, 2)
    sizes = [sum(one.numel() for one in part.parameters()) for part in (model.embedding, model.hidden, model.output)]
    return found(
        {"V = 7": len(words) == 7, "45": sizes == [14, 10, 21]},
        f"V = {len(words)}; {' + '.join(map(str, sizes))} = {sum(sizes)} counted in the module.",
    )


@s3.claim("The formula y = U tanh(Hx + d) describes the code.", WRONG, at("04", "parameters-lesson"))
def formula_without_bias() -> Finding:
    def size(bias: bool) -> int:
        parts = (nn.Embedding(7, 2), nn.Linear(4, 2), nn.Linear(2, 7, bias=bias))
        return sum(one.numel() for part in parts for one in part.parameters())

    return found(
        size(False) == size(True),
        f"By the formula {size(False)} parameters, by the code {size(True)}.",
        "The formula lacks the output bias, seven numbers.",
    )


@s3.claim("W1·x + b1 for x = (.3, .4, .7, .8) is (.58, -.26).", HOLDS, at("04", "hand-steps"))
def sums_by_hand() -> Finding:
    sums = steps()["sums"]
    return found(
        row(sums.tolist(), ".58 -.26"),
        f"({numbers(sums, 2)}), with weights of ours that lead there (see the end of this page).",
    )


@s3.claim("Its tanh is (.54, -.56).", WRONG, at("04", "bug-hand"))
def tanh_by_hand() -> Finding:
    hidden = torch.tensor([0.58, -0.26], dtype=torch.float64).tanh()
    return found(
        all(rounds_to(value, str(printed)) for value, printed in zip(hidden.tolist(), PRINTED.hidden, strict=True)),
        f"tanh(.58, -.26) = ({numbers(hidden)}).",
        f"({numbers(hidden, 2)}).",
    )


@s3.claim("The activation is ReLU (a comment), or tanh (the code).", WRONG, at("04", "parameters-lesson"))
def relu_or_tanh() -> Finding:
    sums = steps()["sums"]
    return found(
        spread(sums.relu(), sums.tanh()) < 0.01,
        f"ReLU of ({numbers(sums, 2)}) is ({numbers(sums.relu(), 2)}), tanh ({numbers(sums.tanh(), 2)}).",
        "They differ, so only one can be right: the code computes tanh. The printed (.54, -.56) is neither.",
    )


@s3.claim("The matrix C is the table of words, and the matrix C gives the scores.", WRONG, at("04", "parameters-lesson"))
def one_letter_two_matrices() -> Finding:
    embedding, output = torch.tensor(WEIGHTS.embedding), torch.tensor(WEIGHTS.output)
    hidden, bias = steps()["tanh"].float(), torch.tensor(WEIGHTS.output_bias)
    one, two = embedding @ hidden + bias, output @ hidden + bias
    return found(
        spread(one, two) < 0.01,
        f"Both are {tuple(embedding.shape)} here, so nothing complains. With one matrix for both the likeliest word is "
        f"{int(one.argmax())}, with two {int(two.argmax())}; the model would have {45 - output.numel()} parameters instead "
        "of 45.",
        "Two matrices with one name. (One for both is possible, and another model.)",
    )


@s3.claim("The logits are (.35, .34, -1.2, .8, 2.1, -.3, .5).", WRONG, at("04", "bug-hand"), at("04", "hand-lesson"))
def logits_by_hand() -> Finding:
    logits = steps()["logits"]
    assert row(logits.tolist(), ".281 .384 -.714 .969 -1.021 1.046 -.546")
    return found(
        spread(logits, torch.tensor(PRINTED.logits)) < 0.05,
        f"From the hidden state and the output weights: {numbers(logits, 3)}.",
        "That row; the printed one does not follow from the hidden state.",
    )


@s3.claim("The softmax of these logits is (.05, .05, .01, .10, .60, .09, .10).", WRONG, at("04", "hand-figure"))
def softmax_by_hand() -> Finding:
    chances = torch.tensor(PRINTED.logits, dtype=torch.float64).softmax(0)
    assert row(chances.tolist(), ".089 .088 .019 .140 .513 .047 .104")
    return found(
        spread(chances, torch.tensor(PRINTED.softmax)) < 0.006,
        f"Softmax of the printed logits: {numbers(chances, 3)}.",
        f"The largest is {chances.max():.3f}, not .60.",
    )


@s3.claim("These chances add up to 1.", HOLDS, at("04", "bug-hand"))
def softmax_adds_up() -> Finding:
    total = sum(PRINTED.softmax)
    return found(agree(1, total), f"The printed chances: {total:.2f}. So this check alone does not find the mistake.")


@s3.claim("They stand in the order of the logits.", WRONG, at("04", "bug-hand"))
def softmax_keeps_order() -> Finding:
    crossed = [
        (WORDS[a], WORDS[b])
        for a in range(7)
        for b in range(7)
        if PRINTED.logits[a] < PRINTED.logits[b] and PRINTED.softmax[a] > PRINTED.softmax[b]
    ]
    low, high = WORDS.index(crossed[0][0]), WORDS.index(crossed[0][1])
    return found(
        not crossed,
        f"{len(crossed)} pairs are crossed: the logit {PRINTED.logits[low]:g} has chance {PRINTED.softmax[low]:g}, "
        f"the logit {PRINTED.logits[high]:g} only {PRINTED.softmax[high]:g}.",
        "A softmax keeps the order, whatever the logits are.",
    )


@s3.claim("Word 4 is predicted.", WRONG, at("04", "predict-word"), at("04", "hand-lesson"))
def predicted_word() -> Finding:
    chances = steps()["chances"]
    best = int(chances.argmax())
    return found(
        best == 4,
        f"Step by step from the weights: {numbers(chances, 3)}.",
        f"Word {best}, {WORDS[best]}, with {chances[best]:.3f}; word 4 has {chances[4]:.3f}, the least of all."
        if int(chances.argmin()) == 4
        else f"Word {best}, {WORDS[best]}, with {chances[best]:.3f}.",
    )


@s3.claim("The logits are probabilities.", WRONG, at("04", "bug-hand"))
def logits_as_probabilities() -> Finding:
    logits = PRINTED.logits
    return found(
        agree(1, sum(logits), 1e-3) and min(logits) >= 0,
        f"The printed ones add up to {sum(logits):.2f}, and {sum(one < 0 for one in logits)} of them are negative.",
        "They become probabilities by a softmax.",
    )
