# exercise 03.norm_trace
"""Wrong answers to norm_trace by name: what is measured, and in which form."""

import torch


# mistake norms_before_the_step (values)
# The norms are measured before optimizer.step(): they are those that the step started from.
# Next: Move the measurement to the end of the loop's body.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        norms[step] = embedding.weight.detach().norm(dim=1)
        optimizer.step()
    return norms


# mistake norms_of_columns (shape)
# The norms are those of the columns: d numbers a step instead of V.
# Next: Sum over dim=1, the entries of one row.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=0))
    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)


# mistake root_forgotten (values)
# These are squared lengths: the root is missing.
# Next: Take `.sqrt()` of the sum of squares, or `torch.linalg.vector_norm`.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = (embedding.weight.detach() ** 2).sum(dim=1)
    return norms


# mistake same_table_in_every_step (values)
# Every step shows the norms of the last one: the tables that were kept are all the same storage.
# Next: Keep the norms of each step, or a `.clone()` of the table; `.detach()` and `.data` copy nothing.
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


# mistake rows_of_the_batch_only (shape), from norms_of_columns
# Only the rows of the batch are measured; the trace has a number for every row of the table.
# Next: Measure `embedding.weight`, not `embedding(batch)`.
#   embedding.weight.detach().norm(dim=0) => embedding.weight.detach()[batch.reshape(-1)].norm(dim=1)
#   embedding.embedding_dim => embedding.num_embeddings


# mistake measuring_clips (values)
# The norms are taken from embedding(all ids): a lookup clips, so measuring changes the table.
# Next: Read `embedding.weight` directly: that clips nothing.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    everything = torch.arange(embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding(everything).detach().norm(dim=1)
    return norms


# mistake capped_at_max_norm (values)
# The norms are cut off at max_norm; after a step a row may well be longer, until it is looked up again.
# Next: Write down the norm that the row has.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms if embedding.max_norm is None else norms.clamp(max=embedding.max_norm)


# mistake norm_type_of_the_embedding (values)
# The lengths are measured in the embedding's norm_type, by which it clips; L2 norms were asked for.
# Next: Measure with `ord=2` (the default), whatever the embedding's own norm is.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = torch.linalg.vector_norm(embedding.weight.detach(), ord=embedding.norm_type, dim=1)
    return norms


# mistake a_list (type), from norms_of_columns
# A list of tensors comes back; one tensor of shape (steps, V) was asked for.
# Next: `torch.stack` makes one tensor of the list (and mind the empty list).
#   dim=0 => dim=1
#   torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim) => norms

# mistake start_included (shape), from norms_of_columns
# The norms from before the first step are in the trace too: it has one row too many.
# Next: Measure at the end of each step only.
#   [] => [embedding.weight.detach().norm(dim=1)]
#   dim=0 => dim=1
#   torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim) => torch.stack(norms)


# mistake one_norm_for_the_table (shape)
# One norm is taken of the whole table; each row has its own.
# Next: Give the norm an axis: `dim=1`.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm()
    return norms


# mistake no_batches_raises (raises), from norms_of_columns
# `torch.stack` cannot stack nothing: without batches the answer raises; (0, V) was asked for.
# Next: Make a tensor of shape (len(batches), V) first and fill it row by row.
#   dim=0 => dim=1
#   torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim) => torch.stack(norms)

# mistake no_batches_loses_the_width (shape), from norms_of_columns
# Without batches the result has shape (0,); it should be (0, V).
# Next: Make a tensor of shape (len(batches), V) first and fill it row by row.
#   embedding.weight.detach().norm(dim=0) => embedding.weight.detach().norm(dim=1).tolist()
#   stack(norms) if norms else torch.empty(0, embedding.embedding_dim => tensor(norms, dtype=embedding.weight.dtype


# mistake always_float32 (dtype)
# The trace is float32 although the table is float64.
# Next: Make the result with the table's type: `dtype=embedding.weight.dtype`, or `weight.new_empty(...)`.
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


# mistake steps_along_columns (shape), from always_float32
# The steps stand in columns: the result is (V, steps) where (steps, V) was asked for.
# Next: Stack along dim=0.
#   len(batches), embedding.num_embeddings => embedding.num_embeddings, len(batches), dtype=embedding.weight.dtype
#   norms[step] => norms[:, step]

# mistake no_batches_in_float32 (dtype), from norms_of_columns
# Without batches the result is float32, although the table is float64.
# Next: Give the empty result the table's type too: `embedding.weight.new_empty(0, V)`.
#   dim=0 => dim=1
#   embedding.embedding_dim => embedding.num_embeddings

# mistake squeezed (shape), from always_float32
# For a single step the first axis is lost: `squeeze` removes every axis of size 1.
# Next: Leave `squeeze` out: one step gives (1, V).
#   torch.zeros => embedding.weight.new_empty
#   return norms => return norms.squeeze(dim=0)

# mistake norms_of_the_result (shape), from norms_of_columns
# The lengths are those of the vectors that were looked up; asked for is one for each row of the table.
# Next: Measure `embedding.weight.detach()` after the step: all V rows of it.
#   -        loss_fn(embedding(batch)).backward()
#   +        out = embedding(batch)
#   +        loss_fn(out).backward()
#   embedding.weight.detach().norm(dim=0) => out.detach().norm(dim=-1)
#   torch.empty(0, embedding.embedding_dim) => embedding.weight.detach().new_zeros(0, embedding.num_embeddings)
