"""S4: what heads and layers learn, measured in a published model."""

from __future__ import annotations

from .entry import CONDITION, HOLDS, Measured, Source, at, found, quoted
from .minilm_attention import recorded

s4 = Source("S4")


@s4.claim(
    "Several heads can learn different kinds of relations side by side, such as subject and verb.",
    HOLDS,
    at("07", "heads-lesson"),
    quote=quoted(
        "Multi-Head Attention",
        "多个头可以并行学习不同类型的关系",
        "several heads can learn different kinds of relations in parallel",
    ),
)
def heads_learn_syntax() -> Measured:
    """Compare the best head for each relation of grammar with the best fixed distance."""
    numbers = recorded()
    lines = ", ".join(
        f"{name} {head['right']:.0%} (layer {head['layer']}; distance {head['by distance']:.0%})"
        for name, head in numbers["heads"].items()
    )
    return found(
        {name: head["right"] > head["by distance"] + 0.15 for name, head in numbers["heads"].items()},
        "MiniLM, 400 built sentences (recorded). For each relation a head was chosen on one half of them and tested on the "
        "other: how often its largest weight is on the right word, beside the best fixed distance. "
        f"{lines[0].upper()}{lines[1:]}. Of 72 heads {numbers['serving']} beat the distance by ten points in some relation, "
        f"{numbers['serving two']} of them in two. The model was trained without labels of grammar.",
    )


@s4.claim(
    "From layer to layer attention goes from local relations to more abstract ones.",
    CONDITION,
    at("07", "heads-lesson"),
    quote=quoted(
        "完整的 Transformer Block",
        "Attention 学习局部关系…逐层抽象，最终得到高级语义表示",
        "attention learns local relations … more abstract layer by layer, up to a representation of high-level meaning",
    ),
)
def layers_from_local_to_abstract() -> Measured:
    """Compare how far each layer's attention looks, and how alike one word's vectors are in several paragraphs."""
    numbers = recorded()
    reach, alike = numbers["reach"], numbers["alike"]
    first = max(head["best in layer 1"] - head["by distance"] for head in numbers["heads"].values())
    return found(
        {
            "layer 1 looks nearest": reach[0] == min(reach),
            "from layer 2 on each looks further": reach[1:] == sorted(reach[1:]),
            "a word's vectors depend more on the text": alike[-1] < alike[0] - 0.1,
        },
        "MiniLM on the course's story (recorded). Mean distance of attention in tokens, layers 1 to 6: "
        f"{', '.join(f'{value:.1f}' for value in reach)}; spread evenly it would be {numbers['even reach']:.1f}. Cosine of one "
        "word's vectors in different paragraphs, from the table to layer 6: "
        f"{', '.join(f'{value:.2f}' for value in alike)}. No head of layer 1 finds verb, subject or object more than "
        f"{100 * first:.0f} points better than a fixed distance.",
        "From layer 2 on. Layer 1 looks further than layers 2 to 5, and the heads that follow grammar are in layers 3 and 4. "
        "How abstract a vector is was not measured.",
    )
