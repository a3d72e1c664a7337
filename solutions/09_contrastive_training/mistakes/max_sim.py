"""Wrong answers about the best match of each token by name."""

import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

SIM = "09.max_sim"


@base("plain")
def max_sim(query, documents, mask):
    real = mask.bool()
    products = documents @ query.T
    hidden = products.masked_fill(~real[:, :, None], float("-inf"))
    best = hidden.amax(dim=1)
    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)
    return best.sum(dim=1)


altered(
    SIM, "padding_takes_part", "plain", {"masked_fill(~real[:, :, None], float(\"-inf\"))": "clone()"}, stage="values",
    diagnosis="The mask is not used before the maximum: padding can be the best match.",
    next_step="Put the dot products with padding to minus infinity before you take the maximum.",
)

altered(
    SIM, "padding_takes_part_everywhere", "plain",
    {"masked_fill(~real[:, :, None], float(\"-inf\"))": "clone()",
     "    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)\n": ""}, stage="values",
    diagnosis="The mask is never used: padding can be the best match, and documents without a real token get a score.",
    next_step="Put the dot products with padding to minus infinity; afterwards give 0 to documents of nothing but padding.",
)

altered(
    SIM, "padding_counts_as_zero", "plain",
    {"products.masked_fill(~real[:, :, None], float(\"-inf\"))": "products * mask[:, :, None]"}, stage="values",
    diagnosis="The dot products with padding were multiplied to 0, and 0 is larger than every negative one.",
    next_step="Where the real ones are -3 and -1 the best is -1: use minus infinity instead of 0.",
)

altered(
    SIM, "not_below_zero", "plain", {"hidden.amax(dim=1)": "hidden.amax(dim=1).clamp(min=0)"}, stage="values",
    diagnosis="The best dot product is kept from falling below 0; the largest of negative ones is negative.",
    next_step="Only documents without a real token get 0: ask the mask, not the sign.",
)

altered(
    SIM, "hidden_by_a_thousand", "plain", {"float(\"-inf\")": "-1000.0"}, stage="values",
    diagnosis="Padding gets -1000, and real dot products can be smaller than that.",
    next_step="Use `float('-inf')`, or the smallest number of the dtype: `torch.finfo(dtype).min`.",
)

altered(
    SIM, "hidden_by_minus_one", "plain", {"float(\"-inf\")": "-1.0"}, stage="values",
    diagnosis="Padding gets -1, as if dot products were cosines; they can be smaller.",
    next_step="Use `float('-inf')`: vectors may have any length.",
)

altered(
    SIM, "minus_infinity_for_an_empty_document", "plain",
    {"    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)\n": ""}, stage="not finite",
    diagnosis="A document without a real token comes out as -inf; it should get 0.",
    next_step="Ask with `mask.bool().any(dim=1)` which documents have a real token, and give 0 to the others.",
)

altered(
    SIM, "infinity_times_zero", "plain",
    {"best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)": "best * real.any(dim=1, keepdim=True)"}, stage="not finite",
    diagnosis="-inf times 0 is nan: a document of nothing but padding cannot be multiplied to 0.",
    next_step="Choose with `masked_fill` or `torch.where`.",
)

altered(
    SIM, "large_constant_for_an_empty_document", "plain",
    {"float(\"-inf\")": "-1e9", "    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)\n": ""}, stage="values",
    diagnosis="A document without a real token shows the constant that padding was filled with; it should get 0.",
    next_step="Ask with `mask.bool().any(dim=1)` which documents have a real token, and give 0 to the others.",
)

altered(
    SIM, "empty_document_keeps_its_padding", "plain",
    {"~real[:, :, None]": "(~real & real.any(dim=1, keepdim=True))[:, :, None]",
     "    best = best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)\n": ""}, stage="values",
    diagnosis="In a document without a real token the padding is compared; it should get 0.",
    next_step="Treat such documents after the maximum: 0 where `mask.bool().any(dim=1)` is False.",
)

altered(
    SIM, "an_empty_document_empties_all", "plain", {"~real.any(dim=1, keepdim=True)": "~real.any(dim=1).all()"}, stage="values",
    diagnosis="Where one document has no real token, all of them get 0.",
    next_step="Keep the axis of the documents: `any(dim=1)` gives one answer for each.",
)

