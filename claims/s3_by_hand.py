"""S3, a walk through the neural probabilistic language model: what it computes by hand, from the weights that it prints."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from embedding_course.data.three_sentences import CONTEXTS, IDS, PRINTED, SENTENCES, WEIGHTS, WORDS
from grader.course_source.catalogue import references

from .agreement import agree, numbers, rounds_to, row, spread
from .entry import CONDITION, HOLDS, WRONG, Measured, Source, at, found, quoted

s3 = Source("S3")
FORMULA, PROGRAM, READING = "二、神经概率语言模型：NPLM", "2.1.3 定义NPLM", "2.2.3 输出结果解读"
FIRST, SECOND = "1. 嵌入层（Embedding Layer）", "3. 第一全连接层（Feature Projection）"
THIRD = "4. 第二全连接层（Output Projection）"
SAMPLES = tuple(f"sample {number}, {context}" for number, context in enumerate(CONTEXTS, start=1))


class Steps(NamedTuple):
    """The example of both samples, a row each: x (2, 4), sums and their tanh (2, 2), logits and chances (2, 7)."""

    x: torch.Tensor
    sums: torch.Tensor
    tanh: torch.Tensor
    logits: torch.Tensor
    chances: torch.Tensor


def steps() -> Steps:
    """Return all steps of the computation from the printed weights."""
    table, hidden, hidden_bias, output, output_bias = (torch.tensor(part, dtype=torch.float64) for part in WEIGHTS)
    x = table[torch.tensor([[IDS[word] for word in context.split()] for context in CONTEXTS])].flatten(1)
    sums = x @ hidden.T + hidden_bias
    logits = sums.tanh() @ output.T + output_bias
    return Steps(x, sums, sums.tanh(), logits, logits.softmax(1))


@s3.claim(
    "The three sentences have 7 words, and the model 14 + 10 + 21 = 45 parameters.",
    HOLDS,
    at("04", "parameters"),
    quote=quoted("3. 第二全连接层", "14 + 10 + 21 = 45个可训练参数", "14 + 10 + 21 = 45 trainable parameters"),
)
def forty_five_parameters() -> Measured:
    """Count the words of the three sentences and the parameters of the model."""
    words = {word for sentence in SENTENCES for word in sentence.split()}
    model = references("04_nplm")["NPLM"](len(words), 2, 2, 2)
    sizes = [
        sum(parameter.numel() for parameter in part.parameters()) for part in (model.embedding, model.hidden, model.output)
    ]
    return found(
        {"V = 7": len(words) == 7, "45": sizes == [14, 10, 21]},
        f"V = {len(words)}; {' + '.join(map(str, sizes))} = {sum(sizes)} counted in the module.",
    )


@s3.claim(
    "The model is softmax(C · tanh(Wx + b)).",
    WRONG,
    at("04", "parameters-lesson"),
    quote=quoted(FORMULA, r"\text{softmax}(C \cdot \tanh(Wx + b))"),
)
def formula_without_bias() -> Measured:
    """Count the parameters with and without the output bias."""

    def size(bias: bool) -> int:
        parts = (nn.Embedding(7, 2), nn.Linear(4, 2), nn.Linear(2, 7, bias=bias))
        return sum(parameter.numel() for part in parts for parameter in part.parameters())

    return found(
        size(False) == size(True),
        f"By the formula {size(False)} parameters, by the code {size(True)}.",
        "The formula lacks the output bias, seven numbers that the code and the count of 45 have.",
    )


@s3.claim(
    "The matrix C leads from the word vectors to the output.",
    WRONG,
    at("04", "parameters-lesson"),
    quote=quoted(FORMULA, "C：词向量到输出的连接矩阵", "C: the matrix that connects the word vectors with the output"),
)
def one_letter_two_matrices() -> Measured:
    """Compare the logits with the output matrix and with the word table in its place, and their shapes."""
    table, output = torch.tensor(WEIGHTS.embedding), torch.tensor(WEIGHTS.output)
    hidden, bias = steps().tanh[0].float(), torch.tensor(WEIGHTS.output_bias)
    table_logits, output_logits = table @ hidden + bias, output @ hidden + bias
    reached = tuple(nn.Linear(2, 7).weight.shape)
    return found(
        spread(table_logits, output_logits) < 0.01 and reached == (7, 4),
        f"In the formula C takes the {reached[1]} hidden numbers, not the 4 of the word vectors. In the code `self.C` is the "
        f"table of words, also {tuple(table.shape)} here, so nothing would complain; with it in the formula's place the logits "
        f"would be up to {spread(table_logits, output_logits):.1f} off.",
        "The formula's C leads from the hidden layer to the output, the code's C is the table of words: one letter for two "
        "matrices.",
    )


@s3.claim(
    "The activation is ReLU, says the comment; the line below it computes tanh.",
    WRONG,
    at("04", "parameters-lesson"),
    quote=quoted(
        PROGRAM,
        "通过第一个线性层并应用 ReLU 激活函数…hidden = torch.tanh(self.linear1(X))",
        "through the first linear layer, and apply the activation function ReLU",
    ),
)
def relu_or_tanh() -> Measured:
    """Compare ReLU and tanh of the hidden sums."""
    sums = steps().sums[0]
    return found(
        spread(sums.relu(), sums.tanh()) < 0.01,
        f"ReLU of ({numbers(sums, 2)}) is ({numbers(sums.relu(), 2)}), tanh ({numbers(sums.tanh(), 2)}).",
        "The code computes tanh, and so does the example.",
    )


@s3.claim(
    "W1·x + b1 for the first sample, x = (.3, .4, .7, .8), is (.54, -.56).",
    WRONG,
    at("04", "bug-hand"),
    at("04", "hand-steps"),
    quote=quoted(SECOND, "(0.3*0.1 + 0.4*(-0.2) + 0.7*0.3 + 0.8*0.4) + 0.1 = 0.54"),
)
def sums_by_hand() -> Measured:
    """Compare the printed hidden sums with those that the printed weights give."""
    made = steps()
    assert row(made.x[0].tolist(), ".3 .4 .7 .8")
    return found(
        {
            str(printed): rounds_to(computed, str(printed))
            for computed, printed in zip(made.sums[0].tolist(), PRINTED.sums, strict=True)
        },
        f"By the weights that it prints: ({numbers(made.sums[0], 2)}). Second sample: ({numbers(made.sums[1], 2)}).",
        f"({numbers(made.sums[0], 2)}): the products are right, their sums are not.",
    )


@s3.claim(
    "tanh(.54) ≈ .49 and tanh(-.56) ≈ -.51.",
    HOLDS,
    at("04", "bug-hand"),
    quote=quoted(SECOND, "0.54 → tanh(0.54) ≈ 0.49…-0.56 → tanh(-0.56) ≈ -0.51"),
)
def tanh_by_hand() -> Measured:
    """Compare the printed hidden state with tanh of the printed sums."""
    of_printed = torch.tensor(PRINTED.sums, dtype=torch.float64).tanh()
    return found(
        {
            str(printed): rounds_to(computed, str(printed))
            for computed, printed in zip(of_printed.tolist(), PRINTED.tanh, strict=True)
        },
        f"tanh(.54, -.56) = ({numbers(of_printed)}), so this step is right. Of the right sums (.58, -.26) it is "
        f"({numbers(steps().tanh[0])}).",
    )


@s3.claim(
    "All seven logits of sample 1 follow likewise; for example (.35, .34, -1.2, .8, 2.1, -.3, .5).",
    CONDITION,
    at("04", "bug-hand"),
    quote=quoted(THIRD, "0.345 → 输出单元1…以此类推所有7个单元", "0.345 → output unit 1 … and so on for all 7 units"),
)
def logits_by_hand() -> Measured:
    """Compare the printed logits with those that the printed weights and hidden state give."""
    made, printed = steps(), PRINTED.logits[0]
    assert row(made.logits[0].tolist(), ".281 .384 -.714 .969 -1.021 1.046 -.546")
    of_its_tanh = torch.tensor(WEIGHTS.output) @ torch.tensor(PRINTED.tanh) + torch.tensor(WEIGHTS.output_bias)
    pairs = zip(of_its_tanh.tolist(), printed, strict=True)
    return found(
        {
            f"unit {unit}": abs(computed_logit - printed_logit) < 0.01
            for unit, (computed_logit, printed_logit) in enumerate(pairs)
        },
        f"From its hidden state (.49, -.51): {numbers(of_its_tanh, 3)}. From the right one: {numbers(made.logits[0], 3)}.",
        "For units 0 and 1, which it works out in full. The other five numbers are not what its weights give.",
    )


@s3.claim(
    "The softmax of the first row of logits is (.05, .05, .01, .10, .60, .09, .10).",
    WRONG,
    at("04", "bug-hand"),
    quote=quoted(READING, "probs ≈ [ [0.05, 0.05, 0.01, 0.10, 0.60, 0.09, 0.10]"),
)
def softmax_by_hand() -> Measured:
    """Compare the first printed softmax with that of the printed logits."""
    logits, printed = PRINTED.logits[0], PRINTED.softmax[0]
    chances = torch.tensor(logits, dtype=torch.float64).softmax(0)
    assert row(chances.tolist(), ".089 .088 .019 .140 .513 .047 .104")
    crossed = [(a, b) for a in range(7) for b in range(7) if logits[a] < logits[b] and printed[a] > printed[b]]
    low, high = crossed[0]
    return found(
        spread(chances, torch.tensor(printed)) < 0.006,
        f"Softmax of the printed logits: {numbers(chances, 3)}. {len(crossed)} pairs are crossed: the logit {logits[low]:g} "
        f"has chance {printed[low]:g}, the logit {logits[high]:g} only {printed[high]:g}.",
        f"The largest is {chances.max():.3f}, not .60; and a softmax keeps the order of the logits.",
    )


@s3.claim(
    "The softmax of the second row of logits is (.15, .03, .08, .07, .02, .10, .55).",
    WRONG,
    at("04", "bug-hand"),
    quote=quoted(READING, "[0.15, 0.03, 0.08, 0.07, 0.02, 0.10, 0.55]"),
)
def softmax_of_the_second_row() -> Measured:
    """Compare the second printed softmax with that of the printed logits."""
    chances = torch.tensor(PRINTED.logits[1], dtype=torch.float64).softmax(0)
    assert row(chances.tolist(), ".165 .030 .100 .067 .022 .122 .494")
    return found(
        spread(chances, torch.tensor(PRINTED.softmax[1])) < 0.006,
        f"Softmax of the printed logits: {numbers(chances, 3)}.",
        f"The largest is {chances.max():.3f}, not .55; here the order is right.",
    )


@s3.claim(
    "Softmax gives a distribution of probabilities.",
    HOLDS,
    at("04", "bug-hand"),
    quote=quoted(READING, "要得到概率分布，需应用Softmax", "to get a probability distribution, apply softmax"),
)
def softmax_adds_up() -> Measured:
    """Test whether the printed probabilities add up to 1."""
    totals = [sum(chances) for chances in PRINTED.softmax]
    return found(
        {sample: agree(1, total) for sample, total in zip(SAMPLES, totals, strict=True)},
        f"The printed chances add up to {totals[0]:.2f} and {totals[1]:.2f}. So this check alone does not find the mistakes.",
    )


@s3.claim(
    "Sample 1 predicts word 4, 喜欢, and sample 2 word 6, 讨厌.",
    WRONG,
    at("04", "bug-hand"),
    quote=quoted(
        READING, '样本1：预测"喜欢"（索引4）概率最高', "sample 1: “like” (index 4) is predicted with the highest chance"
    ),
)
def predicted_word() -> Measured:
    """Compare the predicted words with those that the printed weights give."""
    chances = steps().chances
    best = chances.argmax(1).tolist()
    return found(
        {sample: computed == printed for sample, computed, printed in zip(SAMPLES, best, PRINTED.predicted, strict=True)},
        f"Step by step from its weights: {numbers(chances[0], 3)}; and {numbers(chances[1], 3)}.",
        f"Word {best[0]}, {WORDS[best[0]]}, in both, with {chances[0, best[0]]:.3f} and {chances[1, best[1]]:.3f}; word 4 has "
        f"{chances[0, 4]:.3f}, the least of all. (These weights were not trained yet, so the prediction has no meaning.)",
    )


@s3.claim(
    "The seven numbers that the second linear layer puts out are probabilities.",
    WRONG,
    at("04", "bug-hand"),
    quote=quoted(
        "2.1.4 实例化NPLM", "[2,7]（每个样本对应7个词的概率）", "[2,7] (for each sample the probabilities of 7 words)"
    ),
)
def logits_as_probabilities() -> Measured:
    """Test whether the printed outputs of the second linear layer are probabilities."""
    trials = {
        sample: agree(1, sum(row_), 1e-3) and min(row_) >= 0 for sample, row_ in zip(SAMPLES, PRINTED.logits, strict=True)
    }
    negative = sum(logit < 0 for row_ in PRINTED.logits for logit in row_)
    return found(
        trials,
        f"The printed rows add up to {' and '.join(f'{sum(row_):.2f}' for row_ in PRINTED.logits)}, and {negative} of their "
        "numbers are negative.",
        "They are logits, as it says itself further on (2.2.3), and become probabilities by a softmax.",
    )
