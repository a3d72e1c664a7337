"""Wrong answers to norm_trace by name: how the steps are taken."""

import copy

import torch

from grader.course_source.catalogue import mistake


@mistake(
    "03.norm_trace", "never_zero_grad", stage="values",
    diagnosis="Gradients are never cleared: every step still holds those of the steps before.",
    next_step="Call `optimizer.zero_grad()` at the start of every step.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "zero_grad_once", stage="values",
    diagnosis="Gradients are cleared once before the loop, and add up from step to step after that.",
    next_step="Move `optimizer.zero_grad()` into the loop.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    optimizer.zero_grad()
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "zero_grad_at_the_end", stage="values",
    diagnosis="Gradients are cleared after each step only, so one left over from before counts in the first step.",
    next_step="Clear at the start of a step: then it does not matter what happened before.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "zero_grad_after_backward", stage="values",
    diagnosis="Nothing moves: no step is taken, or the optimizer finds no gradient in its parameters when it takes it.",
    next_step="The order is zero_grad, backward, step, all on the embedding that was given, not on a copy.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.zero_grad()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "goes_past_max_norm", stage="values",
    diagnosis="`embedding.weight[batch]` goes past the module, and so past max_norm.",
    next_step="Call the module: `embedding(batch)`.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding.weight[batch]).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "flattened_batches", stage="raises",
    diagnosis="The batch is flattened before the lookup; loss_fn takes embedding(batch) with the shape of the batch.",
    next_step="Call `loss_fn(embedding(batch))` with the batch as it came.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch.reshape(-1))).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "loss_word_by_word", stage="raises",
    diagnosis="loss_fn is called for one row of the batch at a time; the loss is that of the batch as a whole.",
    next_step="Call `loss_fn(embedding(batch))` once in a step.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        sum(loss_fn(embedding(row)) for row in batch).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "an_optimizer_of_its_own", stage="values",
    diagnosis="The optimizer that was given never steps: plain SGD takes its place.",
    next_step="Use the argument `optimizer`: whoever calls chose its kind and its learning rate.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    lr = optimizer.param_groups[0]["lr"]
    optimizer = torch.optim.SGD(embedding.parameters(), lr=lr)
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "a_new_optimizer_of_the_same_kind", stage="values",
    diagnosis="The optimizer that was given never steps: a new one of its kind does, without its memory and with the "
    "learning rate that it began with.",
    next_step="Call `step()` on the argument `optimizer`: it has momentum from earlier steps, and its own learning rate.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    optimizer = type(optimizer)(embedding.parameters(), **optimizer.defaults)
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "table_put_back", stage="values",
    diagnosis="The norms are right, but the embedding that was given ends as it began: the training is lost.",
    next_step="Train the embedding that you were given, and leave it trained.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    start = copy.deepcopy(embedding.state_dict())
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    embedding.load_state_dict(start)
    return norms


@mistake(
    "03.norm_trace", "loss_divided_by_the_words", stage="values",
    diagnosis="The loss is divided by the number of words before the backward pass; loss_fn has said what the loss is.",
    next_step="Hand what the lookup returns to loss_fn as it is, with nothing between.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        (loss_fn(embedding(batch)) / max(batch.numel(), 1)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "empty_batches_take_no_step", stage="values",
    diagnosis="An empty batch is passed over; it is a step too, in which Adam goes on moving rows.",
    next_step="Treat every batch alike.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        if batch.numel():
            optimizer.zero_grad()
            loss_fn(embedding(batch)).backward()
            optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "memory_of_the_optimizer_cleared", stage="values",
    diagnosis="The optimizer's memory of earlier steps is thrown away before the training goes on.",
    next_step="Use the optimizer as it comes.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    optimizer.state.clear()
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "one_step_too_many", stage="values",
    diagnosis="The norms are right; behind the last batch the optimizer takes one more step that nobody asked for.",
    next_step="One step for each batch, inside the loop.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    optimizer.step()
    return norms


@mistake(
    "03.norm_trace", "a_new_optimizer_with_its_lr_alone", stage="values",
    diagnosis="A new optimizer is made with the learning rate alone: momentum and what was remembered are gone.",
    next_step="Use the optimizer that is given.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    mine = type(optimizer)(embedding.parameters(), lr=optimizer.param_groups[0]["lr"])
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        mine.zero_grad()
        loss_fn(embedding(batch)).backward()
        mine.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms
