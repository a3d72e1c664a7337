"""Wrong answers on row norms along a training run by name, and unusual right ones."""

import copy

import numpy as np
import torch

from grader.catalogue import mistake, right_form


@mistake(
    "03.norm_trace", "norms_before_the_step", stage="values",
    diagnosis="The norms are measured before optimizer.step(): they are those that the step started from.",
    next_step="Move the measurement to the end of the loop's body.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        norms[step] = embedding.weight.detach().norm(dim=1)
        optimizer.step()
    return norms


@mistake(
    "03.norm_trace", "never_zero_grad", stage="values",
    diagnosis="Gradients are never cleared: every step still holds those of the steps before.",
    next_step="Call `optimizer.zero_grad()` at the start of every step.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
    diagnosis="Nothing moves: the optimizer finds no gradient in its parameters when it takes its step.",
    next_step="The order is zero_grad, backward, step, all on the embedding that was given, not on a copy.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        loss_fn(embedding(batch)).backward()
        optimizer.zero_grad()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "norms_of_columns", stage="shape",
    diagnosis="The norms are those of the columns: d numbers a step instead of V.",
    next_step="Sum over dim=1, the entries of one row.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=0))
    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)


@mistake(
    "03.norm_trace", "root_forgotten", stage="values",
    diagnosis="These are squared lengths: the root is missing.",
    next_step="Take `.sqrt()` of the sum of squares, or `torch.linalg.vector_norm`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = (embedding.weight.detach() ** 2).sum(dim=1)
    return norms


@mistake(
    "03.norm_trace", "same_table_in_every_step", stage="values",
    diagnosis="Every step shows the norms of the last one: the tables that were kept are all the same storage.",
    next_step="Keep the norms of each step, or a `.clone()` of the table; `.detach()` and `.data` copy nothing.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    tables = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        tables.append(embedding.weight.detach())
    if not tables:
        return torch.empty(0, embedding.num_embeddings)
    return torch.stack([table.norm(dim=1) for table in tables])


@mistake(
    "03.norm_trace", "rows_of_the_batch_only", stage="shape",
    diagnosis="Only the rows of the batch are measured; the trace has a number for every row of the table.",
    next_step="Measure `embedding.weight`, not `embedding(batch)`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach()[batch.reshape(-1)].norm(dim=1))
    return torch.stack(norms) if norms else torch.empty(0, embedding.num_embeddings)


@mistake(
    "03.norm_trace", "measuring_clips", stage="values",
    diagnosis="The norms are taken from embedding(all ids): a lookup clips, so measuring changes the table.",
    next_step="Read `embedding.weight` directly: that clips nothing.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    everything = torch.arange(embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding(everything).detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "goes_past_max_norm", stage="values",
    diagnosis="`embedding.weight[batch]` goes past the module, and so past max_norm.",
    next_step="Call the module: `embedding(batch)`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding.weight[batch]).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "capped_at_max_norm", stage="values",
    diagnosis="The norms are cut off at max_norm; after a step a row may well be longer, until it is looked up again.",
    next_step="Write down the norm that the row has.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms if embedding.max_norm is None else norms.clamp(max=embedding.max_norm)


@mistake(
    "03.norm_trace", "norm_type_of_the_embedding", stage="values",
    diagnosis="The lengths are measured in the embedding's norm_type, by which it clips; L2 norms were asked for.",
    next_step="Measure with `ord=2` (the default), whatever the embedding's own norm is.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = torch.linalg.vector_norm(embedding.weight.detach(), ord=embedding.norm_type, dim=1)
    return norms


@mistake(
    "03.norm_trace", "flattened_batches", stage="raises",
    diagnosis="The batch is flattened before the lookup; loss_fn takes embedding(batch) with the shape of the batch.",
    next_step="Call `loss_fn(embedding(batch))` with the batch as it came.",
)  # fmt: skip
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
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        sum(loss_fn(embedding(row)) for row in batch).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "a_list", stage="type",
    diagnosis="A list of tensors comes back; one tensor of shape (steps, V) was asked for.",
    next_step="`torch.stack` makes one tensor of the list (and mind the empty list).",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return norms


@mistake(
    "03.norm_trace", "start_included", stage="shape",
    diagnosis="The norms from before the first step are in the trace too: it has one row too many.",
    next_step="Measure at the end of each step only.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = [embedding.weight.detach().norm(dim=1)]
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms)


@mistake(
    "03.norm_trace", "one_norm_for_the_table", stage="shape",
    diagnosis="One norm is taken of the whole table; each row has its own.",
    next_step="Give the norm an axis: `dim=1`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm()
    return norms


@mistake(
    "03.norm_trace", "no_batches_raises", stage="raises",
    diagnosis="`torch.stack` cannot stack nothing: without batches the answer raises; (0, V) was asked for.",
    next_step="Make a tensor of shape (len(batches), V) first and fill it row by row.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms)


@mistake(
    "03.norm_trace", "no_batches_loses_the_width", stage="shape",
    diagnosis="Without batches the result has shape (0,); it should be (0, V).",
    next_step="Make a tensor of shape (len(batches), V) first and fill it row by row.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1).tolist())
    return torch.tensor(norms, dtype=embedding.weight.dtype)


@mistake(
    "03.norm_trace", "always_float32", stage="dtype",
    diagnosis="The trace is float32 although the table is float64.",
    next_step="Make the result with the table's type: `dtype=embedding.weight.dtype`, or `weight.new_empty(...)`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "steps_along_columns", stage="shape",
    diagnosis="The steps stand in columns: the result is (V, steps) where (steps, V) was asked for.",
    next_step="Stack along dim=0.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(embedding.num_embeddings, len(batches), dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[:, step] = embedding.weight.detach().norm(dim=1)
    return norms


@mistake(
    "03.norm_trace", "an_optimizer_of_its_own", stage="values",
    diagnosis="The optimizer that was given never steps: plain SGD takes its place.",
    next_step="Use the argument `optimizer`: whoever calls chose its kind and its learning rate.",
)  # fmt: skip
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
)  # fmt: skip
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
    "03.norm_trace", "no_batches_in_float32", stage="dtype",
    diagnosis="Without batches the result is float32, although the table is float64.",
    next_step="Give the empty result the table's type too: `embedding.weight.new_empty(0, V)`.",
)  # fmt: skip
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms) if norms else torch.empty(0, embedding.num_embeddings)


@mistake(
    "03.norm_trace", "table_put_back", stage="values",
    diagnosis="The norms are right, but the embedding that was given ends as it began: the training is lost.",
    next_step="Train the embedding that you were given, and leave it trained.",
)  # fmt: skip
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


@right_form("03.norm_trace", "stacked_with_graph")
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


@right_form("03.norm_trace", "grad_set_to_zero_by_hand")
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.full((len(batches), len(embedding.weight)), float("nan"), dtype=embedding.weight.dtype)
    for step in range(len(batches)):
        embedding.weight.grad = None
        loss_fn(embedding(batches[step])).backward()
        optimizer.step()
        with torch.no_grad():
            norms[step] = (embedding.weight**2).sum(-1).sqrt()
    return norms


@right_form("03.norm_trace", "numpy_norms")
def norm_trace(embedding, optimizer, batches, loss_fn):
    rows = []
    for batch in batches:
        optimizer.zero_grad(set_to_none=False)
        loss_fn(embedding.forward(batch)).backward()
        optimizer.step()
        rows.append(np.linalg.norm(embedding.weight.detach().numpy(), axis=1))
    found = np.array(rows).reshape(len(rows), embedding.num_embeddings)
    return torch.tensor(found, dtype=embedding.weight.dtype)


@right_form("03.norm_trace", "tables_kept_as_clones")
def norm_trace(embedding, optimizer, batches, loss_fn):
    tables = embedding.weight.new_empty(0, *embedding.weight.shape)
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_fn(embedding(batch))
        loss.backward()
        optimizer.step()
        tables = torch.cat([tables, embedding.weight.detach()[None]])
    return torch.linalg.norm(tables, dim=-1)


@right_form("03.norm_trace", "closure_and_row_loop")
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
