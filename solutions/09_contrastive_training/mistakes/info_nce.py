"""Wrong answers about InfoNCE by name, and unusual right ones."""


import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

NCE = "09.info_nce"


@mistake(
    NCE, "dot_product_instead_of_cosine", stage="values",
    diagnosis="The vectors are not normalised: long vectors get large logits, whatever their direction.",
    next_step="Divide every query and every candidate by its length before the product.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    return F.cross_entropy(queries @ candidates.T * scale, torch.arange(len(queries)))


@base("plain")
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T
    return F.cross_entropy(logits, torch.arange(len(queries)))


altered(
    NCE, "only_the_queries_normalised", "plain",
    {"(queries) @ F.normalize(candidates).T": "(queries, dim=1) @ candidates.T * scale"},
    stage="values",
    diagnosis="Only the queries are normalised; a cosine needs both sides.",
    next_step="Normalise the candidates too.",
)


@mistake(
    NCE, "negatives_not_normalised", stage="values",
    diagnosis="The extra negatives enter as they are, while queries and positives are normalised.",
    next_step="Normalise the negatives as well: cosines on all sides.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = F.normalize(positives, dim=1)
    if negatives is not None:
        candidates = torch.cat([candidates, negatives])
    logits = F.normalize(queries, dim=1) @ candidates.T * scale
    return F.cross_entropy(logits, torch.arange(len(queries)))


altered(
    NCE, "normalised_along_the_batch", "plain",
    {"(queries) @ F.normalize(candidates).T": "(queries, dim=0) @ F.normalize(candidates, dim=0).T * scale"},
    stage="values",
    diagnosis="The columns are normalised, over the batch; a vector's length is taken along its own row.",
    next_step="Print the lengths of the rows after your normalisation: each should be 1.",
)


@mistake(
    NCE, "one_norm_for_the_whole_batch", stage="values",
    diagnosis="`x.norm()` is one number for the whole batch: the rows do not become unit vectors.",
    next_step="Give the norm `dim=1` and `keepdim=True`.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives / positives.norm()
    if negatives is not None and len(negatives):
        candidates = torch.cat([candidates, negatives / negatives.norm()])
    logits = queries / queries.norm() @ candidates.T * scale
    return F.cross_entropy(logits, torch.arange(len(queries)))


@mistake(
    NCE, "scale_forgotten", stage="values",
    diagnosis="The cosines are used as logits; scale is never applied.",
    next_step="Multiply the logits by scale before the softmax.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T
    return F.cross_entropy(logits, torch.arange(len(queries)))


altered(
    NCE, "divides_by_scale", "plain", {"(candidates).T": "(candidates).T / scale"}, stage="values",
    diagnosis="The logits are divided by scale, as one does with a temperature; scale is a factor.",
    next_step="Multiply: the scale is one over the temperature.",
)

altered(
    NCE, "scales_the_loss", "plain",
    {"(logits, torch.arange(len(queries)))": "(logits, torch.arange(len(queries))) * scale"},
    stage="values",
    diagnosis="The loss is multiplied by scale, not the logits: the softmax stays as flat as without.",
    next_step="Apply the scale to the cosines, before the softmax.",
)


@base("plain_2")
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    return F.cross_entropy(logits, torch.arange(len(queries))).item()


altered(
    NCE, "positive_in_column_0", "plain_2",
    {"arange(len(queries))).item(": "zeros(len(queries), dtype=torch.long)"},
    stage="values",
    diagnosis="Column 0 counts as the right one in every row; it is row i's positive in column i.",
    next_step="The classes are 0, 1, 2, ..., N - 1: the diagonal.",
)


@mistake(
    NCE, "positives_look_for_queries", stage="values",
    diagnosis="The softmax runs over the queries: each positive looks for its query. Asked for is the other direction.",
    next_step="Row i of the logits belongs to query i; print their shape with two negatives added: (N, N + 2).",
)
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries), F.normalize(positives)
    logits = p @ q.T * scale
    if negatives is not None:
        logits = torch.cat([logits, p @ F.normalize(negatives).T * scale], dim=1)
    return F.cross_entropy(logits, torch.arange(len(queries)))


@mistake(
    NCE, "both_directions", stage="values",
    diagnosis="This is the mean of both directions, which is CLIP's loss; here only the queries look.",
    next_step="Leave the transposed half out; it comes in the next exercise.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    n = len(queries)
    pairs = torch.arange(n)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits[:, :n].T, pairs)) / 2


altered(
    NCE, "sum_over_the_rows", "plain_2", {").item(": ', reduction="sum"'}, stage="values",
    diagnosis="The rows' losses are added; the mean was asked for.",
    next_step="Divide by N, or leave `reduction` at its default.",
)

altered(
    NCE, "a_loss_for_each_row", "plain_2", {").item(": ', reduction="none"'}, stage="shape",
    diagnosis="One loss for each row comes back; a training step needs one number.",
    next_step="Take the mean over the rows.",
)

altered(
    NCE, "softmax_twice", "plain_2",
    {", torch.arange(len(queries))).item(": ".softmax(dim=1), torch.arange(len(queries))"},
    stage="values",
    diagnosis="`F.cross_entropy` takes logits and does the softmax itself; here it is done twice.",
    next_step="Hand it the logits, without a softmax of your own.",
)


@mistake(
    NCE, "positive_not_among_the_candidates", stage="values",
    diagnosis="The denominator holds the negatives only; the positive belongs to it too.",
    next_step="The sum runs over all candidates, so that what the positive gets is a probability.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    n = len(queries)
    if logits.shape[1] == 1:
        return -logits.mean()
    itself = torch.eye(n, logits.shape[1], dtype=torch.bool)
    rest = logits.masked_fill(itself, float("-inf"))
    return (torch.logsumexp(rest, dim=1) - logits.diagonal()).mean()


@mistake(
    NCE, "negatives_replace_the_batch", stage="values",
    diagnosis="With extra negatives the other rows' positives no longer count; they are candidates as well.",
    next_step="Stack the negatives under the positives: N + M candidates for each query.",
)
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries), F.normalize(positives)
    if negatives is None:
        return F.cross_entropy(q @ p.T * scale, torch.arange(len(q)))
    own = (q * p).sum(dim=1, keepdim=True)
    logits = torch.cat([own, q @ F.normalize(negatives).T], dim=1) * scale
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


@mistake(
    NCE, "no_batch_negatives", stage="values",
    diagnosis="Only the given negatives count; the positives of the other rows are negatives too.",
    next_step="Compare every query with every positive: an (N, N) table, whose diagonal is right.",
)
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries), F.normalize(positives)
    logits = (q * p).sum(dim=1, keepdim=True)
    if negatives is not None:
        logits = torch.cat([logits, q @ F.normalize(negatives).T], dim=1)
    return F.cross_entropy(logits * scale, torch.zeros(len(q), dtype=torch.long))


@mistake(
    NCE, "negatives_ignored", stage="values",
    diagnosis="The extra negatives are never used.",
    next_step="Stack them under the positives before the product.",
)
def info_nce(queries, positives, scale, negatives=None):
    logits = F.normalize(queries) @ F.normalize(positives).T * scale
    return F.cross_entropy(logits, torch.arange(len(queries)))


@mistake(
    NCE, "one_negative_a_row", stage="raises",
    diagnosis="Each row gets one negative of its own; the negatives are shared: every row has all M of them.",
    next_step="A matrix product compares every query with every negative: (N, M).",
)
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries), F.normalize(positives)
    logits = q @ p.T
    if negatives is not None:
        logits = torch.cat([logits, (q * F.normalize(negatives)).sum(dim=1, keepdim=True)], dim=1)
    return F.cross_entropy(logits * scale, torch.arange(len(q)))


