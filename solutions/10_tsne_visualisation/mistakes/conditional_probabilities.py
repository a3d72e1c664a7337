# exercise 10.conditional_probabilities
import math

import numpy as np
import torch

# survivor 60.0 → 121.0
# survivor 60.0 → 121.0 (2)
# a wider start of the bisection finds the same β

# survivor 60 → 61
# survivor 60 → 59
# one halving more or less, after the result has settled

# survivor entropy > math.log(perplexity) → entropy >= math.log(perplexity)
# the bisection may go either way once the entropy is met exactly


# mistake one_width_for_all (values)
# One β is used for all points; each needs the one that gives it the perplexity.
# Next: Search β row by row.
def conditional_probabilities(distances, perplexity):
    p = torch.softmax(-distances / distances.mean() + torch.diag(torch.full((len(distances),), -math.inf)), dim=1)
    return p


# mistake one_beta_found_for_all (values)
# One β is searched for the mean entropy of all rows; each row needs its own.
# Next: Keep low, high and β as columns, one entry a row, and compare each row's entropy by itself.
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
    d = d - d.min(dim=1, keepdim=True).values
    low, high = -40.0, 40.0
    for _ in range(60):
        p = torch.softmax(-math.exp((low + high) / 2) * d, dim=1)
        if torch.special.entr(p).sum(dim=1).mean() > math.log(perplexity):
            low = (low + high) / 2
        else:
            high = (low + high) / 2
    return p.to(distances.dtype)


# base plain
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
    d = d - d.min(dim=1, keepdim=True).values
    low, high = torch.full((n, 1), -40.0).double(), torch.full((n, 1), 40.0).double()
    for _ in range(60):
        middle = (low + high) / 2
        p = torch.softmax(-middle.exp() * d, dim=1)
        flat = torch.special.entr(p).sum(dim=1, keepdim=True) > math.log(perplexity)
        low, high = torch.where(flat, middle, low), torch.where(flat, high, middle)
    return p.to(distances.dtype)


# mistake bits_against_nats (values), from plain
# The entropy in nats is compared with the perplexity's logarithm to base 2.
# Next: Use one unit for both: with nats, log(perplexity).
#   math.log => math.log2

# mistake perplexity_taken_for_entropy (values), from plain
# The entropy is compared with the perplexity itself; the perplexity is the exponential of the entropy.
# Next: Compare the entropy with log(perplexity).
#   math.log(perplexity) => perplexity

# mistake squared_once_more (values), from plain
# The distances are squared once more; they are squares already.
# Next: The exponent is -β times the entry as it is.
#   distances.double() => (distances.double() / distances.double().mean()) ** 2

# mistake root_taken (values), from plain
# The root of the distances is taken: the kernel is no Gaussian then.
# Next: The entries are squared distances, and stand in the exponent as they are.
#   distances.double() => distances.double().sqrt()

# mistake own_neighbour (values), from plain
# Each point counts as its own nearest neighbour: the diagonal is not 0.
# Next: Take the point itself out before you normalise.
#   -    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
#   -    d = d - d.min(dim=1, keepdim=True).values
#   +    d = distances.double()

# mistake diagonal_cleared_at_the_end (values), from plain
# The point itself took part in the search and was cleared afterwards: rows no longer sum to 1.
# Next: Take the point itself out before you normalise and before you search.
#   -    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
#   -    d = d - d.min(dim=1, keepdim=True).values
#   +    d = distances.double()
#   p.to => p.fill_diagonal_(0).to

# mistake equal_points_left_out (values), from plain
# Every distance of 0 is left out, equal points too; only the point itself is no neighbour.
# Next: Leave out the diagonal, by its position and not by its value.
#   ) + torch.diag(torch.full((n,), math.inf, dtype=torch.float64) => ).masked_fill(distances == 0, math.inf

# mistake bounds_too_narrow (values), from plain
# The search knows only β from 0.001 to 1000: for very large or very small distances that is not enough.
# Next: Let the upper bound double until it is high enough, or search on log β over a wide range.
#   -40.0).double(), torch.full((n, 1), 40.0 => 1e-3).double(), torch.full((n, 1), 1e3
#   range(60) => range(80)
#   middle.exp() => middle


