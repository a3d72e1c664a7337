# exercise 11.binary_codes
import numpy as np
import torch
import torch.nn.functional as F


# base plain
def binary_codes(x):
    n, d = x.shape
    size = (d + 7) // 8
    bits = torch.zeros(n, 8 * size, dtype=torch.int64)
    bits[:, :d] = x > 0
    worth = 2 ** torch.arange(7, -1, -1)
    codes = (bits.reshape(n, size, 8) * worth).sum(dim=2)
    return codes.to(torch.uint8)


# mistake zero_counts_as_positive (values), from plain
# 0 gets bit 1; it is not above 0.
# Next: Compare with >, not with >=.
#   x > 0 => x >= 0

# mistake negative_numbers_marked (values), from plain
# Bit 1 stands for numbers below 0; it should stand for those above.
# Next: Write `x > 0`.
#   x > 0 => x < 0

# mistake whatever_is_not_0 (values), from plain
# Every number that is not 0 gets bit 1, negative ones as well: that is what `bool()` says of a number.
# Next: Compare first: `x > 0`.
#   x > 0 => x.bool()

# mistake cut_to_whole_numbers (values), from plain
# The numbers are cut to whole ones first, so that 0.7 counts as 0.
# Next: Compare x itself with 0.
#   x > 0 => x.long() > 0

# mistake a_little_above_0 (values), from plain
# Small positive numbers get bit 0: x is compared with a small number, where 0 was asked for.
# Next: Compare with 0 exactly.
#   0 => 1e-8

# mistake rounded_to_float32 (values), from plain
# float64 numbers are rounded to float32 first; the smallest of them become 0.
# Next: Leave `.float()` out: a comparison works in every type.
#   x > 0 => x.float() > 0

# mistake above_the_mean_of_the_column (values), from plain
# Each number is compared with the mean of its column, but the exercise asks for the comparison with 0.
# Next: Write `x > 0`.
#   0 => x.mean(dim=0)

# mistake above_the_mean_of_the_row (values), from plain
# Each number is compared with the mean of its row, but the exercise asks for the comparison with 0.
# Next: Write `x > 0`.
#   0 => x.mean(dim=1, keepdim=True)

# mistake above_the_median_of_the_row (values), from plain
# Each number is compared with the median of its row, so that about half of the bits are 1.
# Next: Write `x > 0`.
#   0 => x.median(dim=1, keepdim=True).values

# mistake first_column_worth_1 (values), from plain
# The first column of a byte is its least significant bit; it should be the most significant one.
# Next: The eight are worth 128, 64, …, 1 in this order.
#   7, -1, -1 => 8

# mistake worth_twice_as_much (values), from plain
# The eight bits are worth 256 to 2: the first one does not fit into a byte and is lost.
# Next: The powers of two go from 2 ** 7 down to 2 ** 0.
#   7, -1 => 8, 0

# mistake places_instead_of_powers (values), from plain
# The bits are worth 8, 7, …, 1, so that different bits have the same sum.
# Next: Take powers of two: 128, 64, …, 1.
#   2 ** torch.arange(7, -1, -1) => torch.arange(8, 0, -1)

# mistake counts_the_ones (values), from plain
# The ones of each byte are counted, and which they are is lost.
# Next: Multiply each bit by what it is worth before you sum.
#   (bits.reshape(n, size, 8) * worth).sum => bits.reshape(n, size, 8).sum

# mistake last_column_first (values), from plain
# The row is read from its end.
# Next: The first column is the first bit of the first byte.
#   x > 0 => (x > 0).flip(1)

# mistake bytes_in_reverse (values), from plain
# Each byte is right, and they stand in reverse order.
# Next: The first eight columns are the first byte.
#   codes.to => codes.flip(1).to

# mistake every_so_manieth_column (values), from plain
# A byte is made of columns that lie far apart; it should be made of eight neighbours.
# Next: Reshape to (N, b, 8), not to (N, 8, b).
#   (bits.reshape(n, size, 8) * worth).sum(dim=2) => (bits.reshape(n, 8, size) * worth[:, None]).sum(dim=1)

