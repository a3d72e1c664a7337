"""The right answer to 11.translate_names."""

from collections.abc import Mapping

import torch


def translate_names(state: Mapping[str, torch.Tensor], fused: bool = False) -> dict[str, torch.Tensor]:
    """Rename the weights of a published BERT, so that a BertEncoder can load them.

    Where a name ends in *, both its weight and its bias are renamed, and nothing else is:

        embeddings.word_embeddings.weight              word_table.weight
        embeddings.position_embeddings.weight          position_table.weight
        embeddings.token_type_embeddings.weight        segment_table.weight
        embeddings.LayerNorm.*                         norm.*
        encoder.layer.3.attention.self.query.*         blocks.3.attention.q_proj.*
        encoder.layer.3.attention.self.key.*           blocks.3.attention.k_proj.*
        encoder.layer.3.attention.self.value.*         blocks.3.attention.v_proj.*
        encoder.layer.3.attention.output.dense.*       blocks.3.attention.out_proj.*
        encoder.layer.3.attention.output.LayerNorm.*   blocks.3.norm1.*
        encoder.layer.3.intermediate.dense.*           blocks.3.ff1.*
        encoder.layer.3.output.dense.*                 blocks.3.ff2.*
        encoder.layer.3.output.LayerNorm.*             blocks.3.norm2.*

    Any name may begin with "bert.", whether others do or not. What the encoder has no place for is left out:
    embeddings.position_ids and all names that begin with "pooler." or "cls.". The tensors keep their values and their dtype.

    state    the weights by name; not modified. Its layers are numbered from 0, each is complete, and there may be none or
             more than ten
    fused    True: each layer gets one attention.qkv_proj instead of three projections, with the rows of the query first,
             then those of the key, then those of the value
    returns  a dict from the new names to the tensors, in any order

    Raises KeyError on any other name; the message contains it, with or without its "bert.".

    >>> norm = {"bert.embeddings.LayerNorm.bias": torch.zeros(2), "embeddings.LayerNorm.weight": torch.ones(2)}
    >>> sorted(translate_names(norm))
    ['norm.bias', 'norm.weight']
    """
    whole = {
        "embeddings.word_embeddings.weight": "word_table.weight",
        "embeddings.position_embeddings.weight": "position_table.weight",
        "embeddings.token_type_embeddings.weight": "segment_table.weight",
        "embeddings.LayerNorm.weight": "norm.weight",
        "embeddings.LayerNorm.bias": "norm.bias",
    }
    in_layer = {
        "attention.self.query": "attention.q_proj",
        "attention.self.key": "attention.k_proj",
        "attention.self.value": "attention.v_proj",
        "attention.output.dense": "attention.out_proj",
        "attention.output.LayerNorm": "norm1",
        "intermediate.dense": "ff1",
        "output.dense": "ff2",
        "output.LayerNorm": "norm2",
    }
    renamed = {}
    for name, tensor in state.items():
        short = name.removeprefix("bert.")
        if short == "embeddings.position_ids" or short.startswith(("pooler.", "cls.")):
            continue
        if short in whole:
            renamed[whole[short]] = tensor
            continue
        number, _, inside = short.removeprefix("encoder.layer.").partition(".")
        part, _, kind = inside.rpartition(".")
        in_a_layer = short.startswith("encoder.layer.") and number.isdecimal()
        if not in_a_layer or part not in in_layer or kind not in ("weight", "bias"):
            raise KeyError(name)
        renamed[f"blocks.{number}.{in_layer[part]}.{kind}"] = tensor
    if fused:
        for first in [name for name in renamed if ".attention.q_proj." in name]:
            three = [renamed.pop(first.replace("q_proj", f"{letter}_proj")) for letter in "qkv"]
            renamed[first.replace("q_proj", "qkv_proj")] = torch.cat(three)
    return renamed
