# exercise 11.max_sim
import torch
import torch.nn.functional as F


# base plain
def max_sim(query, documents, mask):
    real = mask.bool()
    products = documents @ query.T
    hidden = products.masked_fill(~real[:, :, None], float("-inf"))
    best = hidden.amax(dim=1)
    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)
    return best.sum(dim=1)


# mistake padding_takes_part (values), from plain
# The mask is not used before the maximum: padding can be the best match.
# Next: Put the dot products with padding to minus infinity before you take the maximum.
#   products.masked_fill(~real[:, :, None], float("-inf")) => products.clone()

# mistake padding_takes_part_everywhere (values), from plain
# The mask is never used: padding can be the best match, and documents without a real token get a score.
# Next: Put the dot products with padding to minus infinity; afterwards give 0 to documents of nothing but padding.
#   products.masked_fill(~real[:, :, None], float("-inf")) => products.clone()
#   -    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)

# mistake padding_counts_as_zero (values), from plain
# The dot products with padding were multiplied to 0, and 0 is larger than every negative one.
# Next: Where the real ones are -3 and -1 the best is -1: use minus infinity instead of 0.
#   products.masked_fill(~real[:, :, None], float("-inf")) => products * mask[:, :, None]

# mistake not_below_zero (values), from plain
# The best dot product is kept from falling below 0; the largest of negative ones is negative.
# Next: Only documents without a real token get 0: ask the mask, not the sign.
#   hidden.amax(dim=1) => hidden.amax(dim=1).clamp(min=0)

# mistake hidden_by_a_thousand (values), from plain
# Padding gets -1000, and real dot products can be smaller than that.
# Next: Use `float('-inf')`, or the smallest number of the dtype: `torch.finfo(dtype).min`.
#   float("-inf") => -1000.0

# mistake hidden_by_minus_one (values), from plain
# Padding gets -1, as if dot products were cosines; they can be smaller.
# Next: Use `float('-inf')`: vectors may have any length.
#   float("-inf") => -1.0

# mistake minus_infinity_for_an_empty_document (not finite), from plain
# A document without a real token comes out as -inf; it should get 0.
# Next: Ask with `mask.bool().any(dim=1)` which documents have a real token, and give 0 to the others.
#   -    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)

# mistake infinity_times_zero (not finite), from plain
# -inf times 0 is nan: a document of nothing but padding cannot be multiplied to 0.
# Next: Choose with `masked_fill` or `torch.where`.
#   best.masked_fill(~real.any(dim=1, keepdim=True), 0.0) => best * real.any(dim=1, keepdim=True)

# mistake large_constant_for_an_empty_document (values), from plain
# A document without a real token shows the constant that padding was filled with; it should get 0.
# Next: Ask with `mask.bool().any(dim=1)` which documents have a real token, and give 0 to the others.
#   float("-inf") => -1e9
#   -    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)

# mistake empty_document_keeps_its_padding (values), from plain
# In a document without a real token the padding is compared; it should get 0.
# Next: Treat such documents after the maximum: 0 where `mask.bool().any(dim=1)` is False.
#   ~real[:, :, None] => (~real & real.any(dim=1, keepdim=True))[:, :, None]
#   -    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)

# mistake an_empty_document_empties_all (values), from plain
# Where one document has no real token, all of them get 0.
# Next: Keep the axis of the documents: `any(dim=1)` gives one answer for each.
#   real.any(dim=1, keepdim=True) => real.any(dim=1).all()

# mistake zero_wherever_infinite_or_negative (values), from plain
# Very negative dot products are taken for empty documents; they are real.
# Next: Ask the mask which documents are empty, not the size of the numbers.
#   best.masked_fill(~real.any(dim=1, keepdim=True), 0.0) => torch.nan_to_num(best.masked_fill(best < -1e6, 0.0))

# mistake mean_over_the_query (values), from plain
# The best matches are averaged over the tokens of the query; they should be added up.
# Next: `sum` instead of `mean`.
#   best.sum => best.mean

# mistake best_for_each_document_token (values), from plain
# The maximum goes along the tokens of the query, the sum along those of the document: the other way round.
# Next: One best match for each token of the *query*: the maximum is over the document's tokens.
#   hidden.amax(dim=1) => products.amax(dim=2).masked_fill(~real, 0.0)

# mistake the_best_pair_only (values), from plain
# Only the best pair of all counts; each token of the query has a best match of its own.
# Next: Maximum over the tokens of the document, sum over the tokens of the query.
#   best.sum => best.amax

