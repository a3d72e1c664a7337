# exercise 11.product_quantize
"""Wrong answers about product quantisation by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F


# base plain
def product_quantize(x, codebooks):
    M, K, size = codebooks.shape
    parts = x.reshape(len(x), M, size)
    differences = parts[:, :, None, :] - codebooks
    distances = (differences**2).sum(dim=-1)
    return distances.argmin(dim=-1)


# mistake largest_dot_product (values), from plain
# The centroid with the largest dot product is taken: long centroids win, however far away they are.
# Next: Compare squared distances, and take the smallest.
#   -    differences = parts[:, :, None, :] - codebooks
#   -    distances = (differences**2).sum(dim=-1)
#   +    distances = -torch.einsum("nms,mks->nmk", parts, codebooks)

# mistake half_of_the_formula (values), from plain
# The dot product counts once in |c|² - x·c; the squared distance has it twice.
# Next: |x - c|² = |x|² - 2 x·c + |c|².
#   -    differences = parts[:, :, None, :] - codebooks
#   -    distances = (differences**2).sum(dim=-1)
#   +    distances = (codebooks**2).sum(dim=-1) - torch.einsum("nms,mks->nmk", parts, codebooks)

# mistake largest_cosine (values), from plain
# The centroid in the most similar direction is taken; its length plays no part.
# Next: Compare squared distances.
#   -    differences = parts[:, :, None, :] - codebooks
#   -    distances = (differences**2).sum(dim=-1)
#   +    distances = -torch.einsum("nms,mks->nmk", parts, F.normalize(codebooks, dim=-1))

# mistake rows_normalised_first (values), from plain
# The rows are scaled to length 1 before they are compared.
# Next: Compare the rows as they are.
#   -    parts = x.reshape(len(x), M, size)
#   +    parts = F.normalize(x, dim=1).reshape(len(x), M, size)

# mistake furthest (values), from plain
# The centroid that is furthest away is taken.
# Next: `argmin` of the distances.
#   distances.argmin(dim=-1) => distances.argmax(dim=-1)

# mistake absolute_differences (values), from plain
# The absolute differences are added up, a 1-norm; squared distances were asked for.
# Next: Square the differences before you add them.
#   (differences**2).sum(dim=-1) => differences.abs().sum(dim=-1)

# mistake largest_difference (values), from plain
# Only the largest difference of a part counts.
# Next: Add up the squares of all differences.
#   (differences**2).sum(dim=-1) => differences.abs().amax(dim=-1)

# mistake square_of_the_sum (values), from plain
# The differences are added before they are squared, so that they cancel.
# Next: Square first, then add.
#   (differences**2).sum(dim=-1) => differences.sum(dim=-1) ** 2

# mistake every_mth_column (values), from plain
# A part is made of every M-th column; it should be d/M columns side by side.
# Next: `x.reshape(N, M, d // M)`.
#   x.reshape(len(x), M, size) => x.reshape(len(x), size, M).transpose(1, 2)

# mistake parts_of_other_rows (values), from plain
# The parts are numbered before the rows: `reshape(M, N, ...)` mixes different rows.
# Next: `x.reshape(N, M, d // M)`.
#   x.reshape(len(x), M, size) => x.reshape(M, len(x), size).transpose(0, 1)

# mistake codebooks_in_reverse (values), from plain
# The first part is compared with the last codebook.
# Next: Part m belongs to codebook m.
#   parts[:, :, None, :] - codebooks => parts[:, :, None, :] - codebooks.flip(0)

# mistake one_codebook_for_all (values), from plain
# All parts are compared with the first codebook.
# Next: Part m belongs to codebook m.
#   parts[:, :, None, :] - codebooks => parts[:, :, None, :] - codebooks[:1]

# mistake numbers_across_all_codebooks (values), from plain
# The centroids are numbered through all codebooks.
# Next: Every codebook begins with number 0.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1) + K * torch.arange(M)

# mistake counted_from_1 (values), from plain
# The centroids are numbered from 1.
# Next: Leave the `+ 1` out.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1) + 1

# mistake one_number_for_the_row (values), from plain
# One number is chosen for all parts of a row, that of the smallest sum of distances.
# Next: Choose a number for each part.
#   distances.argmin(dim=-1) => distances.sum(dim=1).argmin(dim=-1)[:, None].expand(-1, M).clone()

# mistake nearest_row_of_each_centroid (shape, raises), from plain
# The minimum is taken over the rows, which gives the nearest row of each centroid.
# Next: The centroids are the last axis: `dim=-1`.
#   distances.argmin(dim=-1) => distances.argmin(dim=0)

# mistake of_equals_the_last (values), from plain
# Of centroids that are equally near the one with the largest number is taken.
# Next: `argmin` of the distances as they stand gives the first.
#   distances.argmin(dim=-1) => K - 1 - distances.flip(-1).argmin(dim=-1)

# mistake codes_in_a_byte (dtype), from plain
# The codes are uint8, which has no numbers above 255.
# Next: Return int64.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).to(torch.uint8)

# mistake codes_of_32_bits (dtype), from plain
# The codes are int32; int64 was asked for.
# Next: Leave the conversion out.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).int()

# mistake codes_as_floats (dtype), from plain
# The codes are floating numbers, which cannot be used to look rows up.
# Next: Return int64.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).to(x.dtype)

# mistake bytes_overflow (values), from plain
# The codes went through a byte: 256 has become 0.
# Next: Keep int64 throughout.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).to(torch.uint8).long()

# mistake parts_first (shape), from plain
# The result has the shape (M, N); a row for each vector was asked for.
# Next: Return (N, M).
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).T

# mistake centroids_themselves (shape), from plain
# The nearest centroids come back; their numbers were asked for.
# Next: Return the codes.
#   -    return distances.argmin(dim=-1)
#   +    codes = distances.argmin(dim=-1)
#   +    return torch.cat([codebooks[m][codes[:, m]] for m in range(M)], dim=1)

# mistake distances_themselves (values, dtype), from plain
# The smallest distances come back; the numbers of the centroids were asked for.
# Next: `argmin`, not `amin`.
#   distances.argmin(dim=-1) => distances.amin(dim=-1)

# mistake a_list_comes_back (type), from plain
# A list comes back; a tensor was asked for.
# Next: Return the tensor.
#   distances.argmin(dim=-1) => distances.argmin(dim=-1).tolist()


# mistake no_rows_raises (raises)
# `torch.stack` of no rows raises.
# Next: Begin with an empty (N, M) int64 tensor, or work on all rows at once.
def product_quantize(x, codebooks):
    M, K, size = codebooks.shape
    codes = []
    for row in x:
        codes.append(((row.reshape(M, 1, size) - codebooks) ** 2).sum(dim=-1).argmin(dim=-1))
    return torch.stack(codes)


# mistake centred_in_place (property), from plain
# The caller's rows are changed.
# Next: Write `x = x - ...`: a new tensor.
#   -    M, K, size = codebooks.shape
#   +    M, K, size = codebooks.shape
#   +    middle = x.mean() if len(x) else 0.0
#   +    x -= middle
#   +    codebooks = codebooks - middle


# right form loops
def product_quantize(x, codebooks):
    M, K, size = codebooks.shape
    codes = torch.zeros(len(x), M, dtype=torch.int64)
    for n in range(len(x)):
        for m in range(M):
            part = x[n, m * size : (m + 1) * size]
            distances = [float(((part - codebooks[m, k]) ** 2).sum()) for k in range(K)]
            codes[n, m] = distances.index(min(distances))
    return codes


# right form cdist
def product_quantize(x, codebooks):
    parts = torch.stack(x.chunk(len(codebooks), dim=1)) if len(codebooks) > 1 else x[None]
    return torch.cdist(parts.contiguous(), codebooks.contiguous(), compute_mode="donot_use_mm_for_euclid_dist").argmin(-1).T


# right form expanded_in_float64
def product_quantize(x, codebooks):
    M, K, size = codebooks.shape
    columns = []
    for m, centroids in enumerate(codebooks.double()):
        part = x[:, m * size : (m + 1) * size].double()
        columns.append(((centroids**2).sum(1) - 2 * part @ centroids.T).argmin(dim=1))
    return torch.stack(columns, dim=1)


# right form numpy
def product_quantize(x, codebooks):
    books = codebooks.numpy()
    parts = x.numpy().reshape(len(x), books.shape[0], books.shape[2])
    distances = np.square(parts[:, :, np.newaxis] - books[np.newaxis]).sum(axis=3)
    return torch.from_numpy(np.argmin(distances, axis=2).astype(np.int64))


# right form einsum
def product_quantize(x, codebooks):
    parts = x.unflatten(1, (codebooks.shape[0], codebooks.shape[2]))
    products = torch.einsum("nms,mks->nmk", parts, codebooks)
    lengths = torch.einsum("mks,mks->mk", codebooks, codebooks)
    return torch.min(lengths - 2 * products, dim=2).indices
