"""Honest notebooks whose cells were moved, split, merged, retyped or doubled, or whose answers stand below their checks."""

import copy
import re
from collections.abc import Sequence

from nbformat.notebooknode import NotebookNode

from .odd_notebooks import (
    Step,
    above,
    after,
    also,
    answer,
    answer_of,
    below,
    each,
    edit,
    end,
    first,
    odd,
    place_of,
    remove,
    whole,
    wrong,
    wrong_source,
)


def _wrong_in_place(name: str) -> Step:
    """Leave a wrong attempt in the answer's cell; the right one stands in a cell behind the check, which is run again."""

    def step(notebook: NotebookNode) -> None:
        cell, mistaken = answer_of(notebook, name), wrong_source(notebook, name)
        label = str(cell.metadata["nbgrader"]["grade_id"])
        after(name, cell.source, f'check("{label[:2]}.{name}")')(notebook)
        cell.source = mistaken

    return step


def _wrong_after(name: str, *, again: bool) -> Step:
    """Try a wrong variation behind the check; the answer's cell is run `again` at the end."""

    def step(notebook: NotebookNode) -> None:
        right = answer_of(notebook, name).source
        after(name, wrong_source(notebook, name))(notebook)
        if again:
            end(right)(notebook)

    return step


def _answer_at_the_end(name: str) -> Step:
    def step(notebook: NotebookNode) -> None:
        cell = notebook.cells.pop(place_of(notebook, name))
        notebook.cells.append(cell)

    return step


def _halves(name: str, before: str) -> Step:
    """Cut what a function calls out of its cell and into the cell below."""

    def step(notebook: NotebookNode) -> None:
        cell = answer_of(notebook, name)
        renamed = cell.source.replace(f"def {name}(", f"def _{name}(", 1)
        cell.source = f"{before}def {name}(*args, **options):\n    return _{name}(*args, **options)"
        below(name, renamed)(notebook)

    return step


def _into_check_cell(name: str) -> Step:
    """Type the answer into its check's cell, above the check; its own cell is empty."""

    def step(notebook: NotebookNode) -> None:
        cell, check = answer_of(notebook, name), notebook.cells[place_of(notebook, name, "-check")]
        check.source, cell.source = f"{cell.source}\n\n{check.source}", ""

    return step


def _as_type(names: Sequence[str], kind: str, fence: str = "") -> Step:
    """Answers' cells became `kind` by a key; in a Markdown cell some people put the code into a fence."""

    def step(notebook: NotebookNode) -> None:
        for name in names:
            cell = answer_of(notebook, name)
            cell.cell_type = kind
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
            cell.source = f"```{fence}\n{cell.source}\n```" if fence else cell.source

    return step


def _leftover_stub(notebook: NotebookNode, name: str) -> None:
    cell = answer_of(notebook, name)
    if cell.source.startswith(("def ", "@")):
        cell.source = f"{cell.source}\n    # YOUR CODE HERE\n    raise NotImplementedError()"


def _misspelt(name: str, typed: str) -> Step:
    """Misspell the definition's name, and bind the right one to it in the cell below."""

    def step(notebook: NotebookNode) -> None:
        cell = answer_of(notebook, name)
        cell.source = re.sub(rf"\b{name}\b", typed, cell.source)
        below(name, f"{name} = {typed}")(notebook)

    return step


def _labels_lost(notebook: NotebookNode) -> None:
    for number, cell in enumerate(notebook.cells):
        cell.metadata.pop("nbgrader", None)
        cell["id"] = f"cell-{number}"


def _doubled(name: str, times: int) -> Step:
    def step(notebook: NotebookNode) -> None:
        at = place_of(notebook, name)
        notebook.cells[at:at] = [copy.deepcopy(notebook.cells[at]) for _ in range(times)]

    return step


def _merged(name: str, other_name: str) -> Step:
    """Two answers in the first one's cell."""

    def step(notebook: NotebookNode) -> None:
        cell, gone = answer_of(notebook, name), notebook.cells.pop(place_of(notebook, other_name))
        cell.source = f"{cell.source}\n\n\n{gone.source}"

    return step


def _swapped(name: str, other_name: str) -> Step:
    def step(notebook: NotebookNode) -> None:
        here, there = place_of(notebook, name), place_of(notebook, other_name)
        notebook.cells[here], notebook.cells[there] = notebook.cells[there], notebook.cells[here]

    return step


def _only_answers(notebook: NotebookNode) -> None:
    """Remove the lesson's text and demonstrations; imports, answers and checks are left."""
    notebook.cells = [
        cell
        for cell in notebook.cells
        if cell.metadata.get("nbgrader") or cell.metadata.get("embedding_course", {}).get("given")
    ]


def _typed_anew(notebook: NotebookNode, name: str) -> None:
    text = answer_of(notebook, name).source
    below(name, text)(notebook)
    remove(name)(notebook)


def _no_text(notebook: NotebookNode) -> None:
    notebook.cells = [
        cell for cell in notebook.cells if cell.cell_type == "code" or cell.metadata.get("nbgrader", {}).get("grade")
    ]


