"""Beyond the sources, about tables: conclusions from their numbers, and common beliefs beside them (notebooks 01 to 05)."""

from __future__ import annotations

import contextlib
import io
import math
import warnings

import torch
from torch import nn

from embedding_course.experiments import curves
from embedding_course.experiments.gradients import initialisation, moving_rows
from grader.course_source.catalogue import references

from .agreement import agree, below, rounds_to, spread
from .entry import CONDITION, WRONG, Measured, Source, at, found
from .s1_gradients import STEPPERS, gradient, train
from .s5_max_norm import table as clipping_table

beyond = Source("beyond")


@beyond.claim("Weight decay moves every row, even one that no batch held.", CONDITION, at("02", "moved-question"))
def weight_decay_moves_all() -> Measured:
    """Train with weight decay, and find the rows that moved: rows outside the batch, zero and not."""
    start = torch.randn(3, 4)
    start[2] = 0
    trials, moved = {}, {}
    for name in ("AdamW", "SGD with weight decay"):
        moved[name] = (train(name, [[0], [0]], start)[-1] != start).any(dim=1).tolist()
        trials |= {f"{name}, not zero": all(moved[name][:2]), f"{name}, zero": moved[name][2]}
    return found(
        trials,
        "Two steps with word 0; row 2 is zero. Rows that moved: "
        f"{'; '.join(f'{name} {[i for i, row_moved in enumerate(rows) if row_moved]}' for name, rows in moved.items())}.",
        "Every row that is not zero, so a padding row of zeros stays what it is.",
    )


@beyond.claim(
    "Adam carries a row that gets a single gradient about six learning rates.",
    CONDITION,
    at("02", "travel-lesson"),
    at("02", "predict-late"),
)
def travel_of_one_gradient() -> Measured:
    """Compute how far one gradient moves a row, by step and by optimizer, in learning rates."""
    ends = {seen: moving_rows.further_travel("adam", seen_at=seen)[-1].item() for seen in (1, 100, 10_000)}
    others = {name: moving_rows.further_travel(name)[-1].item() for name in ("sgd", "sgd-momentum")}
    return found(
        {f"in step {seen:,}": abs(end - 6) < 1 for seen, end in ends.items()},
        f"In learning rates, a gradient of 1 in step {', '.join(f'{seen:,}: {end:.1f}' for seen, end in ends.items())}. SGD "
        f"{others['sgd']:.0f}, with momentum {others['sgd-momentum']:.0f}, whenever it comes.",
        "In Adam's first step only, where the running means are corrected most. A late one is divided by a mean of squares "
        "that is nearly zero, and goes five times as far.",
    )


@beyond.claim("Tied tables have to begin with small numbers.", CONDITION, at("02", "start-lesson"), at("02", "tied-scaled"))
def small_start_for_tied_tables() -> Measured:
    """Compute the first loss of tied tables for three initialisations."""
    ids = torch.randint(1000, (2000,), generator=torch.Generator().manual_seed(0))
    starts = {
        "N(0, 1)": initialisation.first_loss(ids, 1000, 1.0),
        "N(0, 0.02²)": initialisation.first_loss(ids, 1000, 0.02),
        "N(0, 1), logits / √d": initialisation.first_loss(ids, 1000, 1.0, scale=64**-0.5),
    }
    uniform = math.log(1000)
    return found(
        {"as they are": starts["N(0, 1)"] > 2 * uniform, "logits divided by √d": starts["N(0, 1), logits / √d"] > 2 * uniform},
        f"First loss of 1,000 words, 64 numbers each (guessing {uniform:.1f}): "
        f"{', '.join(f'{name} {loss:.1f}' for name, loss in starts.items())}.",
        "If the products are used as they are. T5 begins from N(0, 1) and divides them by √d.",
    )


@beyond.claim("SparseAdam computes what Adam computes, only faster.", CONDITION, at("02", "sparse"), at("02", "moved-question"))
def sparse_adam() -> Measured:
    """Compare the tables after each step of Adam and of SparseAdam."""
    start = torch.randn(3, 4)
    batches = [[0, 1], [0], [0], [0, 1]]
    states = {name: train(name, batches, start) for name in ("Adam", "SparseAdam")}
    apart = [
        spread(adam_table, sparse_table) for adam_table, sparse_table in zip(states["Adam"], states["SparseAdam"], strict=True)
    ]
    every = [
        spread(adam_table[0], sparse_table[0])
        for adam_table, sparse_table in zip(states["Adam"], states["SparseAdam"], strict=True)
    ]
    return found(
        {"a word in every batch": max(every) < 1e-6, "a word in some": apart[-1] < 1e-6},
        f"Largest difference of the tables after steps 1 to 4: {', '.join(f'{distance:.3f}' for distance in apart[1:])} "
        "(learning rate .01). "
        f"For a word in every batch: {below(max(every))}.",
        "Only for rows that every batch holds. SparseAdam leaves a row and its running means alone between its batches.",
    )


