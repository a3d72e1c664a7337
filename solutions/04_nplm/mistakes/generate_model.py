"""Generating text: wrong answers that do something to the caller's model, and an unusual right one."""

import torch

from grader.course_source.catalogue import mistake, right_form

GENERATE = "04.generate"


@mistake(
    GENERATE, "sets_eval_mode", stage="property",
    diagnosis="The model is put into eval mode; the mode is for the caller to say.",
    next_step="Leave `.eval()` out: who generates while training wants to go on training afterwards.",
)
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


@mistake(
    GENERATE, "sets_training_mode", stage="property",
    diagnosis="The model is in training mode afterwards; the mode is for the caller to say.",
    next_step="Leave `.train()` out.",
)
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


@mistake(
    GENERATE, "weights_frozen", stage="shape",
    diagnosis="The model's weights need no gradient afterwards: it can learn nothing any more.",
    next_step="Use `with torch.no_grad():` around the call; that ends with the block.",
)
def generate(model, prefix, max_tokens, temperature, eos, generator):
    for parameter in model.parameters():
        parameter.requires_grad = False
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
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


@right_form(GENERATE, "searched_in_sorted_sums")
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
