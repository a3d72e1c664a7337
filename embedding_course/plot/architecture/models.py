"""Draw the architectures of notebooks 05 and 07.

`sizes` maps the names of axes to the sizes of a learner's tensors; without it only the names are written.
"""

from collections.abc import Mapping

from ...messages import translate
from ..style import SOFT_INK
from .drawing import Drawing, shape

_Sizes = Mapping[str, int] | None


def encoder_decoder(sizes: _Sizes = None) -> None:
    """Draw an encoder LSTM, a decoder LSTM, and attention between them."""
    _encoder_decoder(sizes).show(
        translate("An encoder and a decoder with attention. The encoder's LSTM reads the Chinese words and gives a memory "
                  "of one vector for each word, (B, S, H), and its last state. The decoder's LSTM starts from that state "
                  "and reads the English words so far; its output h, (B, T, H), is the query. attend compares h with the "
                  "memory and mixes the memory with the weights to a context, (B, T, H). h and context together, (B, T, "
                  "2H), go through linear layers to the logits, (B, T, V).")
    )


def _encoder_decoder(sizes: _Sizes) -> Drawing:
    sheet = Drawing(9.4, 5.5, translate("How does the decoder get at the Chinese sentence?"))
    left, middle, right = 1.3, 3.75, 7.2
    sheet.text(left, 5.27, translate("encoder"), size=11.5, weight="bold")
    sheet.text(right, 5.27, translate("decoder"), size=11.5, weight="bold")
    rows = (4.85, 4.0, 3.1, 2.0, 1.15)
    source = sheet.box(left, rows[0], translate("Chinese ids"), kind="stands")
    table = sheet.box(left, rows[1], translate("table"), kind="learns")
    reader = sheet.box(left, rows[2], translate("LSTM reads"), kind="learns")
    memory = sheet.box(left, rows[3], translate("memory"), kind="stands")
    sheet.arrow(source.bottom, table.top, label=shape("B S", sizes))
    sheet.arrow(table.bottom, reader.top, label=shape("B S d", sizes))
    sheet.arrow(reader.bottom, memory.top, label=shape("B S H", sizes))
    fed = sheet.box(right, rows[0], translate("English ids so far"), kind="stands", width=1.9)
    words = sheet.box(right, rows[1], translate("table"), kind="learns", width=1.9)
    writer = sheet.box(right, rows[2], translate("LSTM writes"), kind="learns", width=1.9)
    joined = sheet.box(right, rows[3], translate("put side by side"), width=1.9)
    output = sheet.box(right, rows[4], translate("linear layers"), kind="learns", width=1.9)
    logits = sheet.box(right, 0.32, translate("logits"), kind="stands", width=1.9)
    sheet.arrow(fed.bottom, words.top, label=shape("B T", sizes))
    sheet.arrow(words.bottom, writer.top, label=shape("B T d", sizes))
    sheet.arrow(writer.bottom, joined.top, label=f"h {shape('B T H', sizes)}")
    sheet.arrow(joined.bottom, output.top, label=shape("B T 2H", sizes))
    sheet.arrow(output.bottom, logits.top, label=shape("B T V", sizes))
    sheet.arrow(reader.right, writer.left, label=translate("last state h, c: two of {shape}", shape=shape('B H', sizes)),
                side="above")
    attend = sheet.box(middle, rows[3], translate("attend"), width=1.2)
    sheet.arrow(memory.right, attend.left)
    turn = (rows[2] + rows[3]) / 2 - 0.07
    sheet.arrow((right, turn), (middle, turn), attend.top, label=translate("query: h of each written word"), side="above")
    sheet.arrow(attend.right, joined.left, label=translate("context"), side="above")
    sheet.text((attend.right[0] + joined.left[0]) / 2, rows[3] - 0.13, shape("B T H", sizes), va="top", color=SOFT_INK)
    sheet.text(middle, rows[3] - 0.36, translate("weights {shape}", shape=shape('B T S', sizes)), va="top", color=SOFT_INK)
    sheet.key(0.3, 0.25)
    return sheet


def heads(sizes: _Sizes = None) -> None:
    """Draw attention with one head beside attention with several heads."""
    _heads(sizes).show(
        translate("Attention with one head and with h heads. One head: queries, keys and values of shape (B, T, d); scores "
                  "and weights of shape (B, T, T); the weighted mean of the values has shape (B, T, d). Many heads: the "
                  "projections are split into (B, h, T, d/h), so that there are h tables of weights, (B, h, T, T); the h "
                  "means, (B, h, T, d/h), are merged to (B, T, d) and go through one more linear layer.")
    )


