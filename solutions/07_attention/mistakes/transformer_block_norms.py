"""The Transformer block: wrong answers about norms and residual connections, by name."""

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
    BLOCK, "pre_and_post_swapped", "plain", {' "pre"': ' "post"'}, stage="values",
    diagnosis="Pre-norm and post-norm are swapped.",
    next_step="Pre-norm is the one in which x itself is never normalised.",
)

altered(
    BLOCK, "norm_ignored", "plain", {'== "pre"': 'in ("pre", "post")'}, stage="values",
    diagnosis="It is pre-norm whatever is asked for.",
    next_step="Ask for self.norm in forward.",
)

altered(
    BLOCK, "always_post", "plain", {' "pre"': ' "neither"'}, stage="values",
    diagnosis="It is post-norm whatever is asked for.",
    next_step="Ask for self.norm in forward.",
)

altered(
    BLOCK, "post_by_default", "plain", {'="pre"': '="post"'}, stage="values",
    diagnosis="Without a word it is post-norm; the default is pre-norm.",
    next_step='Keep the signature: norm="pre".',
)

altered(
    BLOCK, "first_residual_missing", "plain",
    {"= x + self": "= self", "x = self.norm1(x + self.attention(x,": "x = self.norm1(self.attention(x,"},
    stage="values",
    diagnosis="Attention replaces x; it should be added to it.",
    next_step="`x = x + ...` in both halves.",
)

altered(
    BLOCK, "second_residual_missing", "plain",
    {
        "return x + self": "return self",
        "return self.norm2(x + self.ff2(F.gelu(self": "return self.norm2(self.ff2(F.gelu(self",
    },
    stage="values",
    diagnosis="The feed-forward net replaces x; it should be added to it.",
    next_step="`x + ...` in both halves.",
)


@mistake(
    BLOCK, "residual_of_the_normalised", stage="values",
    diagnosis="In pre-norm the normalised x is added; the residual connection carries x as it came.",
    next_step="Keep x, and normalise only what goes into the attention.",
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
            x = self.norm1(x)
            x = x + self.attention(x, mask=mask)
            x = self.norm2(x)
            return x + self.ff2(F.gelu(self.ff1(x)))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "residual_added_twice", "plain", {"return x": "return 2 * x"}, stage="values",
    diagnosis="x is added a second time at the end.",
    next_step="Each half adds to what the half before it left.",
)


@mistake(
    BLOCK, "first_x_added_at_the_end", stage="values",
    diagnosis="The feed-forward half is added to the x that came in; what attention added is lost there.",
    next_step="The second half works on the new x.",
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
            y = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(y))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "halves_side_by_side", stage="values",
    diagnosis="Both halves read the x that came in; the second one should read what the first one left.",
    next_step="First attention, then the feed-forward net.",
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
            y = self.attention(self.norm1(x), mask=mask)
            return x + y + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "feed_forward_first", stage="values",
    diagnosis="The feed-forward half comes first; attention should.",
    next_step="Attention with norm1, then the feed-forward net with norm2.",
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
            x = x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
            return x + self.attention(self.norm1(x), mask=mask)
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


@mistake(
    BLOCK, "norms_swapped", stage="values",
    diagnosis="norm2 stands before the attention and norm1 before the feed-forward net.",
    next_step="norm1 belongs to the attention.",
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
            x = x + self.attention(self.norm2(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm1(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "one_norm_for_both", "plain",
    {
        "ff1(self.norm2(x))": "ff1(self.norm1(x))",
        "return self.norm2(x + self.ff2(F.": "return self.norm1(x + self.ff2(F.",
    },
    stage="values",
    diagnosis="norm1 serves both halves; norm2 is never used.",
    next_step="The second half has a norm of its own.",
)

altered(
    BLOCK, "only_queries_normalised", "plain",
    {"(self.norm1(x), mask=mask)": "(self.norm1(x), context=x, mask=mask)"},
    stage="values",
    diagnosis="Only the queries are normalised; keys and values are made of the raw x.",
    next_step="Give the attention the normalised x alone, without a context.",
)

altered(
    BLOCK, "second_half_not_normalised", "plain", {"self.norm2(x)": "x"}, stage="values",
    diagnosis="In pre-norm the feed-forward net gets the raw x.",
    next_step="Put norm2 around it: `self.ff1(self.norm2(x))`.",
)


@mistake(
    BLOCK, "norm_inside_the_sum", stage="values",
    diagnosis="In post-norm what is added is normalised; it should be the sum.",
    next_step="`self.norm1(x + ...)`, with x inside the brackets.",
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
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = x + self.norm1(self.attention(x, mask=mask))
        return x + self.norm2(self.ff2(F.gelu(self.ff1(x))))


altered(
    BLOCK, "normalised_at_the_end", "plain",
    {
        "return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))":
            "return self.norm2(x + self.ff2(F.gelu(self.ff1(self.norm2(x)))))",
    },
    stage="values",
    diagnosis="There is one more norm behind the second sum; in pre-norm there is none.",
    next_step="Return the sum itself.",
)

altered(
    BLOCK, "post_norm_without_the_last", "plain",
    {"return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))": "return x + self.ff2(F.gelu(self.ff1(x)))"},
    stage="values",
    diagnosis="In post-norm the second sum is not normalised.",
    next_step="Put norm2 around it.",
)
