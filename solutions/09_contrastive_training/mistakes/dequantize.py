"""Wrong answers about the way back from codes by name, and unusual right ones."""

import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

BACK = "09.dequantize"


@base("plain")
def dequantize(codes, scale, offset):
    return codes * scale


altered(
    BACK, "offset_before_scale", "plain", {" codes": " (codes + offset)"}, stage="values",
    diagnosis="The offset is added before scaling; it is added afterwards.",
    next_step="First codes * scale, then + offset.",
)

altered(
    BACK, "offset_as_a_zero_point", "plain", {" codes": " (codes - offset)"}, stage="values",
    diagnosis="The offset is subtracted from the codes, as a zero point; here it is added at the end.",
    next_step="First codes * scale, then + offset.",
)

altered(
    BACK, "offset_subtracted", "plain", {"* scale": "* scale - offset"}, stage="values",
    diagnosis="The offset is subtracted; it is added.",
    next_step="codes * scale + offset.",
)


@mistake(
    BACK, "offset_forgotten", stage="values",
    diagnosis="The offset is never added.",
    next_step="codes * scale + offset.",
)
def dequantize(codes, scale, offset):
    return codes * scale


altered(
    BACK, "divides_by_the_scale", "plain", {"* scale": "/ scale + offset"}, stage=("values", "not finite"),
    diagnosis="The codes are divided by the scale; they are multiplied with it.",
    next_step="The scale is the size of one step.",
)

altered(
    BACK, "divides_by_255_too", "plain", {"* scale": "/ 255 * scale + offset"}, stage="values",
    diagnosis="The codes are divided by 255; the scale is the size of one step already.",
    next_step="codes * scale + offset, and nothing else.",
)

altered(
    BACK, "signed_bytes", "plain", {" * scale": ".to(torch.int8) * scale + offset"}, stage="values",
    diagnosis="The codes are read as int8: from 128 on they become negative.",
    next_step="Convert to a floating type, not to int8.",
)

altered(
    BACK, "squeezed", "plain", {"* scale": "* scale[:, 0] + offset[:, 0]"}, stage=("values", "raises"),
    diagnosis="Scale and offset lose their second axis: they line up with the columns instead of the rows.",
    next_step="Leave them as (N, 1).",
)

altered(
    BACK, "one_scale_for_all", "plain", {"* scale": "* scale[:1] + offset[:1]"}, stage="values",
    diagnosis="The first row's scale and offset are used for all rows.",
    next_step="Let (N, 1) broadcast against (N, d).",
)

altered(
    BACK, "whole_numbers", "plain", {"codes * scale": "(codes * scale + offset).round().long()"}, stage="dtype",
    diagnosis="The numbers are rounded to whole ones.",
    next_step="Keep the floating result of the product.",
)

altered(
    BACK, "rounded", "plain", {"codes * scale": "(codes * scale + offset).round()"}, stage="values",
    diagnosis="The numbers are rounded to whole ones.",
    next_step="Leave `.round()` out: only codes are whole.",
)

altered(
    BACK, "middle_of_the_step", "plain", {"codes * scale": "(codes + 0.5) * scale + offset"}, stage="values",
    diagnosis="Half a step is added; codes were rounded to the nearest, so they stand for the middle already.",
    next_step="codes * scale + offset.",
)

altered(
    BACK, "always_float32", "plain", {"codes * scale": "(codes * scale + offset).float()"}, stage="dtype",
    diagnosis="float64 scales give a float32 result.",
    next_step="Leave `.float()` out: the type of the scale decides.",
)

altered(
    BACK, "rounds_to_float32", "plain",
    {"codes * scale": "(codes.float() * scale.float() + offset.float()).to(scale.dtype)"},
    stage="values",
    diagnosis="The product is rounded to float32 on the way.",
    next_step="Work in the type of the scale.",
)

altered(
    BACK, "needs_a_row", "plain",
    {"codes * scale": "torch.stack([row * s + o for row, s, o in zip(codes, scale, offset)])"},
    stage="raises",
    diagnosis="It fails without rows: there is nothing to stack.",
    next_step="Broadcasting needs no special case.",
)

altered(
    BACK, "unit_vectors", "plain",
    {"codes * scale": "torch.nn.functional.normalize(codes * scale + offset, dim=1)"},
    stage="values",
    diagnosis="The rows are made unit vectors; the numbers themselves were asked for.",
    next_step="Leave the normalisation out.",
)


@right_form(BACK, "addcmul")
def dequantize(codes, scale, offset):
    return torch.addcmul(offset, codes.to(scale.dtype), scale)


@right_form(BACK, "filled_row_by_row")
def dequantize(codes, scale, offset):
    found = torch.empty(codes.shape, dtype=scale.dtype)
    for i in range(len(codes)):
        found[i] = codes[i].double() * scale[i].item() + offset[i].item()
    return found


@right_form(BACK, "numpy_inside")
def dequantize(codes, scale, offset, verbose=True):
    back = codes.numpy() * scale.numpy() + offset.numpy()
    if verbose:
        print(back.shape)
    return torch.from_numpy(back)


@right_form(BACK, "in_place_on_a_copy")
def dequantize(codes, scale, offset):
    return codes.type(scale.dtype).mul_(scale).add_(offset)


@right_form(BACK, "einsum_in_float64")
def dequantize(codes, scale, offset):
    product = torch.einsum("nd,n->nd", codes.double(), scale.squeeze(1).double())
    return (product + offset.double().expand_as(product)).to(scale.dtype)
