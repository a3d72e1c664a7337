"""The long runs of this notebook: `make curves` records them with the reference answers."""

from embedding_course.data.published import minilm
from embedding_course.experiments.curves import Curves
from embedding_course.experiments.search_engine import late_chunking
from embedding_course.experiments.search_engine.blocks import fuses, make_blocks
from grader.course_source.catalogue import references


def windows() -> Curves:
    """Measure plain and late chunking with the references of 07 and 11."""
    model, answers = minilm(), references("11_search_engine")
    block = references("07_attention")["TransformerBlock"]
    blocks = make_blocks(block, model.layers, model.d_model, model.heads, model.d_ff)
    words = len(model.state["embeddings.word_embeddings.weight"])
    encoder = answers["BertEncoder"](words, model.d_model, model.max_positions, blocks)
    encoder.load_state_dict(answers["translate_names"](model.state, fused=fuses(blocks[0])))
    return late_chunking.measure(encoder.eval(), model.tokenizer, answers["chunk"])


CURVES = {"11_windows": windows}
