"""Draw the pictures of notebooks 08 and 09: the two towers with the table of a batch, and the way from a text to a hit."""

from collections.abc import Mapping
from itertools import pairwise

from ...messages import translate
from ..style import SOFT_INK
from .drawing import Box, Drawing, shape

_Sizes = Mapping[str, int] | None


def two_towers(sizes: _Sizes = None) -> None:
    """Draw two encoders and the table of all similarities of a batch."""
    _two_towers(sizes).show(
        translate("Two towers. On the left N Chinese sentences go through an encoder of their own, a table of word vectors "
                  "and the mean, and become N vectors of length 1, q, of shape (N, d). On the right their N English "
                  "partners go through another encoder and become p, (N, d). The products q times p transposed, multiplied "
                  "by the scale, are a table of N by N logits. On its diagonal stand the pairs, in green; all else of a row "
                  "are negatives. The loss is the cross-entropy of each row, whose right class is the diagonal.")
    )


def _two_towers(sizes: _Sizes) -> Drawing:
    sheet = Drawing(9.4, 6.6, translate("Where do two towers meet?"))
    left, right, middle = 1.75, 7.65, 4.7
    ends = [
        _tower(sheet, left, translate("{count} Chinese sentences", count="N"), f"q {shape('N d', sizes)}", sizes),
        _tower(sheet, right, translate("{count} English partners", count="N"), f"p {shape('N d', sizes)}", sizes),
    ]
    table = sheet.table(middle, 2.15, 1.9, [translate("pair")] * 4)
    sheet.arrow(ends[0].bottom, (left, table.y), table.left, label=translate("a row for each q"), side="below", at=1)
    sheet.arrow(ends[1].bottom, (right, table.y), table.right, label=translate("a column for each p"), side="below", at=1)
    sheet.text(middle, 3.42, translate("logits = scale · q · pᵀ   {shape}", shape=shape('N N', sizes)))
    sheet.text(middle, 3.2, translate("off the diagonal: negatives of the row"), color=SOFT_INK)
    loss = sheet.box(middle, 0.5, translate("cross-entropy of each row; right: the diagonal"), width=4.3)
    sheet.arrow(table.bottom, loss.top)
    sheet.key(0.3, 0.12)
    return sheet


def _tower(sheet: Drawing, x: float, texts: str, result: str, sizes: _Sizes) -> Box:
    boxes = [
        sheet.box(x, 6.25, texts, kind="stands", width=2.4),
        sheet.box(x, 5.5, translate("table of words"), kind="learns", width=2.4),
        sheet.box(x, 4.75, translate("mean, then length 1"), width=2.4),
        sheet.box(x, 4.0, result, kind="stands", width=2.8),
    ]
    for lower, upper in pairwise(boxes):
        sheet.arrow(lower.bottom, upper.top)
    return boxes[-1]


def sentence_vector(sizes: _Sizes = None) -> None:
    """Draw how a batch of texts becomes one vector for each text."""
    _sentence_vector(sizes).show(
        translate("From texts to vectors. B texts become ids, (B, T), the shorter ones padded, and a mask, (B, T), with 1 "
                  "at real tokens. An encoder gives a vector for every position, (B, T, d). Pooling uses mask and vectors "
                  "and gives one vector for each text, (B, d). Divided by their lengths they can be compared by cosine.")
    )


