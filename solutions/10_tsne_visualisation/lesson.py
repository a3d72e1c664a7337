# %% [markdown] key="title"
# # 10 · t-SNE and table health
#
# **When may one believe a map?**
#
# You have trained vectors of words, sentences and functions. One cannot draw 16 dimensions, let alone 300, so one draws maps of
# them, most of them with **t-SNE** ([t 分布随机邻域嵌入](../glossary.md#maps)). You write t-SNE here, and learn what its maps do not show. (S1 to S5 are the five Chinese tutorials that this course grew out of; `ledger("10")` lists what they claim.)
#
# **Afterwards you can**
# - write t-SNE from its four parts, and check its gradient;
# - say what a map shows, and the three things that it seems to show and does not;
# - test whether clusters are in the data or only on the map, and avoid a test that always says yes;
# - further: examine a table (norms, outliers, directions, most similar pairs, analogies), and say what a good result does *not* prove.
#
# **{minutes}.** Builds on notebooks 02 (checking a gradient), 04 (entropy, perplexity) and 09 (cosine); draws the tables that you trained in 04, 05
# and 09, or recorded ones.

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

from embedding_course import case, check, glossary, hint, ledger, predict, progress, reveal, waiting_for

# %% key="figures"
from sklearn.manifold import TSNE
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_mutual_info_score, v_measure_score
from embedding_course.experiments import curves
from embedding_course.experiments.tsne_visualisation import clouds, digits_map, drift, engine_versions, four_clouds, function_map
from embedding_course.experiments.tsne_visualisation import language_alignment, neighbourhoods, published_words, real_words, table_health
from embedding_course.experiments.tsne_visualisation.fair_null import cut, fair_test, said
from embedding_course.experiments.tsne_visualisation.map_making import Pieces, divergence, make_map, scikit_map, slopes
from embedding_course.learner.own_answers import own
from embedding_course.plot import hover_map, maps, tsne_steps
from embedding_course.plot import drift as drift_pictures
from embedding_course.plot import published_words as published_pictures
from embedding_course.plot import table_health as health_pictures
from embedding_course.plot.chinese import say_how
from embedding_course.learner.own_tables import table

RERUN = False  # True: the map of all 1,797 digits is made again, with your functions (about two minutes)

# %% [markdown] key="riddle-text"
# ## 1 · Four maps, one of nothing
#
# Below are four collections of vectors, put on a map by scikit-learn's t-SNE. Colours and shapes are seven groups that k-means found **on the map**.
# Words of two models that you trained, handwritten digits, and one collection that is pure noise: independent Gaussian numbers, with
# nothing in them to find.

# %% key="riddle-data"
words, chinese, english = table("04_words"), table("05_chinese"), table("05_english")
collections = four_clouds.four_clouds(words, chinese)
drawn = {name: scikit_map(x, perplexity=10) for name, x in collections.items()}
groups = {name: cut(y, 7) for name, y in drawn.items()}
X, digit = four_clouds.digits(500)  # 500 scans of handwritten digits, 8 × 8 grey values each: 64 dimensions

# %% key="predict-riddle"
predict("10-riddle", "Which of the four is pure noise?", guess=None,
        choices={"A": "A", "B": "B", "C": "C", "D": "D"})

# %% key="riddle-figure"
maps.show_maps(drawn, groups, "Which of four collections is pure noise?", alt="Four t-SNE maps, A to D, each cut into seven groups: C islands, D lumps, A and B round clouds.")

# %% [markdown] key="riddle-lesson"
# Keep your guess. In section 4 you will have a test that answers, and one of the other three will come out differently from what most expect.

# %% [markdown] key="pca-text" further=true
# ## A · The directions of largest variance
#
# First the plainest map. **Principal component analysis** (PCA, [主成分分析](../glossary.md#maps)) projects the points onto the directions in which they vary most. It is linear,
# and gives the same result each time, mirror images aside. Our points are 500 scans of handwritten digits, 8 × 8 grey values each: 64 dimensions.

# %% [markdown] exercise="10.pca" further=true
# Centre the points, find the directions of largest variance, and give the coordinates along them.

# %% key="predict-pca" further=true
predict("10-pca", "What fraction of the variance of the 64 grey values do the first two directions keep? (0 to 1)", guess=None)

# %% key="use-pca" further=true
with waiting_for("pca"):
    shadow = pca(X, 2)
    share = (shadow.square().sum() / (X - X.mean(dim=0)).square().sum()).item()
    notes = {"PCA": f"{share:.0%} of the variance"}
    maps.show_digits({"PCA": shadow}, digit, notes, alt="Digits by PCA: 4, 6 and 3 at the edges, the others mixed in the middle.")
    reveal("10-pca", round(share, 2))

# %% [markdown] key="tsne-idea"
# ## 2 · Neighbours instead of distances
#
# A projection to two dimensions loses most distances. t-SNE (van der Maaten and Hinton 2008) keeps only **neighbourhoods**: which points are near which. Four steps:
# distances, neighbours in the data, one distribution over all pairs, and a map that is fitted until its neighbours are the same. The points are
# `X`, 500 scans of handwritten digits, 8 × 8 grey values each: 64 dimensions.

# %% [markdown] exercise="10.squared_distances"
# First: how far is each point from each other one, squared?

# %% [markdown] key="perplexity-text"
# Now let every point *pick* a neighbour at random, near ones far more often:
#
# $$p_{j|i} \propto \exp(-\beta_i D_{ij})$$
#
# How fast the probability falls is set by $\beta_i$, and each point has one of its own. In a dense region (a crowd) a point has many neighbours close by; the neighbours of a lonely one are further away. So
# we do not fix β but the **number of neighbours**: the **perplexity** ([困惑度](../glossary.md#maps)), which is exp of the **entropy** ([熵](../glossary.md#language-models)) of a point's picks. The entropy says how uncertain a random pick is, on average; with the
# natural logarithm its unit is the **nat** ([奈特](../glossary.md#language-models)):
#
# $$H_i=-\sum_j p_{j|i}\ln p_{j|i}\quad(0\ln 0=0)\qquad\text{perplexity}_i=e^{H_i}$$
#
# The $\beta_i$ that gives it is then searched for. By hand, for the first of three points on a line, at 0, 1 and 3:

# %% key="three-points"
D_first = torch.tensor([1.0, 9.0])  # squared distances to the other two
for beta in (0.5, 0.05):
    p = torch.exp(-beta * D_first) / torch.exp(-beta * D_first).sum()
    H = -(p * p.log()).sum()
    print(f"β {beta:4}: p = {p[0]:.2f} and {p[1]:.2f}, entropy {H:.2f} nat, perplexity {H.exp():.2f}")

# %% [markdown] key="three-points-lesson"
# With β = 0.5 the point nearly always picks the near one: about one neighbour. With β = 0.05 it has nearly two.

# %% key="predict-beta"
predict("10-beta", "Whose β is larger?", guess=None,
        choices={"crowd": "that of a point in a crowd", "lonely": "that of a lonely point"})

# %% [markdown] exercise="10.conditional_probabilities"
# Entropy falls as β grows. So start with any β, double it until the perplexity is too low or halve it until it is too high; then halve the interval between, over and over.

# %% key="use-perplexity"
# waiting_for: while one of these functions is still a stub, the cell says so, and shows the figure that was recorded
with waiting_for("squared_distances", "conditional_probabilities"):
    D = squared_distances(X)
    picks = {f"perplexity {size}": conditional_probabilities(D, size)[7] for size in (5, 50)}
    tsne_steps.show_neighbours(X, 7, picks)
    crowd, lonely = neighbourhoods.crowd_and_lonely(lambda line: conditional_probabilities(squared_distances(line), 2.5))
    print(f"β in a crowd {crowd:.3g}, of a lonely point {lonely:.3g}")
    reveal("10-beta", "crowd" if crowd > lonely else "lonely")

