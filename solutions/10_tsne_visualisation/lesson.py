# %% [markdown] key="title"
# # 10 · t-SNE and table health
#
# **When can you believe a map?**
#
# You have trained vectors of words and documents. Here you examine a finished table, first with numbers and then on a map drawn by
# **t-SNE** ([t 分布随机邻域嵌入](../glossary.md#maps)). You also test which conclusions such a map allows. (S1 to S5 are the five
# Chinese tutorials behind this course; `ledger("10")` lists what they claim.)
#
# **Afterwards you can**
# - examine a table: norms, outliers, directions, hubs;
# - say what a map shows, and three things that it does not show;
# - test whether clusters are in the data or only on the map;
# - build t-SNE from its four parts.
#
# **{minutes}.** Builds on notebooks 02 (gradients), 04 (entropy, perplexity) and 09 (cosine, search). It uses the tables that you
# trained in 04 and 05, or recorded ones.

# %% key="setup"

# %% key="imports" given=true
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import silhouette_score

from embedding_course import case, check, glossary, hint, ledger, predict, progress
from embedding_course import reveal, say, show_table, waiting_for

# %% key="figures"
from embedding_course.data.published import recorded_minilm
from embedding_course.experiments import curves
from embedding_course.experiments.five_questions import five_questions
from embedding_course.experiments.tsne_visualisation import clouds, document_map
from embedding_course.experiments.tsne_visualisation import four_clouds, neighbourhoods
from embedding_course.experiments.tsne_visualisation import table_health
from embedding_course.experiments.tsne_visualisation.fair_null import cut, fair_test
from embedding_course.experiments.tsne_visualisation.map_making import (
    Pieces, autograd_gradient, make_map, scikit_map, scikit_probabilities,
)
from embedding_course.learner.own_answers import own
from embedding_course.learner.own_tables import table
from embedding_course.plot import hover_map, maps, tsne_steps
from embedding_course.plot import document_map as document_pictures
from embedding_course.plot import table_health as health_pictures

RERUN = False  # True: make recorded maps and runs again (minutes)

# %% [markdown] key="health-text"
# ## 1 · The health of a table
#
# Before you draw a table, measure it. We begin with the **norms** ([范数](../glossary.md#the-table)) of its rows. One damaged row can distort a mean, a dot product or a map. An unusual norm may be padding, an untrained word, an error in the data, or nothing bad.

# %% [markdown] exercise="10.norm_outliers"
# Find the rows whose norm is far from the mean norm. We use it on three tables below.

# %% key="predict-outliers"
predict("10-outliers", "Which row of the Chinese table is an outlier? (its word)",
        guess=None, text=True)

# %% key="norms"
words, chinese, english = table("04_words"), table("05_chinese"), table("05_english")
trained = {"language model": words}
trained |= {"translator, Chinese": chinese, "translator, English": english}
# waiting_for: while a function is a stub, the cell says so and shows a recorded figure
with waiting_for("norm_outliers"):
    outliers = {
        name: (vectors, [*map(int, norm_outliers(vectors.vectors))])
        for name, vectors in trained.items()
    }
    health_pictures.show_norms(outliers)
    flagged = [chinese.words[row] for row in outliers["translator, Chinese"][1]]
    reveal("10-outliers", " ".join(flagged) or "none")

# %% [markdown] key="directions-text"
# The padding row has norm 0 on purpose: leave special rows out before you test. In the language model *with* stands out. Look at such a row before you call it an error.
#
# ### Directions and hubs
#
# S1 judges a table by its mean, standard deviation and norms: “检查embedding的统计特性” (*check the statistics of the embedding*; *6.1 embedding质量检查*). Two more numbers
# say how the rows use the space. The **mean cosine** of two rows is far above 0 when all rows point into one cone. The number of **directions** says over how many the variance is
# spread, counted like a perplexity. A table with good values in both is called **isotropic** ([各向同性](../glossary.md#the-table)). MiniLM is the
# published model of notebook 11, and its 3,112 documents are those of our search.

# %% key="check-up"
minilm = recorded_minilm().documents
untrained = clouds.noise(235, 48)
examined = {name: rows.vectors for name, rows in trained.items()}
examined |= {"MiniLM's documents": minilm, "never trained": untrained}
show_table(
    {name: table_health.check_up(vectors) for name, vectors in examined.items()},
    columns=("mean norm", "std", "mean cosine", "directions", "of"),
    format=".2f",
)

# %% [markdown] key="healthy-lesson"
# The best numbers belong to the table that was never trained. The translator's tables look just like it. They started large, and a short training hardly moved them (notebook 02). So
# **isotropy is not quality**, and these statistics cannot show that a table is well trained. Part D compares the most similar pairs, which do show it.
#
# In many dimensions some rows become **hubs** ([枢纽点](../glossary.md#the-table)). They are among the nearest neighbours of very many others, so a search returns them again and again. We list the ten nearest documents of each document. Then we count how often each document is listed; ten times is the average.

# %% key="occurrences"
def occurrences(x, k):
    """Count how many rows have each row among their k nearest, by inner product."""
    counts = torch.zeros(len(x), dtype=torch.int64)
    for start in range(0, len(x), 500):
        similarity = x[start : start + 500] @ x.T
        rows = torch.arange(len(similarity))
        similarity[rows, start + rows] = float("-inf")  # no row is its own neighbour
        counts += similarity.topk(k).indices.flatten().bincount(minlength=len(x))
    return counts

# %% key="hubs"
spaces = {"MiniLM": minilm, "MiniLM, centred": minilm - minilm.mean(dim=0)}
spaces["noise"] = clouds.noise(*minilm.shape)
table_of_hubs = {}
for name, x in spaces.items():
    counts = occurrences(F.normalize(x, dim=1), 10)
    largest = "–" if name == "noise" else recorded_minilm().names[counts.argmax()]
    table_of_hubs[name] = (largest, counts.max(), f"{(counts == 0).float().mean():.1%}")
show_table(table_of_hubs, columns=("largest hub", "in lists", "never listed"))

# %% [markdown] key="hubs-health"
# `torch.ceil` is listed 127 times. In noise of the same shape no row is listed more than 24 times. Subtracting the mean row (**centring**) brings it down to 74.
# Part E finds stronger hubs in GloVe, where norms differ.

# %% [markdown] key="riddle-text"
# ## 2 · Four maps, one of them noise
#
# Numbers show little of what a table holds, so people draw maps. Here are four collections on maps by scikit-learn's t-SNE. Two are words of models that you trained, one is handwritten digits, and one is pure noise (independent Gaussian numbers). Colours and shapes are seven groups that k-means found **on the map**.

# %% key="riddle-data"
collections = four_clouds.four_clouds(words, chinese)
drawn = {name: scikit_map(x, perplexity=10) for name, x in collections.items()}
groups = {name: cut(y, 7) for name, y in drawn.items()}

# %% key="predict-riddle"
predict("10-riddle", "Which of the four is pure noise?", guess=None,
        choices={"A": "A", "B": "B", "C": "C", "D": "D"})

# %% key="riddle-figure"
maps.show_maps(
    drawn, groups, "Which of four collections is pure noise?",
    alt="Four t-SNE maps, A to D, each cut into seven groups: C islands, D lumps, "
    "A and B round clouds.",
)

# %% [markdown] key="riddle-lesson"
# Keep your guess. All four maps have groups that look convincing; section 4 has the test that tells them apart.

# %% [markdown] key="tsne-idea"
# ## 3 · How good is a map?
#
# Two dimensions cannot keep all distances. t-SNE (van der Maaten and Hinton 2008) keeps **neighbourhoods**: which points are near which. We measure whether neighbours on the map are neighbours in the data. Our points are 500 scans of handwritten digits, with 8 × 8 = 64 grey values each.

# %% [markdown] exercise="10.squared_distances"
# Compute the squared distances of all pairs. t-SNE starts from this matrix; section 5 uses it.

# %% [markdown] key="quality-text"
# **Trustworthiness** ([可信度](../glossary.md#maps)) takes each neighbour on the map and looks up its rank among the neighbours in the data. It is 1 when all neighbours on the map are
# neighbours in the data, and about 0.5 for random positions. It ignores rotation and mirroring, which do not matter on a map.

# %% [markdown] exercise="10.trustworthiness"
# Count the neighbours on the map that are not neighbours in the data, each with its rank. From here on we use it for every map.

# %% key="predict-trust"
predict("10-trust", "Random positions have about 0.5. What does PCA reach? (0.5 to 1)",
        guess=None, within=0.05)