# mistake spare_bits_in_front_of_the_row (values), from plain
# The spare bits stand in front of the first column; they belong behind the last one.
# Next: Pad on the right.
#   :, :d => :, 8 * size - d :

# mistake spare_bits_are_1 (values), from plain
# The spare bits are 1.
# Next: Pad with 0.
#   torch.zeros => torch.ones

# mistake one_byte_too_many (shape), from plain
# Where d is a multiple of 8 there is a byte more than needed.
# Next: d / 8 rounded up is (d + 7) // 8.
#   (d + 7) // 8 => d // 8 + 1

# mistake the_sum_stays_int64 (dtype), from plain
# The codes are int64: each takes eight bytes instead of one.
# Next: Convert with `.to(torch.uint8)`; a sum of whole numbers is int64 unless told otherwise.
#   codes.to(torch.uint8) => codes

# mistake signed_bytes (dtype), from plain
# The codes are int8; uint8 was asked for.
# Next: Convert with `.to(torch.uint8)`.
#   torch.uint8 => torch.int8

# mistake first_byte_alone (shape), from plain
# Only the first byte of each row comes back.
# Next: There should be d / 8 bytes in a row, rounded up.
#   codes.to => codes[:, :1].to

# mistake one_byte_for_everything (shape), from plain
# The bytes of a row are added up.
# Next: Sum over the eight bits of a byte only: the last axis of (N, b, 8).
#   (bits.reshape(n, size, 8) * worth).sum(dim=2) => (bits.reshape(n, size, 8) * worth).sum(dim=2).sum(dim=1, keepdim=True)

# mistake a_list_comes_back (type), from plain
# The result is a list; a tensor was asked for.
# Next: Return a uint8 tensor.
#   codes.to(torch.uint8) => codes.tolist()


