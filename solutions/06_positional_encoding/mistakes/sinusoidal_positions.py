"""Wrong answers about the sinusoidal table by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form

TABLE = "06.sinusoidal_positions"


@mistake(
    TABLE, "doubled_exponent", stage="values",
    diagnosis="The exponent is doubled: the loop variable runs over 0, 2, 4, ..., so it is already the 2i of the formula.",
    next_step="Divide the column index itself by d, or let i run over 0, 1, 2, ... and keep the 2i.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range(0, d, 2):
            angle = p / base ** (2 * i / d)
            table[p, i] = math.sin(angle)
            if i + 1 < d:
                table[p, i + 1] = math.cos(angle)
    return table


@base("plain")
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d // 2])
    return table


altered(
    TABLE, "halved_exponent", "plain", {".arange(0, d, 2)": ".arange((d + 1) // 2)"}, stage="values",
    diagnosis="The exponent is i / d with i counting pairs: the factor 2 of the formula is missing.",
    next_step="For the last pair of a wide table the exponent should be nearly 1; print yours.",
)


altered(
    TABLE, "logarithm_to_base_10", "plain",
    {"/ base ** (torch.arange(0, d, 2) / d)": "* torch.exp(torch.arange(0, d, 2) * (-math.log10(base) / d))"},
    stage="values",
    diagnosis="The powers of base are made by `exp` and a logarithm to base 10: `exp` undoes the natural one only.",
    next_step="Write `math.log(base)`, or raise base itself to the power.",
)


@mistake(
    TABLE, "a_speed_for_each_column", stage="values",
    diagnosis="Every column has an angle of its own; the cosine in column 2i + 1 belongs to the angle of column 2i.",
    next_step="Sine and cosine of one pair belong to one angle: compute the angle once for both.",
)
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(d) / d)
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.sin(angles[:, 0::2])
    table[:, 1::2] = torch.cos(angles[:, 1::2])
    return table


@mistake(
    TABLE, "column_taken_for_its_pair", stage="values",
    diagnosis="The formula's i counts pairs of columns, yours counts columns: no sine shares its angle with a cosine.",
    next_step="Columns 2i and 2i + 1 belong to pair i: `column // 2` is its number.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for position in range(length):
        for i in range(d):
            angle = position / base ** (2 * i / d)
            table[position, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return table


@mistake(
    TABLE, "sines_then_cosines", stage="values",
    diagnosis="All sines stand on the left and all cosines on the right; they should alternate.",
    next_step="Fill `table[:, 0::2]` with the sines and `table[:, 1::2]` with the cosines.",
)
def sinusoidal_positions(length, d, base=10000.0):
    pairs = (d + 1) // 2
    angles = torch.arange(length)[:, None] / base ** (2 * torch.arange(pairs) / d)
    return torch.cat([torch.sin(angles), torch.cos(angles[:, : d // 2])], dim=1)


@mistake(
    TABLE, "cosine_first", stage="values",
    diagnosis="Sine and cosine are swapped: position 0 should start with 0, 1.",
    next_step="Even columns hold the sine, odd ones the cosine.",
)
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.cos(angles)
    table[:, 1::2] = torch.sin(angles[:, : d // 2])
    return table


@mistake(
    TABLE, "only_sines", stage="values",
    diagnosis="Every column is a sine; odd columns hold the cosine.",
    next_step="At position 0 all odd columns should be 1.",
)
def sinusoidal_positions(length, d, base=10000.0):
    columns = torch.arange(d) // 2 * 2
    return torch.sin(torch.arange(length)[:, None] / base ** (columns / d))


@mistake(
    TABLE, "sine_by_odd_position", stage="values",
    diagnosis="Sine or cosine is chosen by the position; it is the column that decides.",
    next_step="Even columns are sines at every position.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for column in range(d):
            angle = p / base ** (2 * (column // 2) / d)
            table[p, column] = math.sin(angle) if p % 2 == 0 else math.cos(angle)
    return table


altered(
    TABLE, "positions_start_at_1", "plain", {"(length)": "(1, length + 1)"}, stage="values",
    diagnosis="The first row belongs to position 1; it should belong to position 0.",
    next_step="Row 0 should be 0, 1, 0, 1, ...",
)


@mistake(
    TABLE, "pairs_start_at_1", stage="values",
    diagnosis="Pairs are counted from 1, so the fastest one, with angle p, is missing.",
    next_step="The first pair has i = 0: its angle is the position itself.",
)
def sinusoidal_positions(length, d, base=10000.0):
    pairs = torch.arange(1, (d + 1) // 2 + 1)
    angles = torch.arange(length)[:, None] / base ** (2 * pairs / d)
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d // 2])
    return table


altered(
    TABLE, "multiplied", "plain", {"[:, None] / base **": "[:, None].double() * base **"}, stage="values",
    diagnosis="The position is multiplied by base^(2i/d) where it should be divided: later pairs turn faster, not slower.",
    next_step="The minus sign belongs to the exponent, or the power below the fraction line.",
)


@mistake(
    TABLE, "precedence", stage="values",
    diagnosis="`base ** 2 * i / d` is (base²) · i / d: the brackets around the exponent are missing.",
    next_step="Write `base ** (2 * i / d)`.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range((d + 1) // 2):
            angle = p / max(base**2 * i / d, 1e-9)
            table[p, 2 * i] = math.sin(angle)
            if 2 * i + 1 < d:
                table[p, 2 * i + 1] = math.cos(angle)
    return table


@mistake(
    TABLE, "whole_number_exponent", stage="values",
    diagnosis="`2 * i // d` is always 0, so all pairs turn at one speed.",
    next_step="Divide with `/`.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range((d + 1) // 2):
            angle = p / base ** (2 * i // d)
            table[p, 2 * i] = math.sin(angle)
            if 2 * i + 1 < d:
                table[p, 2 * i + 1] = math.cos(angle)
    return table


@mistake(
    TABLE, "slowest_pair_reaches_base", stage="values",
    diagnosis="The exponents are spread from 0 to 1 inclusive (divided by the number of pairs minus 1); "
    "the formula divides by d.",
    next_step="Use 2i / d: the last exponent stays below 1.",
)
def sinusoidal_positions(length, d, base=10000.0):
    pairs = (d + 1) // 2
    exponents = torch.arange(pairs) / max(pairs - 1, 1)
    angles = torch.arange(length)[:, None] / base**exponents
    table = torch.zeros(length, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d // 2])
    return table


altered(
    TABLE, "base_fixed", "plain", {"base ": "10000 "}, stage="values",
    diagnosis="The base is always 10000, whatever is given.",
    next_step="Use the parameter `base`.",
)


@mistake(
    TABLE, "odd_width_rounded_up", stage="values",
    diagnosis="For an odd d the exponent is divided by d + 1: the width of the table with one more column, cut afterwards.",
    next_step="Divide by d as it was given, also when one cosine is missing.",
)
def sinusoidal_positions(length, d, base=10000.0):
    width = d + d % 2
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, width, 2) / width)
    table = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(length, width)
    return table[:, :d]


@mistake(
    TABLE, "odd_width_grows", stage="shape",
    diagnosis="For an odd d the table has one column too many: the last cosine belongs to no column.",
    next_step="Cut the table to d columns.",
)
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.arange(length)[:, None] / base ** (torch.arange(0, d, 2) / d)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).flatten(1)


@mistake(
    TABLE, "odd_width_loses_a_column", stage="shape",
    diagnosis="For an odd d the last sine is missing: only whole pairs are made.",
    next_step="An odd d has (d + 1) / 2 sines and (d - 1) / 2 cosines.",
)
def sinusoidal_positions(length, d, base=10000.0):
    pairs = torch.arange(d // 2)
    angles = torch.arange(length)[:, None] / base ** (2 * pairs / d)
    return torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).flatten(1)


@mistake(
    TABLE, "odd_width_last_column_empty", stage="values",
    diagnosis="For an odd d the last column stays 0: it should hold the sine of the last angle.",
    next_step="An odd d has (d + 1) / 2 sines and (d - 1) / 2 cosines.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for i in range(d // 2):
        angles = torch.arange(length) / base ** (2 * i / d)
        table[:, 2 * i] = torch.sin(angles)
        table[:, 2 * i + 1] = torch.cos(angles)
    return table


altered(
    TABLE, "even_width_only", "plain", {"[:, : d // 2]": ""}, stage="raises",
    diagnosis="It fails for an odd d, where there is one sine column more than there are cosine columns.",
    next_step="Cut the angles to d // 2 columns before you take the cosine.",
)


@mistake(
    TABLE, "sine_of_a_number", stage="raises",
    diagnosis="`torch.sin` takes a tensor, and here it is given a Python number: TypeError.",
    next_step="Use `math.sin` for single numbers, or make all angles at once as a tensor.",
)
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range(0, d, 2):
            table[p, i] = torch.sin(p / base ** (i / d))
            if i + 1 < d:
                table[p, i + 1] = torch.cos(p / base ** (i / d))
    return table


altered(
    TABLE, "axes_swapped", "plain", {"return table": "return table.T"}, stage="shape",
    diagnosis="The table is transposed: positions are rows, and here they are columns.",
    next_step="The result has the shape (length, d).",
)

altered(
    TABLE, "batch_axis", "plain", {"return table": "return table.unsqueeze(0)"}, stage="shape",
    diagnosis="There is an axis too many in front; the table itself was asked for.",
    next_step="Leave `unsqueeze(0)` out: broadcasting over a batch needs no axis of length 1.",
)


@mistake(
    TABLE, "whole_number_table", stage="dtype",
    diagnosis="The table is made of whole numbers, and sines are cut off to 0.",
    next_step="Make it with `torch.zeros(length, d)`, without a dtype of positions or ids.",
)
def sinusoidal_positions(length, d, base=10000.0):
    positions = torch.arange(length)[:, None]
    angles = positions / base ** (torch.arange(0, d, 2) / d)
    table = positions.new_zeros(length, d)
    table[:, 0::2] = torch.sin(angles).long()
    table[:, 1::2] = torch.cos(angles[:, : d // 2]).long()
    return table


@mistake(
    TABLE, "fails_without_positions", stage="raises",
    diagnosis="It fails when length is 0: `torch.stack` needs at least one row.",
    next_step="Make the table first, with `torch.zeros(length, d)`, and fill it.",
)
def sinusoidal_positions(length, d, base=10000.0):
    rows = []
    for p in range(length):
        pairs = [(math.sin(p / base ** (i / d)), math.cos(p / base ** (i / d))) for i in range(0, d, 2)]
        rows.append(torch.tensor([number for pair in pairs for number in pair][:d]))
    return torch.stack(rows)


@mistake(
    TABLE, "empty_table_without_columns", stage="shape",
    diagnosis="With no positions the table loses its columns: a list without rows does not know how wide they are.",
    next_step="Make the table first, with `torch.zeros(length, d)`, and fill it.",
)
def sinusoidal_positions(length, d, base=10000.0):
    rows = []
    for p in range(length):
        pairs = [(math.sin(p / base ** (i / d)), math.cos(p / base ** (i / d))) for i in range(0, d, 2)]
        rows.append([number for pair in pairs for number in pair][:d])
    return torch.tensor(rows)


@right_form(TABLE, "two_loops")
def sinusoidal_positions(length, d, base=10000.0):
    table = torch.zeros(length, d)
    for p in range(length):
        for i in range(0, d, 2):
            table[p, i] = math.sin(p / base ** (i / d))
            if i + 1 < d:
                table[p, i + 1] = math.cos(p / base ** (i / d))
    return table


@right_form(TABLE, "exponential_of_a_logarithm")
def sinusoidal_positions(length, d, base=10000.0):
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(base) / d))
    pe = torch.zeros(length, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)[:, : d // 2]
    return pe


@right_form(TABLE, "numpy_float64")
def sinusoidal_positions(length, d, base=10000.0):
    columns = np.arange(d)
    angles = np.arange(length)[:, None] / np.power(base, 2 * (columns // 2) / d)[None]
    return torch.from_numpy(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))


@right_form(TABLE, "cosine_as_shifted_sine")
def sinusoidal_positions(length, d, base=10000.0):
    columns = torch.arange(d, dtype=torch.float64)
    speeds = base ** -(2 * torch.div(columns, 2, rounding_mode="floor") / d)
    return torch.sin(torch.outer(torch.arange(length).double(), speeds) + (columns % 2) * math.pi / 2).float()


@right_form(TABLE, "complex_numbers")
def sinusoidal_positions(length, d, base=10000.0):
    angles = torch.outer(torch.arange(length).double(), base ** (-torch.arange(0, d, 2).double() / d))
    turned = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([turned.imag, turned.real], dim=-1).reshape(length, -1)[:, :d] if length else torch.zeros(0, d)


@right_form(TABLE, "turned_step_by_step")
def sinusoidal_positions(length, d, base=10000.0, dtype=torch.float64):
    speeds = torch.tensor([base ** (-(column - column % 2) / d) for column in range(d)], dtype=dtype)
    even = torch.tensor([column % 2 == 0 for column in range(d)])
    rows = [torch.where(even, torch.sin(p * speeds), torch.cos(p * speeds)) for p in range(length)]
    return torch.stack(rows) if rows else torch.empty(0, d)