# %% key="use-trust" seconds=3
X, digit = four_clouds.digits(500)
centred = X - X.mean(dim=0)
shadow = centred @ torch.linalg.svd(centred, full_matrices=False).Vh[:2].T  # PCA
digit_maps = {"PCA": shadow, "t-SNE": scikit_map(X, perplexity=30)}
with waiting_for("trustworthiness"):
    trust = {name: float(trustworthiness(X, y, 10)) for name, y in digit_maps.items()}
    notes = {name: f"trustworthiness {value:.3f}" for name, value in trust.items()}
    maps.show_digits(
        digit_maps, digit, notes,
        "Digits by PCA, mixed, and by t-SNE, an island for nearly every digit.",
    )
    reveal("10-trust", round(trust["PCA"], 2))

# %% [markdown] key="trust-lesson"
# **PCA** ([主成分分析](../glossary.md#maps)) projects onto the two directions of largest variance, and many digits overlap. t-SNE gives nearly every digit an island of its own, although it
# never saw the labels. Its neighbours are right; section 4 asks about everything else on the map.

# %% [markdown] key="stop" stop=true
# You can examine a table and measure how far a map's neighbours are right. The second sitting asks what a map does not show, and how
# t-SNE makes it.

# %% [markdown] key="seems"
# ## 4 · What a map does not say
#
# We map data whose structure we know. On the left, two clouds beside their map: one is ten times as **wide** as the other. On the right, three clouds beside their map: the second **gap** is five times the first.

# %% key="predict-sizes"
predict("10-sizes", "One cloud is 10 times as wide in the data. "
        "How many times as wide is it on the map?", guess=None, within=0.3)

# %% key="sizes-figure"
toys = {"sizes": clouds.two_sizes(), "gaps": clouds.three_gaps()}
toys = {name: (toy.x, scikit_map(toy.x, 30), toy.groups) for name, toy in toys.items()}
maps.show_toys(toys)
_, y, group = toys["sizes"]
narrow, wide = (y[group == k] - y[group == k].mean(dim=0) for k in (0, 1))
ratio = wide.norm(dim=1).mean() / narrow.norm(dim=1).mean()
reveal("10-sizes", round(ratio.item(), 1))

# %% [markdown] key="sizes-lesson"
# Both clouds come out equally wide. t-SNE gives every point about the same number of neighbours, the **perplexity** ([困惑度](../glossary.md#maps)), so differences in density disappear. The gaps come out alike, too. For points that are not neighbours, 10 and 60 apart count the same. Nor do the axes mean anything.
#
# Third, **clumps**: digits and noise at four perplexities. The noise is one round cloud in 50 dimensions.

# %% key="grid" seconds=4
cases = {
    "digits": (X[:200], digit[:200]),
    "noise": (clouds.noise(200, 50), torch.zeros(200, dtype=torch.int64)),
}
rows = {
    name: {f"perplexity {k}": (scikit_map(x, k), group) for k in (2, 5, 30, 100)}
    for name, (x, group) in cases.items()
}
maps.show_grid(
    rows,
    alt="Digits hold together at perplexities 2 to 100; noise falls into small clumps "
    "at 2 and is round at 100.",
)

# %% [markdown] key="grid-lesson"
# At perplexity 2 even noise falls into clumps. So draw several perplexities. Structure in the data stays, and clumps from the method go. But looking is not yet a test.

# %% [markdown] key="test-text"
# ### Test the data, not the map
#
# The **silhouette** ([轮廓系数](../glossary.md#maps)) of a point compares its distances to its own group and to the nearest other group. It is 1 deep inside a group, 0 on the border, and below 0 on the wrong side. You can compute it on the map *and in the data*. To see what chance gives, shuffle the labels many times: a **shuffled null** ([打乱标签的零分布](../glossary.md#maps)).

# %% [markdown] exercise="10.cluster_test"
# Compute the silhouettes in the data and on the map, and the value that 95 % of the shuffles stay below. `silhouette_score(points, labels)`, imported above, gives the mean silhouette. We use the test twice below.

# %% key="use-test"
def test_row(result):
    """Return what one table row shows of a result of cluster_test."""
    silhouettes = (float(result[name]) for name in ("map", "data", "null"))
    return *silhouettes, bool(result["real"])

TEST_COLUMNS = ("map", "data", "null", "real")
luck = torch.Generator().manual_seed(0)
labellings = {"the digit": digit[:200]}
labellings["a die with ten sides"] = torch.randint(10, (200,), generator=luck)
with waiting_for("cluster_test"):
    y = digit_maps["t-SNE"][:200]
    tested = {name: test_row(cluster_test(X[:200], y, labels, luck))
              for name, labels in labellings.items()}
    show_table(tested, TEST_COLUMNS, ".3f")

# %% [markdown] key="bug-circular"
# The digits are clusters in the data, and the die's labels are not.
#
# ### Find the bug: a test that always says yes
#
# Often the true groups are unknown, so people test the groups that they see. Here are the four collections of section 2, with the seven groups cut **out of the map**.

# %% key="predict-circular"
predict("10-circular", "For how many of the four does the test say “real”? (0 to 4)",
        guess=None, within=0)

# %% key="circular"
with waiting_for("cluster_test"):
    luck = torch.Generator().manual_seed(0)
    circular = {name: test_row(cluster_test(x, drawn[name], groups[name], luck))
                for name, x in collections.items()}
    show_table(circular, TEST_COLUMNS, ".3f")
    reveal("10-circular", sum(row[-1] for row in circular.values()))

# %% [markdown] key="circular-lesson"
# The test says “real” four times, and one of the four is noise. Its null is not fair. Shuffled labels do not depend on the data, but ours were cut out of the data's neighbourhoods. Any such labels beat shuffled ones.
#
# **Make the null in the same way as what you test.** So we draw Gaussian noise with the data's mean and covariance, and cut it by k-means as we cut the data. We repeat this twenty times.

# %% key="fair" seconds=4
fair = {name: fair_test(x, 7) for name, x in collections.items()}
show_table(
    {name: (four_clouds.NAMES[name], test.data, test.null, test.real)
     for name, test in fair.items()},
    columns=("collection", "data", "null", "real"), format=".3f",
)
reveal("10-riddle", "B")

# %% [markdown] key="fair-lesson"
# B is the noise. A, the Chinese words of **your translator**, looks like noise as well, although it translates nearly all sentences correctly. What it learned is in its LSTMs (parts B and D).

# %% [markdown] key="perplexity-text"
# ## 5 · How t-SNE makes a map
#
# Now we build a map from four parts: distances, neighbours in the data, neighbours on the map, a gradient. Each point *picks* a neighbour at random, near points more often:
#
# $$p_{j|i} \propto \exp(-\beta_i D_{ij})$$
#
# Let $H_i$ be the **entropy** ([熵](../glossary.md#language-models)) of these picks. Each point has its own $\beta_i$, chosen so that $e^{H_i}$ is the given perplexity. So a point in a crowd has a large β, and a lonely point a small one. scikit-learn searches for β here; part A has it as an exercise.

# %% key="use-perplexity"
with waiting_for("squared_distances"):
    D = squared_distances(X)
    picks = {f"perplexity {k}": scikit_probabilities(D, k)[7] for k in (5, 50)}
    tsne_steps.show_neighbours(X, 7, picks)

# %% [markdown] key="joint-text"
# Picking is not mutual. An outlier picks others, but they almost never pick it, so nothing would hold it on the map. t-SNE therefore averages both directions.

# %% [markdown] exercise="10.joint_probabilities"
# Make one symmetric distribution over all pairs, with a total of 1. The map below is fitted to it.

# %% [markdown] key="tails-lesson"
# On the map, neighbourhood is $q_{ij}=k_{ij}/Z$ with $k_{ij}=1/(1+|y_i-y_j|^2)$ and $Z$ its sum over all pairs. This curve is **Student's t**, and it has a long tail. In 64 dimensions up to 65 points can be equally far from each other, on paper only three. The long tail lets the others move away at little cost.
#
# The loss is the **KL divergence** ([KL 散度](../glossary.md#maps)) $\sum p_{ij}\ln(p_{ij}/q_{ij})$. Its gradient at $y_i$ pulls a pair together where $p>q$, and pushes it apart where $p<q$:
#
# $$4\sum_j (p_{ij}-q_{ij})\,k_{ij}\,(y_i-y_j)$$
#
# <details><summary>Derivation of the gradient</summary>
#
# With $d=|y_i-y_j|^2$: $k=1/(1+d)$, so $\partial k/\partial d=-k^2$.
#
# Since $\sum p=1$, the loss is $C=\text{const}-\sum p_{ij}\ln k_{ij}+\ln Z$.
#
# First term: $-p\,(-k^2)/k=p\,k$. Second term: $(-k^2)/Z=-q\,k$. Together $\partial C/\partial d_{ij}=(p_{ij}-q_{ij})\,k_{ij}$.
#
# Moving $y_i$ changes the pairs $(i,j)$ and $(j,i)$, and $\partial d/\partial y_i=2(y_i-y_j)$. Both factors of 2 give the 4:
#
# $$\frac{\partial C}{\partial y_i}=\sum_j 2\cdot(p_{ij}-q_{ij})\,k_{ij}\cdot 2\,(y_i-y_j)$$
#
# </details>
#
# Here PyTorch's autograd computes it; in part A you write it. The rest is gradient descent with momentum ([动量](../glossary.md#the-table), `experiments/tsne_visualisation/map_making.py`). In the first quarter of the steps p is multiplied by 12. This **early exaggeration** ([早期夸大](../glossary.md#maps)) lets neighbours find each other while the map is small.