# mistake the_rest_is_dropped (shape)
# Columns behind the last full byte are dropped.
# Next: Fill the last byte up with bits of 0: d / 8 is rounded up.
def binary_codes(x):
    n, d = x.shape
    size = d // 8
    bits = (x[:, : 8 * size] > 0).long().reshape(n, size, 8)
    return (bits * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


# mistake whole_bytes_only (raises)
# A width that is no multiple of 8 cannot be cut into groups of 8.
# Next: Put columns of 0 behind the last one first, for instance by `F.pad`.
def binary_codes(x):
    n, d = x.shape
    bits = (x > 0).long().reshape(n, d // 8, 8)
    return (bits * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


# mistake the_rest_to_the_right (values)
# In the last byte the few bits that are left stand at the right; the spare bits should follow them.
# Next: The first column of a byte is worth 128 in the last byte as well: put the zeros behind.
def binary_codes(x):
    n, d = x.shape
    codes = torch.zeros(n, (d + 7) // 8, dtype=torch.uint8)
    for column in range(d):
        codes[:, column // 8] = codes[:, column // 8] * 2 + (x[:, column] > 0)
    return codes


# mistake no_rows_refused (raises)
# A table without rows raises: `reshape` cannot guess what -1 stands for, and `stack` refuses an empty list.
# Next: Write the number of bytes instead of -1, or begin with a tensor of zeros of shape (N, b) and fill in its rows.
def binary_codes(x):
    bits = F.pad((x > 0).long(), (0, -x.shape[1] % 8))
    return (bits.reshape(len(x), -1, 8) * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


# mistake no_rows_without_a_width (shape)
# A list without rows has no width: the result has shape (0,) and should have shape (0, b).
# Next: Begin with a tensor of zeros of shape (N, b), and fill in its rows.
def binary_codes(x):
    rows = []
    for row in x.tolist():
        row += [0.0] * (-len(row) % 8)
        rows.append([sum(int(v > 0) << (7 - i) for i, v in enumerate(row[at : at + 8])) for at in range(0, len(row), 8)])
    return torch.tensor(rows, dtype=torch.uint8)


# mistake one_byte_for_each_number (shape)
# Each number has a byte of its own, 0 or 1; eight bits belong into one byte.
# Next: Put every eight columns together: the first is worth 128, the last 1.
def binary_codes(x):
    return (x > 0).to(torch.uint8)


# mistake packed_along_the_rows (shape)
# Eight rows make a byte; it should be eight columns.
# Next: Pack along the last axis.
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0, axis=0))


# mistake all_rows_in_one_string (shape)
# All rows are packed one behind the other: `np.packbits` flattens unless an axis is given.
# Next: Give it `axis=1`.
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0))


# mistake an_array_comes_back (type)
# The result is a numpy array; a tensor was asked for.
# Next: Wrap it in `torch.from_numpy`.
def binary_codes(x):
    return np.packbits(x.numpy() > 0, axis=1)


# mistake changes_its_input (property)
# The caller's numbers are overwritten by 0 and 1.
# Next: Write the comparison into a new tensor: `bits = x > 0`.
def binary_codes(x):
    x[x > 0] = 1
    x[x <= 0] = 0
    return torch.from_numpy(np.packbits(x.numpy().astype(np.uint8), axis=1))


# mistake bits_of_the_first_row (values)
# Every row has the code of the first one.
# Next: Look for an index 0 that should be a `:`.
def binary_codes(x):
    if not len(x):
        return torch.zeros(0, (x.shape[1] + 7) // 8, dtype=torch.uint8)
    code = torch.from_numpy(np.packbits(x[0].numpy() > 0))
    return code.repeat(len(x), 1)


# right form numpy_packbits
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0, axis=1))


# right form bit_by_bit
def binary_codes(x):
    n, d = x.shape
    codes = torch.zeros((n, -(-d // 8)), dtype=torch.uint8)
    for i in range(n):
        for j in range(d):
            if x[i, j] > 0:
                codes[i, j // 8] |= 1 << (7 - j % 8)
    return codes


# right form columns_shifted_in
def binary_codes(x):
    n, d = x.shape
    codes = x.new_zeros((n, (d + 7) // 8), dtype=torch.uint8)
    for column in range(8 * codes.shape[1]):
        byte = column // 8
        codes[:, byte] <<= 1
        if column < d:
            codes[:, byte] += x[:, column] > 0
    return codes


# right form strings_of_digits
def binary_codes(x):
    size = (x.shape[1] + 7) // 8
    rows = []
    for row in x.tolist():
        text = "".join("1" if value > 0 else "0" for value in row).ljust(8 * size, "0")
        rows.append([int(text[at : at + 8], 2) for at in range(0, 8 * size, 8)])
    return torch.tensor(rows, dtype=torch.uint8).reshape(len(rows), size)


# right form signs_and_a_matrix_product
def binary_codes(x):
    n, d = x.shape
    size = (d + 7) // 8
    places = torch.zeros(d, size, dtype=torch.float64)
    places[torch.arange(d), torch.arange(d) // 8] = 2.0 ** (7 - torch.arange(d, dtype=torch.float64) % 8)
    return (x.sign().clamp(min=0).double() @ places).byte()


# right form einsum
def binary_codes(x):
    n, d = x.shape
    rest = (8 - d % 8) % 8
    bits = torch.cat([x > 0, torch.zeros(n, rest, dtype=torch.bool)], dim=1).view(n, (d + rest) // 8, 8)
    worth = torch.tensor([128, 64, 32, 16, 8, 4, 2, 1])
    return torch.einsum("nbi,i->nb", bits.long(), worth).to(torch.uint8)


# right form a_whole_number_for_each_row
def binary_codes(x):
    n, d = x.shape
    size = (d + 7) // 8
    out = np.zeros((n, size), dtype=np.uint8)
    for i, row in enumerate(x.tolist()):
        number = 0
        for value in row:
            number = 2 * number + (value > 0)
        number <<= 8 * size - d
        out[i] = list(number.to_bytes(size, "big"))
    return torch.as_tensor(out)
