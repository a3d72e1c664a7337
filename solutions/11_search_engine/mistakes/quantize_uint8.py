# exercise 11.quantize_uint8
import numpy as np
import torch


# base plain
def quantize_uint8(x):
    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    scale = torch.where(high > low, (high - low) / 255, torch.ones_like(low))
    return ((x - low) / scale).round().to(torch.uint8), scale, low


# mistake decimals_cut_off (values), from plain
# The conversion to uint8 cuts decimals off: the error is up to a whole step.
# Next: Call `.round()` before `.to(torch.uint8)`.
#   ((x - low) / scale).round().to => ((x - low) / scale).to

# mistake always_rounded_up (values), from plain
# Every number is rounded up: the error is up to a whole step.
# Next: Use `.round()`, which goes to the nearest.
#   ((x - low) / scale).round() => ((x - low) / scale - 1e-4).ceil().clamp(0, 255)


# mistake divides_by_0 (not finite)
# A constant row has the range 0, and dividing by it gives nan or inf.
# Next: Where the range is 0, take any other number as the scale.
def quantize_uint8(x):
    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    inverse = 255 / (high - low)
    return ((x - low) * inverse).nan_to_num(0).round().to(torch.uint8), 1 / inverse + 0 * inverse, low


# mistake codes_of_nan (values)
# In a constant row 0 / 0 is nan, and what uint8 makes of nan is not defined.
# Next: Where the range is 0, divide by another number.
def quantize_uint8(x):
    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    scale = (high - low) / 255
    codes = ((x - low) / scale).nan_to_num(255).round().to(torch.uint8)
    return codes, scale.clamp(min=1e-8), low


# mistake scale_plus_a_little (values), from plain
# A constant is added to every scale; where numbers are small it is larger than their steps.
# Next: Replace the scale only where the range is 0.
#   torch.where(high > low, (high - low) / 255, torch.ones_like(low)) => (high - low) / 255 + 1e-6


# mistake one_scale_for_the_table (shape)
# One scale serves the whole table; every row needs its own, in shape (N, 1).
# Next: Take min and max along `dim=1`, with `keepdim=True`.
def quantize_uint8(x):
    low, high = x.min(), x.max()
    scale = (high - low) / 255 if high > low else torch.ones_like(low)
    return ((x - low) / scale).round().to(torch.uint8), scale, low


# mistake one_scale_repeated (values)
# One scale of the whole table is repeated for every row: small rows lose their digits.
# Next: Take min and max of each row.
def quantize_uint8(x):
    n = len(x)
    low, high = (x.min(), x.max()) if x.numel() else (x.sum(), x.sum())
    scale = (high - low) / 255 if high > low else torch.ones_like(low)
    return ((x - low) / scale).round().to(torch.uint8), scale.repeat(n, 1), low.repeat(n, 1)


# mistake a_scale_for_each_column (shape), from plain
# The columns have scales; it should be the rows.
# Next: Take min and max along `dim=1`.
#   -    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
#   +    if not len(x):
#   +        return x.to(torch.uint8), x[:1], x[:1]
#   +    low, high = x.amin(dim=0, keepdim=True), x.amax(dim=0, keepdim=True)

# mistake flat_scale (shape), from plain
# Scale and offset have shape (N,); they should have shape (N, 1), to fit beside (N, d).
# Next: Add `keepdim=True`.
#   x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True) => x.amin(dim=1), x.amax(dim=1)
#   (x - low) / scale => (x - low[:, None]) / scale[:, None]


# mistake symmetric_around_0 (values)
# The largest absolute value sets the scale, as for signed codes: rows far from 0 waste most of the codes.
# Next: Let code 0 be the smallest number of the row, and 255 the largest.
def quantize_uint8(x):
    top = x.abs().amax(dim=1, keepdim=True)
    scale = torch.where(top > 0, top / 127, torch.ones_like(top))
    codes = (x / scale).round() + 128
    return codes.to(torch.uint8), scale, -128 * scale


