# exercise 07.TransformerBlock
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


# right form gelu_by_tanh
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x)), approximate="tanh"))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x), approximate="tanh")))


# right form attention_of_torch
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.ff1 = nn.Linear(d_model, d_ff)
        self.ff2 = nn.Linear(d_ff, d_model)
        self.activation = nn.GELU()
        self.heads = heads
        if norm == "pre":
            self.before = True
        elif norm == "post":
            self.before = False
        else:
            raise ValueError(f"unknown norm {norm}")

    def attend(self, x, mask):
        if mask is not None:
            mask = ~mask.expand(x.size(0), self.heads, x.size(1), x.size(1)).flatten(0, 1)
        return self.attention(x, x, x, attn_mask=mask, need_weights=False)[0]

    def forward(self, x, mask=None):
        normalised = self.norm1(x) if self.before else x
        x = x + self.attend(normalised, mask)
        x = x if self.before else self.norm1(x)
        normalised = self.norm2(x) if self.before else x
        x = x + self.ff2(self.activation(self.ff1(normalised)))
        return x if self.before else self.norm2(x)


# right form gelu_by_hand_and_dropout_of_nothing
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre", dropout=0.0):
        super().__init__()
        if norm != "pre" and norm != "post":
            raise ValueError("norm")
        self.kind, self.dropout = norm, nn.Dropout(dropout)
        self.attention = MultiHeadAttention(d_model, heads, bias=True)
        self.norm1 = nn.LayerNorm(d_model, eps=1e-6)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-6)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def gelu(self, x):
        return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))

    def forward(self, x, mask=None):
        halves = (
            (self.norm1, lambda y: self.attention(y, None, mask)),
            (self.norm2, lambda y: self.ff2(self.gelu(self.ff1(y)))),
        )
        print(self.kind)
        for norm, half in halves:
            if self.kind == "pre":
                x = x + self.dropout(half(norm(x)))
            else:
                x = norm(x + self.dropout(half(x)))
        return x


# right form everything_inside
class TransformerBlock(nn.Module):
    class Attention(nn.Module):
        def __init__(self, d, h):
            super().__init__()
            self.h = h
            self.qkv_proj, self.out_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)

        def forward(self, x, mask):
            b, t, d = x.shape
            q, k, v = self.qkv_proj(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
            return self.out_proj(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, t, d))

    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in {"pre", "post"}:
            raise ValueError(norm)
        self.attention = self.Attention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.forward = self.pre if norm == "pre" else self.post

    def feed_forward(self, x):
        return F.linear(F.gelu(self.ff1(x)), self.ff2.weight, self.ff2.bias)

    def pre(self, x, mask=None):
        x = self.attention(self.norm1(x), mask) + x
        return self.feed_forward(self.norm2(x)) + x

    def post(self, x, mask=None):
        x = self.norm1(self.attention(x, mask) + x)
        return self.norm2(self.feed_forward(x) + x)


# right form modules_under_two_names
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ["pre", "post"]:
            raise ValueError("norm must be pre or post")
        self.pre_norm = norm == "pre"
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.ff1 = nn.Linear(d_model, d_ff)
        self.ff2 = nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(self.ff1, nn.GELU(), self.ff2)

    def forward(self, x, mask=None, need_weights=False):
        residual = x.clone()
        if self.pre_norm:
            residual = residual + self.attention(self.norm1(residual), mask=mask)
            return residual + self.feed_forward(self.norm2(residual))
        residual = self.norm1(residual + self.attention(residual, mask=mask))
        return self.norm2(residual + self.feed_forward(residual))
