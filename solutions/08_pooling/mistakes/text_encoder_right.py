# exercise 08.TextEncoder
"""Unusual right text encoders, and changes of the reference that leave it right."""

import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

# survivor self.tokens(ids) + self.positions(places) → self.tokens(ids) - self.positions(places)
# the table of positions is learned: its sign means nothing

# survivor ~mask & mask.any(dim=1, keepdim=True) → ~mask
# torch's own attention gives zeros for a softmax over nothing; one written by hand would give nan

# survivor True → False (3)
# norm_first=False: either place of the layer norms is right


# right form torch_s_whole_encoder
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean", dropout=0.0):
        super().__init__()
        layer = nn.TransformerEncoderLayer(d_model, heads, dim_feedforward=d_ff, dropout=dropout, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=layers, enable_nested_tensor=False)
        self.embed = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.position_table = nn.Parameter(torch.randn(max_length, d_model) * 0.02)
        self.limit, self.pooling = max_length, pooling

    def forward(self, ids, attention_mask):
        real = attention_mask == 1
        lengths = real.sum(-1)
        if (lengths > self.limit).any():
            raise ValueError(f"at most {self.limit} tokens")
        order = torch.argsort(real.int(), dim=1, descending=True, stable=True)
        ids = torch.gather(ids, 1, order)[:, : max(1, int(lengths.max()))]
        real = torch.gather(real, 1, order)[:, : ids.shape[1]]
        x = self.embed(ids) * math.sqrt(self.embed.embedding_dim) + self.position_table[: ids.shape[1]]
        usable = real.clone()
        usable[:, 0] |= lengths == 0
        x = self.encoder(x, src_key_padding_mask=~usable)
        pooled = globals()[f"pool_{self.pooling}"](x, real)
        return F.normalize(pooled, p=2, dim=-1)


# right form attention_by_hand_and_sinusoids
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.h, self.max_length, self.pooling = heads, max_length, pooling
        self.E = nn.Embedding(vocab_size, d_model)
        block = nn.ModuleDict({
            "n1": nn.LayerNorm(d_model), "qkv": nn.Linear(d_model, 3 * d_model), "out": nn.Linear(d_model, d_model),
            "n2": nn.LayerNorm(d_model), "up": nn.Linear(d_model, d_ff), "down": nn.Linear(d_ff, d_model),
        })
        self.blocks = nn.ModuleList(copy.deepcopy(block) for _ in range(layers))
        self.final = nn.LayerNorm(d_model)
        angles = torch.arange(max_length)[:, None] * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
        self.register_buffer("P", torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1))

    def attention(self, block, x, allowed):
        B, T, d = x.shape
        q, k, v = block["qkv"](x).view(B, T, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.h)
        weights = scores.masked_fill(~allowed[:, None, None, :], -1e9).softmax(-1)
        return block["out"]((weights @ v).transpose(1, 2).reshape(B, T, d))

    def forward(self, ids, attention_mask):
        mask = attention_mask.to(torch.int64)
        if mask.sum(1).max().item() > self.max_length:
            raise ValueError
        rank = torch.relu(mask.cumsum(1) - 1)
        x = self.E(ids) + self.P[rank]
        for block in self.blocks:
            x = x + self.attention(block, block["n1"](x), mask.bool())
            x = x + block["down"](F.gelu(block["up"](block["n2"](x)), approximate="tanh"))
        x = self.final(x)
        pools = {"mean": pool_mean, "max": pool_max, "cls": pool_cls, "last": pool_last, "weighted": pool_weighted}
        pooled = pools[self.pooling](x, mask)
        return pooled / pooled.norm(dim=1, keepdim=True).clamp(min=1e-9)


# right form one_sentence_after_the_other
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.word, self.place = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.norm = nn.LayerNorm(d_model)
        self.stack = nn.Sequential()
        for number in range(layers):
            first = number % 2 == 0
            self.stack.append(nn.TransformerEncoderLayer(d_model, heads, d_ff, 0.0, "relu", batch_first=True, norm_first=first))
        self.kind = pooling

    def forward(self, ids, attention_mask):
        rows = []
        for row, mask in zip(ids, attention_mask.bool()):
            words = row[mask]
            if len(words) > self.place.num_embeddings:
                raise ValueError("this sentence is too long")
            if len(words) == 0:
                rows.append(torch.zeros(self.word.embedding_dim))
                continue
            x = self.norm(self.word(words) + self.place.weight[: len(words)])
            x = self.stack(x.unsqueeze(0))[0]
            weights = torch.arange(1.0, len(words) + 1)
            pooled = {
                "mean": lambda: x.mean(0), "max": lambda: x.max(0).values, "cls": lambda: x[0], "last": lambda: x[-1],
                "weighted": lambda: weights @ x / weights.sum(),
            }[self.kind]()
            rows.append(pooled / pooled.norm())
        return torch.stack(rows)


# right form rotary_positions
class TextEncoder(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, pooling="mean"):
        super().__init__()
        self.heads, self.max_length, self.pooling = heads, max_length, pooling
        self.table = nn.Parameter(torch.empty(vocab_size, d_model).normal_(0, 0.02))
        self.q, self.k, self.v, self.o, self.w1, self.w2 = (
            nn.ModuleList(nn.Linear(a, b, bias=False) for _ in range(layers))
            for a, b in [(d_model, d_model)] * 4 + [(d_model, d_ff), (d_ff, d_model)]
        )

    def turn(self, x, rank):
        width = x.shape[-1]
        angles = rank[:, None, :, None] * 100.0 ** (-torch.arange(0, width, 2) / width)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.cat([even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()], dim=-1)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, ids, attention_mask):
        mask = attention_mask > 0
        if (mask.sum(1) > self.max_length).any():
            raise ValueError("too many tokens")
        rank = mask.cumsum(1).float()
        x = self.table[ids]
        bias = torch.zeros(mask.shape).masked_fill(~mask, -1e9)[:, None, None]
        for q, k, v, o, w1, w2 in zip(self.q, self.k, self.v, self.o, self.w1, self.w2):
            y = F.layer_norm(x, x.shape[-1:])
            queries, keys = self.turn(self.split(q(y)), rank), self.turn(self.split(k(y)), rank)
            heads = F.scaled_dot_product_attention(queries, keys, self.split(v(y)), bias)
            x = x + o(heads.transpose(1, 2).flatten(2))
            x = x + w2(F.silu(w1(F.layer_norm(x, x.shape[-1:]))))
        pool = dict(mean=pool_mean, max=pool_max, cls=pool_cls, last=pool_last, weighted=pool_weighted)[self.pooling]
        return F.normalize(pool(x, mask), dim=1)