# mistake offset_forgotten (values)
# The numbers are divided by the scale without subtracting the smallest first: negative ones wrap around.
# Next: Code 0 belongs to the smallest number of the row.
def quantize_uint8(x):
    top = x.amax(dim=1, keepdim=True)
    scale = torch.where(top != 0, top.abs() / 255, torch.ones_like(top))
    return (x / scale).round().clamp(0, 255).to(torch.uint8), scale, torch.zeros_like(scale)


# mistake zero_point (values), from plain
# The offset is a code, to be subtracted before scaling; here it is a number, added after scaling.
# Next: Return the row's smallest number as the offset.
#   scale, low => scale, (-low / scale).round()

# mistake steps_of_256 (values), from plain
# The range is divided by 256: the largest number would need the code 256, which uint8 does not have.
# Next: 256 codes have 255 steps between them.
#   (high - low) / 255 => (high - low) / 256
#   ((x - low) / scale).round().to => ((x - low) / scale).round().clamp(0, 255).to

# mistake signed_codes (dtype), from plain
# The codes are int8; uint8 was asked for.
# Next: Use codes from 0 to 255 and `.to(torch.uint8)`.
#   -    return ((x - low) / scale).round().to(torch.uint8), scale, low
#   +    return (((x - low) / scale).round() - 128).to(torch.int8), scale, low + 128 * scale

# mistake floating_codes (dtype), from plain
# The codes are whole numbers in floating type: nothing is saved.
# Next: Convert with `.to(torch.uint8)`.
#   ((x - low) / scale).round().to(torch.uint8) => ((x - low) / scale).round()

# mistake inverse_scale (values), from plain
# The scale is what the numbers are multiplied with to get codes, but the exercise asks for the way back.
# Next: codes * scale + offset must give the numbers.
#   (high - low) / 255 => 255 / (high - low)
#   (x - low) / scale => (x - low) * scale

# mistake always_float32 (dtype), from plain
# Scale and offset are float32 whatever comes in.
# Next: Leave `.float()` out: they have the type of x.
#    def quantize_uint8(x):
#   +    x = x.float()

# mistake order_of_the_three (shape), from plain
# The three come back in another order; it is codes, scale, offset.
# Next: Return `codes, scale, offset`.
#   ((x - low) / scale).round().to(torch.uint8), scale, low => scale, low, ((x - low) / scale).round().to(torch.uint8)

# mistake offset_before_scale (values), from plain
# Scale and offset are swapped; it is codes, scale, offset.
# Next: Return `codes, scale, offset`.
#   scale, low => low, scale

# mistake codes_only (type), from plain
# Only the codes come back; without scale and offset there is no way back.
# Next: Return all three.
#   ((x - low) / scale).round().to(torch.uint8), scale, low => ((x - low) / scale).round().to(torch.uint8)

# mistake normalises_first (values), from plain
# The rows are made unit vectors first; what comes back is then something else.
# Next: Quantize the numbers as they are.
#    def quantize_uint8(x):
#   +    x = torch.nn.functional.normalize(x, dim=1)


# mistake assumes_minus_one_to_one (values)
# The numbers are taken to lie between -1 and 1; they do not.
# Next: Take min and max of each row.
def quantize_uint8(x):
    low = x.new_full((len(x), 1), -1.0)
    scale = x.new_full((len(x), 1), 2 / 255)
    return ((x - low) / scale).round().clamp(0, 255).to(torch.uint8), scale, low


# mistake shifts_in_place (property), from plain
# The smallest number is subtracted in the caller's own table.
# Next: Write `x - low`: a new tensor, not `-=`.
#   -    return ((x - low) / scale).round().to(torch.uint8), scale, low
#   +    x -= low
#   +    return (x / scale).round().to(torch.uint8), scale, low

# mistake scale_clamped_too_high (values), from plain
# Every scale is at least 1e-4: rows of small numbers need finer steps.
# Next: Replace the scale only where the range is 0, or clamp at a far smaller number.
#   torch.where(high > low, (high - low) / 255, torch.ones_like(low)) => ((high - low) / 255).clamp(min=1e-4)