# %% [markdown] key="bug-perplexity" further=true
# ### Find the bug: t-SNE of 15 words
#
# > `reducer = TSNE(n_components=2, random_state=42)`. S1, *6.2 embedding可视化*
#
# Two settings, and all the rest as it comes. The table of S1's own example has 15 rows (`torch.Size([15, 64])`, *3.1 核心概念辨析*). Try it with 15 of yours.

# %% key="fifteen" further=true
try:
    TSNE(n_components=2, random_state=42).fit_transform(words.vectors[4:19].numpy())
except ValueError as error:
    print("ValueError:", error)

# %% [markdown] key="fifteen-lesson" further=true
# The default perplexity is 30, and 15 points have no 30 neighbours. Asked for $n-1$ neighbours, every point would pick all others alike. A map of so few points says
# little anyway: print their table of cosines.

# %% [markdown] key="joint-text"
# Picking is not mutual: a lonely point picks others, but others hardly ever pick it. Then the map may put it anywhere. So both directions are averaged.

# %% [markdown] exercise="10.joint_probabilities"
# One distribution over all pairs, symmetric, with a total of 1.

# %% key="use-joint"
with waiting_for("squared_distances", "conditional_probabilities", "joint_probabilities"):
    far_away = torch.cat([X[:99], X[:1] + 3])  # a scan far off the others
    picked = conditional_probabilities(squared_distances(far_away), 10)
    print(f"picked by the 99 others, all probabilities together: {picked[:, 99].sum():.1e}")
    print(f"its part of the symmetric p: {joint_probabilities(picked)[99].sum():.4f} (at least 1 / 2n = {1 / 200:.4f})")

# %% [markdown] key="map-side"
# ### The other side: the map
#
# On the map, neighbourhood is measured with another curve, $1/(1+\text{distance}^2)$, divided by its total over all pairs: $q_{ij}$. Why not a Gaussian here too? In 64 dimensions
# up to 65 points can all be equally far from each other, on a sheet of paper three.

# %% [markdown] key="corners-text" further=true
# ### Two curves
#
# Section 2 says that on a sheet of paper three points can all be equally far from each other, in 64 dimensions 65. And how much longer is the tail of the map's curve than that of a Gaussian?

# %% key="predict-corners" further=true
predict("10-corners", "How many points can be all equally far from each other in a room, in three dimensions?", guess=None, within=0)

# %% key="tails" further=true
reveal("10-corners", 4)
for distance in (1, 3, 6):
    print(f"distance {distance}: Gaussian {math.exp(-(distance**2)):.1e}, map's curve {1 / (1 + distance**2):.1e}")

# %% [markdown] key="tails-lesson"
# Two dimensions have no room for all of them. The map's curve has a long tail: points for which there is no room may be further away, and the loss hardly grows. The *t* of t-SNE is this curve (Student's t).
#
# The loss is the divergence of q from p, $\sum p_{ij}\ln(p_{ij}/q_{ij})$. Its gradient **pulls** a pair together if they are
# closer neighbours in the data than on the map, and **pushes** them apart otherwise:
#
# $$4\sum_j (p_{ij}-q_{ij})\,(y_i-y_j)\,/\,(1+|y_i-y_j|^2)$$

# %% [markdown] exercise="10.tsne_gradient"
# The gradient at every point, summed over all others.

# %% [markdown] key="check-text"
# Formulas for gradients are easily wrong, and the loss may fall all the same. So compare with a plain difference quotient: move one point a little in both directions, and
# see how the loss changes. Your `numeric_grad` of notebook 02 does it, if it was kept.

# %% key="numeric-tried"
PIECES = ("squared_distances", "conditional_probabilities", "joint_probabilities", "tsne_gradient")
with waiting_for(*PIECES):
    pieces = Pieces(squared_distances, conditional_probabilities, joint_probabilities, tsne_gradient)
    p, y = pieces.joint(X[:60].double(), 10), clouds.noise(60, 2).double()
    numeric_grad = own("02.numeric_grad") or slopes
    gradient, measured = tsne_gradient(p, y), numeric_grad(lambda moved: divergence(p, moved), y, 1e-5)
    for point, axis in ((0, 0), (7, 1), (42, 0)):
        print(f"point {point:2}, axis {axis}: the formula {gradient[point, axis]:+.8f}, measured {measured[point, axis]:+.8f}")
    print(f"largest difference of all {y.numel()}: {(gradient - measured).abs().max():.0e}")

# %% [markdown] key="loop-text"
# The rest is an ordinary optimizer (`embedding_course/experiments/tsne_visualisation/map_making.py`, 40 lines): start with random points close together and do gradient descent with momentum. One addition matters: in the first quarter of the
# steps p is multiplied by 12. This **early exaggeration** lets neighbours find each other while there is still room to pass.

# %% key="make-map" seconds=5
with waiting_for(*PIECES, after=["pieces"]):
    made = make_map(pieces, X, perplexity=30, steps=500, keep=(0, 50, 125, 250, 500))
    print(f"500 points, 500 steps: {made.seconds:.1f} processor seconds; loss {made.losses[-1][1]:.3f}")
    if made.frames:
        tsne_steps.show_making(made, digit)

# %% [markdown] key="making-lesson"
# Look at the widths: at the beginning the map is a thousandth wide. After the exaggeration ends, the points move apart and come to rest. The labels of the digits were not used.

# %% [markdown] key="stop" stop=true
# You have t-SNE: distances, neighbours, one distribution and its gradient, and a map of 500 digits that your own functions made. The
# second sitting asks how good it is and what it does not show.

# %% [markdown] key="quality-text"
# ## 3 · As good as scikit-learn's?
#
# Maps cannot be compared point by point: rotated or mirrored, a map is as good as before. What counts are the neighbours. **Trustworthiness** ([可信度](../glossary.md#maps)) asks of each neighbour on the map: is it one
# in the data? If not, how far down the list does it stand? 1 means that all neighbours on the map are neighbours in the data.

# %% [markdown] exercise="10.trustworthiness"
# Count the neighbours on the map that are none in the data, each with its rank.

# %% key="predict-trust"
predict("10-trust", "A map with the digits at random positions has about 0.5. What does PCA reach? (0.5 to 1)", guess=None, within=0.05)

# %% key="use-trust" seconds=5
centred = X - X.mean(dim=0)
shadow = centred @ torch.linalg.svd(centred, full_matrices=False).Vh[:2].T  # PCA
with waiting_for("trustworthiness", *PIECES, after=["made"]):
    rivals = {"PCA": shadow, "your t-SNE": made.y, "scikit-learn's t-SNE": scikit_map(X, 30), "chance": clouds.noise(500, 2)}
    trust = {name: float(trustworthiness(X, y, 10)) for name, y in rivals.items()}
    print({name: round(value, 4) for name, value in trust.items()})
    shown = ("PCA", "your t-SNE")
    notes = {name: f"trustworthiness {trust[name]:.3f}" for name in shown}
    maps.show_digits({name: rivals[name] for name in shown}, digit, notes, "Digits by PCA, mixed, and by t-SNE, an island for nearly every digit.")
    reveal("10-trust", round(trust["PCA"], 2))

# %% [markdown] key="whole-text"
# Yours and scikit-learn's differ in the third digit only. Theirs is faster from some thousand points on: it approximates far pairs with a tree (Barnes-Hut), where yours
# computes all $n^2$. All 1,797 digits, recorded with the course's own four functions (`RERUN` takes yours):

# %% key="whole"
everything = digits_map.whole(rerun=RERUN and (lambda: digits_map.make(*pieces)))
scans, names = four_clouds.digits(digits_map.ALL)
maps.show_digits({"all digits": everything}, names, {}, "All 1,797 digits: ten islands, some in two parts, a few digits on a wrong one.", size=5)
with waiting_for("trustworthiness"):
    print(f"trustworthiness {trustworthiness(scans, everything, 10):.3f}")