# %% key="make-map" seconds=6
PIECES = ("squared_distances", "joint_probabilities")
STEPS_SHOWN = (0, 25, 50, 75, 125, 135, 150, 200, 300, 500)
with waiting_for(*PIECES):
    parts = pieces = Pieces(
        squared_distances, scikit_probabilities, joint_probabilities, autograd_gradient
    )
    made = make_map(parts, X, perplexity=30, steps=500, keep=STEPS_SHOWN)
    if made.frames:
        tsne_steps.show_making(made, digit)

# %% key="compare-maps"
with waiting_for("trustworthiness", *PIECES):
    compared = {"scikit-learn": digit_maps["t-SNE"], "your parts": made.y}
    show_table({name: trustworthiness(X, y, 10) for name, y in compared.items()},
               columns=("trustworthiness",), format=".4f")

# %% [markdown] key="making-lesson"
# Move the slider and read the widths. The map starts as a speck, and the islands move apart when exaggeration ends at step 125. Your map is about as trustworthy as scikit-learn's: both have 0.993 in our run.

# %% [markdown] key="by-hand" further=true
# ## A · t-SNE by hand
#
# Now you write the two parts that PyTorch and scikit-learn did for you. Do `tsne_gradient` first (20 minutes); if you have time for a second, take `conditional_probabilities` (40 minutes). PCA and the rest can wait.

# %% [markdown] exercise="10.tsne_gradient" further=true
# Compute the gradient at every point, summed over all other points. The maps at the end of this part are made with it.

# %% [markdown] key="check-text" further=true
# A wrong gradient often lowers the loss, too. So we compare with a difference quotient. We move one coordinate a little in both directions and see how the loss changes. Your `numeric_grad` of notebook 02 does this, if it was kept.

# %% key="numeric-tried" further=true
from embedding_course.experiments.tsne_visualisation import map_making

with waiting_for("tsne_gradient", *PIECES):
    p, y = parts.joint(X[:60].double(), 10), clouds.noise(60, 2).double()
    numeric_grad = own("02.numeric_grad") or map_making.slopes
    gradient = torch.as_tensor(tsne_gradient(p, y))
    measured = numeric_grad(lambda moved: map_making.divergence(p, moved), y, 1e-5)
    show_table(
        {f"point {point}, axis {axis}": (gradient[point, axis], measured[point, axis])
         for point, axis in ((0, 0), (7, 1), (42, 0))},
        columns=("formula", "difference quotient"), format="+.8f",
    )
    largest = float((gradient - measured).abs().max())
    say("largest difference: {largest:.0e}", largest=largest)

# %% [markdown] key="entropy-text" further=true
# ### The perplexity of a point
#
# The **entropy** ([熵](../glossary.md#language-models)) of a point's picks says how uncertain a pick is. With the natural logarithm its unit is the **nat** ([奈特](../glossary.md#language-models)). The perplexity is its exponential:
#
# $$H_i=-\sum_j p_{j|i}\ln p_{j|i}\quad(0\ln 0=0)\qquad\text{perplexity}_i=e^{H_i}$$
#
# Here are the picks of the first of three points on a line, at 0, 1 and 3.

# %% key="three-points" further=true
D_first = torch.tensor([1.0, 9.0])  # squared distances to the other two
three = {}
for beta in (0.5, 0.05):
    p = torch.exp(-beta * D_first) / torch.exp(-beta * D_first).sum()
    H = -(p * p.log()).sum()
    three[f"β = {beta}"] = (*p.tolist(), H, H.exp())
show_table(three, ("p near", "p far", "entropy", "perplexity"), ".2f")

# %% [markdown] key="three-points-lesson" further=true
# With β = 0.5 the point almost always picks the near one, so it has about one neighbour. With β = 0.05 it has nearly two.

# %% key="predict-beta" further=true
predict("10-beta", "Which point has the larger β?", guess=None,
        choices={"crowd": "a point in a crowd", "lonely": "a lonely point"})

# %% [markdown] exercise="10.conditional_probabilities" further=true
# Entropy falls as β grows. So start with any β. Double it until the perplexity is too low, or halve it until it is too high. Then halve the interval again and again (**bisection**, [二分法](../glossary.md#maps)). It is the second part of your own t-SNE below.

# %% key="crowd" further=true
with waiting_for("squared_distances", "conditional_probabilities"):
    crowd, lonely = neighbourhoods.crowd_and_lonely(
        lambda line: torch.as_tensor(
            conditional_probabilities(squared_distances(line), 2.5)
        )
    )
    show_table({"β in a crowd": crowd, "β of a lonely point": lonely}, format=".3g")
    reveal("10-beta", "crowd" if crowd > lonely else "lonely")

# %% key="use-joint" further=true
with waiting_for("conditional_probabilities", *PIECES):
    far_away = torch.cat([X[:99], X[:1] + 3])  # a scan far off the others
    picked = conditional_probabilities(squared_distances(far_away), 10)
    joint = joint_probabilities(picked)
    show_table({"picked by the 99 others": float(picked[:, 99].sum()),
                "share of the symmetric p": float(joint[99].sum()),
                "1 / 2n": 1 / 200}, format=".4f")

# %% [markdown] key="joint-lesson" further=true
# None of the 99 others picks the scan far away. In the symmetric p it still keeps a share of at least 1 / 2n. Now all four parts are yours, and they make the maps of the further parts.

# %% key="own-map" further=true seconds=5
with waiting_for("conditional_probabilities", "tsne_gradient", *PIECES):
    by_hand = Pieces(
        squared_distances, conditional_probabilities, joint_probabilities, tsne_gradient
    )
    y = make_map(by_hand, X[:200], perplexity=30, steps=300).y
    loss = map_making.divergence(by_hand.joint(X[:200], 30), y)
    say("loss: {loss:.3f} nats", loss=loss)
    pieces = by_hand  # all maps from here on

# %% [markdown] key="whole-text" further=true
# scikit-learn's t-SNE is faster from some thousand points on. It approximates far pairs with a tree (Barnes-Hut), and yours computes all $n^2$. Here are all 1,797 digits by the four functions, recorded (`RERUN` takes yours).

# %% key="whole" further=true
from embedding_course.experiments.tsne_visualisation import digits_map

everything = digits_map.whole(rerun=RERUN and (lambda: digits_map.make(*pieces)))
scans, names = four_clouds.digits(digits_map.ALL)
maps.show_digits(
    {"all digits": everything}, names, {},
    "All 1,797 digits: ten islands, some in two parts, a few digits on a wrong one.",
    size=6.5,
)
with waiting_for("trustworthiness"):
    trust_all = float(trustworthiness(scans, everything, 10))
    say("trustworthiness: {trust:.3f}", trust=trust_all)

# %% [markdown] key="bug-perplexity" further=true
# ### Find the bug: t-SNE of 15 words
#
# > `reducer = TSNE(n_components=2, random_state=42)`. S1, *6.2 embedding可视化*
#
# The table of S1's own example has 15 rows (`torch.Size([15, 64])`, *3.1 核心概念辨析*). We try the line with 15 of your words.

# %% key="fifteen" further=true
from sklearn.manifold import TSNE

try:
    TSNE(n_components=2, random_state=42).fit_transform(words.vectors[4:19].numpy())
except ValueError as error:
    print("ValueError:", error)

# %% [markdown] key="fifteen-lesson" further=true
# The default perplexity is 30, and 15 points do not have 30 neighbours. A map of so few points says little anyway: print their table of cosines.

# %% [markdown] key="corners-text" further=true
# ### Two curves
#
# On paper three points can all be equally far from each other, and in 64 dimensions 65. The map's curve has a long tail to make up for the missing room. We compare it with a Gaussian.

# %% key="predict-corners" further=true
predict("10-corners", "How many points can be equally far apart in 3 dimensions?",
        guess=None, within=0)

# %% key="tails" further=true
reveal("10-corners", 4)
show_table({f"distance {d}": (math.exp(-(d**2)), 1 / (1 + d**2)) for d in (1, 3, 6)},
           columns=("Gaussian", "map's curve"), format=".1e")

# %% [markdown] key="curves-lesson" further=true
# At distance 6 the Gaussian has vanished and the map's curve is still at 3 %. A pair can move from 3 to 6 at little cost.

