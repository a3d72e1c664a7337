"""Wrong answers about the text encoder by name: positions, layers and what they are called with."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

ENCODER = "08.TextEncoder"


@mistake(
    ENCODER, "no_positions", stage="property",
    diagnosis="Nothing tells the layers what comes first: the order of the words does not matter.",
    next_step="Add a position's vector to each word's before the first layer.",
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
        x = self.tokens(ids)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


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
    ENCODER, "first_two_words_share_a_position", "plain", {"(min=0)": "(min=1)"}, stage="property",
    diagnosis="The first two words have the same position, so swapping them does not change the result.",
    next_step="The running total of the mask begins with 1; minus 1 gives 0, 1, 2, …",
)


@mistake(
    ENCODER, "only_earlier_words_are_seen", stage="property",
    diagnosis="Each word sees only earlier ones: the vector of the first word does not depend on the sentence.",
    next_step="Leave the causal mask out: a text encoder may look in both directions.",
)
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.max_length, self.heads = max_length, heads
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
        earlier = torch.ones(ids.shape[1], ids.shape[1]).tril().bool()
        itself = torch.eye(ids.shape[1]).bool()
        hidden = ~(mask[:, None, :] & earlier | itself).repeat_interleave(self.heads, dim=0)
        for layer in self.layers:
            x = layer(x, src_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


altered(
    ENCODER, "one_layer_many_times", "plain",
    {
        "nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True) for _ in range(layers)":
            "[nn.TransformerEncoderLayer(d_model, heads, d_ff, dropout=0.0, batch_first=True)] * layers",
    },
    stage="property",
    diagnosis="All layers are one: `[layer] * n` names the same layer n times.",
    next_step="Make a new layer in each turn of the loop, or copy it with `copy.deepcopy`.",
)

altered(
    ENCODER, "layers_in_a_plain_list", "plain", {"nn.ModuleList": "list"}, stage="property",
    diagnosis="The layers stand in a Python list, where `parameters()` does not find them: they are never trained.",
    next_step="Put them into an `nn.ModuleList`.",
)


@mistake(
    ENCODER, "first_layer_only", stage="property",
    diagnosis="Some layers take no part: only one is called, or each is given the input and only the last result "
    "is kept.",
    next_step="Loop over all layers, each on what the one before returned.",
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
        for _ in self.layers:
            x = self.layers[0](x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


altered(
    ENCODER, "d_ff_left_at_its_default", "plain", {"d_ff, dropout": "dropout"}, stage="property",
    diagnosis="d_ff is not used: torch's layer has an inner width of 2048 unless told otherwise.",
    next_step="Hand d_ff to the layer as its third argument, `dim_feedforward`.",
)

altered(
    ENCODER, "one_head", "plain", {"d_model, heads, d_ff": "d_model, 1, d_ff"}, stage="property",
    diagnosis="The number of heads is not used.",
    next_step="Hand heads to the layer as its second argument, `nhead`.",
)

altered(
    ENCODER, "always_the_mean", "plain", {"[pooling]": '["mean"]'}, stage="property",
    diagnosis="The argument pooling is not used: it is always the mean.",
    next_step="Choose the function by its name: a dict from name to function is enough.",
)

altered(
    ENCODER, "first_and_last_exchanged", "plain",
    {'pool_cls, "last": pool_last': 'pool_last, "last": pool_cls'},
    stage="property",
    diagnosis="pooling='cls' gives the last word and pooling='last' the first one.",
    next_step="“cls” is the first real token.",
)

altered(
    ENCODER, "mean_and_maximum_exchanged", "plain",
    {'pool_mean, "max": pool_max': 'pool_max, "max": pool_mean'},
    stage="property",
    diagnosis="pooling='mean' takes the maximum and pooling='max' the mean.",
    next_step="Look at the dict from names to functions.",
)

altered(
    ENCODER, "mean_and_weighted_exchanged", "plain",
    {
        'pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted':
            'pool_weighted, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_mean',
    },
    stage="property",
    diagnosis="pooling='mean' lets later words count more, and pooling='weighted' does not.",
    next_step="Look at the dict from names to functions.",
)

altered(
    ENCODER, "another_default", "plain", {'="mean"': '="cls"'}, stage="property",
    diagnosis="Without pooling it does not take the mean.",
    next_step="Write pooling='mean' in the signature.",
)


@mistake(
    ENCODER, "index_error_for_a_long_sentence", stage="raises",
    diagnosis="A sentence of more than max_length words ends in an IndexError deep inside; ValueError was asked for.",
    next_step="Count the real tokens at the start of forward, and raise ValueError yourself.",
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
        places = (mask.cumsum(dim=1) - 1).clamp(min=0)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


@mistake(
    ENCODER, "long_sentences_cut_off", stage="property",
    diagnosis="Words beyond max_length get the last position without an error; ValueError was asked for.",
    next_step="Raise ValueError when a row of the mask sums to more than max_length.",
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
        places = (mask.cumsum(dim=1) - 1).clamp(0, self.max_length - 1)
        x = self.tokens(ids) + self.positions(places)
        hidden = ~mask & mask.any(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=hidden)
        return F.normalize(self.pool(x, mask), dim=1)


altered(
    ENCODER, "width_compared_with_max_length", "plain", {"mask.sum(dim=1).max()": "ids.shape[1]"}, stage="raises",
    diagnosis="The width of the batch is compared with max_length; only real tokens count.",
    next_step="Compare `mask.sum(dim=1).max()`.",
)

altered(
    ENCODER, "max_length_itself_refused", "plain", {"> self": ">= self"}, stage="raises",
    diagnosis="A sentence of exactly max_length words is refused.",
    next_step="Only more than max_length is too many: `>`, not `>=`.",
)

altered(
    ENCODER, "first_row_s_length_only", "plain", {".sum(dim=1).max": "[0].sum"}, stage="raises",
    diagnosis="Only the first sentence's length is compared with max_length.",
    next_step="Take the maximum over all rows.",
)

altered(
    ENCODER, "no_graph", "plain",
    {"(self.pool(x, mask), dim=1)": "(self.pool(x, mask), dim=1).detach()"},
    stage="property",
    diagnosis="The vectors are cut off from the graph: nothing can be trained.",
    next_step="Take `no_grad` and `detach` out of forward; the caller says when no gradient is needed.",
)

altered(
    ENCODER, "frozen_tokens", "plain", {"(ids) +": "(ids).detach() +"}, stage="property",
    diagnosis="The words' vectors are detached: the table never learns.",
    next_step="Use what the table returns as it is.",
)
