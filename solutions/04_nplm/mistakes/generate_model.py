# exercise 04.generate
"""Generating text: wrong answers that do something to the caller's model, and an unusual right one."""

import torch


# mistake sets_eval_mode (property)
# The model is put into eval mode; the mode is for the caller to say.
# Next: Leave `.eval()` out: who generates while training wants to go on training afterwards.
def generate(model, prefix, max_tokens, temperature, eos, generator):
    model.eval()
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        with torch.no_grad():
            logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


# mistake sets_training_mode (property)
# The model is in training mode afterwards; the mode is for the caller to say.
# Next: Leave `.train()` out.
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        with torch.no_grad():
            logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    model.train()
    return tokens


# mistake weights_frozen (shape), from sets_eval_mode
# The model's weights need no gradient afterwards: it can learn nothing any more.
# Next: Use `with torch.no_grad():` around the call; that ends with the block.
#   -    model.eval()
#   +    for parameter in model.parameters():
#   +        parameter.requires_grad = False
#   -        with torch.no_grad():
#   -            logits = model(torch.tensor([window]))[0]
#   +        logits = model(torch.tensor([window]))[0]


# right form searched_in_sorted_sums
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = torch.tensor(prefix)[None], []
    while len(tokens) < max_tokens:
        logits = model(window).detach().squeeze(0).double()
        if not temperature:
            token = logits.argmax()
        else:
            sums = torch.softmax((logits - logits.amax()) / temperature, dim=-1).cumsum(0)
            u = torch.rand(1, generator=generator, dtype=torch.float64) * sums[-1]
            token = torch.searchsorted(sums, u, right=True)[0].clamp(max=len(sums) - 1)
        if token.item() == eos:
            break
        tokens.append(token.item())
        window = torch.cat([window[:, 1:], token.view(1, 1)], dim=1)
    return tokens
