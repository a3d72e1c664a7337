"""What none of the sources says outright, though it is near: conclusions from their numbers, and common beliefs beside them."""

from __future__ import annotations

import contextlib
import io
import math
import warnings

import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.dog_and_machine import story_pairs
from embedding_course.data.tiktoken_facts import token_count
from embedding_course.demo import curves

from .compare import agree, below, rounds_to, spread
from .entry import CONDITION, HOLDS, WRONG, Finding, Source, at, found
from .s1_gradients import STEPPERS, gradient, train

beyond = Source("beyond")


@beyond.claim("Weight decay moves every row, even one that no batch held.", CONDITION, at("02", "moved-question"))
def weight_decay_moves_all() -> Finding:
    start = torch.randn(3, 4)
    start[2] = 0
    trials, moved = {}, {}
    for name in ("AdamW", "SGD with weight decay"):
        moved[name] = (train(name, [[0], [0]], start)[-1] != start).any(dim=1).tolist()
        trials |= {f"{name}, not zero": all(moved[name][:2]), f"{name}, zero": moved[name][2]}
    return found(
        trials,
        "Two steps with word 0; row 2 is zero. Rows that moved: "
        f"{'; '.join(f'{name} {[i for i, one in enumerate(rows) if one]}' for name, rows in moved.items())}.",
        "Every row that is not zero, so a padding row of zeros stays what it is.",
    )


@beyond.claim("SparseAdam computes what Adam computes, only faster.", CONDITION, at("02", "sparse"), at("02", "moved-question"))
def sparse_adam() -> Finding:
    start = torch.randn(3, 4)
    batches = [[0, 1], [0], [0], [0, 1]]
    states = {name: train(name, batches, start) for name in ("Adam", "SparseAdam")}
    apart = [spread(one, other) for one, other in zip(states["Adam"], states["SparseAdam"], strict=True)]
    every = [spread(one[0], other[0]) for one, other in zip(states["Adam"], states["SparseAdam"], strict=True)]
    return found(
        {"a word in every batch": max(every) < 1e-6, "a word in some": apart[-1] < 1e-6},
        f"Largest difference of the tables after steps 1 to 4: {', '.join(f'{one:.3f}' for one in apart[1:])} (learning rate "
        ".01). "
        f"For a word in every batch: {below(max(every))}.",
        "Only for rows that every batch holds. SparseAdam leaves a row and its running means alone between its batches.",
    )


@beyond.claim("sparse=True works with every optimizer.", CONDITION, at("02", "sparse"))
def sparse_gradients() -> Finding:
    trials = {}
    others = {"Adagrad": lambda table: torch.optim.Adagrad(table, lr=0.01)}
    for name, make in {**STEPPERS, **others}.items():
        table = nn.Embedding(5, 3, sparse=True)
        stepper = make(table.parameters())
        table(torch.tensor([1, 2])).sum().backward()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Adagrad's talk of invariants
                stepper.step()
        except RuntimeError:
            trials[name] = False
        else:
            trials[name] = True
    return found(
        trials,
        f"One step with a sparse gradient: RuntimeError from {', '.join(name for name, held in trials.items() if not held)}.",
        f"With {', '.join(name for name, held in trials.items() if held)}.",
    )


@beyond.claim("freeze=True keeps pretrained vectors as they are.", CONDITION, at("03", "bug-frozen"))
def frozen_vectors() -> Finding:
    trials, norms = {}, {}
    for name, ceiling in (("without max_norm", None), ("with max_norm", 1.0)):
        vectors = torch.tensor([[3.0, 4.0], [3.0, 4.0]])
        nn.Embedding.from_pretrained(vectors, freeze=True, max_norm=ceiling)(torch.tensor([1]))
        norms[name] = vectors[1].norm().item()
        trials[name] = agree(5, norms[name])
    return found(
        trials,
        f"The norm of a loaded vector after one lookup: {'; '.join(f'{norm:.2f} {name}' for name, norm in norms.items())}.",
        "Without max_norm. With it the lookup writes, into the very tensor that was loaded.",
    )


@beyond.claim("With max_norm the gradient is taken at the row that was in the table.", WRONG, at("03", "gradient-question"))
def gradient_with_max_norm() -> Finding:
    table = nn.Embedding(1, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0]]))
    table(torch.tensor([0])).square().sum().backward()
    found_, before, clipped = gradient(table)[0], torch.tensor([6.0, 8.0]), torch.tensor([1.2, 1.6])
    assert spread(found_, clipped) < 1e-5
    return found(
        spread(found_, before) < 1e-5,
        f"Row (3, 4), max_norm 1, loss: sum of squares. The gradient is ({found_[0]:.1f}, {found_[1]:.1f}).",
        "At the clipped row, as if it had been there all the time; clipping itself is not differentiated.",
    )