@beyond.claim("sparse=True works with every optimizer.", CONDITION, at("02", "sparse"))
def sparse_gradients() -> Measured:
    """Find the optimizers that accept a sparse gradient."""
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
def frozen_vectors() -> Measured:
    """Look up a row of a frozen table with and without max_norm, and compute its norm afterwards."""
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
def gradient_with_max_norm() -> Measured:
    """Compare the gradient of a clipped row with the gradients at the row before and after clipping."""
    table = nn.Embedding(1, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0]]))
    table(torch.tensor([0])).square().sum().backward()
    found_, before, clipped = gradient(table)[0], torch.tensor([6.0, 8.0]), torch.tensor([1.2, 1.6])
    assert spread(found_, clipped) < 1e-5
    return found(
        spread(found_, before) < 1e-5,
        f"Row (3, 4), max_norm 1, loss: sum of squares. The gradient is ({found_[0]:.1f}, {found_[1]:.1f}).",
        "At the clipped row, as if it had been there all the time; clipping itself is not differentiated.",
    )


@beyond.claim("In eval mode and under no_grad a lookup only reads.", WRONG, at("03", "writes"), at("03", "eval-writes"))
def reading_writes() -> Measured:
    """Test whether a lookup with max_norm leaves the table unchanged under no_grad and inference_mode."""
    trials = {}
    for name, mode in (("no_grad", torch.no_grad), ("inference_mode", torch.inference_mode)):
        embedding = clipping_table().eval()
        before = embedding.weight.detach().clone()
        with mode():
            embedding(torch.tensor([2]))
        trials[name] = embedding.weight.equal(before)
    written = [name for name, held in trials.items() if not held]
    return found(trials, f"Row 2 was clipped in eval mode under {' and under '.join(written)}.", "It writes there too.")


@beyond.claim(
    "A table that was trained with max_norm stays within that norm.", WRONG, at("03", "drift-lesson"), at("03", "checkpoint")
)
def table_leaves_the_ball() -> Measured:
    """Train with max_norm, and compute the longest row among those that were read and among the others."""
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
        "The optimizer's step comes after the clip, and rows that are never looked up are never clipped. Clip the table before "
        "saving.",
    )


@beyond.claim(
    "The neural probabilistic language model solves long-range dependence.", WRONG, at("04", "bug-window"), at("04", "outside")
)
def fixed_window() -> Measured:
    """Find the words that gradient reaches in an NPLM, and test whether words outside its window change the logits."""
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
        f"A sentence of 7 words, a window of {context}: gradient reaches words "
        f"{[i for i, is_reached in enumerate(reached) if is_reached]} only; other words in the first three places change the "
        f"logits by {change:g}.",
        "It cures sparsity, not short sight: what lies outside the window has no influence at all. (S3 does not say that it "
        "does; it names the trouble, and then the model.)",
    )


@beyond.claim("The vector of a word needs V^(1/4) numbers.", WRONG, at("05", "tables-text"), at("05", "widths"))
def fourth_root() -> Measured:
    """Compare the width V^(1/4) with the smallest width that translates well in the recorded runs."""
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
def bytes_of_an_id() -> Measured:
    """Test whether int32 ids give the same vectors as int64 ids."""
    table, ids = nn.Embedding(100, 16), torch.tensor([3, 99, 3])
    short = ids.to(torch.int32)
    same = table(short).equal(table(ids))
    return found(
        not same,
        f"{ids[0].nbytes} bytes as int64. As int32 the same ids give {'the same' if same else 'other'} vectors.",
        f"{short[0].nbytes} bytes are enough for any vocabulary, since nn.Embedding takes int32 as well.",
    )


@beyond.claim("A batch is as cheap as one-hot vectors: only the table counts.", WRONG, at("01", "batch-memory"))
def batch_of_one_hot() -> Measured:
    """Compare the memory of a batch of one-hot vectors with that of the table."""
    words = 64 * 128
    ids, one_hot = (
        torch.empty(words, dtype=torch.int64, device="meta").nbytes,
        torch.empty(words, 50_000, device="meta").nbytes,
    )
    table = nn.Embedding(50_000, 300, device="meta").weight.nbytes
    return found(
        one_hot < table,
        f"64 sentences of 128 words, 50,000 words in the vocabulary: {ids:,} bytes as ids, {one_hot:,} as one-hot vectors; "
        f"the table {table:,}.",
        f"The batch would take {one_hot / table:.0f} times the memory of the table.",
    )


@beyond.claim("The token table alone holds 22 % of BERT-base.", WRONG, at("01", "bug-gpt3"), at("07", "bug-bert"))
def token_table_of_bert() -> Measured:
    """Compute which share of BERT-base's parameters is in the token table."""
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