# mistake all_products_added (values), from plain
# All dot products are added up; for each token of the query only the best one counts.
# Next: Take the maximum over the tokens of the document first.
#   hidden.amax => (products * mask[:, :, None]).sum

# mistake mean_match (values), from plain
# For each token of the query the dot products are averaged: that is mean pooling. The best one was asked for.
# Next: Replace the mean over the tokens of the document by the maximum.
#   hidden.amax(dim=1) => (products * mask[:, :, None]).sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)

# mistake not_summed (shape), from plain
# The best match of each token of the query comes back, (N, Tq); their sum was asked for.
# Next: Sum over the query: one number for each document.
#   best.sum(dim=1) => best

# mistake one_number_for_all (shape), from plain
# All documents are added up; each document has a score of its own.
# Next: Sum over the tokens of the query only: `dim=1`.
#   best.sum(dim=1) => best.sum()

# mistake cosines (values), from plain
# The vectors are normalised first; dot products of the vectors as they are were asked for.
# Next: Leave `normalize` out: for cosines the caller normalises beforehand.
#   documents @ query.T => F.normalize(documents, dim=-1) @ F.normalize(query, dim=-1).T

# mistake query_normalised (values), from plain
# The vectors of the query are normalised; a longer one should count more.
# Next: Leave the vectors as they are.
#   query.T => F.normalize(query, dim=-1).T

# mistake documents_normalised (values), from plain
# The vectors of the documents are normalised; they should be taken as they are.
# Next: Leave `normalize` out.
#   documents @ query.T => F.normalize(documents, dim=-1) @ query.T

# mistake divided_by_the_width (values), from plain
# The dot products are divided by the root of d, as in attention; plain ones were asked for.
# Next: Leave the division out.
#   documents @ query.T => documents @ query.T / query.shape[1] ** 0.5

# mistake largest_in_size (values), from plain
# The dot products are compared without their signs.
# Next: A product of -3 is a worse match than one of 1: leave `abs` out.
#   documents @ query.T => (documents @ query.T).abs()

# mistake nearest_by_distance (values), from plain
# The tokens are compared by distance, but the exercise asks for dot products.
# Next: Multiply: `documents @ query.T` has shape (N, Td, Tq).
#   documents @ query.T => -torch.cdist(documents, query[None])

# mistake the_worst_match (values), from plain
# The smallest dot product is taken; the best match has the largest one.
# Next: Maximum instead of minimum, and -inf at padding.
#   "-inf" => "inf"
#   hidden.amax => hidden.amin

# mistake documents_reshaped (values), from plain
# The documents are reshaped where they should be transposed: numbers of different tokens are mixed.
# Next: `transpose(1, 2)` swaps two axes; `reshape` only cuts the same row of numbers in other places.
#   documents @ query.T => (query @ documents.reshape(len(documents), -1, documents.shape[1])).transpose(1, 2)

# mistake query_summed_first (values), from plain
# The vectors of the query are added up before the maximum; each has a best match of its own.
# Next: Maximum first, sum afterwards.
#   query.T => query.sum(dim=0, keepdim=True).T

# mistake first_token_of_the_query (values), from plain
# Only the first token of the query is compared.
# Next: Compare with all of them: `query.T` has shape (d, Tq).
#   query.T => query[:1].T

# mistake real_tokens_in_front (values), from plain
# The first tokens are taken for the real ones: right for padding on the right, wrong for any other.
# Next: The mask says which tokens are real; its sum only says how many.
#   mask.bool() => torch.arange(mask.shape[1]) < mask.long().sum(dim=1, keepdim=True)

# mistake holes_ignored (values), from plain
# Everything between the first and the last real token takes part, holes included.
# Next: A 0 between two 1s is padding too: let each position's own mask decide.
#   mask.bool() => (mask.long().cumsum(1) > 0) & (mask.long().flip(1).cumsum(1).flip(1) > 0)

# mistake zero_vectors_taken_for_padding (values), from plain
# Padding is recognised by vectors of zeros instead of the mask.
# Next: A real vector may be zero and padding may be anything: only the mask tells.
#   mask.bool() => documents.abs().sum(dim=-1) > 0

# mistake mask_the_wrong_way_round (not finite), from plain
# The mask is used the wrong way round: real tokens are left out and padding is compared.
# Next: `masked_fill` replaces where its mask is True: that must be the padding.
#   ~real[:, :, None] => real[:, :, None]

