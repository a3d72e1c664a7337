"""What takes too long for this notebook, or needs a published model or faiss: `grader curves` records it."""

from functools import partial

from embedding_course.data.published import minilm
from embedding_course.experiments.contrastive_training import search_variants
from embedding_course.experiments.curves import Curves
from embedding_course.experiments.search_engine import costs, late_chunking, small_world
from embedding_course.experiments.search_engine.blocks import fuses, make_blocks
from grader.course_source.catalogue import references

_TRAINING = references("09_contrastive_training")
_OWN = references("11_search_engine")


def windows() -> Curves:
    """Measure plain and late chunking with the references of 07 and 11."""
    model = minilm()
    block = references("07_attention")["TransformerBlock"]
    blocks = make_blocks(block, model.layers, model.d_model, model.heads, model.d_ff)
    words = len(model.state["embeddings.word_embeddings.weight"])
    encoder = _OWN["BertEncoder"](words, model.d_model, model.max_positions, blocks)
    encoder.load_state_dict(_OWN["translate_names"](model.state, fused=fuses(blocks[0])))
    return late_chunking.measure(encoder.eval(), model.tokenizer, _OWN["chunk"])


CURVES = {
    "11_widths": partial(
        search_variants.widths,
        _TRAINING["info_nce"],
        _TRAINING["warmup_cosine"],
        _OWN["truncate_dimensions"],
        _TRAINING["recall_at_k"],
    ),
    "11_small_world": small_world.measure,
    "11_matryoshka": partial(costs.wordllama, _OWN["truncate_dimensions"]),
    "11_faiss": partial(costs.faiss_times, _OWN["binary_codes"]),
    "11_windows": windows,
}
