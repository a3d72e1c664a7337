# exercise 03.norm_trace
import numpy as np
import torch


# right form stacked_with_graph
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        embedding.zero_grad()
        loss = loss_fn(embedding(batch))
        loss.backward()
        optimizer.step()
        norms.append(embedding.weight.norm(dim=1))
    if not norms:
        return torch.zeros(0, embedding.weight.shape[0], dtype=embedding.weight.dtype)
    return torch.stack(norms)


# right form grad_set_to_zero_by_hand
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.full((len(batches), len(embedding.weight)), float("nan"), dtype=embedding.weight.dtype)
    for step in range(len(batches)):
        embedding.weight.grad = None
        loss_fn(embedding(batches[step])).backward()
        optimizer.step()
        with torch.no_grad():
            norms[step] = (embedding.weight**2).sum(-1).sqrt()
    return norms


# right form numpy_norms
def norm_trace(embedding, optimizer, batches, loss_fn):
    rows = []
    for batch in batches:
        optimizer.zero_grad(set_to_none=False)
        loss_fn(embedding.forward(batch)).backward()
        optimizer.step()
        rows.append(np.linalg.norm(embedding.weight.detach().numpy(), axis=1))
    found = np.array(rows).reshape(len(rows), embedding.num_embeddings)
    return torch.tensor(found, dtype=embedding.weight.dtype)


# right form tables_kept_as_clones
def norm_trace(embedding, optimizer, batches, loss_fn):
    tables = embedding.weight.new_empty(0, *embedding.weight.shape)
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_fn(embedding(batch))
        loss.backward()
        optimizer.step()
        tables = torch.cat([tables, embedding.weight.detach()[None]])
    return torch.linalg.norm(tables, dim=-1)


# right form closure_and_row_loop
def norm_trace(embedding, optimizer, batches, loss_fn, log_every=2):
    trace = []
    for number, batch in enumerate(batches):
        def closure():
            optimizer.zero_grad()
            loss = loss_fn(embedding(batch))
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        if number % log_every == 0:
            print(f"step {number}: loss {loss.item():.3f}")
        trace.append([row.norm().item() for row in embedding.weight])
    return torch.tensor(trace, dtype=embedding.weight.dtype).reshape(len(batches), len(embedding.weight))


# right form step_with_a_closure
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = embedding.weight.detach().new_zeros(0, embedding.num_embeddings)
    for batch in batches:
        def closure():
            optimizer.zero_grad(set_to_none=False)
            loss = loss_fn(embedding(batch))
            loss.backward()
            return loss

        optimizer.step(closure)
        norms = torch.cat([norms, embedding.weight.detach().pow(2).sum(dim=1).sqrt()[None]])
    return norms


# right form gradient_asked_for
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss = loss_fn(embedding(batch))
        embedding.weight.grad = torch.autograd.grad(loss, embedding.weight)[0]
        optimizer.step()
        for row in range(embedding.num_embeddings):
            norms[step, row] = float(embedding.weight[row].norm())
    return norms