# %% [markdown] key="pca-text" further=true
# ### The directions of largest variance
#
# Section 3 drew PCA with one line of `torch.linalg.svd`. It is linear, and gives the same map each time, except for mirror images.

# %% [markdown] exercise="10.pca" further=true
# Centre the points, find the directions of largest variance, and return the coordinates along them. Part E compares it with t-SNE.

# %% key="predict-pca" further=true
predict("10-pca", "What share of the variance do two directions keep? (0 to 1)",
        guess=None)

# %% key="use-pca" further=true
with waiting_for("pca"):
    shares = {}
    for k in (2, 10, 30):
        kept = torch.as_tensor(pca(X, k)).square().sum()
        shares[f"first {k} directions"] = float(kept / centred.square().sum())
    show_table(shares, columns=("share of variance",), format=".2f")
    reveal("10-pca", round(shares["first 2 directions"], 2))

# %% [markdown] key="pca-lesson" further=true
# Two directions keep 30 % of the variance. So PCA's map leaves out most of the data, and you know how much.

# %% [markdown] key="own-maps" further=true
# ## B · Maps of what you trained
#
# We apply map and test to tables from earlier notebooks. Do the language model's words first; if you do a second, take “Two languages, one space?”.
#
# ### The language model's words
#
# > “如果embedding训练得好，"爱"、"喜欢"等情感词应该彼此接近”\
# > (*if the embedding is trained well, words of feeling such as “love” and “like” should be near one another*). S1, *6.2 embedding可视化*
#
# These are the 168 words of known classes from notebook 04. Each vector is scaled to length 1, so near means a large cosine. Rest the mouse on a point, and its word appears.

# %% key="predict-verbs" further=true
predict("10-verbs", "Silhouette of the nine classes (person, food …) on this map?",
        guess=None, choices={"above": "above 0", "below": "below 0"})

# %% key="word-map" further=true
x, kinds = four_clouds.word_cloud(words)
spelt, kind = [words.words[row] for row in kinds], list(kinds.values())
with waiting_for(*PIECES):
    word_map = make_map(pieces, x, perplexity=15)
    hover_map.show_classes(word_map.y, spelt, kind)

# %% key="word-test" further=true
labels = torch.tensor([sorted(set(kind)).index(name) for name in kind])
with waiting_for("cluster_test", "trustworthiness", *PIECES):
    result = cluster_test(x, word_map.y, labels, torch.Generator().manual_seed(0))
    show_table({"nine classes": test_row(result)}, TEST_COLUMNS, ".3f")
    show_table({
        "trustworthiness": float(trustworthiness(x, word_map.y, 5)),
        "nearest five kept": neighbourhoods.kept(x, word_map.y, 5),
        "same class, table": neighbourhoods.same_kind(x, kind),
        "same class, map": neighbourhoods.same_kind(word_map.y, kind),
    }, format=".2f")
    reveal("10-verbs", "above" if result["map"] > 0 else "below")

# %% [markdown] key="word-lesson" further=true
# The silhouette is below zero, although 8 of 10 words have a nearest word of their own class. Both are true. *Verb* is not one island. In our run eat, eats and ate have one, swam, ran and sang another, give and gave a third. The silhouette asks whether a class is **one round lump**. The neighbours ask whether words of a class are near one another. Here the shuffled null is fair, since the classes were not cut out of the map. The classes are above chance, but they are not lumps: “real” is not “strong”.
#
# The map keeps only 6 of 10 neighbours. So ask the table before you say anything about a word.

# %% key="neighbours" further=true
with waiting_for(*PIECES):
    in_table = neighbourhoods.nearest_of(x, 4)
    on_map = neighbourhoods.nearest_of(word_map.y, 4)
    rows = {}
    for word in ("mother", "reading", "coffee"):
        index = spelt.index(word)
        near = [f"{spelt[row]} {x[index] @ x[row]:.2f}" for row in in_table[index]]
        rows[word] = (", ".join(near), ", ".join(spelt[row] for row in on_map[index]))
    show_table(rows, columns=("in the table", "on the map"))

# %% [markdown] key="coffee-lesson" further=true
# In our run *coffee* has no near neighbour: its best cosine is below 0.6. On a map it must be *somewhere*, and the words beside it look related.

# %% [markdown] key="real-text" further=true
# ### Words of a real text
#
# The words above belong to the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar made for this course. So their classes are known. Now we map words of a real text, the Python language reference. You trained vectors on it in the further part of notebook 04 (“Word vectors of a real text”), or they are recorded. The map shows words that we sorted into kinds by hand, and the 60 most frequent of the others.

# %% key="real-map" further=true
from embedding_course.experiments.tsne_visualisation import real_words

real = table("04_reference")
chosen = real_words.choose(real)
with waiting_for(*PIECES):
    real_map = make_map(pieces, chosen.x, perplexity=10)
    hover_map.show_real_words(real_map.y, chosen.words, chosen.marks, chosen.kinds)

# %% key="real-test" further=true
n = chosen.listed
names = sorted(set(chosen.marks))
mark_labels = torch.tensor([names.index(mark) for mark in chosen.marks[:n]])
pairs = table_health.similar_pairs(real, 6)
show_table({f"{a} {b}": cosine for a, b, cosine in pairs}, ("cosine",), ".2f")
with waiting_for("cluster_test", *PIECES):
    generator = torch.Generator().manual_seed(0)
    result = cluster_test(chosen.x[:n], real_map.y[:n], mark_labels, generator)
    show_table({"five marks": test_row(result)}, TEST_COLUMNS, ".3f")
    same = [neighbourhoods.same_kind(points, chosen.kinds[:n])
            for points in (chosen.x[:n], real_map.y[:n])]
    show_table({"nearest of the same kind": same}, ("table", "map"), ".2f")

# %% [markdown] key="real-lesson" further=true
# Here the silhouette of the five marks is above zero on the map and in the data. *should, must, can* form one lump, *bytes, int, float* another, and the statements a third. The closest pairs are not on our lists: *spam* and *bacon*, *bar* and *baz* are names in examples. A map of real words can show such things. We keep the micro-language where every class, form and translation must be known.

# %% [markdown] key="two-text" further=true
# ### Two languages, one space?
#
# Your translator of notebook 05 has a Chinese table and an English one. It translates 狗 as *dog*; do the two words lie side by side? We put both tables on one map.

# %% key="predict-two" further=true
predict("10-two", "What share of 71 words lies nearest to its translation? (0 to 1)",
        guess=None, within=0.5)

# %% key="two-map" further=true
both_tables = torch.cat([chinese.vectors[4:], english.vectors[4:]])
sizes = torch.tensor([len(chinese.words) - 4, len(english.words) - 4])
language = torch.arange(2).repeat_interleave(sizes)
with waiting_for(*PIECES):
    y = make_map(pieces, both_tables, perplexity=15, steps=250).y
    name = "the translator's words"
    maps.show_maps(
        {name: y}, {name: language}, "Do translations lie side by side?",
        names=["Chinese", "English"],
        alt="Chinese and English words of the translator: one round cloud, both mixed.",
    )

# %% key="two-test" further=true
from embedding_course.experiments.tsne_visualisation import language_alignment

pairs = language_alignment.dictionary()
in_chinese, in_english = zip(*pairs, strict=True)
zh = chinese.vectors[[chinese.words.index(word) for word in in_chinese]]
en = english.vectors[[english.words.index(word) for word in in_english]]
same, expected = language_alignment.same_language(
    chinese.vectors[4:], english.vectors[4:]
)
hits = (language_alignment.ranks(zh, en) == 1).float().mean().item()
show_table({"nearest is of the same language": (same, expected),
            "nearest is the translation": (hits, 1 / len(pairs))},
           columns=("measured", "by chance"), format=".3f")
reveal("10-two", round(hits, 2))

# %% [markdown] key="bug-mixed" further=true
# ### Find the bug: “they overlap, so the model has found a common space”
#
# Mixed is not aligned. Two clouds of noise around the same point overlap as well. Nothing ever compared the two tables. One LSTM reads the first, and another writes from the second. The layers between learn which word belongs to which.
#
# But tables of two languages can be compared. Take vectors made for each language **by itself**, from the contexts of its words (as in notebook 05). No sentence pair is used. Now allow one **rotation** of the Chinese space, mirroring included (orthogonal **Procrustes rotation**, [普氏旋转](../glossary.md#maps)). We fit it on half of the dictionary and test on the other half.

# %% key="predict-rotation" further=true
predict("10-rotation", "Share with the translation among five? (chance: 0.07)",
        guess=None)