altered(
    SIM, "zero_wherever_infinite_or_negative", "plain",
    {"best.masked_fill(~real.any(dim=1, keepdim=True), 0.0)": "torch.nan_to_num(best.masked_fill(best < -1e6, 0.0))"},
    stage="values",
    diagnosis="Very negative dot products are taken for empty documents; they are real.",
    next_step="Ask the mask which documents are empty, not the size of the numbers.",
)

altered(
    SIM, "mean_over_the_query", "plain", {"best.sum(dim=1)": "best.mean(dim=1)"}, stage="values",
    diagnosis="The best matches are averaged over the tokens of the query; they should be added up.",
    next_step="`sum` instead of `mean`.",
)

altered(
    SIM, "best_for_each_document_token", "plain",
    {"hidden.amax(dim=1)": "products.amax(dim=2).masked_fill(~real, 0.0)"}, stage="values",
    diagnosis="The maximum goes along the tokens of the query, the sum along those of the document: the other way round.",
    next_step="One best match for each token of the *query*: the maximum is over the document's tokens.",
)

altered(
    SIM, "the_best_pair_only", "plain", {"best.sum(dim=1)": "best.amax(dim=1)"}, stage="values",
    diagnosis="Only the best pair of all counts; each token of the query has a best match of its own.",
    next_step="Maximum over the tokens of the document, sum over the tokens of the query.",
)

altered(
    SIM, "all_products_added", "plain", {"hidden.amax(dim=1)": "(products * mask[:, :, None]).sum(dim=1)"}, stage="values",
    diagnosis="All dot products are added up; for each token of the query only the best one counts.",
    next_step="Take the maximum over the tokens of the document first.",
)

altered(
    SIM, "mean_match", "plain",
    {"hidden.amax(dim=1)": "(products * mask[:, :, None]).sum(dim=1) / real.sum(dim=1, keepdim=True).clamp(min=1)"},
    stage="values",
    diagnosis="For each token of the query the dot products are averaged: that is mean pooling. The best one was asked for.",
    next_step="Replace the mean over the tokens of the document by the maximum.",
)

altered(
    SIM, "not_summed", "plain", {"return best.sum(dim=1)": "return best"}, stage="shape",
    diagnosis="The best match of each token of the query comes back, (N, Tq); their sum was asked for.",
    next_step="Sum over the query: one number for each document.",
)

altered(
    SIM, "one_number_for_all", "plain", {"best.sum(dim=1)": "best.sum()"}, stage="shape",
    diagnosis="All documents are added up; each document has a score of its own.",
    next_step="Sum over the tokens of the query only: `dim=1`.",
)

altered(
    SIM, "cosines", "plain",
    {"documents @ query.T": "F.normalize(documents, dim=-1) @ F.normalize(query, dim=-1).T"}, stage="values",
    diagnosis="The vectors are normalised first; dot products of the vectors as they are were asked for.",
    next_step="Leave `normalize` out: whoever wants cosines normalises beforehand.",
)

altered(
    SIM, "query_normalised", "plain", {"documents @ query.T": "documents @ F.normalize(query, dim=-1).T"}, stage="values",
    diagnosis="The vectors of the query are normalised; a longer one should count more.",
    next_step="Leave the vectors as they are.",
)

altered(
    SIM, "documents_normalised", "plain", {"documents @ query.T": "F.normalize(documents, dim=-1) @ query.T"}, stage="values",
    diagnosis="The vectors of the documents are normalised; they should be taken as they are.",
    next_step="Leave `normalize` out.",
)

altered(
    SIM, "divided_by_the_width", "plain", {"documents @ query.T": "documents @ query.T / query.shape[1] ** 0.5"},
    stage="values",
    diagnosis="The dot products are divided by the root of d, as in attention; plain ones were asked for.",
    next_step="Leave the division out.",
)

altered(
    SIM, "largest_in_size", "plain", {"documents @ query.T": "(documents @ query.T).abs()"}, stage="values",
    diagnosis="The dot products are compared without their signs.",
    next_step="A product of -3 is a worse match than one of 1: leave `abs` out.",
)

