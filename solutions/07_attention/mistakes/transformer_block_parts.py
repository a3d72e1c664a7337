"""The Transformer block: wrong answers about its other parts, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

BLOCK = "07.TransformerBlock"


@base("plain")
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
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "relu", "plain",
    {
        "+ self.ff2(F.gelu(self.ff1(self.": "+ self.ff2(F.relu(self.ff1(self.",
        "+ self.ff2(F.gelu(self.ff1(x)": "+ self.ff2(F.relu(self.ff1(x)",
    },
    stage="values",
    diagnosis="The activation is ReLU; asked for is GELU.",
    next_step="Use `F.gelu`.",
)

altered(
    BLOCK, "no_activation", "plain",
    {
        ".ff2(F.gelu(self.ff1(self.norm2(x))))": ".ff2(self.ff1(self.norm2(x)))",
        "ff2(F.gelu(self.ff1(x)))": "ff2(self.ff1(x))",
    },
    stage="values",
    diagnosis="There is no activation between ff1 and ff2.",
    next_step="Put `F.gelu(...)` around ff1's output.",
)

altered(
    BLOCK, "silu", "plain",
    {
        "+ self.ff2(F.gelu(self.ff1(self.": "+ self.ff2(F.silu(self.ff1(self.",
        "+ self.ff2(F.gelu(self.ff1(x)": "+ self.ff2(F.silu(self.ff1(x)",
    },
    stage="values",
    diagnosis="The activation is SiLU; asked for is GELU, exact or by tanh.",
    next_step="Use `F.gelu`.",
)


@mistake(
    BLOCK, "rough_gelu", stage="values",
    diagnosis="x · sigmoid(1.702 x) is only a rough GELU; asked for is the exact one or its tanh form.",
    next_step="Use `F.gelu`.",
)
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
            hidden = self.ff1(self.norm2(x))
            return x + self.ff2(hidden * torch.sigmoid(1.702 * hidden))
        x = self.norm1(x + self.attention(x, mask=mask))
        hidden = self.ff1(x)
        return self.norm2(x + self.ff2(hidden * torch.sigmoid(1.702 * hidden)))


altered(
    BLOCK, "activation_at_the_end", "plain",
    {
        "return x + self.ff2(F.gelu(self.ff1(self.norm2(": "return x + F.gelu(self.ff2(self.ff1(self.norm2(",
        "self.norm2(x + self.ff2(F.gelu(self.ff1(x)": "self.norm2(x + F.gelu(self.ff2(self.ff1(x)",
    },
    stage="values",
    diagnosis="GELU stands behind ff2; it belongs between ff1 and ff2.",
    next_step="`self.ff2(F.gelu(self.ff1(...)))`.",
)

altered(
    BLOCK, "mask_not_handed_on", "plain",
    {"(self.norm1(x), mask=mask)": "(self.norm1(x))", "x, mask=mask": "x"},
    stage="values",
    diagnosis="The mask does not reach the attention, or your `MultiHeadAttention` does not use it.",
    next_step="`self.attention(..., mask=mask)`; if you write that, check `MultiHeadAttention` again.",
)

altered(
    BLOCK, "mask_as_context", "plain",
    {
        "(self.norm1(x), mask=mask)": "(self.norm1(x), mask)",
        "(x + self.attention(x, mask=mask))": "(x + self.attention(x, mask))",
    },
    stage=("raises", "values"),
    diagnosis="The mask is handed on as the second argument of the attention, which is the context.",
    next_step="Hand it on by name: `mask=mask`.",
)


@mistake(
    BLOCK, "mask_turned_round", stage="values",
    diagnosis="The mask is negated on its way; True means may attend all along.",
    next_step="Hand it on as it is.",
)
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
        mask = None if mask is None else ~mask
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "mask_in_pre_norm_only", "plain", {"x, mask=mask": "x"}, stage="values",
    diagnosis="In post-norm the mask is forgotten.",
    next_step="Hand it on in both branches.",
)


@mistake(
    BLOCK, "always_causal", stage="values",
    diagnosis="A causal mask is applied that nobody asked for.",
    next_step="Only the mask that is given counts.",
)
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
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        mask = hidden if mask is None else mask & hidden
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "anything_accepted", stage="property",
    diagnosis="An unknown norm is accepted without a word.",
    next_step="Raise a ValueError in the constructor when norm is neither of the two.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "anything_that_begins_so", "plain",
    {'norm not in ("pre", "post")': 'not norm.startswith(("pre", "post"))'},
    stage="property",
    diagnosis="A word that only begins with pre or post is accepted, too.",
    next_step="Compare the whole word.",
)

altered(
    BLOCK, "case_forgiven", "plain", {" norm ": " norm.lower() ", "= norm": "= norm.lower()"}, stage="property",
    diagnosis="norm is turned into small letters first, so that \"Pre\" is taken; anything but the two words should raise.",
    next_step="Compare norm as it is.",
)

altered(
    BLOCK, "comma_forgotten", "plain", {'pre", "post': "prepost"}, stage="property",
    diagnosis='`("pre" "post")` is one word, "prepost", and every piece of it is `in` it.',
    next_step='Write a comma: `norm not in ("pre", "post")`.',
)


@mistake(
    BLOCK, "torchs_attention_without_keys", stage="not finite",
    diagnosis="nn.MultiheadAttention gives nan where a position may attend to nothing; the attention of the course gives zeros "
    "there.",
    next_step="Use your `MultiHeadAttention`.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm, self.heads = norm, heads
        self.attention = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def attend(self, x, mask):
        b, t, _ = x.shape
        forbidden = None if mask is None else (~mask).expand(b, self.heads, t, t).flatten(0, 1)
        return self.attention(x, x, x, attn_mask=forbidden)[0]

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attend(self.norm1(x), mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attend(x, mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "assertion", stage="raises",
    diagnosis="`assert` raises an AssertionError; asked for is a ValueError.",
    next_step="Write `if norm not in (...): raise ValueError(...)`.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        assert norm in ("pre", "post")
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "dropout_by_default", stage="property",
    diagnosis="There is dropout though nobody asked for it: in training mode the output is another one.",
    next_step="Leave it out, or let its default be 0.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm = norm
        self.dropout = nn.Dropout(0.1)
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.dropout(self.attention(self.norm1(x), mask=mask))
            return x + self.dropout(self.ff2(F.gelu(self.ff1(self.norm2(x)))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "attention_without_biases", "plain",
    {"(d_model, heads)": "(d_model, heads, bias=False)"},
    stage="property",
    diagnosis="The attention was made without biases.",
    next_step="`MultiHeadAttention(d_model, heads)` has them.",
)

altered(
    BLOCK, "feed_forward_without_biases", "plain",
    {"), nn.Linear(d_ff, d_model": ", bias=False), nn.Linear(d_ff, d_model, bias=False"},
    stage="property",
    diagnosis="ff1 and ff2 were made without biases.",
    next_step="`nn.Linear` has them unless told otherwise.",
)

altered(
    BLOCK, "norms_without_weights", "plain",
    {
        "nn.LayerNorm(d_model), nn.LayerNorm(d_model)":
            "(nn.LayerNorm(d_model, elementwise_affine=False) for _ in range(2))",
    },
    stage="property",
    diagnosis="norm1 and norm2 are no layer norms with weights to learn.",
    next_step="`nn.LayerNorm(d_model)`, without further arguments.",
)


@mistake(
    BLOCK, "feed_forward_in_a_sequence", stage="property",
    diagnosis="An attribute is missing; asked for are attention, norm1, norm2, ff1 and ff2, all on `self`.",
    next_step="Keep every part under its own name, ff1 and ff2 too: no nn.Sequential around them.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff(self.norm2(x))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff(x))


altered(
    BLOCK, "d_ff_ignored", "plain",
    {"d_ff), nn.Linear(d_ff": "4 * d_model), nn.Linear(4 * d_model"},
    stage="property",
    diagnosis="A weight has the wrong size: ff1 leads from d_model to d_ff, ff2 back, for any d_ff.",
    next_step="`nn.Linear(d_model, d_ff)` and `nn.Linear(d_ff, d_model)`.",
)


@mistake(
    BLOCK, "heads_ignored", stage="values",
    diagnosis="The attention has one head, whatever is asked for.",
    next_step="Hand `heads` on.",
)
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, 1)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "super_forgotten", "plain", {"\n        super().__init__()\n": "\n"}, stage="raises",
    diagnosis="torch refuses to keep layers before `super().__init__()` was called.",
    next_step="Call it first in the constructor.",
)

altered(
    BLOCK, "adds_in_place", "plain", {"= x +": "+="}, stage="property",
    diagnosis="`x += ...` changes the caller's tensor.",
    next_step="Write `x = x + ...`.",
)

altered(
    BLOCK, "residual_cut_off", "plain",
    {"= x +": "= x.detach() +", "= self.norm1(x + self.attention(": "= self.norm1(x.detach() + self.attention("},
    stage="values",
    diagnosis="x is detached on its way round: the gradient of the residual connection is missing.",
    next_step="Leave `.detach()` out.",
)