# mistake underflow_far_away (not finite)
# For a point that is far away from all others every exp is 0, and 0 is divided by 0.
# Next: Take the row's smallest distance off first: it changes no probability.
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    result = torch.zeros(n, n, dtype=torch.float64)
    for i in range(n):
        d = torch.cat([distances[i, :i], distances[i, i + 1 :]]).double()
        beta, low, high = 1.0, 0.0, math.inf
        for _ in range(100):
            p = torch.exp(-beta * d)
            p = p / p.sum()
            if torch.special.entr(p).sum() < math.log(perplexity):
                high = beta
                beta = (beta + low) / 2
            else:
                low = beta
                beta = beta * 2 if high == math.inf else (beta + high) / 2
        result[i, :i], result[i, i + 1 :] = p[:i], p[i:]
    return result.to(distances.dtype)


# mistake too_few_steps (values), from plain
# The search stops too early: the perplexity is more than 1 % off.
# Next: Go on until each row's perplexity fits, or for 50 halvings.
#   range(60) => range(7)

# mistake columns_normalised (values), from plain
# The columns sum to 1, not the rows.
# Next: Row i belongs to point i: normalise along dim=1.
#   p.to => p.T.contiguous().to

# mistake made_symmetric (values), from plain
# The matrix was made symmetric here; that is the next exercise, and rows no longer sum to 1.
# Next: Return the rows as the search found them.
#   p.to => ((p + p.T) / 2).to


# mistake hard_neighbours (values)
# The nearest points share all of the probability equally; it falls off exponentially with the distance.
# Next: Weigh each point by exp(-β D), and search the β that gives the perplexity.
def conditional_probabilities(distances, perplexity):
    n, k = len(distances), max(1, round(float(perplexity)))
    d = distances + torch.diag(torch.full((n,), math.inf, dtype=distances.dtype))
    nearest = d.topk(min(k, n - 1), dim=1, largest=False).indices
    return torch.zeros_like(distances).scatter(1, nearest, 1.0 / min(k, n - 1))


# mistake diagonal_written_into_the_caller_s (property), from plain
# The diagonal of distances itself was overwritten; it belongs to the caller.
# Next: `fill_diagonal_` on a clone, or `masked_fill` without the underscore.
#   double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64) => fill_diagonal_(math.inf).double(

# mistake always_float64 (dtype), from plain
# The result is float64 whatever comes in; it should have the dtype of distances.
# Next: Convert the result back: `.to(distances.dtype)`.
#   p.to(distances.dtype) => p

# mistake diagonal_cleared_and_divided_again (values), from plain
# The point itself took part in the search; without it, the rows have another perplexity.
# Next: Take the point itself out before you search.
#   -    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
#   -    d = d - d.min(dim=1, keepdim=True).values
#   +    d = distances.double()
#   -    return p.to(distances.dtype)
#   +    p = p.fill_diagonal_(0) + 1e-300
#   +    return (p / p.sum(dim=1, keepdim=True)).fill_diagonal_(0).to(distances.dtype)

# mistake student_s_kernel (values), from plain
# The rows fall off like 1 / (1 + β D), the kernel of the map; in the data it is exp(-β D).
# Next: Use the Gaussian in the data, Student's t on the map.
#   -    d = distances.double() + torch.diag(torch.full((n,), math.inf, dtype=torch.float64))
#   -    d = d - d.min(dim=1, keepdim=True).values
#   +    others = 1 - torch.eye(n, dtype=torch.float64)
#   -        p = torch.softmax(-middle.exp() * d, dim=1)
#   +        p = others / (1 + middle.exp() * distances.double())
#   +        p = p / p.sum(dim=1, keepdim=True)

# mistake one_neighbour_more (values), from plain
# The rows have a perplexity that is larger by 1, as if the point itself were counted.
# Next: Compare the entropy with log(perplexity), without adding anything.
#   math.log(perplexity) => math.log(min(perplexity + 1, n - 1.01))


# mistake underflow_very_far_away (values)
# For a point that is very far away from all others every exp is 0 at the β that it needs, even in float64, and the search goes
# astray.
# Next: Take the row's smallest distance off first: it changes no probability.
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    result = np.zeros((n, n))
    for i in range(n):
        others = np.r_[0:i, i + 1 : n]
        d = distances.double().numpy()[i, others]
        beta, low, high = 1.0, -np.inf, np.inf
        for _ in range(50):
            p = np.exp(-beta * d)
            total = max(p.sum(), 1e-300)
            entropy = np.log(total) + beta * (d * p).sum() / total
            p = p / total
            if abs(entropy - np.log(perplexity)) < 1e-5:
                break
            if entropy > np.log(perplexity):
                low, beta = beta, beta * 2 if high == np.inf else (beta + high) / 2
            else:
                high, beta = beta, beta / 2 if low == -np.inf else (beta + low) / 2
        result[i, others] = p
    return torch.from_numpy(result).to(distances.dtype)


