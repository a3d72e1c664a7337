"""Wrong answers about fewer dimensions by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

CUT = "09.truncate_dimensions"


@mistake(
    CUT, "not_normalised_again", stage="values",
    diagnosis="What is left is not normalised.",
    next_step="Divide each shortened row by its length.",
)
def truncate_dimensions(x, keep):
    return x[:, :keep].clone()


@base("plain")
def truncate_dimensions(x, keep):
    return F.normalize(x[:keep], dim=1)


altered(
    CUT, "normalised_before_cutting", "plain", {"(x[:keep], dim=1)": "(x, dim=1)[:, :keep]"}, stage="values",
    diagnosis="The rows are divided by the length that they had before they were cut: what is left is shorter than 1.",
    next_step="First cut, then normalise.",
)

altered(
    CUT, "last_columns", "plain", {":keep": ":, -keep:"}, stage="values",
    diagnosis="The last columns are kept; it should be the first.",
    next_step="Write `x[:, :keep]`.",
)


@mistake(
    CUT, "first_rows", stage="shape",
    diagnosis="Rows are cut off instead of columns.",
    next_step="Write `x[:, :keep]`.",
)
def truncate_dimensions(x, keep):
    return F.normalize(x[:keep], dim=1)


altered(
    CUT, "drops_instead_of_keeps", "plain", {":keep": ":, : x.shape[1] - keep"}, stage="shape",
    diagnosis="`keep` columns are dropped; that many are to be kept.",
    next_step="Write `x[:, :keep]`.",
)


@mistake(
    CUT, "largest_columns", stage="values",
    diagnosis="Each row's largest numbers are kept; then columns of different rows no longer mean the same.",
    next_step="Keep the first columns of all rows.",
)
def truncate_dimensions(x, keep):
    keep = min(keep, x.shape[1])
    order = x.abs().topk(keep, dim=1).indices.sort(dim=1).values
    return F.normalize(x.gather(1, order), dim=1)


@mistake(
    CUT, "zeros_instead_of_cutting", stage="shape",
    diagnosis="The other columns are set to zero and still take up memory.",
    next_step="Cut them off: the result has `keep` columns.",
)
def truncate_dimensions(x, keep):
    x = x.clone()
    x[:, keep:] = 0
    return F.normalize(x, dim=1)


@mistake(
    CUT, "nan_for_zero_rows", stage="not finite",
    diagnosis="A row of zeros is divided by its length 0.",
    next_step="Let the divisor be at least a tiny positive number.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / head.norm(dim=1, keepdim=True)


@mistake(
    CUT, "zero_rows_dropped", stage="shape",
    diagnosis="Rows of zeros are dropped; every row keeps its index.",
    next_step="Keep them, as rows of zeros.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return F.normalize(head[head.norm(dim=1) > 0], dim=1)


@mistake(
    CUT, "unchanged_when_all_are_kept", stage="values",
    diagnosis="When all columns are kept the rows come back as they are; they are normalised in any case.",
    next_step="Leave the special case out.",
)
def truncate_dimensions(x, keep):
    if keep >= x.shape[1]:
        return x.clone()
    return F.normalize(x[:, :keep], dim=1)


@mistake(
    CUT, "filled_up_with_zeros", stage="shape",
    diagnosis="With keep above the number of columns, zeros are added; then all columns are kept, and no more.",
    next_step="A slice stops at the end by itself.",
)
def truncate_dimensions(x, keep):
    head = F.normalize(x[:, :keep], dim=1)
    return F.pad(head, (0, keep - head.shape[1]))


altered(
    CUT, "keep_must_fit", "plain", {"[:keep]": ".narrow(1, 0, keep)"}, stage="raises",
    diagnosis="It fails when keep exceeds the number of columns; then all are kept.",
    next_step="Use a slice, which stops at the end by itself.",
)

altered(
    CUT, "normalised_along_the_batch", "plain", {"(x[:keep], dim=1)": "(x[:, :keep], dim=0)"}, stage="values",
    diagnosis="The columns are normalised; it should be the rows.",
    next_step="Use `dim=1`.",
)


@mistake(
    CUT, "one_norm_for_the_table", stage="values",
    diagnosis="The whole table is divided by one number.",
    next_step="Give the norm `dim=1` and `keepdim=True`.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / head.norm().clamp(min=1e-12)


altered(
    CUT, "sum_of_absolute_values", "plain", {"[:keep],": "[:, :keep], p=1,"}, stage="values",
    diagnosis="The rows are divided by the sum of their absolute values; a length is the root of the sum of squares.",
    next_step="Use the 2-norm.",
)

altered(
    CUT, "always_float32", "plain", {"[:keep],": "[:, :keep].float(),"}, stage="dtype",
    diagnosis="float64 vectors come back as float32.",
    next_step="Leave `.float()` out.",
)


@mistake(
    CUT, "a_large_safety_number", stage="values",
    diagnosis="A number that is not small is added to every length: the rows become shorter than 1.",
    next_step="Let the divisor be at least 1e-12, instead of adding to it.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / (head.norm(dim=1, keepdim=True) + 1e-2)


@mistake(
    CUT, "normalises_in_place", stage="property",
    diagnosis="`x[:, :keep]` is a view: dividing it in place changes the caller's table.",
    next_step="Use `/` instead of `/=`.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    head /= head.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return head


@mistake(
    CUT, "short_rows_taken_for_zeros", stage="values",
    diagnosis="Rows that are merely short come out as zeros; only a row of nothing but zeros has no direction.",
    next_step="Ask whether the length is 0, or let the divisor be at least 1e-12.",
)
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    length = head.norm(dim=1, keepdim=True)
    return torch.where(length > 1e-5, head / length.clamp(min=1e-5), torch.zeros_like(head))


@right_form(CUT, "clamped_length")
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / head.pow(2).sum(dim=1, keepdim=True).clamp_min(1e-24).sqrt()


@right_form(CUT, "filled_row_by_row")
def truncate_dimensions(x, keep):
    found = torch.zeros(len(x), min(keep, x.size(1)), dtype=x.dtype)
    for i, row in enumerate(x):
        length = torch.linalg.norm(row[:keep])
        if length > 0:
            found[i] = row[:keep] / length
    return found


@right_form(CUT, "numpy_inside")
def truncate_dimensions(x, keep, verbose=True):
    head = x.numpy()[:, :keep].astype(np.float64)
    length = np.linalg.norm(head, axis=1, keepdims=True)
    length[length == 0] = 1
    if verbose:
        print(length.ravel())
    return torch.as_tensor(head / length).to(x.dtype)


@right_form(CUT, "narrow_and_where")
def truncate_dimensions(x, keep):
    head = x.narrow(1, 0, min(keep, x.shape[1])).double()
    square = torch.einsum("nd,nd->n", head, head).unsqueeze(1)
    return (head / torch.where(square > 0, square, torch.ones_like(square)).sqrt()).to(x.dtype)


@right_form(CUT, "a_tiny_number_added_to_the_length")
def truncate_dimensions(x, keep):
    head = x[:, :keep]
    return head / (head.norm(dim=1, keepdim=True) + 1e-8)


@mistake(
    CUT, "nan_in_the_gradient", stage="not finite",
    diagnosis="The rows are right, but at a row of zeros the gradient is nan: 0 / 0 was replaced only afterwards, or the root "
    "of 0 was bounded only afterwards.",
    next_step="Make the length safe before you divide: `F.normalize`, or `vector_norm` and `clamp(min=1e-12)`.",
)
def truncate_dimensions(x, keep):
    head = torch.index_select(x, 1, torch.arange(min(keep, x.shape[1])))
    return (head / torch.linalg.vector_norm(head, dim=1)[:, None]).nan_to_num(0.0)