altered(
    SIM, "nearest_by_distance", "plain", {"documents @ query.T": "-torch.cdist(documents, query[None])"}, stage="values",
    diagnosis="The tokens are compared by distance; asked for are dot products.",
    next_step="Multiply: `documents @ query.T` has shape (N, Td, Tq).",
)

altered(
    SIM, "the_worst_match", "plain", {"float(\"-inf\")": "float(\"inf\")", "hidden.amax": "hidden.amin"}, stage="values",
    diagnosis="The smallest dot product is taken; the best match has the largest one.",
    next_step="Maximum instead of minimum, and -inf at padding.",
)

altered(
    SIM, "documents_reshaped", "plain",
    {"documents @ query.T": "(query @ documents.reshape(len(documents), -1, documents.shape[1])).transpose(1, 2)"},
    stage="values",
    diagnosis="The documents are reshaped where they should be transposed: numbers of different tokens are mixed.",
    next_step="`transpose(1, 2)` swaps two axes; `reshape` only cuts the same row of numbers in other places.",
)

altered(
    SIM, "query_summed_first", "plain", {"documents @ query.T": "documents @ query.sum(dim=0, keepdim=True).T"}, stage="values",
    diagnosis="The vectors of the query are added up before the maximum; each has a best match of its own.",
    next_step="Maximum first, sum afterwards.",
)

altered(
    SIM, "first_token_of_the_query", "plain", {"documents @ query.T": "documents @ query[:1].T"}, stage="values",
    diagnosis="Only the first token of the query is compared.",
    next_step="Compare with all of them: `query.T` has shape (d, Tq).",
)

altered(
    SIM, "real_tokens_in_front", "plain",
    {"mask.bool()": "torch.arange(mask.shape[1]) < mask.long().sum(dim=1, keepdim=True)"}, stage="values",
    diagnosis="The first tokens are taken for the real ones: right for padding on the right, wrong for any other.",
    next_step="The mask says which tokens are real; its sum only says how many.",
)

altered(
    SIM, "holes_ignored", "plain",
    {"mask.bool()": "(mask.long().cumsum(1) > 0) & (mask.long().flip(1).cumsum(1).flip(1) > 0)"}, stage="values",
    diagnosis="Everything between the first and the last real token takes part, holes included.",
    next_step="A 0 between two 1s is padding too: let each position's own mask decide.",
)

altered(
    SIM, "zero_vectors_taken_for_padding", "plain", {"mask.bool()": "documents.abs().sum(dim=-1) > 0"}, stage="values",
    diagnosis="Padding is recognised by vectors of zeros instead of the mask.",
    next_step="A real vector may be zero and padding may be anything: only the mask tells.",
)

altered(
    SIM, "mask_the_wrong_way_round", "plain", {"~real[:, :, None]": "real[:, :, None]"}, stage="not finite",
    diagnosis="The mask is used the wrong way round: real tokens are left out and padding is compared.",
    next_step="`masked_fill` replaces where its mask is True: that must be the padding.",
)

altered(
    SIM, "the_first_mask_for_all", "plain", {"mask.bool()": "mask[:1].bool().expand(mask.shape)"}, stage="values",
    diagnosis="The mask of the first document is used for all.",
    next_step="Each document has a row of its own in the mask.",
)

altered(
    SIM, "tilde_of_numbers", "plain", {"mask.bool()": "mask"}, stage="raises",
    diagnosis="`~` of a mask of ints turns bits over and gives -1 and -2, and of a mask of floats it raises.",
    next_step="Make it a bool tensor first: `mask.bool()`.",
)

altered(
    SIM, "rounds_to_float32", "plain", {"documents @ query.T": "(documents.float() @ query.float().T).to(documents.dtype)"},
    stage="values",
    diagnosis="float64 vectors are rounded to float32 first: where large parts cancel, nothing is left of the small ones.",
    next_step="Leave `.float()` out: work in the type that comes in.",
)