@beyond.claim(
    "A table that was trained with max_norm stays within that norm.", WRONG, at("03", "drift-lesson"), at("03", "checkpoint")
)
def table_leaves_the_ball() -> Finding:
    trials, longest = {}, {}
    for name in ("SGD", "Adam"):
        table = nn.Embedding(20, 8, max_norm=1.0)
        stepper = STEPPERS[name](table.parameters())
        for step in range(10):
            stepper.zero_grad()
            (-table(torch.tensor([step % 5])) * table.weight.detach()[step % 5].sign()).sum().backward()
            stepper.step()
        longest[name] = table.weight[:5].norm(dim=1).max().item()
        trials[name] = longest[name] <= 1 + 1e-4
    unread = table.weight[5:].norm(dim=1).max().item()
    return found(
        trials,
        "After ten steps the longest row that was read: "
        f"{', '.join(f'{norm:.2f} with {name}' for name, norm in longest.items())}; the "
        f"longest that never was: {unread:.1f}.",
        "The optimizer's step comes after the clip, and rows that nobody reads are never clipped. Clip the table before "
        "saving.",
    )


@beyond.claim("Cutting at white space gives the words.", CONDITION, at("01", "bug-white-space"))
def white_space() -> Finding:
    chinese, english = zip(*story_pairs(), strict=True)
    pieces = {
        name: sum(len(one.split()) for one in half) / len(half) for name, half in (("Chinese", chinese), ("English", english))
    }
    repeated = {
        name: len({piece for one in half for piece in one.split()})
        for name, half in (("Chinese", chinese), ("English", english))
    }
    return found(
        {name: pieces[name] > 2 for name in pieces},
        f"The course's story: {pieces['English']:.1f} pieces for each English sentence, {pieces['Chinese']:.1f} for each "
        "Chinese one "
        f"({repeated['Chinese']} different 'words' in {len(chinese)} sentences).",
        "In languages that part words by spaces, and even there `clever.` is another word than `clever`.",
    )


@beyond.claim("A Chinese sentence costs more tokens than its English translation.", CONDITION, at("01", "explain-cost"))
def cost_of_chinese() -> Finding:
    names = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")
    ratio = {name: token_count("我爱机器学习", name) / token_count("I love machine learning", name) for name in names}
    return found(
        {name: one > 1 for name, one in ratio.items()},
        f"我爱机器学习 against its translation: {', '.join(f'{one:g} times in {name}' for name, one in ratio.items())}.",
        "In the three older encodings. How much a text costs is decided by what the merges were learned from.",
    )


@beyond.claim("Attention without positions does not see the order of words.", HOLDS, at("06", "bag"))
def attention_without_order() -> Finding:
    words, attention = nn.Embedding(3, 16), nn.MultiheadAttention(16, 2, batch_first=True).eval()
    x = words(torch.tensor([[0, 1, 2], [2, 1, 0]]))
    seen, _ = attention(x, x, x)
    error = spread(seen[0, 0], seen[1, 2])
    return found(error < 1e-6, f"A word that is first or last of the same three: its vectors differ by {below(error)}.")


@beyond.claim("The vector of a word needs V^(1/4) numbers.", WRONG, at("05", "tables-text"), at("05", "widths"))
def fourth_root() -> Finding:
    with contextlib.redirect_stdout(io.StringIO()):  # it says where the curves come from
        recorded = curves.load("05_widths")
    rule = round(178**0.25)
    good = min(int(name) for name in recorded.curves if recorded.numbers[name] >= 0.9)
    return found(
        good <= rule,
        f"178 words, so {rule} numbers. In the recorded runs of the translation {rule} numbers get "
        f"{recorded.numbers[str(rule)]:.0%} of "
        f"the sentences right, {good} numbers {recorded.numbers[str(good)]:.0%}.",
        "Where the knee lies depends on task and time. Measure it.",
    )


@beyond.claim("An id needs 8 bytes.", WRONG, at("01", "bug-memory"))
def bytes_of_an_id() -> Finding:
    table, ids = nn.Embedding(100, 16), torch.tensor([3, 99, 3])
    short = ids.to(torch.int32)
    same = table(short).equal(table(ids))
    return found(
        not same,
        f"{ids[0].nbytes} bytes as int64. As int32 the same ids give {'the same' if same else 'other'} vectors.",
        f"{short[0].nbytes} bytes are enough for any vocabulary, since nn.Embedding takes int32 as well.",
    )