# Attempts.
odd("01", "a wrong attempt above the right one", wrong("one_hot"), wrong("train_bpe"))
odd("05", "a wrong attempt of a class above the right one", wrong("Encoder"))
odd("02", "the right answer stands behind the check, which is run again", _wrong_in_place("embedding_grad"))
odd("08", "right ones of two exercises stand further down", _wrong_in_place("pool_mean"), _wrong_in_place("pool_cls"))
odd("09", "a wrong variation is tried below, and the right one run again at the end", _wrong_after("info_nce", again=True))
odd("10", "a wrong variation is tried below and left there", _wrong_after("norm_outliers", again=False))
odd(
    "04",
    "three attempts, of which the middle one is right where the check stands",
    wrong("perplexity"),
    _wrong_after("perplexity", again=False),
)
odd(
    "06",
    "a stub is left above the answer in one cell",
    first("rope_angles", "def rope_angles(*args):\n    raise NotImplementedError()\n"),
)
odd("07", "a stub's last line is left under each finished function", each("07", _leftover_stub))
odd(
    "03",
    "an old answer is kept under another name",
    first("renorm_rows", "def renorm_rows_old(weight, max_norm):\n    return weight\n"),
)

# Order and place.
odd(
    "01",
    "a helper of two answers is defined at the end",
    edit("one_hot", "return torch.eye(num_classes)[ids]", "return rows_of_eye(num_classes, ids)"),
    end("def rows_of_eye(n, ids):\n    return torch.eye(n)[ids]", 'check("01.one_hot")\ncheck("01.embed_by_matmul")'),
)
odd("05", "the answer itself stands at the end", _answer_at_the_end("bleu"), _answer_at_the_end("attend"))
odd("06", "an answer in two cells: what it calls stands below it", _halves("shift_matrix", ""))
odd(
    "10",
    "a constant that the answer needs stands below its check",
    edit("pca", "centred = x", "assert ROWS == 0\n    centred = x"),
    after("pca", "ROWS = 0", 'check("10.pca")'),
)
odd("07", "answers typed into the check cells", _into_check_cell("causal_mask"), _into_check_cell("MultiHeadAttention"))
odd("04", "answer and check cells merged, both ways", _into_check_cell("NPLM"), also("nearest", 'check("04.nearest")'))
odd("02", "two answers in one cell", _merged("embedding_grad", "embedding_grad_with_options"))
odd("09", "answers in each other's cells", _swapped("ndcg_at_k", "recall_at_k"))
odd("11", "answers in each other's cells, further ones too", _swapped("max_sim", "binary_codes"))
odd("03", "checks deleted", remove("renorm_rows", "-check"), remove("tied_scores", "-check"))
odd("08", "an answer's cell was deleted and typed anew", whole(lambda notebook: _typed_anew(notebook, "pool_last")))
odd("05", "an answer four times", _doubled("lstm_cell", 3))
odd("06", "only answers and checks are left", whole(_only_answers))
odd("10", "labels and ids are other ones", whole(_labels_lost))
odd("02", "all markdown deleted, labels lost", whole(_no_text), whole(_labels_lost))

# Types and names.
odd("01", "answers became Markdown", _as_type(("build_vocab", "merge_pair"), "markdown"))
odd("09", "answers became raw cells", _as_type(("clip_loss", "spearman"), "raw"))
odd("04", "an answer in a code fence of a Markdown cell", _as_type(("sgns_loss",), "markdown", "python"))
odd(
    "08",
    "marks of jupytext in a cell of one's own",
    above("pool_mean", "def widened(mask, like):\n    return mask.to(like.dtype)[:, :, None]"),
    edit("pool_mean", "attention_mask.to(token_embeddings.dtype)[:, :, None]", "widened(attention_mask, token_embeddings)"),
    below("pool_mean", "# %% [raw]\nprint(widened(torch.ones(1, 2), torch.zeros(1)))"),
)
odd("03", "a misspelt name, mended below", _misspelt("renorm_rows", "renorm_row"))
odd("07", "a misspelt class, mended below", _misspelt("TransformerBlock", "TransfomerBlock"))
odd(
    "10",
    "an answer under its own name and an alias",
    also("trustworthiness", "trust = trustworthiness\ntrustworthiness = trust"),
)
odd(
    "05",
    "an answer that calls an older one of the same name",
    first("shift_targets", "def shift_targets(tgt, bos, eos, pad):\n    return None\n_old = shift_targets\n"),
    answer(
        "shift_targets",
        "def padded(tgt, value):\n    return tgt.new_full((len(tgt), 1), value)\n\n"
        "def shift_targets(tgt, bos, eos, pad):\n"
        "    fed = torch.cat([padded(tgt, bos), tgt], dim=1)\n"
        "    out = torch.cat([tgt, padded(tgt, pad)], dim=1)\n"
        "    out[torch.arange(len(tgt)), (tgt != pad).sum(dim=1)] = eos\n    return fed, out",
    ),
)

# The lesson after the ten.
odd("11", "a wrong attempt above the right one of a class", wrong("BertEncoder"), wrong("chunk"))
odd("11", "a right one stands further down", _wrong_in_place("translate_names"))
odd("11", "a wrong variation is tried below, and the right one run again", _wrong_after("bag_of_tokens", again=True))
odd("11", "answers in each other's cells, in 11", _swapped("product_quantize", "pq_search"), _swapped("chunk", "bag_of_tokens"))
odd("11", "two answers in one cell, in 11", _merged("bootstrap_difference", "bag_of_tokens"))
odd("11", "the class was deleted and typed anew", whole(lambda notebook: _typed_anew(notebook, "BertEncoder")))
odd("11", "only answers and checks are left, in 11", whole(_only_answers))
odd("11", "labels and ids are other ones, in 11", whole(_labels_lost))