# mistake range_divided_by_256 (values)
# The range is divided by 256: the largest number of a row gets the code 256, which a uint8 does not hold.
# Next: The codes 0 to 255 are 255 steps apart.
def quantize_uint8(x):
    low, high = x.amin(dim=1, keepdim=True), x.amax(dim=1, keepdim=True)
    scale = (high - low) / 256
    steps = (x - low) / scale.where(scale > 0, 1.0)
    return steps.round().to(torch.int64).to(torch.uint8), scale, low


# mistake signed_codes (values)
# The codes are those of a signed byte, from -127 to 127 around 0; a uint8 holds no negative number.
# Next: Let the row's smallest number have the code 0: it is the offset.
def quantize_uint8(x):
    scale = x.abs().amax(dim=1, keepdim=True) / 127
    steps = x / scale.where(scale > 0, 1.0)
    return steps.round().to(torch.int64).to(torch.uint8), scale, torch.zeros_like(scale)


# mistake divided_by_256_and_cut_off (values)
# The steps are cut off where they should be rounded, and there are 256 of them; from the first code to the last it is 255.
# Next: Divide the range by 255, and call `.round()` before `.to(torch.uint8)`.
def quantize_uint8(x):
    offset = x.amin(dim=1, keepdim=True)
    scale = (x.amax(dim=1, keepdim=True) - offset) / 256
    steps = (x - offset) / scale.where(scale > 0, 1.0)
    return steps.to(torch.uint8), scale, offset


# right form row_by_row
def quantize_uint8(x):
    codes = torch.zeros(x.shape, dtype=torch.uint8)
    scale, offset = torch.ones(len(x), 1, dtype=x.dtype), torch.zeros(len(x), 1, dtype=x.dtype)
    for i, row in enumerate(x):
        offset[i] = row.min()
        if row.max() > row.min():
            scale[i] = (row.max() - row.min()) / 255
        codes[i] = torch.round((row - offset[i]) / scale[i])
    return [codes, scale, offset]


# right form from_the_top_down
def quantize_uint8(x):
    low, high = x.min(dim=1, keepdim=True).values, x.max(dim=1, keepdim=True).values
    scale = (low - high) / 255
    codes = ((x - high) / torch.where(scale == 0, -1, scale)).round().clamp(0, 255)
    return codes.byte(), scale, high


# right form numpy_in_float64
def quantize_uint8(x, verbose=True):
    values = x.numpy().astype(np.float64)
    low, span = values.min(axis=1, keepdims=True), np.ptp(values, axis=1, keepdims=True)
    scale = np.where(span == 0, 1.0, span / 255)
    codes = np.rint((values - low) / scale).astype(np.uint8)
    if verbose:
        print(codes.shape)
    return torch.from_numpy(codes), torch.from_numpy(scale).to(x.dtype), torch.from_numpy(low).to(x.dtype)


# right form small_clamp
def quantize_uint8(x):
    low, high = torch.aminmax(x, dim=1, keepdim=True)
    scale = (high - low).clamp(min=1e-12) / 255
    return torch.floor((x - low) / scale + 0.5).clamp(0, 255).to(torch.uint8), scale, low


# right form constant_rows_in_the_scale
def quantize_uint8(x):
    low, high = x.amin(1, True), x.amax(1, True)
    same = low == high
    scale = torch.where(same, low, (high - low) / 254.9)
    codes = torch.where(same, torch.ones_like(x), ((x - low) / ((high - low) / 254.9)).round())
    return codes.to(torch.uint8), scale, torch.where(same, torch.zeros_like(low), low)


# survivor 255 → 254
# A step of (max - min) / 254 errs by 0.502 of (max - min) / 255: still within what is allowed.

# survivor scale > 0 → scale >= 0
# In a constant row the scale is 0, so whatever the codes are, the offset comes back.

# survivor 1.0 → 3.0
# In a constant row every number is 0 above the offset, whatever it is divided by.

# survivor 0 → -1
# In a constant row the scale is 0, so whatever the codes are, the offset comes back.