# mistake the_first_mask_for_all (values), from plain
# The mask of the first document is used for all.
# Next: Each document has a row of its own in the mask.
#   mask.bool() => mask[:1].bool().expand(mask.shape)

# mistake tilde_of_numbers (raises), from plain
# `~` of a mask of ints turns bits over and gives -1 and -2, and of a mask of floats it raises.
# Next: Make it a bool tensor first: `mask.bool()`.
#   mask.bool() => mask

# mistake rounds_to_float32 (values), from plain
# float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.
# Next: Leave `.float()` out: work in the type that comes in.
#   documents @ query.T => (documents.float() @ query.float().T).to(documents.dtype)

# mistake float32_for_all (dtype), from plain
# The result is float32 whatever came in.
# Next: Leave `.float()` out: float64 documents get a float64 result.
#   best.sum(dim=1) => best.sum(dim=1).float()

# mistake a_list (type), from plain
# A list comes back; a tensor was asked for.
# Next: Leave out `.tolist()`, or put `torch.tensor` or `torch.stack` around your list.
#   best.sum(dim=1) => best.sum(dim=1).tolist()

# mistake sorted_scores (values), from plain
# The scores are sorted, so it is lost which document has which score.
# Next: Leave them in the order of the documents.
#   best.sum(dim=1) => best.sum(dim=1).sort(descending=True).values

# mistake the_documents_in_order (dtype), from plain
# The numbers of the documents come back, the best first, but the exercise asks for their scores.
# Next: Return the sums themselves.
#   best.sum(dim=1) => best.sum(dim=1).argsort(descending=True)


# mistake small_constant_at_padding (values)
# Padding gets a constant that real products may fall below, and that shows where no token is real.
# Next: Fill with minus infinity, and put 0 where a document has no real token.
def max_sim(query, documents, mask):
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], -10000.0)
    return products.amax(dim=1).sum(dim=1)


# mistake each_token_matched_once (values)
# A token of the document is used up by its first match; several tokens of the query may share their best one.
# Next: Take the maximum for each token of the query by itself.
def max_sim(query, documents, mask):
    totals = []
    for vectors, real in zip(documents, mask.bool()):
        left = vectors[real]
        total = documents.new_zeros(())
        for token in query:
            if len(left):
                products = left @ token
                total = total + products.max()
                best = int(products.argmax())
                left = torch.cat([left[:best], left[best + 1 :]])
        totals.append(total)
    return torch.stack(totals)


# mistake softmax_instead_of_the_maximum (values)
# The tokens are weighted by a softmax, as in attention; only the best one counts here.
# Next: Replace the weighted sum by `amax(dim=1)`.
def max_sim(query, documents, mask):
    products = documents @ query.T
    hidden = ~mask.bool()[:, :, None]
    weights = products.masked_fill(hidden, float("-inf")).softmax(dim=1)
    return (weights * products).masked_fill(hidden, 0.0).sum(dim=(1, 2))


# mistake padding_overwritten_in_the_documents (property)
# The caller's documents are overwritten at padding.
# Next: Fill the dot products instead, or a copy of the documents.
def max_sim(query, documents, mask):
    documents[~mask.bool()] = 0
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], float("-inf"))
    return products.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0).sum(dim=1)


# mistake one_vector_for_each_text (values)
# Both sides are averaged to one vector first; each token of the query should find its own match.
# Next: Compare all pairs of tokens, then take the maximum over the document and the sum over the query.
def max_sim(query, documents, mask):
    weights = mask.to(documents.dtype)
    pooled = (documents * weights[:, :, None]).sum(dim=1) / weights.sum(dim=1, keepdim=True).clamp(min=1)
    return pooled @ query.mean(dim=0)


# mistake a_single_document_squeezed (shape)
# `squeeze()` also removes the axis of the documents where there is only one.
# Next: Leave `squeeze()` out, or say which axis is to go.
def max_sim(query, documents, mask):
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], float("-inf"))
    best = products.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0)
    return best.sum(dim=1).squeeze()


# mistake axis_lost_by_squeeze (raises, shape)
# `squeeze()` removes every axis of size one, also that of the tokens or of the query.
# Next: Name the axis: `amax(dim=1)` already removes the one that is meant.
def max_sim(query, documents, mask):
    products = (documents @ query.T).squeeze()
    hidden = products.masked_fill(~mask.bool()[:, :, None], float("-inf"))
    return hidden.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0).sum(dim=1)
