"""Wrong answers to norm_trace by name: what is measured, and in which form."""

import torch

from grader.course_source.catalogue import altered, base, mistake


@mistake(
    "03.norm_trace", "norms_before_the_step", stage="values",
    diagnosis="The norms are measured before optimizer.step(): they are those that the step started from.",
    next_step="Move the measurement to the end of the loop's body.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        norms[step] = embedding.weight.detach().norm(dim=1)
        optimizer.step()
    return norms


@mistake(
    "03.norm_trace", "norms_of_columns", stage="shape",
    diagnosis="The norms are those of the columns: d numbers a step instead of V.",
    next_step="Sum over dim=1, the entries of one row.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=0))
    return torch.stack(norms) if norms else torch.empty(0, embedding.embedding_dim)


@base("plain")
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


altered(
    "03.norm_trace", "root_forgotten", "plain",
    {
        "num_embeddings": "num_embeddings, dtype=embedding.weight.dtype",
        "embedding.weight.detach().norm": "(embedding.weight.detach() ** 2).sum",
    },
    stage="values",
    diagnosis="These are squared lengths: the root is missing.",
    next_step="Take `.sqrt()` of the sum of squares, or `torch.linalg.vector_norm`.",
)


@mistake(
    "03.norm_trace", "same_table_in_every_step", stage="values",
    diagnosis="Every step shows the norms of the last one: the tables that were kept are all the same storage.",
    next_step="Keep the norms of each step, or a `.clone()` of the table; `.detach()` and `.data` copy nothing.",
)
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
)
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
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings, dtype=embedding.weight.dtype)
    everything = torch.arange(embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding(everything).detach().norm(dim=1)
    return norms


altered(
    "03.norm_trace", "capped_at_max_norm", "plain",
    {
        "num_embeddings": "num_embeddings, dtype=embedding.weight.dtype",
        "return norms": "return norms if embedding.max_norm is None else norms.clamp(max=embedding.max_norm)",
    },
    stage="values",
    diagnosis="The norms are cut off at max_norm; after a step a row may well be longer, until it is looked up again.",
    next_step="Write down the norm that the row has.",
)

altered(
    "03.norm_trace", "norm_type_of_the_embedding", "plain",
    {
        "num_embeddings": "num_embeddings, dtype=embedding.weight.dtype",
        "[step] = embedding.weight.detach().norm(dim=1)":
            "[step] = torch.linalg.vector_norm(embedding.weight.detach(), ord=embedding.norm_type, dim=1)",
    },
    stage="values",
    diagnosis="The lengths are measured in the embedding's norm_type, by which it clips; L2 norms were asked for.",
    next_step="Measure with `ord=2` (the default), whatever the embedding's own norm is.",
)


@mistake(
    "03.norm_trace", "a_list", stage="type",
    diagnosis="A list of tensors comes back; one tensor of shape (steps, V) was asked for.",
    next_step="`torch.stack` makes one tensor of the list (and mind the empty list).",
)
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
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = [embedding.weight.detach().norm(dim=1)]
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms)


altered(
    "03.norm_trace", "one_norm_for_the_table", "plain",
    {"embedding.num_embeddings": "dtype=embedding.weight.dtype", "dim=1": ""},
    stage="shape",
    diagnosis="One norm is taken of the whole table; each row has its own.",
    next_step="Give the norm an axis: `dim=1`.",
)


@mistake(
    "03.norm_trace", "no_batches_raises", stage="raises",
    diagnosis="`torch.stack` cannot stack nothing: without batches the answer raises; (0, V) was asked for.",
    next_step="Make a tensor of shape (len(batches), V) first and fill it row by row.",
)
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
)
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
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = torch.zeros(len(batches), embedding.num_embeddings)
    for step, batch in enumerate(batches):
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms[step] = embedding.weight.detach().norm(dim=1)
    return norms


altered(
    "03.norm_trace", "steps_along_columns", "plain",
    {
        "len(batches), embedding.num_embeddings":
            "embedding.num_embeddings, len(batches), dtype=embedding.weight.dtype",
        "norms[step]": "norms[:, step]",
    },
    stage="shape",
    diagnosis="The steps stand in columns: the result is (V, steps) where (steps, V) was asked for.",
    next_step="Stack along dim=0.",
)


@mistake(
    "03.norm_trace", "no_batches_in_float32", stage="dtype",
    diagnosis="Without batches the result is float32, although the table is float64.",
    next_step="Give the empty result the table's type too: `embedding.weight.new_empty(0, V)`.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        loss_fn(embedding(batch)).backward()
        optimizer.step()
        norms.append(embedding.weight.detach().norm(dim=1))
    return torch.stack(norms) if norms else torch.empty(0, embedding.num_embeddings)


altered(
    "03.norm_trace", "squeezed", "plain",
    {"torch.zeros": "embedding.weight.new_empty", "return norms": "return norms.squeeze(dim=0)"},
    stage="shape",
    diagnosis="For a single step the first axis is lost: `squeeze` removes every axis of size 1.",
    next_step="Leave `squeeze` out: one step gives (1, V).",
)


@mistake(
    "03.norm_trace", "norms_of_the_result", stage="shape",
    diagnosis="The lengths are those of the vectors that were looked up; asked for is one for each row of the table.",
    next_step="Measure `embedding.weight.detach()` after the step: all V rows of it.",
)
def norm_trace(embedding, optimizer, batches, loss_fn):
    norms = []
    for batch in batches:
        optimizer.zero_grad()
        out = embedding(batch)
        loss_fn(out).backward()
        optimizer.step()
        norms.append(out.detach().norm(dim=-1))
    return torch.stack(norms) if norms else embedding.weight.detach().new_zeros(0, embedding.num_embeddings)
