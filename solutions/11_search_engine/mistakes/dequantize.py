# exercise 11.dequantize
import torch


# mistake offset_before_scale (values)
# The offset is added before scaling; it is added afterwards.
# Next: First codes * scale, then + offset.
def dequantize(codes, scale, offset):
    return (codes + offset) * scale


# mistake offset_as_a_zero_point (values)
# The offset is subtracted from the codes, as a zero point; here it is added at the end.
# Next: First codes * scale, then + offset.
def dequantize(codes, scale, offset):
    return (codes - offset) * scale


# mistake offset_subtracted (values)
# The offset is subtracted; it is added.
# Next: codes * scale + offset.
def dequantize(codes, scale, offset):
    return codes * scale - offset


# mistake offset_forgotten (values)
# The offset is never added.
# Next: codes * scale + offset.
def dequantize(codes, scale, offset):
    return codes * scale


# mistake divides_by_the_scale (values, not finite), from offset_forgotten
# The codes are divided by the scale; they are multiplied with it.
# Next: The scale is the size of one step.
#   codes * scale => codes / scale + offset

# mistake divides_by_255_too (values), from offset_forgotten
# The codes are divided by 255; the scale is the size of one step already.
# Next: codes * scale + offset, and nothing else.
#   codes * scale => codes / 255 * scale + offset

# mistake signed_bytes (values), from offset_forgotten
# The codes are read as int8: from 128 on they become negative.
# Next: Convert to a floating type, not to int8.
#   codes * scale => codes.to(torch.int8) * scale + offset

# mistake squeezed (values, raises), from offset_forgotten
# Scale and offset lose their second axis: they line up with the columns instead of the rows.
# Next: Leave them as (N, 1).
#   codes * scale => codes * scale[:, 0] + offset[:, 0]

# mistake one_scale_for_all (values), from offset_forgotten
# The first row's scale and offset are used for all rows.
# Next: Let (N, 1) broadcast against (N, d).
#   codes * scale => codes * scale[:1] + offset[:1]

# mistake whole_numbers (dtype), from offset_forgotten
# The numbers are rounded to whole ones.
# Next: Keep the floating result of the product.
#   codes * scale => (codes * scale + offset).round().long()

# mistake rounded (values), from offset_forgotten
# The numbers are rounded to whole ones.
# Next: Leave `.round()` out: only codes are whole.
#   codes * scale => (codes * scale + offset).round()

# mistake middle_of_the_step (values), from offset_forgotten
# Half a step is added; codes were rounded to the nearest, so they stand for the middle already.
# Next: codes * scale + offset.
#   codes * scale => (codes + 0.5) * scale + offset

# mistake always_float32 (dtype), from offset_forgotten
# float64 scales give a float32 result.
# Next: Leave `.float()` out: the type of the scale decides.
#   codes * scale => (codes * scale + offset).float()

# mistake rounds_to_float32 (values), from offset_forgotten
# The product is rounded to float32 on the way.
# Next: Work in the type of the scale.
#   codes * scale => (codes.float() * scale.float() + offset.float()).to(scale.dtype)

# mistake needs_a_row (raises), from offset_forgotten
# It fails without rows: there is nothing to stack.
# Next: Broadcasting needs no special case.
#   codes * scale => torch.stack([row * s + o for row, s, o in zip(codes, scale, offset)])

# mistake unit_vectors (values), from offset_forgotten
# The rows are made unit vectors; the numbers themselves were asked for.
# Next: Leave the normalisation out.
#   codes * scale => torch.nn.functional.normalize(codes * scale + offset, dim=1)


# right form addcmul
def dequantize(codes, scale, offset):
    return torch.addcmul(offset, codes.to(scale.dtype), scale)


# right form filled_row_by_row
def dequantize(codes, scale, offset):
    found = torch.empty(codes.shape, dtype=scale.dtype)
    for i in range(len(codes)):
        found[i] = codes[i].double() * scale[i].item() + offset[i].item()
    return found


# right form numpy_inside
def dequantize(codes, scale, offset, verbose=True):
    back = codes.numpy() * scale.numpy() + offset.numpy()
    if verbose:
        print(back.shape)
    return torch.from_numpy(back)


# right form in_place_on_a_copy
def dequantize(codes, scale, offset):
    return codes.type(scale.dtype).mul_(scale).add_(offset)


# right form einsum_in_float64
def dequantize(codes, scale, offset):
    product = torch.einsum("nd,n->nd", codes.double(), scale.squeeze(1).double())
    return (product + offset.double().expand_as(product)).to(scale.dtype)