# %% [markdown] key="seems"
# ## 4 · What a map does not say
#
# Now to conclusions that are often drawn from maps. First: the **size** of an island. Below left, one cloud is ten times as wide as the other. Second: the **gaps**. Right, three clouds; the second gap is five
# times the first.

# %% key="predict-sizes"
predict("10-sizes", "In the data one cloud is 10 times as wide. How many times as wide is it on the map?", guess=None, within=0.3)

# %% key="sizes-figure"
with waiting_for(*PIECES, after=["pieces"]):
    toys = {"sizes": clouds.two_sizes(), "gaps": clouds.three_gaps()}
    toys = {name: (toy.x, make_map(pieces, toy.x, 30).y, toy.groups) for name, toy in toys.items()}
    maps.show_toys(toys)
    _, y, which = toys["sizes"]
    narrow, wide = ((y[which == one] - y[which == one].mean(dim=0)).norm(dim=1).mean() for one in (0, 1))
    reveal("10-sizes", round((wide / narrow).item(), 1))

# %% [markdown] key="sizes-lesson"
# As wide as the other. It has to be so: each point has its own β, so that all have equally many neighbours; that *removes* differences of density. And gaps: for points that are no neighbours at all p is next to 0, whether they are
# 10 or 60 apart in the data. How hard they push each other then depends on their positions on the map alone. Nor do the axes mean anything; so our maps have no numbers on them.
#
# Third: the **clumps**. The same two collections at four perplexities. Noise below: one round cloud in 50 dimensions.

# %% key="predict-grid"
predict("10-grid", "At which perplexity does the noise look most clustered? (2, 5, 30 or 100)", guess=None, within=0)

# %% key="grid" seconds=5
with waiting_for(*PIECES, after=["pieces"]):
    cases = {"digits": (X[:200], digit[:200]), "noise": (clouds.noise(200, 50), torch.zeros(200, dtype=torch.int64))}
    rows = {
        name: {f"perplexity {size}": (make_map(pieces, x, size, 400).y, which) for size in (2, 5, 30, 100)}
        for name, (x, which) in cases.items()
    }
    maps.show_grid(rows, alt="Digits hold together at perplexities 2 to 100; noise falls into small clumps at 2 and is round at 100.")
    reveal("10-grid", 2)

# %% [markdown] key="grid-lesson"
# So look at more than one perplexity. What is in the data stays; what comes and goes comes from the method. But looking is not testing.

# %% [markdown] key="test-text"
# ### Ask the data
#
# The **silhouette** ([轮廓系数，V 测度](../glossary.md#maps)) of a point compares its distance to its own group with that to the nearest other group: 1 is deep inside, 0 on the border, below 0 on the wrong side. It can be
# computed on the map *and in the data*, in all dimensions. And how large is it by chance? Shuffle the labels, many times: a **shuffled null** ([打乱标签的零分布](../glossary.md#maps)).

# %% [markdown] exercise="10.cluster_test"
# Silhouettes in the data and on the map, and the level that 95 % of the shuffles stay below. `silhouette_score(points, labels)` is imported above and gives the mean silhouette.

# %% key="use-test"
with waiting_for("cluster_test", *PIECES, after=["made"]):
    luck = torch.Generator().manual_seed(0)
    for name, which in (("which digit it is", digit[:200]), ("a die with ten sides", torch.randint(10, (200,), generator=luck))):
        found = cluster_test(X[:200], made.y[:200], which, luck)
        print(f"{name:20} {said(found)}")

# %% [markdown] key="bug-circular"
# ### Find the bug: a test that always says yes
#
# Where the true groups are not known, people take those that they see. Here are the four maps of section 1, with the seven groups that were cut **out of the map**. One of
# the four is noise.

# %% key="predict-circular"
predict("10-circular", "For how many of the four collections does the test say “real”? (0 to 4)", guess=None, within=0)

# %% key="circular"
with waiting_for("cluster_test"):
    luck, tested = torch.Generator().manual_seed(0), {}
    for name, x in collections.items():
        found = tested[name] = cluster_test(x, drawn[name], groups[name], luck)
        print(f"{name}: {said(found)}")
    reveal("10-circular", sum(bool(found["real"]) for found in tested.values()))

# %% [markdown] key="circular-lesson"
# Two lessons in one table. The silhouettes **on the map** are .3 and more, for noise as well; in the data two of them are nearly zero. And yet the test says *real*, four times. Its null is not fair: shuffled labels
# are independent of the data, while ours were cut out of it. Any labels that follow the neighbours, even a bit, have a larger silhouette than labels that do not depend on the data.
#
# **A null must be made in the same way as what is tested.** So cut noise as well: Gaussian noise with the data's own mean and covariance, cut by k-means just as the data are, twenty times.

# %% key="fair"
for name, x in collections.items():
    fair = fair_test(x, 7)
    print(f"{name}: data {fair.data:.3f}, noise of its shape up to {fair.null:.3f}, real: {fair.real}   ({four_clouds.NAMES[name]})")
reveal("10-riddle", "B")

# %% [markdown] key="fair-lesson"
# B was the noise. But A, the Chinese words of **your translator**, passes for noise as well! It gets nearly all sentences right; the further part looks into that (“Two languages, one space?”, and section B).

# %% [markdown] key="v-text" further=true
# ### Compared with the truth: V-measure
#
# Where true classes are known, **V-measure** says how well a grouping agrees with them: 0 not at all, 1 perfectly. (S4 names it for the quality of clusters, *大规模训练*.) Is k-means better in the 64 dimensions or on the map?

# %% key="predict-v" further=true
predict("10-v", "Where do ten groups of k-means agree better with the digits?", guess=None,
        choices={"data": "in the data", "map": "on the t-SNE map", "PCA map": "on the PCA map"})

# %% key="v-measure" further=true
with waiting_for(*PIECES, after=["made"]):
    views = {"data": X, "map": made.y, "PCA map": shadow}
    agrees = {name: v_measure_score(digit, cut(y, 10)) for name, y in views.items()}
    print({name: round(float(value), 2) for name, value in agrees.items()})
    reveal("10-v", max(agrees, key=agrees.get))

# %% [markdown] key="v-lesson" further=true
# On the map, this time. t-SNE moves real groups apart, which makes k-means easier. Maps are not bad; they are unreliable evidence.
#
# But V-measure can mislead, too. Group the 500 digits **at random** into 100 groups:

# %% key="predict-chance" further=true
predict("10-chance", "V-measure of 100 random groups against the ten digits? (0: no agreement)", guess=None)

# %% key="chance" further=true
for number in (10, 100, 250):
    random_groups = torch.randint(number, (500,), generator=torch.Generator().manual_seed(0))
    score, adjusted = v_measure_score(digit, random_groups), adjusted_mutual_info_score(digit, random_groups)
    print(f"{number:3} random groups: V-measure {score:.2f}, adjusted mutual information {adjusted:+.2f}")
    if number == 100:
        reveal("10-chance", round(float(score), 2))

# %% [markdown] key="chance-lesson" further=true
# Not 0, and with more groups it rises. V-measure is not corrected for chance: compare only equal numbers of groups, or take adjusted mutual information, which is.

# %% [markdown] key="own-maps"
# ## 5 · Maps of what you trained
#
# ### The language model's words
#
# > “如果embedding训练得好，"爱"、"喜欢"等情感词应该彼此接近”\
# > (*if the embedding is trained well, words of feeling such as “love” and “like” should be near one another*). S1, *6.2 embedding可视化*
#
# The 168 words of known classes from notebook 04, each vector of length 1, so that near means a large cosine. Rest the mouse on a point and its word appears.

# %% key="predict-verbs"
predict("10-verbs", "Silhouette of the nine classes (person, food, verb …) on this map?", guess=None,
        choices={"above": "above 0", "below": "below 0"})

