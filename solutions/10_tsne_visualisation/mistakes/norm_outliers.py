# exercise 10.norm_outliers
import statistics

import numpy as np
import torch

# survivor 0 → -1
# when all norms are equal, any of them will do to compare with

# survivor distance > threshold * norms.std() → distance >= threshold * norms.std()
# a norm at exactly threshold standard deviations is in doubt by rounding, and kept out of the cases


# base plain
def norm_outliers(weight, threshold=3.0):
    norms = weight.norm(dim=1)
    if norms.max() == norms.min():
        return []
    return ((norms - norms.mean()).abs() > threshold * norms.std()).nonzero().flatten().tolist()


# mistake long_rows_only (values), from plain
# Only rows that are too long are found; a row may be too short as well.
# Next: Take the absolute value of the difference from the mean.
#   (norms - norms.mean()).abs() > threshold * norms.std() => norms > norms.mean() + threshold * norms.std()

# mistake short_rows_only (values), from plain
# Only rows that are too short are found.
# Next: Take the absolute value of the difference from the mean.
#   (norms - norms.mean()).abs() > threshold * norms.std() => norms < norms.mean() - threshold * norms.std()

# mistake threshold_is_always_three (values), from plain
# The argument threshold is not used.
# Next: Multiply the standard deviation with threshold, not with 3.
#   threshold * norms.std() => 3 * norms.std()


# mistake norms_above_the_threshold (values)
# The norms themselves are compared with the threshold.
# Next: Compare their distance from the mean norm, in standard deviations.
def norm_outliers(weight, threshold=3.0):
    return (weight.norm(dim=1) > threshold).nonzero().flatten().tolist()


# mistake distance_not_in_standard_deviations (values)
# The distance from the mean is compared with the threshold as it is; measure it in standard deviations.
# Next: Divide the distance by the standard deviation of the norms.
def norm_outliers(weight, threshold=3.0):
    norms = weight.norm(dim=1)
    return ((norms - norms.mean()).abs() > threshold).nonzero().flatten().tolist()


# mistake variance (values), from plain
# The variance stands where the standard deviation belongs.
# Next: Take its root, or use `std`.
#   norms.std => norms.var

# mistake spread_of_the_numbers (values), from plain
# Mean and standard deviation are those of the table's numbers, not of its norms.
# Next: First one norm a row; then mean and standard deviation of these.
#   (norms - norms.mean()).abs() > threshold * norms.std() => (norms - weight.mean()).abs() > threshold * weight.std()


# mistake zero_rows_left_out (values)
# Rows of zeros are passed over; they are short rows like any other.
# Next: Let every row take part.
def norm_outliers(weight, threshold=3.0):
    norms = weight.norm(dim=1)
    seen = norms[norms > 0]
    if len(seen) == 0 or seen.max() == seen.min():
        return []
    far = (norms - seen.mean()).abs() > threshold * seen.std()
    return (far & (norms > 0)).nonzero().flatten().tolist()


# mistake standard_error (values), from plain
# The standard deviation was divided by the root of the number of rows: that is the error of the mean.
# Next: Use the standard deviation itself.
#   threshold * norms.std() => threshold * norms.std() / len(norms) ** 0.5

# mistake equal_norms_are_outliers (values), from plain
# With a standard deviation of 0 every row is at least as far away as 0, and all are reported.
# Next: “More than” is `>`; and rounding may still leave a difference: treat equal norms first.
#   [] => list(range(len(norms)))
#   (norms - norms.mean()).abs() > threshold * norms.std() => (norms - norms.mean()).abs() >= threshold * norms.std()

# mistake rounding_of_the_mean (values), from plain
# When all norms are equal, their mean may be rounded to another number, and their standard deviation to 0: then all rows are
# reported.
# Next: Return an empty list when all norms are equal, before you compute anything.
#   norms.max() == norms.min() => len(norms) == 1


# mistake bools (type)
# A tensor of True and False comes back; a list of row indices was asked for.
# Next: `.nonzero().flatten().tolist()`.
def norm_outliers(weight, threshold=3.0):
    norms = weight.norm(dim=1)
    return (norms - norms.mean()).abs() > threshold * norms.std()


# mistake lists_in_a_list (type), from plain
# `nonzero` gives one row for each index: the list holds lists.
# Next: Flatten before `tolist`.
#   flatten(). =>

# mistake norms_of_the_columns (values), from plain
# The norms are those of the columns.
# Next: A word is a row: `dim=1`.
#   dim=1 => dim=0


# mistake how_many (type)
# The number of outliers comes back; the list of their rows was asked for.
# Next: `nonzero` says which ones they are.
def norm_outliers(weight, threshold=3.0):
    norms = weight.norm(dim=1)
    return int(((norms - norms.mean()).abs() > threshold * norms.std()).sum())


# mistake row_itself_left_out (values)
# Each row is compared with the mean and the standard deviation of all others; it belongs to both itself.
# Next: Take one mean and one standard deviation, those of all norms.
def norm_outliers(weight, threshold=3.0):
    norms = weight.double().norm(dim=1)
    if norms.max() == norms.min():
        return []
    others = [torch.cat([norms[:row], norms[row + 1 :]]) for row in range(len(norms))]
    return [row for row, rest in enumerate(others) if abs(norms[row] - rest.mean()) > threshold * rest.std()]


