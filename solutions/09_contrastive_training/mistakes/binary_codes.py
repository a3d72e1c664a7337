"""Wrong answers about one bit for each number by name, and unusual right ones."""

import numpy as np
import torch
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

BITS = "09.binary_codes"


@base("plain")
def binary_codes(x):
    n, d = x.shape
    size = (d + 7) // 8
    bits = torch.zeros(n, 8 * size, dtype=torch.int64)
    bits[:, :d] = x > 0
    worth = 2 ** torch.arange(7, -1, -1)
    codes = (bits.reshape(n, size, 8) * worth).sum(dim=2)
    return codes.to(torch.uint8)


altered(
    BITS, "zero_counts_as_positive", "plain", {"x > 0": "x >= 0"}, stage="values",
    diagnosis="0 gets bit 1; it is not above 0.",
    next_step="Compare with >, not with >=.",
)

altered(
    BITS, "negative_numbers_marked", "plain", {"x > 0": "x < 0"}, stage="values",
    diagnosis="Bit 1 stands for numbers below 0; it should stand for those above.",
    next_step="Write `x > 0`.",
)

altered(
    BITS, "whatever_is_not_0", "plain", {"x > 0": "x.bool()"}, stage="values",
    diagnosis="Every number that is not 0 gets bit 1, negative ones as well: that is what `bool()` says of a number.",
    next_step="Compare first: `x > 0`.",
)

altered(
    BITS, "cut_to_whole_numbers", "plain", {"x > 0": "x.long() > 0"}, stage="values",
    diagnosis="The numbers are cut to whole ones first, so that 0.7 counts as 0.",
    next_step="Compare x itself with 0.",
)

altered(
    BITS, "a_little_above_0", "plain", {"x > 0": "x > 1e-8"}, stage="values",
    diagnosis="Small positive numbers get bit 0: x is compared with a small number, where 0 was asked for.",
    next_step="Compare with 0 exactly.",
)

altered(
    BITS, "rounded_to_float32", "plain", {"x > 0": "x.float() > 0"}, stage="values",
    diagnosis="float64 numbers are rounded to float32 first; the smallest of them become 0.",
    next_step="Leave `.float()` out: a comparison works in every type.",
)

altered(
    BITS, "above_the_mean_of_the_column", "plain", {"x > 0": "x > x.mean(dim=0)"}, stage="values",
    diagnosis="Each number is compared with the mean of its column; asked for is the comparison with 0.",
    next_step="Write `x > 0`.",
)

altered(
    BITS, "above_the_mean_of_the_row", "plain", {"x > 0": "x > x.mean(dim=1, keepdim=True)"}, stage="values",
    diagnosis="Each number is compared with the mean of its row; asked for is the comparison with 0.",
    next_step="Write `x > 0`.",
)

altered(
    BITS, "above_the_median_of_the_row", "plain",
    {"bits[:, :d] = x > 0": "bits[:, :d] = x > x.median(dim=1, keepdim=True).values"}, stage="values",
    diagnosis="Each number is compared with the median of its row, so that about half of the bits are 1.",
    next_step="Write `x > 0`.",
)

altered(
    BITS, "first_column_worth_1", "plain", {"torch.arange(7, -1, -1)": "torch.arange(8)"}, stage="values",
    diagnosis="The first column of a byte is its least significant bit; it should be the most significant one.",
    next_step="The eight are worth 128, 64, …, 1 in this order.",
)

altered(
    BITS, "worth_twice_as_much", "plain", {"torch.arange(7, -1, -1)": "torch.arange(8, 0, -1)"}, stage="values",
    diagnosis="The eight bits are worth 256 to 2: the first one does not fit into a byte and is lost.",
    next_step="The powers of two go from 2 ** 7 down to 2 ** 0.",
)

altered(
    BITS, "places_instead_of_powers", "plain", {"2 ** torch.arange(7, -1, -1)": "torch.arange(8, 0, -1)"}, stage="values",
    diagnosis="The bits are worth 8, 7, …, 1, so that different bits have the same sum.",
    next_step="Take powers of two: 128, 64, …, 1.",
)

altered(
    BITS, "counts_the_ones", "plain", {"(bits.reshape(n, size, 8) * worth)": "bits.reshape(n, size, 8)"}, stage="values",
    diagnosis="The ones of each byte are counted, and which they are is lost.",
    next_step="Multiply each bit by what it is worth before you sum.",
)

altered(
    BITS, "last_column_first", "plain", {"= x > 0": "= (x > 0).flip(1)"}, stage="values",
    diagnosis="The row is read from its end.",
    next_step="The first column is the first bit of the first byte.",
)