# %% key="rotation" further=true
zh = language_alignment.rows_of(language_alignment.company("chinese"), in_chinese)
en = language_alignment.rows_of(language_alignment.company("english"), in_english)
before = language_alignment.ranks(zh, en)
aligned = [language_alignment.learn_rotation(zh, en, seed) for seed in range(10)]
after = torch.cat([
    language_alignment.ranks(split.rotated, en)[~split.known] for split in aligned
])
show_table(
    {name: ((ranks == 1).float().mean(), (ranks <= 5).float().mean())
     for name, ranks in {"as they are": before, "rotated, 10 splits": after}.items()},
    columns=("first", "among five"), format=".2f",
)
reveal("10-rotation", round((after <= 5).float().mean().item(), 2))

# %% key="rotation-map" further=true
with waiting_for(*PIECES):
    together = make_map(pieces, torch.cat([aligned[0].rotated, en]), perplexity=15)
    hover_map.show_pairs(together.y, in_chinese, in_english)

# %% [markdown] key="rotation-lesson" further=true
# Teachers lie by teachers and drinks by drinks, in both languages. The *shape* of the two clouds is the same, since people say the same things in both. Only the coordinates differ. Coordinates of separately
# trained tables are arbitrary (Mikolov et al. 2013; Conneau et al. 2018 aligned them without any dictionary). For real languages it works less well; our two languages say exactly the same.

# %% [markdown] key="functions-text" further=true
# ### The search engine's functions
#
# numpy, torch and scipy share many names, such as `numpy.linalg.svd` and `torch.linalg.svd`. Your engine of notebook 09 has vectors of these functions from their documentation, names included. A line joins functions of the same name. Is the space ordered by purpose or by library?

# %% key="predict-functions" further=true
predict("10-functions", "What share lies nearest to a namesake elsewhere? (0 to 1)",
        guess=None)

# %% key="functions" further=true
from embedding_course.experiments.tsne_visualisation import function_map

functions = function_map.functions()
with waiting_for(*PIECES):
    if functions is not None:
        links, share = function_map.namesakes(functions)
        laid_functions = make_map(pieces, functions.vectors, perplexity=10)
        hover_map.show_functions(laid_functions.y, functions.words, links)
        reveal("10-functions", round(share, 2))

# %% [markdown] key="functions-lesson" further=true
# By purpose more than by library: in the recorded engine 58 % lie nearest to a namesake. But the engine also reads the *name*, so part of this is spelling. To know how much, hide the names and train again. Ask of every map what its vectors were made from.

# %% [markdown] key="v-text" further=true
# ### Clusters against known classes: V-measure
#
# Where true classes are known, **V-measure** ([V 测度](../glossary.md#maps)) says how well a grouping agrees with them, from 0 to 1. (S4 names it for the quality of clusters, *大规模训练*.) We group the digits by k-means in the data and on two maps.

# %% key="predict-v" further=true
predict("10-v", "Where do ten groups of k-means agree best with the digits?",
        guess=None, choices={"data": "in the data", "t-SNE": "on the t-SNE map",
                             "PCA": "on the PCA map"})

# %% key="v-measure" further=true
from sklearn.metrics import adjusted_mutual_info_score, v_measure_score

views = {"data": X, **digit_maps}
agrees = {name: float(v_measure_score(digit, cut(y, 10))) for name, y in views.items()}
show_table(agrees, ("V-measure",), ".2f")
reveal("10-v", max(agrees, key=agrees.get))

# %% [markdown] key="v-lesson" further=true
# On the t-SNE map, this time. t-SNE moves real groups apart, so k-means finds them more easily. Maps are not bad; they are unreliable evidence.
#
# V-measure can mislead, too. We group the 500 digits **at random**.

# %% key="predict-chance" further=true
predict("10-chance", "V-measure of 100 random groups and the ten digits? (0 to 1)",
        guess=None)

# %% key="chance" further=true
chance_scores = {}
for number in (10, 100, 250):
    generator = torch.Generator().manual_seed(0)
    random_groups = torch.randint(number, (500,), generator=generator)
    chance_scores[f"{number} random groups"] = (
        float(v_measure_score(digit, random_groups)),
        float(adjusted_mutual_info_score(digit, random_groups)),
    )
show_table(chance_scores, ("V-measure", "adjusted mutual information"), ".2f")
reveal("10-chance", round(chance_scores["100 random groups"][0], 2))

# %% [markdown] key="chance-lesson" further=true
# V-measure is not 0 by chance, and it rises with the number of groups. Compare only equal numbers of groups, or use adjusted mutual information, which is corrected for chance.

# %% [markdown] key="drift-text" further=true
# ## C · Two versions in one index
#
# You train a search engine again and encode its documents anew, one after the other. Meanwhile half of the index still holds vectors of the old version. The shapes agree, so nothing raises an error. This change of vectors between versions is **drift** ([漂移](../glossary.md#maps)). Do the first
# measurement here; “Two versions of your engine” and “Who notices?” can wait.
#
# The model is small, so that you can train it ten times: **latent semantic analysis** (LSA, [潜在语义分析](../glossary.md#maps)). It takes the TF-IDF weights of a text's words and keeps the 64 directions with the largest sum of squares. It does not subtract the mean, so these are not the directions of largest variance. The first one is almost the mean text itself.
# The documents are 300 paragraphs of the Python language reference. Every other word is the query, and the remaining words are the document. Each version is fitted on one half of the other paragraphs.

# %% key="drift-versions" further=true
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from embedding_course.experiments.tsne_visualisation import drift

def two_versions(seed):
    """Fit LSA on each half of the other paragraphs; both versions encode all texts."""
    texts = drift.reference_pairs(seed)
    weigh = TfidfVectorizer(token_pattern=r"\S+", min_df=2, sublinear_tf=True)
    weigh.fit(texts.others)
    parts = [weigh.transform(part) for part in texts]  # queries, documents, others
    halves = parts[2][::2], parts[2][1::2]
    svds = [TruncatedSVD(64, random_state=seed).fit(half) for half in halves]
    return [
        drift.Version(*(
            F.normalize(torch.from_numpy(svd.transform(part)).float(), dim=1)
            for part in parts
        ))
        for svd in svds
    ]

# %% key="drift-recall" further=true
versions = [two_versions(seed) for seed in range(5)]  # five draws of the 300 paragraphs
old, new = versions[0]
show_table({f"version {number}": drift.first(lsa.queries, lsa.documents).float().mean()
            for number, lsa in ((1, old), (2, new))}, ("recall@1",), ".2f")
cosine = (old.documents * new.documents).sum(dim=1).mean()
say("mean cosine of both vectors: {cosine:.2f}", cosine=float(cosine))

# %% key="lsa-mean" further=true
texts = drift.reference_pairs(0)
weights = TfidfVectorizer(token_pattern=r"\S+", min_df=2, sublinear_tf=True)
weights = weights.fit_transform(texts.others)[::2]
first = torch.from_numpy(TruncatedSVD(64, random_state=0).fit(weights).components_[0])
mean_text = torch.from_numpy(np.asarray(weights.mean(axis=0))[0])
cosine = F.cosine_similarity(first, mean_text, dim=0).abs().item()
say("first direction, mean text: cosine {cosine:.4f}", cosine=cosine)

# %% key="predict-drift" further=true
predict("10-drift", "Half of the documents are old, queries are new. Recall@1 now?",
        guess=None, within=0.05)

# %% key="drift-mixed" further=true
stale = torch.arange(len(new.documents)) % 2 == 1  # not encoded anew
mixed = torch.where(stale[:, None], old.documents, new.documents)
# Procrustes rotation, fitted on documents that have both vectors
left, _, right = torch.linalg.svd(old.others.T @ new.others)
rotated = torch.where(stale[:, None], old.documents @ left @ right, new.documents)
recalls = {}
for name, index in (("mixed", mixed), ("old vectors rotated", rotated)):
    hit = drift.first(new.queries, index).float()
    recalls[name] = (hit.mean(), hit[~stale].mean(), hit[stale].mean())
show_table(recalls, ("recall@1", "new documents", "old documents"), ".2f")
reveal("10-drift", round(recalls["mixed"][0].item(), 2))

# %% key="drift-figure" further=true
from embedding_course.plot import drift as drift_pictures

runs = [drift.mixtures(*both) for both in versions]
states = {name: [run[name].float().mean().item() for run in runs] for name in runs[0]}
drift_pictures.show_drift({"LSA, other half of the texts": states})

# %% [markdown] key="drift-lesson" further=true
# Almost none of the old documents is found. The new ones are found a little more often than before, since they have fewer rivals. So recall falls by nearly half, and nothing raises an error. The rotation costs one matrix product and brings most of the loss back: on average over five draws, recall@1 is 35 % with the rotation, 22 % without it, and 38 % when all vectors are new. It needs documents that *both* versions have encoded. Both versions must also have learned the same shape. Here each was fitted on another half of the texts, so some is lost for good. Only encoding everything anew removes the drift. Until then search the old vectors with old queries, in an index of their own.