def _sentence_vector(sizes: _Sizes) -> Drawing:
    sheet = Drawing(8.6, 5.6, translate("How does a text become one vector?"))
    x, right = 2.6, 6.5
    texts = sheet.box(x, 5.3, translate("B texts"), kind="stands", width=2.0)
    ids = sheet.box(x, 4.4, translate("ids, padded"), kind="stands", width=2.0)
    mask = sheet.box(right, 4.4, translate("mask: 1 at real tokens"), kind="stands", width=2.4)
    sheet.arrow(texts.bottom, ids.top, label=translate("tokenise"))
    sheet.arrow(ids.right, mask.left)
    encoder = sheet.box(x, 3.4, translate("encoder"), kind="learns", width=2.0)
    sheet.arrow(ids.bottom, encoder.top, label=shape("B T", sizes))
    pool = sheet.box(x, 2.35, translate("pooling"), width=2.0)
    sheet.arrow(encoder.bottom, pool.top, label=shape("B T d", sizes))
    sheet.arrow((right, encoder.y), encoder.right)
    sheet.arrow(mask.bottom, (right, pool.y), pool.right, label=shape("B T", sizes))
    unit = sheet.box(x, 1.4, translate("divide by the length"), width=2.0)
    sheet.arrow(pool.bottom, unit.top, label=shape("B d", sizes))
    vectors = sheet.box(x, 0.5, translate("vectors"), kind="stands", width=2.0)
    sheet.arrow(unit.bottom, vectors.top, label=translate("{shape}, each of length 1", shape=shape('B d', sizes)))
    sheet.key(5.3, 0.5)
    return sheet


def text_to_hit(sizes: _Sizes = None) -> None:
    """Draw what a search engine computes once for each text, and what it computes for each question."""
    _text_to_hit(sizes).show(
        translate("The way from a text to a hit. Once, ahead of all questions: N texts are cut into words and pieces, the "
                  "encoder weighs and sums their vectors, and the index keeps N vectors of length 1, (N, d). For each "
                  "question: the same table with weights of the question's side gives one vector, (d,). Its products with "
                  "the index, (N,), are the cosines; the k largest are the hits.")
    )


def _text_to_hit(sizes: _Sizes) -> Drawing:
    sheet = Drawing(9.4, 5.2, translate("How does a question find its text?"))
    xs = (1.3, 3.75, 6.3)
    sheet.frame(0.15, 3.55, 9.25, 5.1, translate("once, for the whole collection"))
    sheet.frame(0.15, 0.75, 9.25, 3.3, translate("for each question"))
    texts = sheet.box(xs[0], 4.25, translate("N texts"), kind="stands", width=1.6)
    cut = sheet.box(xs[1], 4.25, translate("words and pieces"), width=1.8)
    encoder = sheet.box(xs[2], 4.25, translate("weighted sum, length 1"), kind="learns", width=2.3)
    index = sheet.box(8.3, 4.25, translate("index"), kind="stands", width=1.3)
    for start, end in ((texts, cut), (cut, encoder), (encoder, index)):
        sheet.arrow(start.right, end.left)
    sheet.text(8.3, 3.87, shape("N d", sizes), color=SOFT_INK)
    question = sheet.box(xs[0], 2.5, translate("a question"), kind="stands", width=1.6)
    again = sheet.box(xs[1], 2.5, translate("words and pieces"), width=1.8)
    asked = sheet.box(xs[2], 2.5, translate("weighted sum, length 1"), kind="learns", width=2.3)
    for start, end in ((question, again), (again, asked)):
        sheet.arrow(start.right, end.left)
    sheet.arrow(encoder.bottom, asked.top, dashed=True)
    sheet.text(xs[2] + 0.09, 3.0, translate("the same table"), ha="left", color=SOFT_INK)
    product = sheet.box(8.3, 2.5, translate("products"), width=1.3)
    sheet.arrow(asked.right, product.left)
    sheet.text(asked.x, 2.2, translate("one vector {shape}", shape=shape('d', sizes)), va="top", color=SOFT_INK)
    sheet.arrow((index.x, 3.74), product.top)
    hits = sheet.box(8.3, 1.3, translate("k largest"), width=1.3)
    sheet.arrow(product.bottom, hits.top, label=translate("cosines {shape}", shape=shape('N', sizes)), side="left")
    hit_box = sheet.box(5.0, 1.3, translate("hits, the best first"), kind="stands", width=2.1)
    sheet.arrow(hits.left, hit_box.right)
    sheet.key(0.3, 0.35)
    return sheet