altered(
    BITS, "bytes_in_reverse", "plain", {"return codes": "return codes.flip(1)"}, stage="values",
    diagnosis="Each byte is right, and they stand in reverse order.",
    next_step="The first eight columns are the first byte.",
)

altered(
    BITS, "every_so_manieth_column", "plain",
    {"(bits.reshape(n, size, 8) * worth).sum(dim=2)": "(bits.reshape(n, 8, size) * worth[:, None]).sum(dim=1)"}, stage="values",
    diagnosis="A byte is made of columns that lie far apart; it should be made of eight neighbours.",
    next_step="Reshape to (N, b, 8), not to (N, 8, b).",
)

altered(
    BITS, "spare_bits_in_front_of_the_row", "plain", {"bits[:, :d] =": "bits[:, 8 * size - d :] ="}, stage="values",
    diagnosis="The spare bits stand in front of the first column; they belong behind the last one.",
    next_step="Pad on the right.",
)

altered(
    BITS, "spare_bits_are_1", "plain", {"torch.zeros(n": "torch.ones(n"}, stage="values",
    diagnosis="The spare bits are 1.",
    next_step="Pad with 0.",
)

altered(
    BITS, "one_byte_too_many", "plain", {"(d + 7) // 8": "d // 8 + 1"}, stage="shape",
    diagnosis="Where d is a multiple of 8 there is a byte more than needed.",
    next_step="d / 8 rounded up is (d + 7) // 8.",
)

altered(
    BITS, "the_sum_stays_int64", "plain", {"codes.to(torch.uint8)": "codes"}, stage="dtype",
    diagnosis="The codes are int64: each takes eight bytes instead of one.",
    next_step="Convert with `.to(torch.uint8)`; a sum of whole numbers is int64 unless told otherwise.",
)

altered(
    BITS, "signed_bytes", "plain", {"torch.uint8)": "torch.int8)"}, stage="dtype",
    diagnosis="The codes are int8; uint8 was asked for.",
    next_step="Convert with `.to(torch.uint8)`.",
)

altered(
    BITS, "first_byte_alone", "plain", {"return codes": "return codes[:, :1]"}, stage="shape",
    diagnosis="Only the first byte of each row comes back.",
    next_step="There should be d / 8 bytes in a row, rounded up.",
)

altered(
    BITS, "one_byte_for_everything", "plain", {"sum(dim=2)": "sum(dim=2).sum(dim=1, keepdim=True)"}, stage="shape",
    diagnosis="The bytes of a row are added up.",
    next_step="Sum over the eight bits of a byte only: the last axis of (N, b, 8).",
)

altered(
    BITS, "a_list_comes_back", "plain", {"codes.to(torch.uint8)": "codes.tolist()"}, stage="type",
    diagnosis="The result is a list; a tensor was asked for.",
    next_step="Return a uint8 tensor.",
)