# right form row_by_row_with_growing_bounds
def conditional_probabilities(distances, perplexity, tolerance=1e-5):
    n = distances.shape[0]
    result = np.zeros((n, n))
    squares = np.asarray(distances, dtype=np.float64)
    for i in range(n):
        d = np.delete(squares[i], i)
        d = d - d.min()
        beta, low, high = 1.0, -np.inf, np.inf
        for _ in range(200):
            weights = np.exp(-d * beta)
            p = weights / weights.sum()
            entropy = -np.sum(p[p > 0] * np.log(p[p > 0]))
            gap = entropy - np.log(perplexity)
            if abs(gap) < tolerance:
                break
            if gap > 0:
                low = beta
                beta = beta * 2 if np.isinf(high) else (beta + high) / 2
            else:
                high = beta
                beta = beta / 2 if np.isinf(low) else (beta + low) / 2
        result[i] = np.insert(p, i, 0.0)
    return torch.tensor(result, dtype=distances.dtype)


# right form half_a_percent_is_enough
def conditional_probabilities(distances, perplexity):
    rows = []
    for i, row in enumerate(distances.double()):
        d = row.clone()
        d[i] = math.inf
        d = d - d.min()
        low, high = 1e-12, 1e12
        while True:
            beta = math.sqrt(low * high)
            p = torch.softmax(-beta * d, dim=0)
            found = math.exp(float(torch.special.entr(p).sum()))
            if abs(found / perplexity - 1) < 0.005:
                break
            low, high = (beta, high) if found > perplexity else (low, beta)
        rows.append(p)
    return torch.stack(rows).to(distances)


# right form float32_on_scaled_distances
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    hidden = torch.eye(n, dtype=torch.bool)
    d = distances.masked_fill(hidden, float("inf"))
    d = d - d.amin(dim=1, keepdim=True)
    scale = d.masked_fill(hidden, 0.0).sum(dim=1, keepdim=True) / (n - 1)
    d = d / scale
    low, high = torch.zeros(n, 1, dtype=d.dtype), torch.full((n, 1), 1e12, dtype=d.dtype)
    for _ in range(120):
        beta = torch.where(low > 0, (low * high).sqrt(), high * 1e-3)
        log_p = torch.log_softmax(-beta * d, dim=1)
        p = log_p.exp()
        entropy = -(p * log_p.masked_fill(hidden, 0.0).clamp(min=-1e4)).sum(dim=1, keepdim=True)
        up = entropy > math.log(perplexity)
        low, high = torch.where(up, beta, low), torch.where(up, high, beta)
    return p


# right form sigma_in_place_of_beta
def conditional_probabilities(distances, perplexity):
    n = len(distances)
    d = distances.to(torch.float64)
    d = d.masked_fill(torch.eye(n) == 1, torch.inf)
    smallest = d.min(1, keepdim=True)[0]
    small, large = 1e-9, 1e9
    small, large = torch.full((n, 1), small, dtype=d.dtype), torch.full((n, 1), large, dtype=d.dtype)
    for _ in range(100):
        sigma = torch.exp((small.log() + large.log()) / 2)
        p = torch.exp((smallest - d) / (2 * sigma**2))
        p = p / p.sum(1, keepdim=True)
        bits = -(p * torch.log2(p + 1e-300)).sum(1, keepdim=True)
        too_wide = 2**bits > perplexity
        large, small = torch.where(too_wide, sigma, large), torch.where(too_wide, small, sigma)
    return p.to(distances.dtype)


# right form root_finder_on_log_beta
def conditional_probabilities(distances, perplexity):
    from scipy.optimize import brentq

    def row(d):
        d = d - d.min()

        def at(t):
            return torch.softmax(-math.exp(t) * d, dim=0)

        return at(brentq(lambda t: float(torch.special.entr(at(t)).sum()) - math.log(perplexity), -50, 50))

    result = torch.full_like(distances, 1e-12)
    for i, distance in enumerate(distances.double()):
        others = torch.arange(len(distances)) != i
        result[i, others] = row(distance[others]).to(distances.dtype)
    return result
