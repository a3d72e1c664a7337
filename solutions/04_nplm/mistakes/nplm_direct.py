# exercise 04.NPLM
"""Wrong answers to the neural language model by name (direct and gradients), and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).reshape(x.shape[0], -1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


# mistake direct_has_a_bias (shape), from plain
# The direct layer has a bias; it should have none, since output has one already.
# Next: Write `bias=False`.
#   vocab_size, bias=False => vocab_size

# mistake direct_never_made (shape), from plain
# direct=True makes no direct layer.
# Next: Make a linear layer without bias, context * embedding_dim wide, `if direct`.
#   nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None => None

# mistake direct_is_the_flag (shape), from plain
# `direct` holds the flag, and the layer has another name.
# Next: The attribute `direct` is the layer itself, or None.
#   -        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.direct = direct
#   +        self.skip = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   -        if self.direct is not None:
#   -            logits = logits + self.direct(c)
#   -        return logits
#   +        return logits + self.skip(c) if self.direct else logits

# mistake direct_not_used (values), from plain
# The direct layer is made and never called.
# Next: Add `self.direct(c)` to the logits when it is there.
#   -        if self.direct is not None:
#   -            logits = logits + self.direct(c)


# mistake direct_from_the_hidden_layer (shape)
# The direct layer starts at the hidden layer; it should start at the concatenated vectors.
# Next: Its input is as wide as that of the hidden layer.
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(hidden_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        h = torch.tanh(self.hidden(self.embedding(x).reshape(x.shape[0], -1)))
        logits = self.output(h)
        return logits if self.direct is None else logits + self.direct(h)


# mistake direct_inside_tanh (values), from plain
# The direct part goes through tanh; it should be added to the logits as it is.
# Next: Add `self.direct(c)` itself.
#   self.direct(c) => torch.tanh(self.direct(c))

# mistake direct_replaces_the_logits (values), from plain
# With direct=True only the direct part is returned.
# Next: Add it to the output layer's logits.
#   logits + self.direct(c) => self.direct(c)

# mistake direct_of_another_order (values), from plain
# The direct part is computed from the words in another order than the hidden layer's.
# Next: Concatenate once, and use the result twice.
#   self.direct(c) => self.direct(self.embedding(x.flip(1)).flatten(1))

# mistake padding_row (values), from plain
# Row 0 of the table cannot learn: `padding_idx=0` keeps its gradient at zero. No id is special here.
# Next: Leave `padding_idx` out.
#   vocab_size, embedding_dim => vocab_size, embedding_dim, padding_idx=0

# mistake last_row_is_padding (values), from plain
# The last row of the table cannot learn: `padding_idx` keeps its gradient at zero.
# Next: Leave `padding_idx` out.
#   vocab_size, embedding_dim => vocab_size, embedding_dim, padding_idx=-1

# mistake frozen_table (property), from plain
# The embedding is looked up without a graph, or frozen: the table cannot learn.
# Next: Leave `detach`, `.data` and `no_grad` out of forward.
#   self.embedding(x).reshape => self.embedding(x).detach().reshape

# mistake scaled_by_frequency (values), from plain
# Gradients of frequent words are divided by their count: `scale_grad_by_freq` is set.
# Next: Leave `scale_grad_by_freq` out: each use of a row adds its gradient.
#   vocab_size, embedding_dim => vocab_size, embedding_dim, scale_grad_by_freq=True

# mistake direct_learns_alone (values), from plain
# The direct layer sees detached vectors: its part of the gradient does not reach the table.
# Next: Use the same `c` in both paths, without `detach`.
#   self.direct(c) => self.direct(c.detach())

# mistake logits_without_a_graph (raises), from plain
# The logits carry no graph: forward runs under `no_grad`, or ends in `detach`.
# Next: Leave `no_grad` and `detach` out: training needs the graph.
#   return logits => return logits.detach()

# mistake direct_always_made (shape), from plain
# The direct layer is made even where `direct` is False: weights that nothing uses, and that no gradient reaches.
# Next: `self.direct` is a layer where it is wanted, and None where it is not.
#   -        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False)
#   +        self.is_direct = direct
#   self.direct is not None => self.is_direct


# right form words_one_by_one
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else False

    def forward(self, x):
        c = torch.cat([self.embedding(x[:, place]) for place in range(x.size(1))], dim=-1)
        logits = self.output(self.hidden(c).tanh())
        if self.direct:
            logits += self.direct(c)
        return logits


# right form one_hot_and_matmul
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
        self.vocab_size = vocab_size

    def forward(self, x):
        vectors = F.one_hot(x, self.vocab_size).float() @ self.embedding.weight
        c = vectors.flatten(-2)
        h = torch.tanh(c @ self.hidden.weight.T + self.hidden.bias)
        logits = torch.addmm(self.output.bias, h, self.output.weight.T)
        return logits + c @ self.direct.weight.T if self.direct is not None else logits


# right form hidden_with_its_tanh
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Sequential(nn.Linear(context * embedding_dim, hidden_dim), nn.Tanh())
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).view(len(x), -1)
        logits = self.output(self.hidden(c))
        return logits if not self.direct else self.direct(c) + logits


# right form loop_over_rows_and_options
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False, dropout=0.0):
        super().__init__()
        self.context, self.width = context, embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.drop = nn.Dropout(dropout)
        self.direct = None
        if direct:
            self.direct = nn.Linear(self.context * self.width, vocab_size, bias=False)

    def forward(self, x):
        print("forward", x.shape)
        rows = []
        for ids in x:
            c = torch.concat([self.embedding.weight[i] for i in ids])
            row = self.output(self.drop(2 * torch.sigmoid(2 * self.hidden(c)) - 1))
            rows.append(row if self.direct is None else row + self.direct(c))
        return torch.stack(rows)


# right form slices_of_the_hidden_weight
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = None
        if direct:
            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False)

    def forward(self, x):
        e = self.embedding(x)
        B, C, d = e.shape
        weight = self.hidden.weight.view(-1, C, d)
        h = torch.einsum("bcd,hcd->bh", e, weight) + self.hidden.bias
        logits = F.linear(torch.tanh(h), self.output.weight, self.output.bias)
        if self.direct is not None:
            logits = logits + torch.einsum("bcd,vcd->bv", e, self.direct.weight.view(-1, C, d))
        return logits


# right form forward_in_a_helper
class NPLM(nn.Module):
    """With a helper."""

    def _vectors(self, x):
        return F.embedding(x, self.embedding.weight).flatten(1)

    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
        self.act = nn.Tanh()

    def forward(self, x):
        c = self._vectors(x)
        logits = self.output(self.act(self.hidden(c)))
        return logits if self.direct is None else logits.add(self.direct(c))


# right form sparse_table
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, sparse=True)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else False

    def forward(self, x):
        c = torch.cat(self.embedding(x).unbind(dim=1), dim=-1)
        logits = self.output(self.hidden(c).tanh())
        return logits + self.direct(c) if self.direct else logits