# %% [markdown] key="versions-text" further=true
# ### Two versions of your engine
#
# LSA takes its directions from the texts, and the other half of the texts has nearly the same ones. Your engine of notebook 09 starts with a table of random numbers. A second version can come about in several ways:
# - *trained on*: version 1 learned from half of the docstrings. Version 2 continues from it for as many steps, on all of them;
# - *the same random table*: trained again from the same first numbers, with other batches and other words dropped;
# - *another table*: with other first numbers as well. In 128 dimensions, and in 256 as in notebook 09.
#
# Such runs take minutes, so they are recorded, each from three seeds (`RERUN` takes your functions). They are measured on the 820 held-out pairs. Again half of the index is old.

# %% key="predict-versions" further=true
predict("10-versions", "Another table, 128 dimensions: what share of the loss does the "
        "rotation bring back? (0 to 1)", guess=None, within=0.1)

# %% key="versions-figure" further=true
from embedding_course.experiments.tsne_visualisation import engine_versions

learned = own("09.info_nce"), own("09.warmup_cosine")
rerun = RERUN and all(learned) and (lambda: engine_versions.measure(*learned))
engines = curves.load("10_drift", rerun=rerun)
drift_pictures.show_drift(engine_versions.states_of(engines))
show_table(
    {label: (engine_versions.brought_back(engines, way),
             engines.numbers[f"{way}, cosine"])
     for way, label in engine_versions.WAYS.items()},
    columns=("brought back", "cosine, rotated"), format=".2f",
)
reveal("10-versions", round(engine_versions.brought_back(engines, "other"), 2))

# %% key="versions-why" further=true
never_trained = zip(engines.curves["columns, all new"],
                    engines.curves["columns, all old, rotated"], strict=True)
say("Tables that were never trained:")
show_table({f"{width} dimensions": (all_new, all_old)
            for (width, all_new), (_, all_old) in never_trained},
           columns=("recall@1, new", "old, rotated"), format=".2f")
say("Another table, 128 dimensions:")
fitted = {f"fitted on {n} documents": engines.numbers[f"other, from {n}"]
          for n in engine_versions.FITTED}
show_table(fitted, columns=("recall@1, half old",), format=".3f")

# %% [markdown] key="versions-lesson" further=true
# What a rotation brings back depends on where version 2 came from. The numbers are means of three seeds; one standard error of a recall is 0.017.
# - *Trained on*: a document's two vectors are still alike. The mixed index finds about as much as version 1 did (0.53 and 0.55). Only what version 2 gained (0.58) is missing, and the rotation adds almost nothing.
# - *The same random table*: mixing loses 0.13, and the rotation brings back 38 % of it.
# - *Another table*: mixing loses twice as much, 0.26 in 128 dimensions and 0.25 in 256. The rotation brings back 42 % of it in 128, and 63 % in 256.
#
# So the rotation helps LSA and the wide engine most, and the narrow one less. Before training, the engine's table is a **random projection** ([随机投影](../glossary.md#maps)): each of 16,000 words has a random direction. That many directions do not fit into 128 dimensions. Each table therefore makes errors in its similarities, and two tables make different errors. A rotation keeps all similarities, so it cannot turn one table's errors into the other's. The tables that were never trained show it. In 128 dimensions the rotated one finds 0.03 where a new one finds 0.40. In 2,048 dimensions it is 0.53 of 0.57. Training brings both towards the same similarities, but not all the way. More documents to fit on help little: 128 bring 0.37, 2,048 bring 0.43, all 6,744 bring 0.44.
#
# If old vectors must serve beside new ones, train on from version 1. Before you rely on a rotation, look at the cosine of both vectors of documents that it was *not* fitted on. Where it is low, only encoding everything anew helps.

# %% [markdown] key="canaries-text" further=true
# ### Who notices?
#
# No error is raised, so you have to ask. **Canary queries** ([金丝雀查询](../glossary.md#maps)) are a fixed list of queries that version 1 answers, asked again at every deployment. A new version fails some of them without
# any fault, so one failure means nothing. We compute how many canaries keep both a false alarm and a missed alarm at most 5 % likely, if they fail independently of one another.

# %% key="canaries" further=true
def canary_row(healthy, broken):
    """Return the shares of canaries still found, and how many canaries are needed."""
    needed = drift.canaries_needed(healthy, broken)
    count, alarm = needed if needed else ("over 2,000", "–")
    return f"{broken:.0%}", f"{healthy:.0%}", count, alarm

rows = {}
for share in engine_versions.SHARES:
    draws = [drift.mixtures(*both, share) for both in versions]
    healthy = drift.still_found(draws, "all new")
    broken = drift.still_found(draws, "mixed")
    rows[f"LSA, {share:.0%} old"] = canary_row(healthy, broken)
for way, label in (("other", "another table"), ("on", "trained on")):
    healthy = engines.numbers[f"{way}, still found"]
    for share in engine_versions.SHARES:
        broken = engines.numbers[f"{way}, {share}, still found"]
        rows[f"engine, {label}, {share:.0%} old"] = canary_row(healthy, broken)
show_table(rows, ("found, mixed", "found, sound", "canaries", "alarm below"))

# %% [markdown] key="canaries-lesson" further=true
# If half of the index is old, 24 canaries are enough for LSA, and 16 for the engine from another table. If only the last tenth is old, it takes about 500 and 200. If version 2 was trained on from version 1, it takes 321 for half of the index, and nearly 2,000 for the last tenth. A small loss is hard to notice. It is cheaper to write the model's version beside each vector, and to refuse a search that mixes two.

# %% [markdown] key="health-further" further=true
# ## D · More on the health of a table
#
# Section 1 measured norms, directions and hubs. Here you see where the outlier test fails, and what tells more than statistics. If you do one exercise here, do `analogy`; part E uses it.

# %% [markdown] key="bug-outliers" further=true
# ### Find the bug: the outlier test that cannot fire
#
# > `outliers = torch.where(torch.abs(norms - mean_norm) > threshold * std_norm)[0]`\
# > S1, *6.3 embedding异常检测*, with `threshold=3.0`, to “检测异常大或异常小的向量” (*detect vectors that are anomalously large or small*)
#
# S1's encoders have a `padding_idx=0`. In such a table the test flags the padding row first, as in section 1. It also fails on small tables. Below, one row is a million times as long as all the others.

# %% key="predict-ten" further=true
predict("10-ten", "10 rows, one a million times as long: how many outliers are found?",
        guess=None, within=0)

# %% key="ten-rows" further=true
with waiting_for("norm_outliers"):
    found = {}
    for size in (5, 10, 11, 50):
        lengths = torch.eye(size)
        lengths[0] *= 1e6
        found[size] = len(norm_outliers(lengths))
    show_table({f"{size} rows": count for size, count in found.items()}, ("outliers",))
    reveal("10-ten", found[10])

# %% [markdown] key="ten-lesson" further=true
# The long row raises the mean and the standard deviation that it is compared with. Among $n$ rows no norm can lie further away than $(n-1)/\sqrt n$ standard deviations of the sample (`torch.std`). For ten rows that is 2.85.
# For the standard deviation of the population the bound is $\sqrt{n-1}$. For ten rows that is 3, which is not *more* than 3 either. For few rows compare with the **median** instead, since one outlier hardly changes it.

# %% [markdown] key="pairs-text" further=true
# ### Most similar pairs
#
# Section 1 found that the translator's tables have the same statistics as a table that was never trained. Now we print the pairs with the largest cosines.

# %% key="predict-healthy" further=true
predict("10-healthy", "Which table's most similar pairs make sense?", guess=None,
        choices={"language model": "the language model's",
                 "chinese": "the translator's Chinese one",
                 "english": "the translator's English one"})

# %% key="pairs" further=true
closest = {name: table_health.similar_pairs(rows, 4) for name, rows in trained.items()}
show_table({name: [f"{a} {b} {cosine:.2f}" for a, b, cosine in pairs]
            for name, pairs in closest.items()})
unit = F.normalize(untrained, dim=1)
largest = float((unit @ unit.T).triu(1).max())
say("largest cosine, never trained: {largest:.2f}", largest=largest)
reveal("10-healthy", "language model")

# %% [markdown] key="pairs-lesson" further=true
# The language model's pairs are *dad father*, *bicycle bike*, *give gave*. The translator's pairs have nothing to do with each other. Their cosines are no larger than those of random rows. Its tables started large, from N(0, 1), and a short training hardly moved them (notebook 02). What the translator learned is in its LSTMs. The language model's table started small, at 0.1, so training shaped it.
#
# S1's “trained well” needs a condition: trained so that the *table* had to learn. Most similar pairs, read by a person, told more than all the statistics.

