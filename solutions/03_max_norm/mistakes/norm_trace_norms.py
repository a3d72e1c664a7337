# exercise 03.norm_trace
"""Wrong answers to norm_trace by name: what is measured, and in which form."""

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


# mistake norms_before_the_step (values), from plain
# The norms are measured before optimizer.step(): they are those that the step started from.
# Next: Move the measurement to the end of the loop's body.
#            loss_fn(embedding(batch)).backward()
#   +        norms[step] = embedding.weight.detach().norm(dim=1)
#   -        norms[step] = embedding.weight.detach().norm(dim=1)


# base stacked
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)


# mistake norms_of_columns (shape), from stacked
# The norms are those of the columns: d numbers a step instead of V.
# Next: Sum over dim=1, the entries of one row.
#   dim=1 => dim=0

# mistake root_forgotten (values), from plain
# These are squared lengths: the root is missing.
# Next: Take `.sqrt()` of the sum of squares, or `torch.linalg.vector_norm`.
#   embedding.weight.detach().norm => (embedding.weight.detach() ** 2).sum

# mistake same_table_in_every_step (values), from stacked
# Every step shows the norms of the last one: the tables that were kept are all the same storage.
# Next: Keep the norms of each step, or a `.clone()` of the table; `.detach()` and `.data` copy nothing.
#   norms = [] => tables = []
#   norms.append(embedding.weight.detach().norm(dim=1)) => tables.append(embedding.weight.detach())
#   -    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)
#   +    if not tables:
#   +        return torch.empty(0, embedding.num_embeddings)
#   +    return torch.stack([table.norm(dim=1) for table in tables])

# mistake rows_of_the_batch_only (shape), from stacked
# Only the rows of the batch are measured; the trace has a number for every row of the table.
# Next: Measure `embedding.weight`, not `embedding(batch)`.
#   embedding.weight.detach() => embedding.weight.detach()[batch.reshape(-1)]
#   embedding.embedding_dim => embedding.num_embeddings

# mistake measuring_clips (values), from plain
# The norms are taken from embedding(all ids): a lookup clips, so measuring changes the table.
# Next: Read `embedding.weight` directly: that clips nothing.
#        norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    everything = torch.arange(embedding.num_embeddings)
#   embedding.weight.detach => embedding(everything).detach

# mistake capped_at_max_norm (values), from plain
# The norms are cut off at max_norm; after a step a row may well be longer, until it is looked up again.
# Next: Write down the norm that the row has.
#   -    return norms
#   +    return norms if embedding.max_norm is None else norms.clamp(max=embedding.max_norm)

# mistake norm_type_of_the_embedding (values), from plain
# The lengths are measured in the embedding's norm_type, by which it clips; L2 norms were asked for.
# Next: Measure with `ord=2` (the default), whatever the embedding's own norm is.
#   embedding.weight.detach().norm(dim=1) => torch.linalg.vector_norm(embedding.weight.detach(), ord=embedding.norm_type, dim=1)

# mistake a_list (type), from stacked
# A list of tensors comes back; one tensor of shape (steps, V) was asked for.
# Next: `torch.stack` makes one tensor of the list (and mind the empty list).
#   -    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)
#   +    return norms

# mistake start_included (shape), from stacked
# The norms from before the first step are in the trace too: it has one row too many.
# Next: Measure at the end of each step only.
#   [] => [embedding.weight.detach().norm(dim=1)]
#   torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim) => torch.stack(norms)

# mistake one_norm_for_the_table (shape), from plain
# One norm is taken of the whole table; each row has its own.
# Next: Give the norm an axis: `dim=1`.
#   embedding.num_embeddings, dtype=embedding.weight.dtype => dtype=embedding.weight.dtype
#   embedding.weight.detach().norm(dim=1) => embedding.weight.detach().norm()

# mistake no_batches_raises (raises), from stacked
# `torch.stack` refuses an empty list: without batches the answer raises; (0, V) was asked for.
# Next: Make a tensor of shape (len(batches), V) first and fill it row by row.
#   torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim) => torch.stack(norms)

# mistake no_batches_loses_the_width (shape), from stacked
# Without batches the result has shape (0,); it should be (0, V).
# Next: Make a tensor of shape (len(batches), V) first and fill it row by row.
#   norms.append(embedding.weight.detach().norm(dim=1)) => norms.append(embedding.weight.detach().norm(dim=1).tolist())
#   -    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)
#   +    return torch.tensor(norms, dtype=embedding.weight.dtype)

# mistake always_float32 (dtype), from plain
# The trace is float32 although the table is float64.
# Next: Make the result with the table's type: `dtype=embedding.weight.dtype`, or `weight.new_empty(...)`.
#   embedding.num_embeddings, dtype=embedding.weight.dtype => embedding.num_embeddings

# mistake steps_along_columns (shape), from plain
# The steps stand in columns: the result is (V, steps) where (steps, V) was asked for.
# Next: Stack along dim=0.
#   len(batches), embedding.num_embeddings => embedding.num_embeddings, len(batches)
#   norms[step] => norms[:, step]

# mistake no_batches_in_float32 (dtype), from stacked
# Without batches the result is float32, although the table is float64.
# Next: Give the empty result the table's type too: `embedding.weight.new_empty(0, V)`.
#   embedding.embedding_dim => embedding.num_embeddings

# mistake squeezed (shape), from plain
# For a single step the first axis is lost: `squeeze` removes every axis of size 1.
# Next: Leave `squeeze` out: one step gives (1, V).
#   -    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
#   +    norms = embedding.weight.new_empty(len(batches), embedding.num_embeddings)
#   return norms => return norms.squeeze(dim=0)

# mistake norms_of_the_result (shape), from stacked
# These are the norms of the vectors that were looked up; the task asks for one norm for each row of the table.
# Next: Measure `embedding.weight.detach()` after the step: all V rows of it.
#   -        loss_fn(embedding(batch)).backward()
#   +        out = embedding(batch)
#   +        loss_fn(out).backward()
#   embedding.weight.detach().norm(dim=1) => out.detach().norm(dim=-1)
#   torch.empty(0, embedding.embedding_dim) => embedding.weight.detach().new_zeros(0, embedding.num_embeddings)