# mistake median_and_its_deviations (values), from plain
# Median and median deviation stand for mean and standard deviation: a single odd row moves them less.
# Next: Use `mean` and `std`.
#   -    norms = weight.norm(dim=1)
#   +    norms = weight.double().norm(dim=1)
#   +    distance = (norms - norms.median()).abs()
#   (norms - norms.mean()).abs() > threshold * norms.std() => distance > threshold * 1.4826 * distance.median()

# mistake squared_norms (values), from plain
# The norms were not rooted: for squares a long row stands out more, and a short one less.
# Next: `weight.norm(dim=1)`, or take the root of the sum of squares.
#   norms = weight.norm(dim=1) => squares = weight.square().sum(dim=1)
#   norms.max() == norms.min() => squares.max() == squares.min()
#   (norms - norms.mean()).abs() > threshold * norms.std() => (squares - squares.mean()).abs() > threshold * squares.std()

# mistake sums_of_absolute_values (values), from plain
# Absolute values were summed; the norm is the root of the sum of squares.
# Next: `weight.norm(dim=1)`, with `p` at its default.
#   weight.norm => weight.abs().sum


# mistake quartiles (values)
# Rows further than one and a half interquartile ranges outside the quartiles are reported, as in a box plot, but the exercise
# asks for standard deviations from the mean.
# Next: Use `mean` and `std`, and the argument threshold.
def norm_outliers(weight, threshold=3.0):
    norms = weight.double().norm(dim=1)
    low, high = norms.quantile(0.25), norms.quantile(0.75)
    reach = 1.5 * (high - low)
    return ((norms < low - reach) | (norms > high + reach)).nonzero().flatten().tolist()


# right form numpy_and_the_population
def norm_outliers(weight, threshold=3.0):
    norms = np.linalg.norm(weight.numpy().astype(np.float64), axis=1)
    if np.ptp(norms) == 0:
        return []
    return np.flatnonzero(np.abs(norms - norms.mean()) > threshold * norms.std()).tolist()


# right form statistics_module
def norm_outliers(weight, threshold=3.0):
    norms = [sum(entry**2 for entry in row) ** 0.5 for row in weight.tolist()]
    if len(set(norms)) == 1:
        return []
    middle, spread = statistics.mean(norms), statistics.stdev(norms)
    return [row for row, norm in enumerate(norms) if abs(norm - middle) > threshold * spread]


# right form scores_from_large_to_small
def norm_outliers(weight, threshold=3.0, eps=1e-12):
    norms = weight.double().norm(dim=-1)
    spread, middle = torch.std_mean(norms, correction=0)
    if not spread > eps * middle:
        return []
    scores = (norms - middle).abs() / spread
    order = scores.argsort(descending=True)
    return [int(row) for row in order if scores[row] > threshold]


# right form a_tuple_of_both_ends
def norm_outliers(weight, threshold=3.0):
    norms = torch.linalg.vector_norm(weight.double(), dim=1)
    if bool(norms.unique().numel() == 1):
        return ()
    low, high = norms.mean() - threshold * norms.std(), norms.mean() + threshold * norms.std()
    return tuple(torch.where(norms > high)[0].tolist()) + tuple(torch.where(norms < low)[0].tolist())


# right form numbers_of_torch_in_a_list
def norm_outliers(weight, threshold=3.0):
    norms = torch.sqrt((weight**2).sum(-1))
    if (norms == norms[0]).all():
        return []
    return [row for row in torch.where((norms - norms.mean()).abs() > threshold * norms.std())[0]]


# right form a_millionth_of_the_mean_counts_as_equal
def norm_outliers(weight, threshold=3.0):
    norms = torch.linalg.norm(weight, dim=1)
    if norms.max() - norms.min() <= 1e-6 * norms.mean():
        return []
    scores = (norms - norms.mean()) / norms.std(correction=0).clamp_min(1e-6 * norms.mean())
    return [row for row, score in enumerate(scores.tolist()) if abs(score) > threshold]


# right form a_millionth_against_division_by_zero
def norm_outliers(weight, threshold=3.0):
    norms = weight.double().norm(dim=1)
    if torch.isclose(norms, norms[0], rtol=1e-6, atol=0).all():
        return []
    return torch.nonzero(((norms - norms.mean()) / (norms.std() + 1e-6)).abs() > threshold).flatten().tolist()


# mistake variance_as_a_difference (values), from plain
# The variance is the mean square less the square of the mean: for long rows of nearly one length that is a small difference of
# large numbers, and rounding is all that is left.
# Next: Use `std()`, or square the differences from the mean.
#   -    return ((norms - norms.mean()).abs() > threshold * norms.std()).nonzero().flatten().tolist()
#   +    spread = (norms.square().mean() - norms.mean() ** 2).clamp(min=0).sqrt()
#   +    return ((norms - norms.mean()).abs() > threshold * spread).nonzero().flatten().tolist()
