"""S1: classes that it prints."""

from __future__ import annotations

import torch
from torch import nn

from .entry import CONDITION, WRONG, Measured, Source, at, found, quoted

s1 = Source("S1")


@s1.claim(
    "The encoder classes can be used as printed.",
    WRONG,
    at("05", "bug-super"),
    quote=quoted(
        "4.1 LSTM Seq2Seq中的embedding应用",
        "def __init__(self, vocab_size, embed_size, hidden_size, num_layers=1):"
        "…self.embedding = nn.Embedding(vocab_size, embed_size, padding_idx=0)",
    ),
)
def encoder_as_printed() -> Measured:
    """Construct an encoder as printed, and one with super().__init__()."""

    class Printed(nn.Module):
        def __init__(self) -> None:
            self.embedding = nn.Embedding(10, 4, padding_idx=0)

    class Repaired(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(10, 4)

    repaired = len(list(Repaired().parameters()))
    try:
        Printed()
    except AttributeError as error:
        error_name = type(error).__name__
    else:
        error_name = ""
    return found(
        error_name == "",
        f"Constructing one raises {error_name or 'nothing'}; with super().__init__() it has {repaired} parameter tensor.",
        "Their constructors, as far as they are shown, lack super().__init__(), which makes the places that parameters are "
        "kept in.",
    )


@s1.claim(
    "Its sample for “layered embedding and mixture of experts” is a mixture of experts.",
    CONDITION,
    at("07", "where"),
    quote=quoted(
        "5.4 分层embedding与专家混合（MoE）",
        "在某些大模型中，不同层可能使用不同维度的embedding",
        "in some large models different layers may use embeddings of different widths",
    ),
)
def a_table_for_each_layer() -> Measured:
    """Test whether the printed sample uses different tables in different layers and lets each token choose its experts."""
    tables, ids = nn.ModuleList(nn.Embedding(10, width) for width in (8, 16)), torch.arange(10)
    before = tables[0](ids).detach().clone()
    tables[1].get_parameter("weight").data.normal_()
    elsewhere = int((tables[0](ids) != before).any(dim=1).sum())  # words of layer 0 that read another table
    beside = sum(parameter.numel() for parameter in tables.parameters()) - 10 * (8 + 16)  # parameters that could choose
    return found(
        {"a table for each layer": tables[1](ids).shape == (10, 16), "each token chooses its experts": elsewhere + beside > 0},
        f"The caller picks a table by `layer_idx`. In one call {elsewhere} of 10 words read another table than the rest, and "
        f"{beside} parameters could choose one.",
        "It shows the first half of its heading, a table for each layer. A mixture of experts has a gate that looks at each "
        "token; here there is none.",
    )


@s1.claim(
    "The same embed_size in encoder and decoder makes sure that the dimensions agree.",
    CONDITION,
    at("05", "tables-text"),
    quote=quoted(
        "4.1 LSTM Seq2Seq中的embedding应用",
        "相同的embed_size确保维度一致性",
        "the same embed_size ensures that dimensions are consistent",
    ),
)
def same_width_on_both_sides() -> Measured:
    """Translate one batch with tables of equal and of different widths, and with one shared table."""

    def fails(source_width: int, target_width: int, target_hidden: int = 32, shared: bool = False) -> bool:
        source_table, target_table = nn.Embedding(20, source_width), nn.Embedding(30, target_width)
        encoder = nn.LSTM(source_width, 32, batch_first=True)
        decoder = nn.LSTM(target_width, target_hidden, batch_first=True)
        state = encoder(source_table(torch.tensor([[1, 2, 3]])))[1]
        try:
            decoder((source_table if shared else target_table)(torch.tensor([[4, 5]])), state)
        except RuntimeError:
            return True
        return False

    needed = {"two tables": fails(16, 24), "one shared table": fails(16, 24, shared=True)}
    assert not fails(16, 16, shared=True) and fails(16, 16, target_hidden=48)
    return found(
        needed,
        "Widths 16 and 24 with a hidden size of 32: two tables work, one shared table raises RuntimeError. Equal widths with "
        "hidden sizes 32 and 48 fail.",
        "Where encoder and decoder share a table. With two tables the widths are free: the state is handed over, so the hidden "
        "sizes have to agree.",
    )