def _heads(sizes: _Sizes) -> Drawing:
    sheet = Drawing(9.4, 7.0, translate("What becomes of the shapes when attention has several heads?"))
    for x, title in ((2.3, translate("one head")), (7.0, translate("h heads"))):
        sheet.text(x, 6.77, title, size=11.5, weight="bold")
    _attention(sheet, 2.3, sizes, split=False)
    _attention(sheet, 7.0, sizes, split=True)
    sheet.key(0.3, 0.25)
    return sheet


def _attention(sheet: Drawing, x: float, sizes: _Sizes, split: bool) -> None:
    """Draw the attention of one head or of several, with one column each for queries, keys and values."""
    inside, weights = ("B h T d/h", "B h T T") if split else ("B T d", "B T T")
    columns = [x - 1.25, x, x + 1.25]
    start = sheet.box(x, 6.35, f"x   {shape('B T d', sizes)}", width=2.6, kind="stands")
    names = [sheet.box(at, 5.6, translate("{name}_proj", name=name), width=0.95, kind="learns")
             for at, name in zip(columns, "qkv", strict=True)]
    sheet.arrow(start.bottom, names[1].top)
    for end, share in ((names[0], 0.12), (names[2], 0.88)):
        begin = (start.at_top(share)[0], start.bottom[1])
        sheet.arrow(begin, end.top)
    level = 5.6
    if split:
        cut = sheet.box(x, 4.82, translate("split_heads: a slice of the width for each head"), width=3.75)
        for role, at in zip(names, columns, strict=True):
            sheet.arrow(role.bottom, (at, cut.top[1]))
        sheet.text(x + 0.07, 5.2, shape("B T d"), ha="left", color=SOFT_INK)
        level = 4.82
    formula = "q · kᵀ / √d" if not split else "q · kᵀ / √(d/h)"
    scores = sheet.box(x - 0.62, 3.95, translate("scores  {formula}", formula=formula), width=2.2)
    for at in columns[:2]:
        sheet.arrow((at, level - 0.22), (at, scores.top[1]))
    middle = (level - 0.22 + scores.top[1]) / 2
    sheet.text(x - 0.62 + 0.7, middle, shape(inside), ha="left", color=SOFT_INK)
    soft = sheet.box(x - 0.62, 3.1, translate("mask, softmax"), width=2.2)
    sheet.arrow(scores.bottom, soft.top, label=shape(weights, sizes))
    mean = sheet.box(x - 0.1, 2.2, translate("weighted mean of the values"), width=3.3)
    sheet.arrow(soft.bottom, (soft.x, mean.top[1]), label=translate("weights {shape}", shape=shape(weights)))
    sheet.arrow((columns[2], level - 0.22), (columns[2], mean.top[1]))
    if not split:
        result = sheet.box(x - 0.1, 1.35, translate("result"), width=1.6, kind="stands")
        sheet.arrow(mean.bottom, result.top, label=shape("B T d", sizes))
        return
    merge = sheet.box(x - 0.1, 1.45, translate("merge_heads, then out_proj"), width=3.3, kind="learns")
    sheet.arrow(mean.bottom, merge.top, label=shape(inside, sizes))
    result = sheet.box(x - 0.1, 0.65, translate("result"), width=1.6, kind="stands")
    sheet.arrow(merge.bottom, result.top, label=shape("B T d", sizes))


def block(sizes: _Sizes = None) -> None:
    """Draw the Transformer block in both forms, pre-norm and post-norm."""
    _block(sizes).show(
        translate("Two forms of a Transformer block, side by side; each has attention and a feed-forward net with a "
                  "residual connection around it, and every arrow carries a tensor of shape (B, T, d). Pre-norm: norm1 "
                  "stands before attention and norm2 before ff1, GELU, ff2; the sums go on as they are. Post-norm: "
                  "attention and the feed-forward net read the sum itself, and norm1 and norm2 stand behind the two sums.")
    )


def _block(sizes: _Sizes) -> Drawing:
    sheet = Drawing(9.4, 6.9, translate("Where does the norm stand in a block?"))
    for x, title, steps in (
        (2.65, translate("pre-norm"), ("norm1", "attention", "+", "norm2", "ff", "+")),
        (7.2, translate("post-norm"), ("attention", "+", "norm1", "ff", "+", "norm2")),
    ):
        sheet.text(x, 6.68, title, size=11.5, weight="bold")
        _halves(sheet, x, steps, sizes)
    sheet.key(0.3, 0.25)
    return sheet