# %% key="word-map"
x, kinds = four_clouds.word_cloud(words)
spelt, kind = [words.words[row] for row in kinds], list(kinds.values())
with waiting_for(*PIECES, after=["pieces"]):
    word_map = make_map(pieces, x, perplexity=15)
    hover_map.show_classes(word_map.y, spelt, kind)

# %% key="word-test"
number = torch.tensor([sorted(set(kind)).index(one) for one in kind])
with waiting_for("cluster_test", "trustworthiness", *PIECES, after=["word_map"]):
    found = cluster_test(x, word_map.y, number, torch.Generator().manual_seed(0))
    print(said(found))
    kept = neighbourhoods.kept(x, word_map.y, 5)
    print(f"trustworthiness {trustworthiness(x, word_map.y, 5):.3f}; of five nearest words the map keeps {kept:.0%}")
    in_table, on_map = neighbourhoods.same_kind(x, kind), neighbourhoods.same_kind(word_map.y, kind)
    print(f"nearest-neighbour accuracy (same class): in the table {in_table:.0%}, on the map {on_map:.0%}")
    reveal("10-verbs", "above" if found["map"] > 0 else "below")

# %% [markdown] key="word-lesson"
# Below zero, though most words have a neighbour of their own class. Both are true. *Verb* is not one island: in our run eat, eats and ate have one, swam, ran and sang another, give and gave a third. The silhouette
# asks whether a class is **one round lump**; the neighbours ask whether words of a class are near one another. And here the shuffled null is fair, since these classes were not cut out of the map: above chance, and still
# no lumps. “Real” is not “strong”.
#
# The map drops neighbours, so ask the table itself before you say anything about a word:

# %% key="neighbours"
with waiting_for(*PIECES, after=["word_map"]):
    before, after = neighbourhoods.nearest_of(x, 4), neighbourhoods.nearest_of(word_map.y, 4)
    for word in ("mother", "reading", "coffee"):
        at = spelt.index(word)
        near = ", ".join(f"{spelt[row]} {x[at] @ x[row]:.2f}" for row in before[at].tolist())
        print(f"{word}: in the table {near}; on the map {', '.join(spelt[row] for row in after[at].tolist())}")

# %% [markdown] key="coffee-lesson"
# In our run *coffee* has no near neighbour: its best cosine is below 0.6. On a map it must be *somewhere*, and the words beside it look related.

# %% [markdown] key="real-text" further=true
# ### Words of a real text
#
# The words of section 5 are those of the **micro-language** ([微型语言](../glossary.md#language-models)), a small grammar of Chinese and English that was made for this course; their classes come from that grammar. Nobody wrote one for the Python language reference. In the further part of notebook 04 you trained vectors on it
# (“Word vectors of a real text”); its thousand commonest words were kept, or are recorded. On the map: the words that lists made by hand sort into
# kinds, and the 60 commonest that are in no list.

# %% key="real-map" further=true
real = table("04_reference")
chosen = real_words.choose(real)
with waiting_for(*PIECES, after=["pieces"]):
    real_map = make_map(pieces, chosen.x, perplexity=10)
    hover_map.show_real_words(real_map.y, chosen.words, chosen.marks, chosen.kinds)

# %% key="real-test" further=true
n = chosen.listed
mark_number = torch.tensor([sorted(set(chosen.marks)).index(one) for one in chosen.marks[:n]])
with waiting_for("cluster_test", *PIECES, after=["real_map"]):
    print(said(cluster_test(chosen.x[:n], real_map.y[:n], mark_number, torch.Generator().manual_seed(0))))
    shares = [neighbourhoods.same_kind(points, chosen.kinds[:n]) for points in (chosen.x[:n], real_map.y[:n])]
    print(f"nearest listed word is of the same kind: in the table {shares[0]:.0%}, on the map {shares[1]:.0%}, of {n} words")
print("largest cosines of all:", " · ".join(f"{one} {other} {cosine:.2f}" for one, other, cosine in table_health.similar_pairs(real, 6)))

# %% [markdown] key="real-lesson" further=true
# Here the silhouette of the five marks is above zero on the map and in the data, where the micro-language's classes were below zero: *should, must, can* are one lump, *bytes, int, float* another, and the statements a third.
# And the closest pairs are of kinds that nobody listed: *spam* and *bacon*, *bar* and *baz* are names that examples use. Such things a map of real words can show. The micro-language
# stays for what needs the whole truth: every class and every word form is known there, and its Chinese twin. So the maps of section 5, the two languages (below) and most analogies are still its.

# %% [markdown] key="two-text" further=true
# ### Two languages, one space?
#
# Your translator of notebook 05 has a Chinese table and an English one. It translates 狗 as *dog*; do the two words lie side by side? Both tables on one map, Chinese as circles, English as squares.

# %% key="predict-two" further=true
predict("10-two", "Words of 71 translated pairs: the fraction whose nearest word of the other language is the translation? (0 to 1)",
        guess=None, within=0.5)

# %% key="two-map" further=true
say_how()
language = torch.arange(2).repeat_interleave(torch.tensor([len(chinese.words) - 4, len(english.words) - 4]))
with waiting_for(*PIECES, after=["pieces"]):
    both = make_map(pieces, torch.cat([chinese.vectors[4:], english.vectors[4:]]), perplexity=15, steps=250)
    name = "the translator's words"
    maps.show_maps({name: both.y}, {name: language}, "Do translations lie side by side?", names=["Chinese", "English"],
                   alt="Chinese and English words of the translator: one round cloud, both mixed.")

# %% key="two-test" further=true
pairs = language_alignment.dictionary()
in_chinese, in_english = zip(*pairs, strict=True)
ours = chinese.vectors[[chinese.words.index(word) for word in in_chinese]]
theirs = english.vectors[[english.words.index(word) for word in in_english]]
same, expected = language_alignment.same_language(chinese.vectors[4:], english.vectors[4:])
hits = (language_alignment.ranks(ours, theirs) == 1).float().mean().item()
print(f"nearest word is of the same language: {same:.0%} (by chance {expected:.0%})")
print(f"nearest word of the other language is the translation: {hits:.1%} (by chance {1 / len(pairs):.1%})")
reveal("10-two", round(hits, 2))

# %% [markdown] key="bug-mixed" further=true
# ### Find the bug: “they overlap, so the model has found a common space”
#
# Mixed is not aligned. Two clouds of noise around the same point overlap as well, and the nearest neighbours show that this is all there is to see. The tables were never compared with each other: an LSTM reads one, another writes
# from the other, and which word belongs to which is learned by the layers between them. Section B says why the tables look like noise.
#
# So tables of two languages cannot be compared? Take vectors that are made for each language **by itself**, from the contexts of its words (as in notebook 05). Not one sentence pair is used. Now allow a single
# **rotation** of the Chinese space (mirroring allowed), found from half of the dictionary (orthogonal Procrustes), and ask about the other half.

# %% key="predict-rotation" further=true
predict("10-rotation", "Fraction of the other 36 words whose translation is now among the five nearest of 71? (by chance 0.07)", guess=None)

# %% key="rotation" further=true
ours = language_alignment.rows_of(language_alignment.company("chinese"), in_chinese)
theirs = language_alignment.rows_of(language_alignment.company("english"), in_english)
before = language_alignment.ranks(ours, theirs)
aligned = [language_alignment.learn_rotation(ours, theirs, seed) for seed in range(10)]
after = torch.cat([language_alignment.ranks(one.rotated, theirs)[~one.known] for one in aligned])
print(f"as they are: first {(before == 1).float().mean():.0%}, among five {(before <= 5).float().mean():.0%}")
print(f"rotated, unseen words, 10 splits: first {(after == 1).float().mean():.0%}, among five {(after <= 5).float().mean():.0%}")
reveal("10-rotation", round((after <= 5).float().mean().item(), 2))