@beyond.claim("A batch is as cheap as one-hot vectors: only the table counts.", WRONG, at("01", "batch-memory"))
def batch_of_one_hot() -> Finding:
    words = 64 * 128
    ids, one_hot = (
        torch.empty(words, dtype=torch.int64, device="meta").nbytes, torch.empty(words, 50_000, device="meta").nbytes,
    )  # fmt: skip
    table = nn.Embedding(50_000, 300, device="meta").weight.nbytes
    return found(
        one_hot < table,
        f"64 sentences of 128 words, 50,000 words in the vocabulary: {ids:,} bytes as ids, {one_hot:,} as one-hot vectors; "
        f"the table {table:,}.",
        f"The batch would take {one_hot / table:.0f} times the memory of the table.",
    )


@beyond.claim("A gate makes a mixture of expert tables richer than one table.", CONDITION, at("07", "where"))
def gated_tables() -> Finding:
    tables, ids = [nn.Embedding(10, 8) for _ in range(4)], torch.arange(10)
    stacked = torch.stack([table(ids) for table in tables], dim=-1)  # (V, d, 4)
    by_word = nn.Embedding(10, 4)(ids).softmax(dim=-1)
    one = nn.Embedding.from_pretrained((stacked * by_word[:, None]).sum(dim=-1).detach())
    context = nn.Linear(8, 4)
    gates = [context(other).softmax(dim=-1) for other in torch.randn(2, 8)]
    same = spread(one(ids), (stacked * by_word[:, None]).sum(dim=-1))
    differs = spread((stacked @ gates[0]), (stacked @ gates[1]))
    return found(
        {"the gate sees the word alone": same > 1e-6, "the gate sees the context": differs > 1e-3},
        f"Gate by word: a single table gives the same vectors (difference {below(same)}). Gate by context: one word gets "
        "vectors up to "
        f"{differs:.1f} apart.",
        "If the gate sees more than the word. Otherwise the whole can be written down as one table.",
    )


@beyond.claim("A loss of 4.6e-7 comes out right.", CONDITION, at("09", "pair-question"))
def tiny_loss_in_float32() -> Finding:
    losses = {}
    for dtype in (torch.float32, torch.float64):
        logits = torch.tensor([[17.0, 2.4]], dtype=dtype)
        losses[str(dtype).removeprefix("torch.")] = F.cross_entropy(logits, torch.tensor([0])).item()
    true = math.log1p(math.exp(2.4 - 17))
    return found(
        {name: agree(true, loss, 0.01) for name, loss in losses.items()},
        f"log(1 + e^-14.6) = {true:.3e}; cross_entropy gives "
        f"{', '.join(f'{loss:.3e} in {name}' for name, loss in losses.items())}.",
        "In float64. In float32 only its size is right: 1 + 4.6e-7 is rounded to a multiple of 1.2e-7.",
    )


@beyond.claim("At temperature .05 a pair with similarities .85 and .12 still teaches.", WRONG, at("09", "pair-question"))
def gradient_of_an_easy_pair() -> Finding:
    def slope(temperature: float) -> float:
        similarities = torch.tensor([[0.85, 0.12]], dtype=torch.float64, requires_grad=True)
        F.cross_entropy(similarities / temperature, torch.tensor([0])).backward()
        assert similarities.grad is not None
        return similarities.grad.abs().max().item()

    cold, warm = slope(0.05), slope(0.5)
    return found(
        cold > 1e-3,
        f"Gradient of the loss by a similarity: {cold:.1e} at temperature .05, {warm:.2f} at .5.",
        "Next to nothing: it is told apart already. Negatives that are nearly as similar teach.",
    )


@beyond.claim("In 8 bits a million vectors of 1,536 numbers are a quarter of their 6.14 GB.", HOLDS, at("09", "bug-byte"))
def vectors_in_bytes() -> Finding:
    floats, codes = (
        torch.empty(1_000_000, 1536, dtype=dtype, device="meta").nbytes / 1e9 for dtype in (torch.float32, torch.uint8)
    )
    return found(
        agree(4, floats / codes), f"{codes:.3f} GB against {floats:.3f}; each table's step and start come on top, eight bytes."
    )


@beyond.claim("The token table alone holds 22 % of BERT-base.", WRONG, at("01", "after-gpt3"), at("07", "bug-bert"))
def token_table_of_bert() -> Finding:
    from .s2_transformer import bert

    parts = bert()
    whole = parts["embedding"] + parts["layers"] + parts["pooler"]
    share = 100 * parts["tokens"] / whole
    return found(
        rounds_to(share, "22"),
        f"{parts['tokens']:,} of {whole:,}: {share:.1f} %. With positions, segments and their norm: "
        f"{100 * parts['embedding'] / whole:.1f} %.",
        "21 %; 22 % counts the three tables together.",
    )