def _halves(sheet: Drawing, x: float, steps: tuple[str, ...], sizes: _Sizes) -> None:
    """Draw the steps from top to bottom; a residual connection runs beside each half of the block."""
    spaces = {"+": 0.68, "norm1": 0.76, "norm2": 0.76, "attention": 0.8, "ff": 1.0}
    texts = {"ff": translate("ff1, GELU, ff2\ninside {shape}", shape=shape('B T d_ff', sizes)),
             "attention": translate("attention (mask)")}
    at = sheet.box(x, 6.25, "x", width=1.0, kind="stands")
    y, begun, first = 6.25, (x, 0.0), True
    for index, step in enumerate(steps):
        y -= spaces[step]
        wide, tall = (2.9, 0.66) if step == "ff" else (2.3, 0.44)
        text = texts.get(step, step)
        here = sheet.plus(x, y) if step == "+" else sheet.box(x, y, text, width=wide, height=tall, kind="learns")
        begins = index == 0 or steps[index - 1] == "+" or (step == "ff" and steps[index - 1] == "norm1")
        if begins and step != "+":
            begun = (x, (at.bottom[1] + here.top[1]) / 2 + 0.03)
        sheet.arrow(at.bottom, here.top, label=shape("B T d", sizes) if first else "", side="right")
        if step == "+":
            out = x - 1.65
            sheet.arrow(begun, (out, begun[1]), (out, y), here.left)
            sheet.text(out - 0.08, (begun[1] + y) / 2, translate("unchanged"), ha="right", color=SOFT_INK)
        at, first = here, False
    result = sheet.box(x, y - 0.72, translate("result"), width=1.0, kind="stands")
    sheet.arrow(at.bottom, result.top, label=shape("B T d", sizes))


def language_model(sizes: _Sizes = None, layers: int | None = None) -> None:
    """Draw a small language model whose output layer is tied to its token table.

    Parameters
    ----------
    sizes : Mapping[str, int] or None, optional
        Size of each axis by its name; without it only the names of the axes are written.
    layers : int or None, optional
        Number of blocks; without it the number is left open.
    """
    _language_model(sizes, layers).show(
        translate("A language model. ids, (B, T), are looked up in token_table, V rows of width d; positions 0 to T - 1 in "
                  "position_table. Their sum, (B, T, d), goes through a stack of pre-norm blocks with a causal mask, (T, "
                  "T), and a norm. The result is multiplied by token_table transposed, the same numbers as at the input, "
                  "and gives the logits, (B, T, V).")
    )


def _language_model(sizes: _Sizes, layers: int | None) -> Drawing:
    sheet = Drawing(8.6, 6.9, translate("How do ids become scores for the next word?"))
    x, right = 3.1, 6.6
    ids = sheet.box(x, 6.6, translate("ids"), kind="stands", width=2.0)
    positions = sheet.box(right, 6.6, translate("positions 0 to T - 1"), kind="stands", width=2.2)
    table = sheet.box(x, 5.72, translate("token_table\n{shape}", shape=shape('V d', sizes)), width=2.2, height=0.62,
                      kind="learns")
    encoding = sheet.box(right, 5.72, translate("position_table\n{shape}", shape=shape('max_length d', sizes)), width=3.1,
                       height=0.62, kind="learns")
    sheet.arrow(ids.bottom, table.top, label=shape("B T", sizes))
    sheet.arrow(positions.bottom, encoding.top, label=shape("T", sizes))
    total = sheet.plus(x, 4.8)
    sheet.arrow(table.bottom, total.top, label=shape("B T d", sizes))
    sheet.arrow(encoding.bottom, (right, 4.8), total.right, label=shape("T d", sizes))
    first = sheet.box(x, 4.05, translate("block 1, pre-norm"), width=2.2, kind="learns")
    name, between = (translate("block {layers}", layers=layers), layers > 2) if layers else (translate("last block"), True)
    last = sheet.box(x, 3.0, translate("{name}, pre-norm", name=name), width=2.2, kind="learns")
    mask = sheet.box(right, 3.52, translate("causal_mask   {shape}", shape=shape('T T', sizes)), width=2.9)
    sheet.arrow(total.bottom, first.top, label=shape("B T d", sizes))
    sheet.arrow(first.bottom, last.top, label=translate("more blocks") if between else shape("B T d", sizes), dashed=between)
    for box in (first, last):
        sheet.arrow(mask.left, (mask.left[0] - 0.35, mask.y), (mask.left[0] - 0.35, box.y), box.right)
    norm = sheet.box(x, 2.2, "norm", width=2.2, kind="learns")
    output = sheet.box(x, 1.3, "x · token_tableᵀ", width=2.2)
    logits = sheet.box(x, 0.45, translate("logits"), width=2.0, kind="stands")
    sheet.arrow(last.bottom, norm.top, label=shape("B T d", sizes))
    sheet.arrow(norm.bottom, output.top, label=shape("B T d", sizes))
    sheet.arrow(output.bottom, logits.top, label=shape("B T V", sizes))
    sheet.arrow(table.left, (1.55, table.y), (1.55, output.y), output.left, dashed=True)
    sheet.text(1.45, 3.5, translate("tied:\nthe same\nnumbers"), ha="right", color=SOFT_INK)
    sheet.key(4.75, 0.45)
    return sheet