# %% key="rotation-map" further=true
with waiting_for(*PIECES, after=["pieces"]):
    together = make_map(pieces, torch.cat([aligned[0].rotated, theirs]), perplexity=15)
    hover_map.show_pairs(together.y, in_chinese, in_english)

# %% [markdown] key="rotation-lesson" further=true
# Teachers by teachers, drinks by drinks, in both languages. The *shape* of the two clouds is the same, since people say the same things in both; only the coordinates differ. Coordinates of separately
# trained tables are arbitrary (Mikolov et al. 2013; Conneau et al. 2018 did it without any dictionary). In a real language pair it works less well; our two languages say exactly the same.

# %% [markdown] key="functions-text" further=true
# ### The search engine's functions
#
# numpy, torch and scipy have many functions of the same name, `numpy.linalg.svd` and `torch.linalg.svd`. Your engine of notebook 09 has vectors of them from their documentation (names count too). A line joins
# namesakes. Is its space ordered by purpose or by library?

# %% key="predict-functions" further=true
predict("10-functions", "Fraction of functions whose nearest other one is a namesake from another library? (0 to 1)", guess=None)

# %% key="functions" further=true
functions = function_map.functions()
with waiting_for(*PIECES, after=["pieces"]):
    if functions is not None:
        links, share = function_map.namesakes(functions)
        laid = make_map(pieces, functions.vectors, perplexity=10)
        hover_map.show_functions(laid.y, functions.words, links)
        reveal("10-functions", round(share, 2))

# %% [markdown] key="functions-lesson" further=true
# By purpose more than by library: in the recorded engine 58 % stand nearest to a namesake. But the engine also reads the *name*, so part of this is spelling. To know how much, one would have to
# hide the names and train again. Ask that of every map: what were the vectors made from?

# %% [markdown] key="drift-text" further=true
# ### Two versions in one index
#
# A search engine is trained again, and its documents are encoded anew, one after the other. What does it find while half of the vectors in the index are still
# those of the old version? The shapes agree, so no error comes. This change of vectors between versions is called **drift** ([漂移](../glossary.md#maps)).
#
# The model is small, so that you can train it ten times: **latent semantic analysis** (LSA, [潜在语义分析](../glossary.md#maps)), the TF-IDF weights of a text's words, cut down to the 64 directions in which texts vary most.
# The documents are 300 paragraphs of the Python language reference: every other word is the query, the remaining words are the document. Each version is fitted on a half of the other paragraphs.

# %% key="drift-versions" further=true
def two_versions(seed):
    """LSA fitted on one half of the other paragraphs, and on the other half; both encode all texts."""
    texts = drift.reference_pairs(seed)
    weigh = TfidfVectorizer(token_pattern=r"\S+", min_df=2, sublinear_tf=True).fit(texts.others)
    weighed = [weigh.transform(part) for part in texts]  # queries, documents, others
    models = [TruncatedSVD(64, random_state=seed).fit(weighed[2][half::2]) for half in (0, 1)]
    return [drift.Version(*(F.normalize(torch.from_numpy(model.transform(part)).float(), dim=1) for part in weighed)) for model in models]

versions = [two_versions(seed) for seed in range(5)]  # five draws of the 300 paragraphs
old, new = versions[0]
print(f"version 1: recall@1 {drift.first(old.queries, old.documents).float().mean():.2f}, version 2: {drift.first(new.queries, new.documents).float().mean():.2f}")
print(f"cosine of the two vectors of one paragraph, on average: {(old.documents * new.documents).sum(dim=1).mean():+.2f}")

# %% key="predict-drift" further=true
predict("10-drift", "Half of the 300 documents still have vectors of version 1, queries are of version 2. What is recall@1 now?",
        guess=None, within=0.05)

# %% key="drift-mixed" further=true
stale = torch.arange(len(new.documents)) % 2 == 1  # every other document was not encoded anew
mixed = torch.where(stale[:, None], old.documents, new.documents)
found = drift.first(new.queries, mixed).float()
print(f"mixed: recall@1 {found.mean():.2f}; of documents encoded anew {found[~stale].mean():.2f}, of the others {found[stale].mean():.2f}")
left, _, right = torch.linalg.svd(old.others.T @ new.others)  # Procrustes, on documents that have both vectors
turned = torch.where(stale[:, None], old.documents @ left @ right, new.documents)
found_again = drift.first(new.queries, turned).float()
print(f"old vectors rotated, fitted on {len(old.others)} other documents: {found_again.mean():.2f}; of the others {found_again[stale].mean():.2f}")
reveal("10-drift", round(found.mean().item(), 2))

# %% key="drift-figure" further=true
runs = [drift.mixtures(*both) for both in versions]
states = {"LSA, other half of the texts": {name: [one[name].float().mean().item() for one in runs] for name in runs[0]}}
drift_pictures.show_drift(states)

# %% [markdown] key="drift-lesson" further=true
# Of the old documents next to none is found; the new ones are found more often than before, having fewer rivals. So recall falls by nearly half, and nothing raises an error. The
# rotation brings most of the loss back (in the five draws 35 %, after 22 % mixed and 38 % all new), and costs one product. It needs documents that *both* versions have encoded, and both versions have to have learned
# the same shape. Here each was fitted on another half of the texts, so some is lost for good. Only encoding everything anew ends it; until then ask the old vectors with old queries, in an index of their own.

# %% [markdown] key="versions-text" further=true
# ### Two versions of your engine
#
# LSA takes its directions from the texts, and another half of the texts has nearly the same ones. Your engine of notebook 09 begins with a table of random numbers. A second version of it can come about in several ways:
# - *trained on*: version 1 learned from half of the docstrings; version 2 is version 1 after as many further steps, on all of them;
# - *the same random table*: trained anew from the same first numbers, with other batches and other words left out;
# - *another table*: with other first numbers, too. In 128 columns, and in 256 as in notebook 09.
#
# Such runs take minutes, so they are recorded, each from three seeds, and measured on the 820 held-out pairs (`RERUN` takes your functions). Half of the index is old again.

# %% key="predict-versions" further=true
predict("10-versions", "Another table, 128 columns: how much of what mixing loses does the rotation bring back? (0: nothing, 1: all of it)",
        guess=None, within=0.1)

# %% key="versions-figure" further=true
learned = own("09.info_nce"), own("09.warmup_cosine")
engines = curves.load("10_drift", rerun=RERUN and all(learned) and (lambda: engine_versions.measure(*learned)))
drift_pictures.show_drift(engine_versions.states_of(engines))
for way, label in engine_versions.WAYS.items():
    part = engine_versions.brought_back(engines, way)
    print(f"{label.replace(chr(10), ' '):44} brought back {part:4.0%}; cosine of a document's two vectors, rotated, {engines.numbers[f'{way}, cosine']:.2f}")
reveal("10-versions", round(engine_versions.brought_back(engines, "other"), 2))

# %% key="versions-why" further=true
print("tables of random numbers, never trained: recall@1")
for (columns, new_alone), (_, rotated) in zip(engines.curves["columns, all new"], engines.curves["columns, all old, rotated"], strict=True):
    print(f"{columns:5} columns: all new {new_alone:.2f}, all old and rotated {rotated:.2f}")
print("trained, another table, 128 columns, half old: rotation fitted on")
for number in engine_versions.FITTED:
    print(f"{number:5} documents: {engines.numbers[f'other, from {number}']:.3f}")

