"""Wrong answers about the text encoder by name: padding, pooling and length."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

ENCODER = "08.TextEncoder"


@base("plain")
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


altered(
    ENCODER, "padding_is_attended_to", "plain",
    {"\n        hidden = ~mask & mask.any(dim=1, keepdim=True)\n": "\n", ", src_key_padding_mask=hidden": ""},
    stage="property",
    diagnosis="Real words attend to padding: not all layers were told of the mask, or they were told the opposite.",
    next_step="Hand `src_key_padding_mask` to every layer; it is True where attention is forbidden.",
)

altered(
    ENCODER, "positions_count_columns", "plain",
    {"(mask.cumsum(dim=1) - 1).clamp(min=0)": "torch.arange(ids.shape[1]).clamp(max=self.max_length - 1)"},
    stage="property",
    diagnosis="Positions are columns: a sentence that is padded on the left gets other positions.",
    next_step="Number the real tokens: a running total of the mask, minus 1.",
)

altered(
    ENCODER, "positions_run_to_the_width", "plain",
    {"(mask.cumsum(dim=1) - 1).clamp(min=0)": "torch.arange(ids.shape[1])"},
    stage="property",
    diagnosis="Every column has a position, so a batch that is wider than max_length asks for positions that do "
    "not exist.",
    next_step="Number the real tokens: padding needs no position of its own.",
)

altered(
    ENCODER, "first_row_gives_the_positions", "plain",
    {"mask.cumsum(dim=1)": "mask[0].cumsum(dim=0)"},
    stage="property",
    diagnosis="All rows get the positions of the first sentence.",
    next_step="Each row has a mask of its own: sum along dim=1, and keep the rows.",
)

altered(
    ENCODER, "id_0_taken_for_padding", "plain", {"attention_mask.bool()": "ids != 0"}, stage="property",
    diagnosis="Padding is recognised by id 0 instead of by the mask; any id may stand at padding, and 0 may be a word.",
    next_step="Use attention_mask, and never the ids, to tell what is padding.",
)

altered(
    ENCODER, "padding_averaged_too", "plain", {"(x, mask),": "(x, torch.ones_like(mask)),"}, stage="property",
    diagnosis="The pooling does not see the mask: padding is averaged too.",
    next_step="Hand the mask to the pooling: `pool_mean(x, mask)`.",
)


@mistake(
    ENCODER, "sentences_attend_to_one_another", stage="property",
    diagnosis="Attention runs along the batch: without `batch_first=True` the first axis is taken for the words.",
    next_step="Build the layers with `batch_first=True`.",
)
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        for layer in self.layers:
            x = layer(x)
        return F.normalize(self.pool(x, mask), dim=1)


altered(
    ENCODER, "normalised_over_the_batch", "plain",
    {"(self.pool(x, mask), dim=1)": "(self.pool(x, mask), dim=0)"},
    stage="values",
    diagnosis="The columns of the batch have length 1, not the vectors: the norm runs along dim=0.",
    next_step="A vector is a row: normalise along dim=1, or -1.",
)

altered(
    ENCODER, "not_normalised", "plain",
    {"F.normalize(self.pool(x, mask), dim=1)": "self.pool(x, mask)"},
    stage="values",
    diagnosis="The vectors do not have length 1.",
    next_step="Divide each by its norm at the end: `F.normalize(vectors, dim=1)`.",
)

altered(
    ENCODER, "words_normalised_instead", "plain",
    {"F.normalize(self.pool(x, mask), dim=1)": "self.pool(F.normalize(x, dim=-1), mask)"},
    stage="values",
    diagnosis="The words' vectors have length 1, but what is pooled of them has not.",
    next_step="Normalise after pooling.",
)

altered(
    ENCODER, "a_vector_for_each_word", "plain", {"self.pool(x, mask), dim=": "x, dim=-"}, stage="shape",
    diagnosis="There is a vector for each word; one for each sentence was asked for.",
    next_step="Pool before you normalise.",
)

altered(
    ENCODER, "squeezed", "plain",
    {"(self.pool(x, mask), dim=1)": "(self.pool(x, mask), dim=1).squeeze()"},
    stage="shape",
    diagnosis="`squeeze()` takes away every axis of size 1, also that of a batch of one sentence.",
    next_step="Leave it out: the result has two axes, always.",
)

altered(
    ENCODER, "minus_sign_on_bools", "plain", {"~mask": "(1 - attention_mask).bool()"}, stage="raises",
    diagnosis="`1 - mask` is not defined for a mask of bools.",
    next_step="Take `attention_mask.bool()` first, and invert it with `~`.",
)


@mistake(
    ENCODER, "nan_for_an_empty_row", stage="values",
    diagnosis="The vector of a row without a real token is divided by its norm, 0.",
    next_step="`F.normalize` has a lower bound under the norm, and leaves zeros zeros.",
)
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        pooled = self.pool(x, mask)
        return pooled / pooled.norm(dim=1, keepdim=True)


@mistake(
    ENCODER, "nan_replaced_afterwards", stage="not finite",
    diagnosis="An empty row gives zeros, but nan in every gradient: a division by 0 was made, and covered up "
    "afterwards.",
    next_step="Keep nan from arising: a lower bound under the norm, and no softmax over nothing.",
)
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length = max_length
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)
        )
        self.pool = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}[pooling]

    def forward(self, ids, attention_mask):
        mask = attention_mask.bool()
        if mask.sum(dim=1).max() > self.max_length:
            raise ValueError("too long")
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        pooled = self.pool(x, mask)
        return (pooled / pooled.norm(dim=1, keepdim=True)).nan_to_num(0.0)


altered(
    ENCODER, "empty_rows_pool_their_padding", "plain",
    {"(x, mask), dim": "(x, mask | ~mask.any(dim=1, keepdim=True)), dim"},
    stage="values",
    diagnosis="A row without a real token gets the vector of its padding; it should be zeros.",
    next_step="Hand the true mask to the pooling, empty rows included.",
)

altered(
    ENCODER, "position_minus_one", "plain",
    {"(mask.cumsum(dim=1) - 1).clamp(min=0)": "mask.cumsum(dim=1) - 1"},
    stage="raises",
    diagnosis="Padding in front has position -1, which no table has.",
    next_step="The positions of padding do not matter, but must exist: clamp them to at least 0.",
)
