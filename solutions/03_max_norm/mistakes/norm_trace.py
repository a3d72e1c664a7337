# exercise 03.norm_trace
"""Wrong answers to norm_trace by name: how the steps are taken."""

import copy

import torch


# base plain
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


# mistake never_zero_grad (values), from plain
# Gradients are never cleared: every step still holds those of the steps before.
# Next: Call `optimizer.zero_grad()` at the start of every step.
#   -        optimizer.zero_grad()

# mistake zero_grad_once (values), from plain
# Gradients are cleared once before the loop, and add up from step to step after that.
# Next: Move `optimizer.zero_grad()` into the loop.
#        norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    optimizer.zero_grad()
#   -        optimizer.zero_grad()


# mistake zero_grad_at_the_end (values)
# Gradients are cleared after each step only, so one left over from before counts in the first step.
# Next: Clear at the start of a step: then it does not matter what happened before.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


# mistake zero_grad_after_backward (values), from plain
# Nothing moves: no step is taken, or the optimizer finds no gradient in its parameters when it takes it.
# Next: The order is zero_grad, backward, step, all on the embedding that was given, not on a copy.
#        for step, batch in enumerate(batches):
#   +        loss_fn(embedding(batch)).backward()
#   -        loss_fn(embedding(batch)).backward()

# mistake goes_past_max_norm (values), from plain
# `embedding.weight[batch]` goes past the module, and so past max_norm.
# Next: Call the module: `embedding(batch)`.
#   embedding(batch) => embedding.weight[batch]

# mistake flattened_batches (raises), from plain
# The batch is flattened before the lookup; loss_fn takes embedding(batch) with the shape of the batch.
# Next: Call `loss_fn(embedding(batch))` with the batch as it came.
#   embedding(batch) => embedding(batch.reshape(-1))

# mistake loss_word_by_word (raises), from plain
# loss_fn is called for one row of the batch at a time; the loss is that of the batch as a whole.
# Next: Call `loss_fn(embedding(batch))` once in a step.
#   loss_fn(embedding(batch)) => sum(loss_fn(embedding(row)) for row in batch)

# mistake an_optimizer_of_its_own (values), from plain
# The optimizer that was given never steps: plain SGD takes its place.
# Next: Use the argument `optimizer`: the caller chose its kind and its learning rate.
#    def norm_trace(embedding, optimizer, batches, loss_fn):
#   +    lr = optimizer.param_groups[0]["lr"]
#   +    optimizer = torch.optim.SGD(embedding.parameters(), lr=lr)

# mistake a_new_optimizer_of_the_same_kind (values), from plain
# The optimizer that was given never steps: a new one of its kind does, without its memory and with the learning rate that it
# began with.
# Next: Call `step()` on the argument `optimizer`: it has momentum from earlier steps, and its own learning rate.
#    def norm_trace(embedding, optimizer, batches, loss_fn):
#   +    optimizer = type(optimizer)(embedding.parameters(), **optimizer.defaults)

# mistake table_put_back (values), from plain
# The norms are right, but the embedding that was given ends as it began: the training is lost.
# Next: Train the embedding that you were given, and leave it trained.
#    def norm_trace(embedding, optimizer, batches, loss_fn):
#   +    start = copy.deepcopy(embedding.state_dict())
#            norms[step] = embedding.weight.detach().norm(dim=1)
#   +    embedding.load_state_dict(start)

# mistake loss_divided_by_the_words (values), from plain
# The loss is divided by the number of words before the backward pass; loss_fn has said what the loss is.
# Next: Hand what the lookup returns to loss_fn as it is, with nothing between.
#   -    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
#   loss_fn(embedding(batch)).backward => (loss_fn(embedding(batch)) / max(batch.numel(), 1)).backward


# mistake empty_batches_take_no_step (values)
# An empty batch is passed over; it is a step too, in which Adam goes on moving rows.
# Next: Treat every batch alike.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        if batch.numel():
            optimizer.zero_grad()
            loss_fn(embedding(batch)).backward()
            optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


# mistake memory_of_the_optimizer_cleared (values), from plain
# The optimizer's memory of earlier steps is thrown away before the training goes on.
# Next: Use the optimizer as it comes.
#   -    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    optimizer.state.clear()
#   +    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)

# mistake one_step_too_many (values), from plain
# The norms are right, but after the last batch the optimizer takes one step too many.
# Next: One step for each batch, inside the loop.
#   -    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
#            norms[step] = embedding.weight.detach().norm(dim=1)
#   +    optimizer.step()

# mistake a_new_optimizer_with_its_lr_alone (values), from plain
# A new optimizer is made with the learning rate alone: momentum and what was remembered are gone.
# Next: Use the optimizer that is given.
#    def norm_trace(embedding, optimizer, batches, loss_fn):
#   +    mine = type(optimizer)(embedding.parameters(), lr=optimizer.param_groups[0]["lr"])
#   optimizer.zero_grad => mine.zero_grad
#   optimizer.step => mine.step
