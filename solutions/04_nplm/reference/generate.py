"""The right answer to 04.generate."""


import torch
import torch.nn as nn


def generate(
    model: nn.Module, prefix: list[int], max_tokens: int, temperature: float, eos: int, generator: torch.Generator
) -> list[int]:
    """Continue a text with a language model, one token after the other.

    Each token is drawn from softmax(logits / temperature), where the logits are the model's for the window of the
    latest ids; then the window moves on by one id. Temperature 0 takes the most probable token instead of drawing.

    model        takes ids (B, C), an int64 tensor, and returns logits (B, V). Its weights and its mode
                 (train or eval) stay as they are
    prefix       a list of exactly C ids: the first window
    max_tokens   how many tokens to return at most
    temperature  0 or larger; tiny temperatures must not lead to nan
    eos          when it is drawn, the text ends; eos itself is not returned
    generator    the source of all randomness
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