# %% [markdown] key="versions-lesson" further=true
# What a rotation brings back depends on where version 2 came from (means of the three seeds; one standard error of a recall is 0.017):
# - *Trained on*: a document's two vectors are still alike. The mixed index finds about as much as version 1 did (0.53 and 0.55); only what version 2 gained (0.58) is lacking, and the rotation adds next to nothing.
# - *The same random table*: mixing loses 0.13, and the rotation brings back 38 % of it.
# - *Another table*: mixing loses twice as much, 0.26 in 128 columns and 0.25 in 256. The rotation brings back 42 % of it in 128, and 63 % in 256.
#
# So “a rotation brings most of it back” is true of LSA and of the wide engine, and not of the narrow one. Why? Before any training the engine's table is a **random projection** (随机投影): some 16,000 words, each with a random direction in 128 columns. So many
# directions do not fit into so few columns: each table says with errors which texts are alike, and two tables make different errors. A rotation keeps all likenesses, and so cannot turn the errors of one into those of the other. The tables that were never trained
# show it: in 128 columns the rotated one finds 0.03 where a new one finds 0.40; in 2,048, 0.53 of 0.57. Training brings both towards the same likenesses, but not all the way. More documents to fit on help less and less: 16 times as many as 128 bring 0.43 in place of 0.37, all 6,744 bring 0.44.
#
# So if old vectors must serve beside new ones, train on from version 1. And before you rely on a rotation, look at the cosine of both vectors of documents that it was *not* fitted on, as printed above: where it is low, only encoding everything anew helps.

# %% [markdown] key="canaries-text" further=true
# ### Who notices?
#
# No error comes, so somebody has to ask. **Canary queries** ([金丝雀查询](../glossary.md#maps)) are a fixed list of queries that version 1 answers, asked again at every deployment. A new version fails some of them without
# any fault, so a single failure means nothing. How many canaries tell a mixed index from a sound one? Below, the smallest number for which a false alarm and a missed one are both at most 5 % likely, if canaries fail independently.

# %% key="canaries" further=true
def canaries(name, healthy, broken):
    needed = drift.canaries_needed(healthy, broken)
    said_so = f"{needed[0]} canaries, alarm below {needed[1]}" if needed else "2,000 canaries do not tell"
    print(f"{name:36} still found {broken:.0%}, without a fault {healthy:.0%}: {said_so}")

for share in engine_versions.SHARES:
    part = [drift.mixtures(*both, share) for both in versions]
    canaries(f"LSA, {share:.0%} old", *(drift.still_found(part, state) for state in ("all new", "mixed")))
for way, label in (("other", "engine, another table"), ("on", "engine, trained on")):
    for share in engine_versions.SHARES:
        canaries(f"{label}, {share:.0%} old", *(engines.numbers[f"{way}, {state}"] for state in ("still found", f"{share}, still found")))

# %% [markdown] key="canaries-lesson" further=true
# For half an index, 24 canaries notice LSA and 16 the engine from another table; for the last tenth it takes some 500 and 200. Where version 2 was trained on it takes 321 for half the index, and for the last tenth nearly 2,000: what costs little is hard to notice. Cheaper than canaries is to write the model's version beside each vector, and to refuse a search that mixes two.

# %% [markdown] key="health-text" further=true
# ## B · The health of a table
#
# Maps aside, a trained table itself can be examined. First the **norms** ([范数](../glossary.md#the-table)) of its rows: mean, standard deviation, and rows that are far from the mean. Those may be words never seen, data errors, or nothing bad.

# %% [markdown] exercise="10.norm_outliers" further=true
# Find the rows whose norm is far from the mean norm.

# %% key="predict-outliers" further=true
predict("10-outliers", "Which row of the translator's Chinese table is an outlier by three standard deviations? (its word)", guess=None, text=True)

# %% key="norms" further=true
trained = {"language model": words, "translator, Chinese": chinese, "translator, English": english}
with waiting_for("norm_outliers"):
    outliers = {name: (found, [*map(int, norm_outliers(found.vectors))]) for name, found in trained.items()}
    health_pictures.show_norms(outliers)
    reveal("10-outliers", " ".join(chinese.words[row] for row in outliers["translator, Chinese"][1]) or "none")

# %% [markdown] key="bug-outliers" further=true
# ### Find the bug: the outlier test that cannot fire
#
# > `outliers = torch.where(torch.abs(norms - mean_norm) > threshold * std_norm)[0]`\
# > S1, *6.3 embedding异常检测*, with `threshold=3.0`, to “检测异常大或异常小的向量” (*detect vectors that are anomalously large or small*)
#
# S1's encoders have a `padding_idx=0`, and what this finds first in such a table you have just seen: a row that is zero on purpose. Leave out what is special before you test. The other trouble is small tables. Below,
# one row is a million times as long as all the others:

# %% key="predict-ten" further=true
predict("10-ten", "10 rows, one of them a million times as long: how many outliers does the test find?", guess=None, within=0)

# %% key="ten-rows" further=true
with waiting_for("norm_outliers"):
    for size in (5, 10, 11, 50):
        lengths = torch.eye(size)
        lengths[0] *= 1e6
        print(f"{size:2} rows: outliers {[*map(int, norm_outliers(lengths))]}")
    reveal("10-ten", len(norm_outliers(torch.diag(torch.tensor([1e6] + [1.0] * 9)))))

# %% [markdown] key="ten-lesson" further=true
# The long row raises the mean and the standard deviation that it is compared with. Among $n$ rows no norm can be further away than $(n-1)/\sqrt n$ standard deviations of the sample (`torch.std`, which divides by $n-1$): 2.85 for ten rows.
# For the standard deviation of the population (divided by $n$) the bound is $\sqrt{n-1}$: 3 for ten rows, which is not *more* than 3 either. For few rows compare with the **median** instead, which one outlier hardly changes.

# %% [markdown] key="directions-text" further=true
# ### Directions
#
# S1 prints a table's mean, standard deviation and mean norm under “检查embedding的统计特性” (*check the statistics of the embedding*; *6.1 embedding质量检查*). You have seen the norms. Do the rows use all directions as well? Two numbers more: the **mean cosine** of two words (far above 0: all vectors point into one cone, as in many large language models), and over how many **directions** the variance is distributed, counted
# like a perplexity. A table for which both are good is called **isotropic** ([各向同性](../glossary.md#the-table)). Beside your tables, one that was never trained.

# %% key="predict-healthy" further=true
predict("10-healthy", "Which table has the mean cosine nearest to 0?", guess=None,
        choices={"language model": "the language model's", "chinese": "the translator's Chinese one", "english": "the translator's English one",
                 "reference": "the reference's", "untrained": "the untrained one"})

# %% key="check-up" further=true
untrained = clouds.noise(235, 48)
examined = {"language model": words.vectors, "chinese": chinese.vectors, "english": english.vectors, "reference": real.vectors, "untrained": untrained}
results = {name: table_health.check_up(vectors) for name, vectors in examined.items()}
print(*(f"{name:15} {result}" for name, result in results.items()), sep="\n")
reveal("10-healthy", min(results, key=lambda name: abs(results[name].mean_cosine)))

# %% key="pairs" further=true
for name, found in trained.items():
    print(f"{name:20}", " · ".join(f"{one} {other} {cosine:.2f}" for one, other, cosine in table_health.similar_pairs(found, 5)))
unit = F.normalize(untrained, dim=1)
print(f"untrained: largest cosine of two rows {(unit @ unit.T).triu(1).max():.2f}")

# %% [markdown] key="healthy-lesson" further=true
# The best numbers belong to the table that was never trained. (The reference's mean cosine of +0.2 is such a cone: its common direction says little about single words.) And the translator's are indistinguishable from it by these numbers: about the same norms ($\sqrt{48}=6.9$), as many directions, the same largest cosines, and its “most similar” words have
# nothing to do with each other. So S1's “trained well” needs a condition: trained so that the *table* had to learn. This is the answer to the riddle of collection A (section 1). Its tables started from N(0, 1), large, and a short training hardly moved them (notebook 02); all that the translator learned is in its LSTMs. The
# language model's table started small, at 0.1. Training shaped it, and its pairs are *dad father*, *bicycle bike*, *she he*.
#
# **Isotropy is not quality.** Most similar pairs, read by a person, told more than all the numbers.