# %% [markdown] key="analogy-text" further=true
# ### Analogies
#
# An **analogy** ([类比](../glossary.md#maps)): *eat* is to *eating* as *drink* is to …? If a difference of vectors means the same everywhere, then $E[\text{eating}] - E[\text{eat}] + E[\text{drink}]$ is near *drinking*.

# %% [markdown] exercise="10.analogy" further=true
# Answer by cosine. The three given words are not allowed as answers. We ask it 600 questions below, and 14,877 in part E.

# %% key="use-analogy" further=true
with waiting_for("analogy"):
    answers = {}
    for question in ("eat eating drink", "apple apples egg", "big bigger small",
                     "father mother dad", "he his she"):
        a, b, c = question.split()
        best = analogy(words.vectors, *map(words.words.index, (a, b, c)), 3)
        answers[f"{a} : {b} = {c} :"] = ", ".join(words.words[row] for row in best)
    show_table(answers)

# %% [markdown] key="bug-analogy" further=true
# ### Find the bug: picked examples, and a rule that helps
#
# Five examples prove nothing, and leaving out the three given words is a strong hint. So we ask *all* pairs of word forms, some 600 questions, and count three ways. First as above, then with all words allowed, and last by the word nearest to c, without any arithmetic.

# %% key="predict-analogy" further=true
predict("10-analogy", "Singular to plural, as above: what fraction is right? (0 to 1)",
        guess=None, within=0.2)

# %% key="quiz" further=true
from embedding_course.experiments.tsne_visualisation import real_words

reference = table("04_reference")
with waiting_for("analogy"):
    forms = table_health.form_pairs(words.words)
    quizzes = {name: table_health.quiz(words, pairs, analogy)
               for name, pairs in forms.items()}
    plurals = real_words.plurals(reference.words)
    in_text = table_health.quiz(reference, plurals, analogy)
    health_pictures.show_quiz({**quizzes, "real text,\nvalue : values": in_text})
    total = table_health.Quiz(*map(sum, zip(*quizzes.values(), strict=True)))
    show_table({"questions": total.asked,
                "b or c, all allowed": total.gave_b + total.gave_c})
    plural = quizzes["dog : dogs"]
    reveal("10-analogy", round(plural.right / plural.asked, 2))

# %% [markdown] key="quiz-lesson" further=true
# Plurals are right a quarter of the time, and just as often by naming c's nearest neighbour. The arithmetic adds nothing there. For *eat : eating* neighbours fail and the difference helps, so that direction is really in the table. In the real text 16 % are right, and 15 % by c's nearest neighbour. With all words allowed, half of the answers are b or c itself. Linzen (2016) and Rogers et al. (2017) found the same in famous tables. **Always print the baseline.**

# %% [markdown] key="glove-text" further=true
# ## E · Vectors that others trained
#
# Now we ask the same questions of published vectors. **GloVe** (Pennington et al. 2014) was trained on Wikipedia and on news: 400,000 English words, 50 dimensions. Do “Norms and hubs” first, then Google's analogies.
# For the maps, the vectors of 231 frequent words of eleven kinds are recorded, so you need not install anything.
#
# ### Norms and hubs
#
# In many tables the norm depends on how often a word occurs. GloVe's words are sorted by frequency, so the rank stands for it.

# %% key="glove-norms" further=true
from embedding_course.experiments.tsne_visualisation import published_words
from embedding_course.plot import published_words as published_pictures

rerun = RERUN and (lambda: published_words.measure_geometry(occurrences))
geometry = curves.load("10_glove", rerun=rerun)
published_pictures.show_norms_by_rank(geometry)

# %% [markdown] key="norms-lesson" further=true
# In GloVe the norm depends on frequency only weakly. The median norm falls from 5.4 for ranks 19 to 32 to 3.9 for the rarest words. The ten commonest words and signs have 5.0. From rank 3,000 on, words of about the same rank differ by more than that. Around rank 7,500, eight of ten have norms from 4.0 to 5.7.
#
# Next we count hubs among the first 10,000 words. Their ten nearest neighbours are found in four ways, and in noise of the same shape. The figure gives the **skewness** of the counts: third central moment, divided by the standard deviation cubed. It is 0 for a symmetric distribution, and large where a few words are in very many lists (Radovanović et al. 2010).

# %% key="glove-hubs" further=true
published_pictures.show_hubs(geometry)
rows = {}
for space, largest in published_words.hubs(geometry).items():
    never = geometry.numbers[f"{space}, never"]
    named = ", ".join(f"{word} {count}" for word, count in largest)
    rows[geometry.label(space)] = (f"{never:.0%}", named)
show_table(rows, columns=("never listed", "largest hubs"))

# %% [markdown] key="hubs-lesson" further=true
# By inner product *you* is listed for 643 words, and 30 % of the words are never listed. A longer vector has a larger inner product with everything that points its way. Centring alone does not help. Fewer words are never found (21 %), but the largest hub, *20003*, is now in 782 lists.
# It and *non-families*, *worldsources* and *fdch* are the four longest of these 10,000 vectors. They look like parts of fixed lines that news agencies and articles about towns repeat; your `norm_outliers` finds such rows.
#
# With vectors scaled to length 1, as for the cosine, the largest hub is in 78 lists. 2 % are never listed. Family names remain, which are alike among themselves: *smith*, *allen*, *collins*. Centred *and* scaled, the largest hub is in 66 lists, and 1 % are never listed. For noise it is 23 lists, and none is missing.
# So scale vectors before you search them, as in notebook 09. Centring helps further, and costs one subtraction.

# %% [markdown] key="glove-maps-text" further=true
# ### PCA beside t-SNE
#
# We map the 231 words by PCA and by your t-SNE. Rest the mouse on a word, and it is marked in both maps. The buttons above enlarge the maps; at 4 × every word has its name.

# %% key="glove-maps" further=true
glove = published_words.excerpt()
glove_kinds = [published_words.KIND_OF[word] for word in glove.words]
glove_x = F.normalize(glove.vectors, dim=1)
in_glove = neighbourhoods.same_kind(glove_x, glove_kinds)
with waiting_for("pca", "trustworthiness", *PIECES):
    by_tsne = {f"perplexity {k}": make_map(pieces, glove_x, k).y for k in (5, 15, 50)}
    glove_maps = {"PCA": torch.as_tensor(pca(glove_x, 2)), **by_tsne}
    rows = {
        name: (neighbourhoods.same_kind(y, glove_kinds),
               float(trustworthiness(glove_x, y, 10)))
        for name, y in glove_maps.items()
    }
    rows["in the table"] = (in_glove, 1.0)
    show_table(rows, columns=("same kind", "trustworthiness"), format=".3f")
    beside = {name: glove_maps[name] for name in ("PCA", "perplexity 15")}
    title = "Do words of one kind stand together?"
    hover_map.show_linked(beside, glove.words, glove_kinds, title)

# %% key="glove-perplexities" further=true
with waiting_for(*PIECES):
    beside = {name: glove_maps[name] for name in ("perplexity 5", "perplexity 50")}
    title = "What stays at another perplexity?"
    hover_map.show_linked(beside, glove.words, glove_kinds, title)

# %% [markdown] key="glove-maps-lesson" further=true
# *Same kind* is the share of words whose nearest neighbour is of their kind. In the table it is 0.88, on the PCA map 0.53, and on yours about 0.9. So these maps can be believed as far as neighbours go.
# (Small differences between table and maps may be luck.)
#
# In the table, 28 words have a nearest word of another kind. Ten of them are countries beside a city, and nine are cities beside a country. A country is near its capital in one way, and near its neighbours in another.
# Kinds stay together at both perplexities. What lies between them changes. In our run the days of the week stand beside the months at perplexity 50, and far from them at 5.
#
# ### Export to the Embedding Projector
#
# The **Embedding Projector** is a web page that draws vectors in three dimensions, by PCA, t-SNE and UMAP. It reads two files, and this function writes them.

