# exercise 03.tied_scores
import torch
import torch.nn as nn
import torch.nn.functional as F


# mistake unclipped_table (values)
# The table in the product was copied before the lookup clipped it, so its rows are still long.
# Next: Look up first; read `embedding.weight` for the product afterwards.
def tied_scores(embedding, ids):
    table = embedding.weight.clone()
    return embedding(ids).mean(dim=1) @ table.T


# mistake unclipped_mean (values)
# The mean is taken over the long rows; only the table in the product is clipped.
# Next: Take the mean of what `embedding(ids)` returns.
def tied_scores(embedding, ids):
    sentences = embedding.weight[ids].mean(dim=1)
    embedding(ids)
    return sentences @ embedding.weight.T


# base plain
def tied_scores(embedding, ids):
    return embedding(ids).mean(dim=1) @ embedding.weight.T


# mistake no_clipping (values), from plain
# `embedding.weight[ids]` goes past max_norm: nothing is clipped.
# Next: Call the module, `embedding(ids)`: that is where the clipping happens.
#   embedding(ids) => embedding.weight[ids]


# mistake clips_every_row (values)
# Every row of the table was clipped; rows that do not occur in ids keep their length.
# Next: Look up ids only, with `embedding(ids)`, and use `embedding.weight` for the product.
def tied_scores(embedding, ids):
    table = embedding(torch.arange(embedding.num_embeddings))
    return embedding(ids).mean(dim=1) @ table.T


# mistake clips_the_mean (values)
# The mean vector is clipped; max_norm clips each looked-up row, before the mean.
# Next: Let `embedding(ids)` clip the rows, then take the mean and leave it as it is.
def tied_scores(embedding, ids):
    sentences = embedding.weight[ids].mean(dim=1)
    sentences = torch.renorm(sentences, embedding.norm_type, 0, embedding.max_norm)
    return sentences @ embedding.weight.T


# mistake norm_type_ignored (values)
# The rows are clipped by the 2-norm, whatever norm_type the embedding has.
# Next: Call `embedding(ids)`, which has its own norm, or read `embedding.norm_type`.
def tied_scores(embedding, ids):
    with torch.no_grad():
        rows = ids.unique()
        embedding.weight[rows] = torch.renorm(embedding.weight[rows], 2, 0, embedding.max_norm)
    return embedding.weight[ids].mean(dim=1) @ embedding.weight.T


# mistake through_the_norm (values)
# The clipping is part of what autograd differentiates; it should count as done before the computation.
# Next: Clip under `torch.no_grad()`, or call `embedding(ids)`, which does.
def tied_scores(embedding, ids):
    rows = ids.unique()
    short = torch.renorm(embedding.weight[rows], embedding.norm_type, 0, embedding.max_norm)
    table = embedding.weight.index_copy(0, rows, short)
    return table[ids].mean(dim=1) @ table.T


# mistake table_detached (values), from plain
# The gradient comes back by the lookup only: the table in the product is detached.
# Next: Use `embedding.weight` itself in the product, without `.detach()`, `.data` or no_grad.
#   embedding.weight.T => embedding.weight.data.T


# mistake lookup_detached (values)
# The gradient comes back by the product only: by the lookup none reaches `embedding.weight`.
# Next: Look up in `embedding.weight` itself, with recording on: no copy, no new parameter, no `no_grad`.
def tied_scores(embedding, ids):
    with torch.no_grad():
        sentences = embedding(ids).mean(dim=1)
    return sentences @ embedding.weight.T


# mistake no_graph (property)
# The scores carry no graph, so no gradient reaches the table.
# Next: Put only the clipping under `torch.no_grad()`; compute the scores outside of it.
def tied_scores(embedding, ids):
    with torch.no_grad():
        return embedding(ids).mean(dim=1) @ embedding.weight.T


# mistake new_parameter (property)
# The gradient ends in a new parameter or a copy; an optimizer has the parameter that was there, which gets none.
# Next: Write into the parameter that is there: under no_grad, with an index on the left or `copy_`.
def tied_scores(embedding, ids):
    table = embedding.weight.detach().clone()
    rows = ids.unique()
    table[rows] = torch.renorm(table[rows], embedding.norm_type, 0, embedding.max_norm)
    embedding.weight = nn.Parameter(table)
    return embedding.weight[ids].mean(dim=1) @ embedding.weight.T