# %% [markdown] key="analogy-text" further=true
# ### Analogies
#
# An **analogy** ([类比](../glossary.md#maps)): *eat* is to *eating* as *drink* is to …? If a difference of vectors means the same everywhere, then $E[\text{eating}] - E[\text{eat}] + E[\text{drink}]$ is near *drinking*.

# %% [markdown] exercise="10.analogy" further=true
# Answer by cosine. The three given words are no answers.

# %% key="use-analogy" further=true
with waiting_for("analogy"):
    for question in ("eat eating drink", "apple apples egg", "big bigger small", "father mother dad", "he his she"):
        a, b, c = question.split()
        best = analogy(words.vectors, *map(words.words.index, (a, b, c)), 3)
        print(f"{a} : {b} = {c} : {', '.join(words.words[row] for row in best)}")

# %% [markdown] key="bug-analogy" further=true
# ### Find the bug: picked examples, and a rule that helps
#
# Five examples prove nothing, and “the three given words are no answers” is a strong hint. So ask *all* pairs of word forms, some 600 questions, and count three ways: as above; with all words allowed; and
# without any arithmetic, just naming the word nearest to c.

# %% key="predict-analogy" further=true
predict("10-analogy", "Singular to plural, as above: what fraction is right? (0 to 1)", guess=None, within=0.2)

# %% key="quiz" further=true
with waiting_for("analogy"):
    asked = {name: table_health.quiz(words, listed, analogy) for name, listed in table_health.form_pairs(words.words).items()}
    in_text = table_health.quiz(real, real_words.plurals(real.words), analogy)
    health_pictures.show_quiz({**asked, "real text,\nvalue : values": in_text})
    total = table_health.Quiz(*map(sum, zip(*asked.values(), strict=True)))
    print(f"all words allowed: of {total.asked} answers {total.gave_b + total.gave_c} are b or c itself")
    reveal("10-analogy", round(asked["dog : dogs"].right / asked["dog : dogs"].asked, 2))

# %% [markdown] key="quiz-lesson" further=true
# Plurals come out right a quarter of the time, and just as often by naming c's nearest neighbour: the arithmetic adds nothing there. *eat : eating* is different: neighbours fail, the difference helps. That direction is really in
# the table. In the real text 16 % come out right, and 15 % by c's nearest neighbour. Half of the free answers are b or c itself (Linzen 2016 and Rogers et al. 2017 found the same in famous tables). **Always print the baseline.**

# %% [markdown] key="glove-text" further=true
# ## C · Vectors that others trained
#
# Your tables are small, and you know how they were made. Now we ask the same questions of vectors that many people use. **GloVe** (Pennington et al. 2014) was trained on Wikipedia and on news: 400,000 English words, 50 dimensions.
# For the maps, the vectors of 231 frequent words of eleven kinds are recorded, so nothing has to be installed.
#
# First PCA beside your t-SNE. Rest the mouse on a word, and it is marked in both maps; the buttons above enlarge the maps, and at 4 × every word has its name.

# %% key="glove-maps" further=true
glove = published_words.excerpt()
glove_kinds = [published_words.KIND_OF[word] for word in glove.words]
glove_x = F.normalize(glove.vectors, dim=1)
print(f"same kind, in the table: {neighbourhoods.same_kind(glove_x, glove_kinds):.2f}")
with waiting_for("pca", "trustworthiness", *PIECES, after=["pieces"]):
    glove_maps = {"PCA": pca(glove_x, 2)}
    for size in (5, 15, 50):
        glove_maps[f"perplexity {size}"] = make_map(pieces, glove_x, size).y
    for name, y in glove_maps.items():
        same = neighbourhoods.same_kind(y, glove_kinds)
        trusted = trustworthiness(glove_x, y, 10)
        print(f"{name:13} same kind {same:.2f}, trustworthiness {trusted:.3f}")
    beside = {"PCA": glove_maps["PCA"], "perplexity 15": glove_maps["perplexity 15"]}
    hover_map.show_linked(
        beside, glove.words, glove_kinds, "Do words of one kind stand together?"
    )

# %% key="glove-perplexities" further=true
with waiting_for(*PIECES, after=["glove_maps"]):
    beside = {
        "perplexity 5": glove_maps["perplexity 5"],
        "perplexity 50": glove_maps["perplexity 50"],
    }
    hover_map.show_linked(
        beside, glove.words, glove_kinds, "What stays at another perplexity?"
    )

# %% [markdown] key="glove-maps-lesson" further=true
# *Same kind* is the share of words whose nearest neighbour is of their kind. In the table it is 0.88. On the PCA map it is 0.53, on yours 0.87 to 0.91. So these maps can be believed as far as neighbours go.
# (At perplexity 15 the map has eight words more with a neighbour of their kind than the table itself: few enough to be luck.)
#
# In the table, 28 words have a nearest word of another kind. 10 of them are countries beside a city, and 9 are cities beside a country. A country is near its capital in one way, and near its neighbours in another.
# Kinds stay together at both perplexities. What lies between them changes: in our run the days of the week stand beside the months at perplexity 50, and far from them at 5.
#
# ### Take the vectors along
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
for path in sorted(Path("my_projector").glob("*.tsv")):
    print(f"{path}: {len(path.read_text(encoding='utf-8').splitlines())} lines")

# %% [markdown] key="google-text" further=true
# Open [projector.tensorflow.org](https://projector.tensorflow.org), choose *Load*, and give it both files. A file of several columns needs a line of headings there, and the vectors must not have one; so `metadata.tsv` has one line more.
#
# ### Google's analogies
#
# Section B asked about 600 questions of the micro-language. Google's test (Mikolov et al. 2013) has 19,544 in 14 categories, such as *Athens : Greece = Baghdad : ?* For 14,877 of them all four words are among GloVe's 30,000 commonest;
# all of these were asked, and counted as in section B. Your `analogy` leaves the three given words out. How much does this rule help?

# %% key="predict-google" further=true
predict("10-google", "All words are allowed: what fraction is right? (0 to 1)",
        guess=None, within=0.25)

# %% key="google" further=true
rerun = RERUN and (lambda: published_words.measure_analogies(analogy))
google = curves.load("10_google", rerun=rerun)
in_category = published_words.quizzes(google)
published_pictures.show_google(in_category)
all_asked = table_health.Quiz(*map(sum, zip(*in_category.values(), strict=True)))
print(table_health.shares(all_asked))
reveal("10-google", round(all_asked.right_with_all / all_asked.asked, 2))

# %% key="google-live" further=true
sample = published_words.sample(300)  # vectors and questions, if GloVe is installed
with waiting_for("analogy"):
    if sample:
        live = table_health.count_answers(*sample, analogy)
        print("yours:", table_health.shares(live))

# %% [markdown] key="google-lesson" further=true
# With the three given words left out, 50 % are right; with all words allowed, 32 % (one standard error is 0.4 points). The vectors are the same, so a third of the right answers are due to the rule. The free answer is *c* itself in 46 % of the questions and *b* in 4 %: the difference
# of *a* and *b* is short, and the query stays near *c*. For past tense, *c* itself is the answer in 79 %.
#
# The nearest word to *c* alone has 17 %, so over all the arithmetic is worth a lot, and most for nationalities (94 % against 16 %), capitals of the world (74 % against 15 %) and family words (76 % against 27 %). For present participles (*code : coding*) it is worth nothing: 43 %, and the nearest word alone has 42 % (of 930 questions).
# Currencies, opposites and adverbs are right in 12 to 15 % only. One number for an analogy test hides all this.

# %% [markdown] key="hubs-text" further=true
# ### Norms and hubs
#
# Two more properties of a table decide what a search in it finds. The first is the norm. In many tables it depends on how often a word occurs. GloVe's words are sorted by frequency, so the rank stands for it.