# %% key="projector" further=true
def export_for_projector(folder, words, kinds, vectors):
    """Write vectors.tsv and metadata.tsv; files that exist are not overwritten."""
    texts = {
        "vectors.tsv": ["\t".join(f"{x:.6g}" for x in row) for row in vectors.tolist()],
        "metadata.tsv": ["word\tkind", *map("\t".join, zip(words, kinds, strict=True))],
    }
    for name in texts:
        if (Path(folder) / name).exists():
            raise FileExistsError(f"{Path(folder) / name} exists: name another folder")
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, lines in texts.items():
        (Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

try:
    export_for_projector("my_projector", glove.words, glove_kinds, glove.vectors)
except FileExistsError as error:
    print(error)
paths = sorted(Path("my_projector").glob("*.tsv"))
lines = {path.name: path.read_text("utf-8").count("\n") for path in paths}
show_table(lines, columns=("lines",))

# %% [markdown] key="google-text" further=true
# Open [projector.tensorflow.org](https://projector.tensorflow.org), choose *Load*, and give it both files. A metadata file of several columns needs a line of headings, and the vectors must not have one. So `metadata.tsv` has one line more.
#
# ### Google's analogies
#
# Part D asked about 600 questions of the micro-language. Google's test (Mikolov et al. 2013) has 19,544 in 14 categories, such as *Athens : Greece = Baghdad : ?* For 14,877 of them all four words are among GloVe's 30,000 commonest. We ask all of these and count as in part D. Your `analogy` leaves out the three given words. We measure how much this rule helps.

# %% key="predict-google" further=true
predict("10-google", "All words are allowed: what fraction is right? (0 to 1)",
        guess=None, within=0.25)

# %% key="google" further=true
rerun = RERUN and (lambda: published_words.measure_analogies(analogy))
google = curves.load("10_google", rerun=rerun)
in_category = published_words.quizzes(google)
published_pictures.show_google(in_category)

QUIZ_COLUMNS = ("right", "c's neighbour", "all allowed", "b itself", "c itself")

def quiz_row(quiz):
    """Return the counts of a quiz as fractions of its questions."""
    right = quiz.right, quiz.nearest_to_c, quiz.right_with_all
    return [count / quiz.asked for count in (*right, quiz.gave_b, quiz.gave_c)]

all_asked = table_health.Quiz(*map(sum, zip(*in_category.values(), strict=True)))
show_table({f"{all_asked.asked:,} questions": quiz_row(all_asked)}, QUIZ_COLUMNS, ".3f")
reveal("10-google", round(all_asked.right_with_all / all_asked.asked, 2))

# %% key="google-live" further=true
sample = published_words.sample(300)  # vectors and questions, if GloVe is installed
with waiting_for("analogy"):
    if sample:
        live = table_health.count_answers(*sample, analogy)
        name = f"yours, {live.asked} questions"
        show_table({name: quiz_row(live)}, QUIZ_COLUMNS, ".3f")

# %% [markdown] key="google-lesson" further=true
# With the three given words left out, 50 % are right. With all words allowed, 32 % are (one standard error is 0.4 points). The vectors are the same, so a third of the right answers are due to the rule. With all words allowed the answer is *c* itself in 46 % of the questions and *b* in 4 %. The difference of *a* and *b* is short, so the query stays near *c*. For past tense, *c* itself is the answer in 79 %.
#
# The nearest word to *c* alone has 17 %, so over all the arithmetic helps a lot. It helps most for nationalities (94 % against 16 %) and capitals of the world (74 % against 15 %). Family words follow (76 % against 27 %). For the 930 present participles (*code : coding*) it adds nothing: 43 %, and the nearest word alone has 42 %.
# Currencies, opposites and adverbs are right in 12 to 15 % only. A single number for an analogy test hides all this.
#
# ### The same in real tools
#
# scikit-learn has trustworthiness and t-SNE, and gensim has analogies. We compare them with your functions.

# %% key="real-tools" further=true
from sklearn.manifold import trustworthiness as scikit_trustworthiness

with waiting_for("trustworthiness", *PIECES):
    both = {"your map": glove_maps["perplexity 15"]}
    both["scikit-learn's map"] = scikit_map(glove_x, 15)
    show_table(
        {name: (float(trustworthiness(glove_x, y, 10)),
                float(scikit_trustworthiness(glove_x, y, n_neighbors=10)))
         for name, y in both.items()},
        columns=("your function", "scikit-learn's"), format=".6f",
    )

# %% key="gensim" further=true
with waiting_for("analogy"):
    given = [glove.words.index(word) for word in ("germany", "berlin", "france")]
    best = analogy(glove_x, *given, 3)
    answers = {"your analogy": ", ".join(glove.words[row] for row in best)}
    try:
        from gensim.models import KeyedVectors

        keyed = KeyedVectors(vector_size=50)
        keyed.add_vectors(glove.words, glove.vectors.numpy())
        best = keyed.most_similar(["berlin", "france"], ["germany"], topn=3)
        answers["gensim"] = ", ".join(word for word, _ in best)
    except ImportError:
        say("gensim is missing: %pip install gensim")
    show_table(answers)

# %% [markdown] key="real-tools-lesson" further=true
# They agree. Both trustworthiness functions give the same number for the same map. The two maps differ, since each starts from other points, but their trustworthiness is 0.975 both times.
# gensim scales all vectors to length 1 before it adds and subtracts. Your `analogy` takes rows as they are, so we gave it scaled ones. Then the words and their order are equal.

# %% [markdown] key="where" further=true
# ## F · Where this goes
#
# In biology, maps like these show tissues: each point is a cell, described by the activity of thousands of genes. Cells develop step by step, so often there are no clusters but a path. We map such a path, with cells spread evenly along it.

# %% key="predict-path" further=true
predict("10-path", "Is one unbroken path one piece on a map of perplexity 3?",
        guess=None, choices={"one": "one piece", "several": "several pieces"})

# %% key="path" further=true
with waiting_for(*PIECES):
    walk = clouds.cell_path()
    maps.show_time(
        {f"perplexity {k}": make_map(pieces, walk.x, k, 300).y for k in (3, 10, 40)},
        walk.groups,
    )
    reveal("10-path", "several")

# %% [markdown] key="where-lesson" further=true
# At perplexity 3 the path falls into pieces. Before you name a new type of cell for each island, test the data. UMAP (McInnes et al. 2018) is a faster method. This course has not tested whether its maps mislead in the same ways. Starting either method from the PCA map keeps more of the large picture (Kobak and Linderman 2021). Wattenberg et al. (2016), “How to
# use t-SNE effectively”, has the examples of section 4 to play with.

# %% [markdown] key="reflection" reflection=3
# ## 6 · In your own words (3 points, graded by a person)
#
# A colleague shows a t-SNE map of 2,000 customers. “Twelve segments! The one at the bottom is the largest island, so it is the most diverse. It is also furthest from the loyal customers. I tested the segments: I cut the map by k-means, and compared the silhouette of these labels in the data with shuffled labels. Significant!” What do you answer?
#
# *One point each: what sizes and gaps on a map say, and why. Why the test would say the same of noise. Two things to do instead, with what each outcome would mean.*

# %% [markdown] key="reflection-model" model_answer=true
# Sizes and gaps say nothing. Each point has its own β, so dense and sparse groups come out equally large. All points that are not neighbours are pushed away about alike. The labels were cut out of the map, so they follow the data's neighbourhoods. Shuffled labels do not depend on the data. In the notebook this test called Gaussian noise “real”. Instead: (a) Cut the data themselves, and noise of the same mean and covariance, in the same way. If the silhouette of the data is not larger, there are no segments to speak of. (b) Draw maps at several perplexities and seeds, and see whether the twelve stay. Or take labels that do not come from these data, such as what customers bought in the following month. For those the shuffled null is fair.

# %% [markdown] key="card-text"
# ## 7 · Summary
#
# First our five questions. t-SNE mapped MiniLM's vectors of the 3,112 documents together with the questions (recorded). Suppose that you searched **on this map**: the nearest document wins.

# %% key="five-questions"
laid = document_map.whole(rerun=RERUN and document_map.make)

def score_on_map(question):
    """Return how close each document lies to the question on the map."""
    return document_map.closeness(laid, question)

five_questions("10", "t-SNE map of MiniLM's vectors", score_on_map)

# %% key="document-map"
document_pictures.show_documents(laid, document_map.ranks(laid))

# %% [markdown] key="five-lesson"
# The map's trustworthiness is 0.984, and it keeps 57 % of the ten nearest documents. Two questions lie beside their answers. For *border of zeros* the right document falls from rank 37 by vectors to 288 on the map. For *r things* it falls from 14 to 350, and for *frequencies* it rises from 69 to 30. Five questions are few, but two dimensions have no room for all neighbours. So a map is not a search engine, and this row is worse than that of MiniLM's vectors. **Search in the vectors; draw the map afterwards.**
#
# Your card: two maps from your own parts, both cut into seven neat groups.

# %% key="card"
with waiting_for(*PIECES):
    panels, verdicts = {}, {}
    for name, letter in (("words that I trained", "D"), ("pure noise", "B")):
        y = make_map(parts, collections[letter], perplexity=15).y
        panels[name] = (y, cut(y, 7))
        test = fair[letter]
        found = "structure" if test.real else "no structure found"
        verdicts[name] = f"data {test.data:.2f}, null {test.null:.2f}: {found}"
    maps.card(panels, verdicts, "Which of my two maps shows nothing at all?")

# %% [markdown] key="take-along"
# **What you take along.** Measure a table before you draw it. A map shows which points are near which; its sizes, gaps and clumps prove nothing. Test clusters in the data, against a null made in the same way.
#
# Notebook 11 puts the whole engine together.

# %% key="progress"
progress()