@mistake(
    NCE, "negatives_without_scale", stage="values",
    diagnosis="The columns of the negatives are not multiplied by scale.",
    next_step="Scale the whole table at once, after putting it together.",
)
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries), F.normalize(positives)
    logits = q @ p.T * scale
    if negatives is not None:
        logits = torch.cat([logits, q @ F.normalize(negatives).T], dim=1)
    return F.cross_entropy(logits, torch.arange(len(q)))


@mistake(
    NCE, "if_negatives", stage="raises",
    diagnosis="`if negatives:` asks a tensor for one truth value, which it does not have.",
    next_step="Write `if negatives is not None:`.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives
    if negatives:
        candidates = torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    return F.cross_entropy(logits, torch.arange(len(queries)))


@mistake(
    NCE, "overflows", stage="not finite",
    diagnosis="exp(100) is inf in float32, and the loss with it.",
    next_step="`F.cross_entropy` or `torch.logsumexp` of the logits never takes exp of a large number.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    powers = (F.normalize(queries) @ F.normalize(candidates).T * scale).exp()
    return -(powers.diagonal() / powers.sum(dim=1)).log().mean()


@mistake(
    NCE, "one_maximum_for_all_rows", stage="not finite",
    diagnosis="The largest logit of the whole table is subtracted: a row far below it underflows to log(0).",
    next_step="Subtract each row's own largest logit, or use `F.cross_entropy`.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    powers = (logits - logits.max()).exp()
    return -(powers.diagonal() / powers.sum(dim=1)).log().mean()


altered(
    NCE, "log_of_softmax_with_a_floor", "plain_2",
    {
        "F.cross_entropy(logits, torch.arange(len(queries))).item":
            "-(logits.softmax(dim=1).diagonal() + 1e-8).log().mean",
    },
    stage="values",
    diagnosis="A small number is added before the logarithm: a badly wrong row then has too small a loss.",
    next_step="`F.log_softmax` needs no such number: it never takes the logarithm of 0.",
)

altered(
    NCE, "always_float32", "plain",
    {"(queries) @ F.normalize(candidates).T": "(queries.float()) @ F.normalize(candidates.float()).T * scale"},
    stage="dtype",
    diagnosis="float64 vectors give a float32 loss.",
    next_step="Leave `.float()` out: work in the type of the vectors.",
)


@mistake(
    NCE, "a_python_number", stage="type",
    diagnosis="`.item()` makes a plain number, from which no backward pass can start.",
    next_step="Return the 0-d tensor itself.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries) @ F.normalize(candidates).T * scale
    return F.cross_entropy(logits, torch.arange(len(queries))).item()


@mistake(
    NCE, "graph_cut", stage="property",
    diagnosis="The vectors are detached (or no gradients are recorded): the encoder could never learn from this loss.",
    next_step="Remove `detach()`, `.data` or `torch.no_grad()`.",
)
def info_nce(queries, positives, scale, negatives=None):
    with torch.no_grad():
        candidates = positives if negatives is None else torch.cat([positives, negatives])
        logits = F.normalize(queries) @ F.normalize(candidates).T * scale
        return F.cross_entropy(logits, torch.arange(len(queries)))


altered(
    NCE, "candidates_detached", "plain", {"(candidates).T": "(candidates.detach()).T * scale"}, stage="property",
    diagnosis="The candidates are detached: only the queries learn, while positives and negatives come from an encoder too.",
    next_step="Remove `detach()`: gradients flow into both sides of the product.",
)


@mistake(
    NCE, "lengths_detached", stage="values",
    diagnosis="The gradient does not flow through the lengths: they are detached, or taken outside of autograd.",
    next_step="Normalise inside the graph: the length is a function of the vector.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    q = queries / queries.detach().norm(dim=1, keepdim=True)
    c = candidates / candidates.detach().norm(dim=1, keepdim=True)
    return F.cross_entropy(q @ c.T * scale, torch.arange(len(queries)))


altered(
    NCE, "scale_becomes_a_number", "plain", {"(candidates).T": "(candidates).T * float(scale)"}, stage="property",
    diagnosis="`float(scale)` cuts the scale off from the graph: a learned temperature would stay what it is.",
    next_step="Multiply by scale as it comes, a number or a tensor.",
)

altered(
    NCE, "needs_a_tensor_scale", "plain",
    {"= F.normalize": "= scale.to(queries.dtype) * F.normalize"},
    stage="raises",
    diagnosis="It asks the scale for a method of tensors; a plain number is allowed too.",
    next_step="Multiplying works for both; nothing else is needed.",
)


@mistake(
    NCE, "normalises_in_place", stage="property",
    diagnosis="The caller's vectors are overwritten with unit vectors.",
    next_step="Write `queries = queries / ...`: a new tensor, not `/=`.",
)
def info_nce(queries, positives, scale, negatives=None):
    queries /= queries.norm(dim=1, keepdim=True)
    positives /= positives.norm(dim=1, keepdim=True)
    candidates = positives
    if negatives is not None:
        negatives /= negatives.norm(dim=1, keepdim=True)
        candidates = torch.cat([positives, negatives])
    return F.cross_entropy(queries @ candidates.T * scale, torch.arange(len(queries)))


@mistake(
    NCE, "squeeze_loses_the_batch", stage="raises",
    diagnosis="`squeeze()` removes an axis of length 1: a batch of one row loses its shape.",
    next_step="Leave `squeeze()` out, or name the axis.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries).squeeze() @ F.normalize(candidates).squeeze().T * scale
    return -logits.log_softmax(dim=1).diagonal().mean()


altered(
    NCE, "yes_or_no_for_each_pair", "plain_2",
    {
        ".cross_entropy(logits, torch.arange(len(queries))).item()":
            ".binary_cross_entropy_with_logits(logits, torch.eye(*logits.shape, dtype=logits.dtype))",
    },
    stage="values",
    diagnosis="Each pair is judged by itself with a sigmoid (that is SigLIP's loss); here a row's candidates compete.",
    next_step="Use a softmax over each row: one class among N + M.",
)


@mistake(
    NCE, "log_of_softmax", stage="not finite",
    diagnosis="softmax first, then the logarithm: a dissimilar positive has probability 0 in float32, and log(0) is -inf.",
    next_step="`F.log_softmax` or `F.cross_entropy` never compute that probability by itself.",
)
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    shares = (scale * F.normalize(queries) @ F.normalize(candidates).T).softmax(dim=1)
    return -shares.diagonal().log().mean()


@mistake(
    NCE, "maximum_of_the_positives_alone", stage="not finite",
    diagnosis="The largest logit is looked for among the positives alone: where a negative's is far above it, exp overflows.",
    next_step="Put all candidates into one table first, and subtract the largest logit of each whole row.",
)
def info_nce(queries, positives, scale, negatives=None):
    queries = F.normalize(queries)
    logits = scale * queries @ F.normalize(positives).T
    top = logits.max(dim=1, keepdim=True).values
    total = (logits - top).exp().sum(dim=1)
    if negatives is not None:
        total = total + (scale * queries @ F.normalize(negatives).T - top).exp().sum(dim=1)
    return (total.log() + top[:, 0] - logits.diagonal()).mean()


altered(
    NCE, "dot_product_divided_by_scale", "plain",
    {"F.normalize(queries) @ F.normalize(candidates).T": "queries @ candidates.T / scale"},
    stage="values",
    diagnosis="Two mistakes meet here. The vectors are not normalised; and the logits are divided by scale, which is a factor.",
    next_step="Normalise both sides, and multiply the cosines by scale.",
)

altered(
    NCE, "sum_over_the_columns", "plain",
    {"return F.cross_entropy(logits, torch.arange(len(queries)))":
     "return -torch.log_softmax(logits * scale, dim=0)[:, : len(queries)].diagonal().sum()"},
    stage="values",
    diagnosis="Two mistakes meet here. The softmax runs down the columns (dim=0), over the queries; and the losses are summed.",
    next_step="Each query looks along its own row, dim=1; the result is the mean over the rows.",
)

altered(
    NCE, "divided_by_the_squared_length", "plain",
    {"F.normalize(queries) @ F.normalize(candidates).T":
     "(queries / queries.square().sum(1, True)) @ (candidates / candidates.square().sum(1, True)).T * scale"},
    stage="values",
    diagnosis="The vectors are divided by the square of their length: the root is missing.",
    next_step="Use `.norm(dim=1, keepdim=True)`, or `F.normalize`.",
)


@right_form(NCE, "logsumexp_minus_diagonal")
def info_nce(queries, positives, scale, negatives=None):
    q = queries / queries.norm(dim=1, keepdim=True)
    p = positives / positives.norm(dim=1, keepdim=True)
    logits = q @ p.T * scale
    if negatives is not None:
        logits = torch.cat([logits, q @ (negatives / negatives.norm(dim=1, keepdim=True)).T * scale], dim=1)
    return (torch.logsumexp(logits, dim=1) - logits.diagonal()).mean()


@right_form(NCE, "cosine_similarity_of_torch")
def info_nce(queries, positives, scale, negatives=None, *, reduction="mean"):
    print("shapes", queries.shape, positives.shape)
    candidates = positives if negatives is None else torch.vstack((positives, negatives))
    logits = F.cosine_similarity(queries[:, None, :], candidates[None, :, :], dim=2).mul(scale)
    return nn.CrossEntropyLoss(reduction=reduction)(logits, torch.arange(queries.shape[0]))


@right_form(NCE, "einsum_and_log_softmax")
def info_nce(queries, positives, scale, negatives=None):
    q, p = F.normalize(queries, p=2, dim=-1), F.normalize(positives, p=2, dim=-1)
    logits = torch.einsum("nd,md->nm", q, p)
    if negatives is not None and negatives.numel() > 0:
        logits = torch.hstack([logits, torch.einsum("nd,md->nm", q, F.normalize(negatives, dim=-1))])
    return -F.log_softmax(scale * logits, dim=-1).diag().mean()


@right_form(NCE, "row_by_row")
def info_nce(queries, positives, scale, negatives=None):
    losses = []
    for i in range(len(queries)):
        scores = [scale * F.cosine_similarity(queries[i], p, dim=0) for p in positives]
        if negatives is not None:
            scores += [scale * F.cosine_similarity(queries[i], n, dim=0) for n in negatives]
        scores = torch.stack(scores)
        losses.append(torch.logsumexp(scores, dim=0) - scores[i])
    return sum(losses) / len(losses)


@right_form(NCE, "own_maximum_subtracted")
def info_nce(queries, positives, scale, negatives=None):
    everything = positives if negatives is None else torch.cat((positives, negatives), 0)

    def unit(x):
        return x / x.pow(2).sum(-1, keepdim=True).sqrt().clamp_min(1e-12)

    logits = scale * (unit(queries) @ unit(everything).transpose(0, 1))
    logits = logits - logits.max(dim=1, keepdim=True).values
    return (logits.exp().sum(1).log() - logits[range(len(queries)), range(len(queries))]).mean()


@right_form(NCE, "float64_inside_one_hot_targets")
def info_nce(queries, positives, scale, negatives=None):
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = (F.normalize(queries.double()) @ F.normalize(candidates.double()).T) * scale
    targets = torch.eye(len(queries), len(candidates), dtype=torch.float64)
    return F.cross_entropy(logits, targets).to(queries.dtype)


@right_form(NCE, "own_positive_in_column_0")
def info_nce(queries, positives, scale, negatives=None):
    if negatives is None:
        negatives = positives.new_zeros(0, positives.shape[1])
    q, p, n = F.normalize(queries), F.normalize(positives), F.normalize(negatives)
    own = (q * p).sum(dim=1, keepdim=True)
    others = (scale * q @ p.T).masked_fill(torch.eye(len(q), dtype=torch.bool), -torch.inf)
    logits = torch.cat([scale * own, others, scale * q @ n.T], dim=1)
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


@mistake(
    NCE, "constant_for_one_row", stage="property",
    diagnosis="For a single row a new 0 comes back, which carries no graph: `backward` stops there.",
    next_step="No special case is needed: the cross-entropy of one candidate is 0, with a graph.",
)
def info_nce(queries, positives, scale, negatives=None):
    if len(queries) == 1 and negatives is None:
        return queries.new_zeros(())
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    logits = F.normalize(queries, dim=1) @ F.normalize(candidates, dim=1).T * scale
    return F.cross_entropy(logits, torch.arange(len(queries)))