# %% key="glove-norms" further=true
def occurrences(x, k):
    """How many points have each point among their k nearest, by inner product?"""
    counts = torch.zeros(len(x), dtype=torch.int64)
    for start in range(0, len(x), 500):
        similarity = x[start : start + 500] @ x.T
        rows = torch.arange(len(similarity))
        similarity[rows, start + rows] = float("-inf")  # no point is its own neighbour
        counts += similarity.topk(k).indices.flatten().bincount(minlength=len(x))
    return counts

rerun = RERUN and (lambda: published_words.measure_geometry(occurrences))
geometry = curves.load("10_glove", rerun=rerun)
published_pictures.show_norms_by_rank(geometry)

# %% [markdown] key="norms-lesson" further=true
# In GloVe the norm depends on frequency only weakly. The median norm falls from 5.4 for the words of rank 19 to 32 to 3.9 for the rarest. The ten commonest words and signs have 5.0. From rank 3,000 on, words of the same rank differ more than that: around rank 7,500, eight of ten have norms from 4.0 to 5.7.
#
# The second property is **hubness** ([枢纽现象](../glossary.md#the-table)). In many dimensions some points are among the nearest neighbours of very many others; such a point is a **hub**. A search returns hubs again and again,
# whatever the query is. Take the ten nearest neighbours of each of the first 10,000 words, and count how often each word occurs in these lists: ten times on average. The **skewness** of the counts (third central moment, divided by the
# standard deviation cubed) is 0 for a symmetric distribution, and large where a few words are in very many lists (Radovanović et al. 2010). Below, the neighbours are found in four ways, and in noise of the same shape.

# %% key="hubs" further=true
published_pictures.show_hubs(geometry)
for space, largest in published_words.hubs(geometry).items():
    never = geometry.numbers[f"{space}, never"]
    named = ", ".join(f"{word} {count}" for word, count in largest)
    print(f"{geometry.label(space):22} nobody's neighbour {never:4.0%}; hubs {named}")

# %% [markdown] key="hubs-lesson" further=true
# By inner product *you* is among the ten nearest of 643 words, and 30 % of the words are never found. A longer vector has a larger inner product with everything that points its way. Centring alone is no cure: fewer words are never found (21 %), but the largest hub, *20003*, is now in 782 lists.
# It and *non-families*, *worldsources* and *fdch* are the four longest vectors of these 10,000 words. They look like parts of fixed lines that news agencies and articles about towns repeat; your `norm_outliers` finds such rows.
#
# Scaled to length 1 (which is the cosine), the largest hub is in 78 lists, and 2 % are never found. Family names remain, which are alike among themselves: *smith*, *allen*, *collins*. Centred *and* scaled, the largest hub is in 66 lists, and 1 % are never found; with noise 23 and none.
# So scale vectors before you search them, as in notebook 09. Centring helps further, and costs one subtraction.
#
# ### The same in real tools
#
# scikit-learn has trustworthiness and t-SNE, gensim has analogies. Do they agree with your functions?

# %% key="real-tools" further=true
from sklearn.manifold import trustworthiness as scikit_trustworthiness

with waiting_for("trustworthiness", "analogy", after=["glove_maps"]):
    scikit = TSNE(perplexity=15, random_state=0).fit_transform(glove_x.numpy())
    both = {"yours": glove_maps["perplexity 15"], "scikit-learn's": scikit}
    for name, y in both.items():
        ours = trustworthiness(glove_x, torch.as_tensor(y), 10)
        theirs = scikit_trustworthiness(glove_x, y, n_neighbors=10)
        print(f"map {name:14} your trustworthiness {ours:.6f}, theirs {theirs:.6f}")
    given = [glove.words.index(word) for word in ("germany", "berlin", "france")]
    print("your analogy:", [glove.words[row] for row in analogy(glove_x, *given, 3)])
    try:
        from gensim.models import KeyedVectors

        keyed = KeyedVectors(vector_size=50)
        keyed.add_vectors(glove.words, glove.vectors.numpy())
        best = keyed.most_similar(["berlin", "france"], ["germany"], topn=3)
        print("gensim:      ", [word for word, _ in best])
    except ImportError:
        print("gensim is missing; %pip install gensim gets it")

# %% [markdown] key="real-tools-lesson" further=true
# They agree. Both trustworthiness functions give the same number for the same map. The two maps differ, since each starts from other points, but their trustworthiness is 0.975 both times.
# gensim scales all vectors to length 1 before it adds and subtracts. Your `analogy` takes rows as they are, so we gave it scaled ones; then the words and their order are equal.
# %% [markdown] key="where" further=true
# ## D · Where this goes
#
# In biology, maps like these show tissues: each point a cell, described by the activity of thousands of genes. Cells develop step by step, so there is often no cluster at all, but a path. Here is one, evenly walked:

# %% key="predict-path" further=true
predict("10-path", "One unbroken path on a map of perplexity 3?", guess=None,
        choices={"one": "one piece", "several": "several pieces"})

# %% key="path" further=true
with waiting_for(*PIECES, after=["pieces"]):
    walk = clouds.cell_path()
    maps.show_time({f"perplexity {size}": make_map(pieces, walk.x, size, 300).y for size in (3, 10, 40)}, walk.groups)
    reveal("10-path", "several")

# %% [markdown] key="where-lesson" further=true
# Before naming a new type of cell for each island, test the data. UMAP (McInnes et al. 2018) is faster and has the same properties; starting either from the PCA map keeps more of the large picture (Kobak and Linderman 2021). Wattenberg et al. (2016), “How to
# use t-SNE effectively”, has the examples of section 4 to play with.

# %% [markdown] key="reflection" reflection=3
# ## 6 · In your own words (3 points, graded by a person)
#
# A colleague shows a t-SNE map of 2,000 customers: “Twelve segments! The one at the bottom is the most diverse, since it is the largest island, and it is furthest from the loyal customers. I tested it: k-means on the map, then
# the silhouette of these labels in the data, against shuffled labels: significant.” What do you answer?
#
# *What earns points: (1) what sizes and gaps on a map say, and why; (1) why the test would have said the same of noise; (1) two things to do instead, each with what its outcome would mean.*

# %% [markdown] key="reflection-model" model_answer=true
# Sizes and gaps say nothing: each point has its own β, so dense and sparse groups come out equally large, and all that are no neighbours are pushed away about alike. The labels were cut out of the map and so follow the data's neighbourhoods; shuffled
# labels do not depend on the data. In the notebook this test said “real” of Gaussian noise. Instead: (a) cut the data themselves, and noise of the same mean and covariance, in the same way, and compare the silhouettes; if the data are not
# above, there are no segments to speak of. (b) Make maps at several perplexities and seeds, and see whether the twelve stay; or take labels that owe nothing to these data, such as what customers
# bought in the following month, and run the test with those: there the shuffled null is fair.

# %% [markdown] key="card-text"
# ## 7 · Your card
#
# Two maps by **your** t-SNE, both cut into seven neat groups. Which one may one believe?

# %% key="card"
with waiting_for(*PIECES, after=["word_map", "pieces"]):
    nothing = collections["B"]
    drawn_by_me = {"words that I trained": word_map.y, "pure noise": make_map(pieces, nothing, 15).y}
    panels = {name: (y, cut(y, 7)) for name, y in drawn_by_me.items()}
    verdicts = {}
    for name, points in zip(panels, (collections["D"], nothing), strict=True):
        fair = fair_test(points, 7)
        verdicts[name] = f"in the data {fair.data:.2f}, by chance up to {fair.null:.2f}: {'structure' if fair.real else 'nothing there'}"
    maps.card(panels, verdicts, "Which of my two maps shows nothing at all?")

# %% [markdown] key="take-along"
# **What you take along.** A map shows which points are near which, and neither sizes nor gaps nor clumps. Test in the original space, against a null that was made in the same way.
#
# That was the course: ids, rows, gradients, language models, translation, position, attention, sentences, search and maps, all of it run by code that you wrote.

# %% key="progress"
progress()