@mistake(
    BITS, "the_rest_is_dropped", stage="shape",
    diagnosis="Columns behind the last full byte are dropped.",
    next_step="Fill the last byte up with bits of 0: d / 8 is rounded up.",
)
def binary_codes(x):
    n, d = x.shape
    size = d // 8
    bits = (x[:, : 8 * size] > 0).long().reshape(n, size, 8)
    return (bits * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


@mistake(
    BITS, "whole_bytes_only", stage="raises",
    diagnosis="A width that is no multiple of 8 cannot be cut into groups of 8.",
    next_step="Put columns of 0 behind the last one first, for instance by `F.pad`.",
)
def binary_codes(x):
    n, d = x.shape
    bits = (x > 0).long().reshape(n, d // 8, 8)
    return (bits * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


@mistake(
    BITS, "the_rest_to_the_right", stage="values",
    diagnosis="In the last byte the few bits that are left stand at the right; the spare bits should follow them.",
    next_step="The first column of a byte is worth 128 in the last byte as well: put the zeros behind.",
)
def binary_codes(x):
    n, d = x.shape
    codes = torch.zeros(n, (d + 7) // 8, dtype=torch.uint8)
    for column in range(d):
        codes[:, column // 8] = codes[:, column // 8] * 2 + (x[:, column] > 0)
    return codes


@mistake(
    BITS, "no_rows_refused", stage="raises",
    diagnosis="A table without rows raises: `reshape` cannot guess what -1 stands for, and `stack` refuses an empty list.",
    next_step="Write the number of bytes instead of -1, or begin with a tensor of zeros of shape (N, b) and fill in its rows.",
)
def binary_codes(x):
    bits = F.pad((x > 0).long(), (0, -x.shape[1] % 8))
    return (bits.reshape(len(x), -1, 8) * 2 ** torch.arange(7, -1, -1)).sum(dim=2).to(torch.uint8)


@mistake(
    BITS, "no_rows_without_a_width", stage="shape",
    diagnosis="A list without rows has no width: the result has shape (0,) and should have shape (0, b).",
    next_step="Begin with a tensor of zeros of shape (N, b), and fill in its rows.",
)
def binary_codes(x):
    rows = []
    for row in x.tolist():
        row += [0.0] * (-len(row) % 8)
        rows.append([sum(int(v > 0) << (7 - i) for i, v in enumerate(row[at : at + 8])) for at in range(0, len(row), 8)])
    return torch.tensor(rows, dtype=torch.uint8)


@mistake(
    BITS, "one_byte_for_each_number", stage="shape",
    diagnosis="Each number has a byte of its own, 0 or 1; eight bits belong into one byte.",
    next_step="Put every eight columns together: the first is worth 128, the last 1.",
)
def binary_codes(x):
    return (x > 0).to(torch.uint8)


@mistake(
    BITS, "packed_along_the_rows", stage="shape",
    diagnosis="Eight rows make a byte; it should be eight columns.",
    next_step="Pack along the last axis.",
)
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0, axis=0))


@mistake(
    BITS, "all_rows_in_one_string", stage="shape",
    diagnosis="All rows are packed one behind the other: `np.packbits` flattens unless an axis is given.",
    next_step="Give it `axis=1`.",
)
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0))


@mistake(
    BITS, "an_array_comes_back", stage="type",
    diagnosis="The result is a numpy array; a tensor was asked for.",
    next_step="Wrap it in `torch.from_numpy`.",
)
def binary_codes(x):
    return np.packbits(x.numpy() > 0, axis=1)


@mistake(
    BITS, "changes_its_input", stage="property",
    diagnosis="The caller's numbers are overwritten by 0 and 1.",
    next_step="Write the comparison into a new tensor: `bits = x > 0`.",
)
def binary_codes(x):
    x[x > 0] = 1
    x[x <= 0] = 0
    return torch.from_numpy(np.packbits(x.numpy().astype(np.uint8), axis=1))


@mistake(
    BITS, "bits_of_the_first_row", stage="values",
    diagnosis="Every row has the code of the first one.",
    next_step="Look for an index 0 that should be a `:`.",
)
def binary_codes(x):
    if not len(x):
        return torch.zeros(0, (x.shape[1] + 7) // 8, dtype=torch.uint8)
    code = torch.from_numpy(np.packbits(x[0].numpy() > 0))
    return code.repeat(len(x), 1)


@right_form(BITS, "numpy_packbits")
def binary_codes(x):
    return torch.from_numpy(np.packbits(x.numpy() > 0, axis=1))


@right_form(BITS, "bit_by_bit")
def binary_codes(x):
    n, d = x.shape
    codes = torch.zeros((n, -(-d // 8)), dtype=torch.uint8)
    for i in range(n):
        for j in range(d):
            if x[i, j] > 0:
                codes[i, j // 8] |= 1 << (7 - j % 8)
    return codes


@right_form(BITS, "columns_shifted_in")
def binary_codes(x):
    n, d = x.shape
    codes = x.new_zeros((n, (d + 7) // 8), dtype=torch.uint8)
    for column in range(8 * codes.shape[1]):
        byte = column // 8
        codes[:, byte] <<= 1
        if column < d:
            codes[:, byte] += x[:, column] > 0
    return codes


@right_form(BITS, "strings_of_digits")
def binary_codes(x):
    size = (x.shape[1] + 7) // 8
    rows = []
    for row in x.tolist():
        text = "".join("1" if value > 0 else "0" for value in row).ljust(8 * size, "0")
        rows.append([int(text[at : at + 8], 2) for at in range(0, 8 * size, 8)])
    return torch.tensor(rows, dtype=torch.uint8).reshape(len(rows), size)


@right_form(BITS, "signs_and_a_matrix_product")
def binary_codes(x):
    n, d = x.shape
    size = (d + 7) // 8
    places = torch.zeros(d, size, dtype=torch.float64)
    places[torch.arange(d), torch.arange(d) // 8] = 2.0 ** (7 - torch.arange(d, dtype=torch.float64) % 8)
    return (x.sign().clamp(min=0).double() @ places).byte()


@right_form(BITS, "einsum")
def binary_codes(x):
    n, d = x.shape
    rest = (8 - d % 8) % 8
    bits = torch.cat([x > 0, torch.zeros(n, rest, dtype=torch.bool)], dim=1).view(n, (d + rest) // 8, 8)
    worth = torch.tensor([128, 64, 32, 16, 8, 4, 2, 1])
    return torch.einsum("nbi,i->nb", bits.long(), worth).to(torch.uint8)


@right_form(BITS, "a_whole_number_for_each_row")
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
