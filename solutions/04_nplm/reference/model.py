"""Right answers: the neural language model, one step of its training, and text out of it."""

from collections.abc import Callable

import torch
import torch.nn as nn


class NPLM(nn.Module):
    """The neural probabilistic language model (Bengio et al., 2003): a window of words in, logits out.

    With e the embeddings of a row's words, one after the other, oldest first:
    logits = output(tanh(hidden(e))), and with `direct` plus direct(e).

    vocab_size     V
    context        C, how many words a row has
    embedding_dim  d, the width of a word's vector
    hidden_dim     H, the width of the hidden layer
    direct         whether a linear layer without bias leads from e straight to the logits

    Attributes: `embedding`, an nn.Embedding (V, d) in which no id is special; `hidden` and `output`, each an
    nn.Linear with bias; `direct`, an nn.Linear without bias, or None (or False) when it is off. There is no
    dropout and nothing else that learns.

    forward(x): x is an int64 tensor (B, C), B at least 1; returns the logits, (B, V).

    >>> model = NPLM(vocab_size=7, context=2, embedding_dim=2, hidden_dim=2)
    >>> sum(parameter.numel() for parameter in model.parameters())
    45
    >>> model(torch.tensor([[0, 3], [3, 6], [1, 1]])).shape
    torch.Size([3, 7])
    """

    def __init__(self, vocab_size: int, context: int, embedding_dim: int, hidden_dim: int, direct: bool = False) -> None:
        super().__init__()
        width = context * embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(width, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(width, vocab_size, bias=False) if direct else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        e = self.embedding(x).flatten(start_dim=1)  # (B, C, d) -> (B, C * d)
        logits = self.output(torch.tanh(self.hidden(e)))  # (B, V)
        return logits if self.direct is None else logits + self.direct(e)


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    optimizer: torch.optim.Optimizer,
) -> float:
    """Train a model on one batch: one full step of the optimizer.

    Gradients that the parameters had before the call do not count.

    model      called with the batch's inputs; what it returns is loss_fn's business: a tensor, a tuple, ...
    batch      a pair (x, y), tuple or list: inputs and targets; y may be None
    loss_fn    takes the model's output and y, in this order, and returns a single number of either sign as a tensor
    optimizer  a torch optimizer over the model's parameters; it keeps its memory from step to step
    returns    the loss of this batch before the step, as a float

    With w = 2, x = 1 and the loss out², the gradient is 4:

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 2.0)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> train_step(model, (torch.ones(1, 1), None), lambda out, y: (out**2).mean(), optimizer)
    4.0
    >>> model.weight.item()
    1.0
    """
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def generate(
    model: nn.Module, prefix: list[int], max_tokens: int, temperature: float, eos: int, generator: torch.Generator
) -> list[int]:
    """Let a language model continue a text, one token after the other.

    Each token is drawn from softmax(logits / temperature), where the logits are the model's for the window of the
    latest ids; then the window moves on by one id. Temperature 0 takes the likeliest token instead of drawing.

    model        takes ids (B, C), an int64 tensor, and returns logits (B, V)
    prefix       a list of exactly C ids: the first window. It is not modified
    max_tokens   how many tokens to return at most
    temperature  0 or larger; tiny temperatures must not lead to nan
    eos          when it is drawn, the text ends; eos itself is not returned
    generator    where all randomness comes from
    returns      the new tokens, a list of ints, without the prefix

    >>> model = NPLM(vocab_size=3, context=2, embedding_dim=2, hidden_dim=2)
    >>> for weight in model.parameters():
    ...     _ = nn.init.zeros_(weight)
    >>> model.output.bias.data[:] = torch.tensor([0.0, 90.0, 0.0])
    >>> generate(model, [0, 2], max_tokens=4, temperature=1.0, eos=0, generator=torch.Generator())
    [1, 1, 1, 1]
    """
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        with torch.no_grad():
            logits = model(torch.tensor([window]))[0]  # (V,)
        if temperature == 0:
            token = int(logits.argmax())
        else:
            logits = logits - logits.max()  # the largest is 0, so that nothing overflows below
            token = int(torch.multinomial(torch.softmax(logits / temperature, dim=0), 1, generator=generator))
        if token == eos:
            break
        tokens.append(token)
        window = [*window[1:], token]
    return tokens
