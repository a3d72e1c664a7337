# exercise 07.MultiHeadAttention
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


# right form one_projection_for_all
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.qkv_proj = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = self.qkv_proj(x).chunk(3, dim=-1)[0]
        _, k, v = self.qkv_proj(source).chunk(3, dim=-1)
        q, k, v = (split_heads(part, self.heads) for part in (q, k, v))
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


# right form torchs_attention
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        if mask is not None:
            mask = mask.expand(*q.shape[:3], k.shape[2])
            some = mask.any(dim=-1, keepdim=True)
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | ~some) * some
        else:
            mixed = F.scaled_dot_product_attention(q, k, v)
        return self.out_proj(merge_heads(mixed))


# right form head_after_head
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True, dropout=0.0):
        super().__init__()
        width, rest = divmod(d_model, heads)
        if rest != 0:
            raise ValueError(f"{d_model} / {heads}")
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model, bias) for _ in range(4))
        self.dropout = nn.Dropout(dropout)
        self.slices = [slice(at, at + width) for at in range(0, d_model, width)]

    def forward(self, x, context=None, mask=None, verbose=False):
        if context is None:
            context = x
        print("attending", x.shape)
        q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)
        allowed = torch.ones(x.size(0), len(self.slices), x.size(1), context.size(1), dtype=torch.bool)
        if mask is not None:
            allowed = allowed & mask
        found = []
        for head, part in enumerate(self.slices):
            scores = torch.einsum("btd,bsd->bts", q[..., part], k[..., part]) / (part.stop - part.start) ** 0.5
            weights = torch.softmax(scores.masked_fill(~allowed[:, head], -1e9), dim=-1) * allowed[:, head]
            found.append(self.dropout(weights) @ v[..., part])
        return self.out_proj(torch.cat(found, dim=-1))


# right form einsum_over_the_weights
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, heads: int, bias: bool = True):
        if d_model % heads > 0:
            raise ValueError("d_model")
        super().__init__()
        self.h, self.w = heads, d_model // heads
        self.qkv_proj = nn.Linear(d_model, d_model * 3, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)
        nn.init.xavier_uniform_(self.qkv_proj.weight)

    def project(self, x, which):
        d = x.shape[-1]
        weight = self.qkv_proj.weight[which * d : (which + 1) * d].view(self.h, self.w, d)
        out = torch.einsum("btd,hwd->bhtw", x, weight)
        if self.qkv_proj.bias is not None:
            out = out + self.qkv_proj.bias[which * d : (which + 1) * d].view(self.h, 1, self.w)
        return out

    def forward(self, x, context=None, mask=None):
        context = x if context is None else context
        q, k, v = self.project(x, 0), self.project(context, 1), self.project(context, 2)
        scores = torch.einsum("bhtw,bhsw->bhts", q, k) * self.w**-0.5
        if mask is not None:
            scores = torch.where(mask, scores, float("-inf"))
        weights = scores.softmax(-1).nan_to_num()
        return self.out_proj(torch.einsum("bhts,bhsw->bthw", weights, v).flatten(-2))


# right form batch_and_heads_folded
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super(MultiHeadAttention, self).__init__()
        if (d_model // heads) * heads != d_model:
            raise ValueError(heads)
        self.heads = heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def fold(self, x):
        b, t, d = x.shape
        return x.reshape(b, t, self.heads, d // self.heads).permute(0, 2, 1, 3).reshape(b * self.heads, t, d // self.heads)

    def forward(self, x, context=None, mask=None):
        b, t, d = x.shape
        source = context if context is not None else x
        q, k, v = self.fold(self.q_proj(x)), self.fold(self.k_proj(source)), self.fold(self.v_proj(source))
        scores = torch.bmm(q, k.mT) / np.sqrt(d // self.heads)
        if mask is not None:
            mask = torch.broadcast_to(mask, (b, self.heads, t, source.shape[1])).reshape(scores.shape)
            scores = scores.masked_fill(mask == 0, torch.finfo(x.dtype).min)
        weights = torch.softmax(scores, dim=2)
        if mask is not None:
            weights = weights * mask.any(dim=2, keepdim=True)
        out = torch.bmm(weights, v).view(b, self.heads, t, -1).permute(0, 2, 1, 3)
        return self.out_proj(out.contiguous().view(b, t, d))
