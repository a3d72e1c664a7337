# exercise 04.generate
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F


# right form gumbel
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = logits.argmax().item()
        else:
            u = torch.rand(logits.shape, generator=generator, dtype=torch.float64).clamp(min=1e-300)
            scaled = (logits.double() - logits.max()) / temperature
            token = (scaled - torch.log(-torch.log(u))).argmax().item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


# right form deque_and_tensors_in_the_list
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window = deque(prefix, maxlen=len(prefix))
    tokens = []
    with torch.inference_mode():
        while len(tokens) < max_tokens:
            logits = model(torch.tensor(list(window)).unsqueeze(0)).squeeze(0).double()
            if temperature <= 0:
                token = logits.argmax()
            else:
                p = F.softmax((logits - logits.max()) / temperature, dim=0)
                token = torch.multinomial(p, num_samples=1, generator=generator)[0]
            if token == eos:
                return tokens
            tokens.append(token)
            window.append(int(token))
    return tokens


# right form cumulative_sums
def generate(model, prefix, max_tokens, temperature, eos, generator):
    ids = [int(token) for token in prefix]
    context = len(ids)
    for _ in range(max_tokens):
        logits = model(torch.tensor(ids[-context:]).view(1, -1)).detach().flatten()
        if temperature < 1e-12:
            token = int(torch.argmax(logits))
        else:
            p = torch.softmax((logits.double() - logits.max()) / temperature, 0)
            ladder = torch.cumsum(p, 0)
            u = torch.rand(1, generator=generator, dtype=torch.float64) * ladder[-1]
            token = int(torch.searchsorted(ladder, u, right=True).clamp(max=len(p) - 1))
        if token == eos:
            break
        ids.append(token)
    print(len(ids))
    return ids[context:]


# right form numpy_seeded_from_the_generator
def generate(model, prefix, max_tokens, temperature, eos, generator):
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    window, tokens = tuple(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0].detach().numpy().astype(np.float64)
        if temperature == 0:
            token = int(np.argmax(logits))
        else:
            p = np.exp((logits - logits.max()) / temperature)
            token = int(rng.choice(len(p), p=p / p.sum()))
        if token == eos:
            break
        tokens.append(token)
        window = (*window[1:], token)
    return tokens


# right form clamped_far_below_and_recursive
def generate(model, prefix, max_tokens, temperature, eos, generator):
    if max_tokens == 0:
        return []
    with torch.no_grad():
        logits = model(torch.tensor([prefix, prefix]))[:1]
    scaled = (logits - logits.amax()) / max(temperature, 1e-30)
    token = torch.multinomial(scaled.exp(), 1, generator=generator).item()
    if token == eos:
        return []
    if max_tokens > 100:
        head = generate(model, prefix, 100, temperature, eos, generator)
        if len(head) < 100:
            return head
        rest = (list(prefix) + head)[-len(prefix) :]
        return head + generate(model, rest, max_tokens - 100, temperature, eos, generator)
    return [token, *generate(model, prefix[1:] + [token], max_tokens - 1, temperature, eos, generator)]


# survivor 0 → -1 (2)
# the batch has one row, so that its first is its last

# survivor 0 → -1 (3)
# the logits have one axis, so that the first is the last