# mistake sentence_by_sentence (values)
# Sentence after sentence is looked up and scored: early ones see a table that later lookups still clip, and backward finds the
# table written to.
# Next: Do all the lookups first, in one call, then one product with the table.
def tied_scores(embedding, ids):
    return torch.stack([embedding(sentence).mean(dim=0) @ embedding.weight.T for sentence in ids])


# mistake lookup_after_a_product (raises)
# A lookup follows a product with the table. It counts as writing to the table, even when all rows are short already, and
# backward refuses a table that was written to.
# Next: Do all the lookups first, in one call, then multiply with the table.
def tied_scores(embedding, ids):
    embedding(ids)
    return torch.stack([embedding(sentence).mean(dim=0) @ embedding.weight.T for sentence in ids])


# mistake table_used_before_the_lookup (values)
# The product was computed before the lookup clipped the table.
# Next: Look up first: `embedding(ids)` is what clips.
def tied_scores(embedding, ids):
    every_pair = embedding.weight @ embedding.weight.T
    embedding(ids)
    return every_pair[ids].mean(dim=1) + 0.0 * embedding.weight.sum()


# mistake sum_for_mean (values), from plain
# The vectors of a sentence are added up; their mean was asked for.
# Next: Replace the sum over dim=1 by a mean.
#   embedding(ids).mean => embedding(ids).sum

# mistake mean_over_the_batch (shape), from plain
# The mean runs over the sentences instead of over the words of each.
# Next: `embedding(ids)` has shape (B, T, d): the words stand on dim=1.
#   dim=1 => dim=0

# mistake table_not_transposed (raises), from plain
# The product is with the table, (V, d), where its transpose, (d, V), is needed.
# Next: Write the shapes down: (B, d) times (d, V) is (B, V).
#   embedding.weight.T => embedding.weight

# mistake probabilities (values), from plain
# These are probabilities; plain scores were asked for.
# Next: Leave the softmax out: a loss function wants the scores as they are.
#   embedding(ids).mean(dim=1) @ embedding.weight.T => (embedding(ids).mean(dim=1) @ embedding.weight.T).softmax(dim=-1)


# mistake distinct_words_only (values)
# Each word counts once in its sentence's mean, however often it stands there.
# Next: The mean runs over all T positions: `.mean(dim=1)`.
def tied_scores(embedding, ids):
    words = embedding(ids)
    sentences = []
    for sentence, row in zip(words, ids):
        first = [place for place in range(len(row)) if row[place] not in row[:place]]
        sentences.append(sentence[first].mean(dim=0))
    return torch.stack(sentences) @ embedding.weight.T


# mistake cosines (values)
# Both sides are brought to length 1: these are cosines; plain products were asked for.
# Next: Multiply the mean with the transposed table as they are.
def tied_scores(embedding, ids):
    sentences = embedding(ids).mean(dim=1)
    return F.normalize(sentences, dim=1) @ F.normalize(embedding.weight, dim=1).T


# mistake zero_rows_divide (not finite)
# A row of zeros is divided by its length, 0, and becomes nan.
# Next: Clip only the rows that are too long, or let the lookup do it.
def tied_scores(embedding, ids):
    with torch.no_grad():
        rows = ids.unique()
        norms = embedding.weight[rows].norm(p=embedding.norm_type, dim=1, keepdim=True)
        embedding.weight[rows] *= norms.clamp(max=embedding.max_norm) / norms
    return F.embedding(ids, embedding.weight).mean(dim=1) @ embedding.weight.T


# mistake squeezed (shape), from plain
# For a single sentence the first axis is lost: `squeeze` removes every axis of size 1.
# Next: Leave `squeeze` out: the product has the shape (B, V) already.
#   embedding(ids).mean(dim=1) @ embedding.weight.T => (embedding(ids).mean(dim=1) @ embedding.weight.T).squeeze()


# mistake renorm_rows_of_the_table (values)
# All rows are clipped, also those that are not looked up, and the gradient goes through the norm.
# Next: Call `embedding(ids)` first: it clips the rows of ids in the table. Then use `embedding.weight`.
def tied_scores(embedding, ids):
    table = renorm_rows(embedding.weight, embedding.max_norm)
    return table[ids].mean(dim=1) @ table.T