altered(
    SIM, "float32_for_all", "plain", {"return best.sum(dim=1)": "return best.sum(dim=1).float()"}, stage="dtype",
    diagnosis="The result is float32 whatever came in.",
    next_step="Leave `.float()` out: float64 documents get a float64 result.",
)

altered(
    SIM, "a_list", "plain", {"best.sum(dim=1)": "best.sum(dim=1).tolist()"}, stage="type",
    diagnosis="A list comes back; a tensor was asked for.",
    next_step="Leave out `.tolist()`, or put `torch.tensor` or `torch.stack` around your list.",
)

altered(
    SIM, "sorted_scores", "plain", {"best.sum(dim=1)": "best.sum(dim=1).sort(descending=True).values"}, stage="values",
    diagnosis="The scores are sorted; nobody can tell any more which document has which.",
    next_step="Leave them in the order of the documents.",
)

altered(
    SIM, "the_documents_in_order", "plain", {"best.sum(dim=1)": "best.sum(dim=1).argsort(descending=True)"}, stage="dtype",
    diagnosis="The numbers of the documents come back, the best first; asked for are their scores.",
    next_step="Return the sums themselves.",
)


@mistake(
    SIM, "small_constant_at_padding", stage="values",
    diagnosis="Padding gets a constant that real products may fall below, and that shows where no token is real.",
    next_step="Fill with minus infinity, and put 0 where a document has no real token.",
)
def max_sim(query, documents, mask):
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], -10000.0)
    return products.amax(dim=1).sum(dim=1)


@mistake(
    SIM, "each_token_matched_once", stage="values",
    diagnosis="A token of the document is used up by its first match; several tokens of the query may share their best one.",
    next_step="Take the maximum for each token of the query by itself.",
)
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


@mistake(
    SIM, "softmax_instead_of_the_maximum", stage="values",
    diagnosis="The tokens are weighted by a softmax, as in attention; only the best one counts here.",
    next_step="Replace the weighted sum by `amax(dim=1)`.",
)
def max_sim(query, documents, mask):
    products = documents @ query.T
    hidden = ~mask.bool()[:, :, None]
    weights = products.masked_fill(hidden, float("-inf")).softmax(dim=1)
    return (weights * products).masked_fill(hidden, 0.0).sum(dim=(1, 2))


@mistake(
    SIM, "padding_overwritten_in_the_documents", stage="property",
    diagnosis="The caller's documents are overwritten at padding.",
    next_step="Fill the dot products instead, or a copy of the documents.",
)
def max_sim(query, documents, mask):
    documents[~mask.bool()] = 0
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], float("-inf"))
    return products.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0).sum(dim=1)


@mistake(
    SIM, "one_vector_for_each_text", stage="values",
    diagnosis="Both sides are averaged to one vector first; each token of the query should find its own match.",
    next_step="Compare all pairs of tokens, then take the maximum over the document and the sum over the query.",
)
def max_sim(query, documents, mask):
    weights = mask.to(documents.dtype)
    pooled = (documents * weights[:, :, None]).sum(dim=1) / weights.sum(dim=1, keepdim=True).clamp(min=1)
    return pooled @ query.mean(dim=0)


@mistake(
    SIM, "a_single_document_squeezed", stage="shape",
    diagnosis="`squeeze()` also removes the axis of the documents where there is only one.",
    next_step="Leave `squeeze()` out, or say which axis is to go.",
)
def max_sim(query, documents, mask):
    products = (documents @ query.T).masked_fill(~mask.bool()[:, :, None], float("-inf"))
    best = products.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0)
    return best.sum(dim=1).squeeze()


@mistake(
    SIM, "axis_lost_by_squeeze", stage=("raises", "shape"),
    diagnosis="`squeeze()` removes every axis of size one, also that of the tokens or of the query.",
    next_step="Name the axis: `amax(dim=1)` already removes the one that is meant.",
)
def max_sim(query, documents, mask):
    products = (documents @ query.T).squeeze()
    hidden = products.masked_fill(~mask.bool()[:, :, None], float("-inf"))
    return hidden.amax(dim=1).masked_fill(~mask.bool().any(dim=1)[:, None], 0).sum(dim=1)
