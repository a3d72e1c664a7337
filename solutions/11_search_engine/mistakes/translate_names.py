# exercise 11.translate_names
"""Wrong answers about a published model's names by name, and unusual right ones."""

import re

import numpy as np
import torch


# base plain
def translate_names(state, fused=False):
    whole = {
        "embeddings.word_embeddings.weight": "word_table.weight",
        "embeddings.position_embeddings.weight": "position_table.weight",
        "embeddings.token_type_embeddings.weight": "segment_table.weight",
        "embeddings.LayerNorm.weight": "norm.weight",
        "embeddings.LayerNorm.bias": "norm.bias",
    }
    parts = {
        "attention.self.query": "attention.q_proj",
        "attention.self.key": "attention.k_proj",
        "attention.self.value": "attention.v_proj",
        "attention.output.dense": "attention.out_proj",
        "attention.output.LayerNorm": "norm1",
        "intermediate.dense": "ff1",
        "output.dense": "ff2",
        "output.LayerNorm": "norm2",
    }
    layer = re.compile(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)")
    result = {}
    for name, value in state.items():
        name = name.removeprefix("bert.")
        if name == "embeddings.position_ids" or name.startswith(("pooler.", "cls.")):
            continue
        found = layer.fullmatch(name)
        if name in whole:
            result[whole[name]] = value
        elif found and found[2] in parts:
            result[f"blocks.{found[1]}.{parts[found[2]]}.{found[3]}"] = value
        else:
            raise KeyError(f"there is no place for {name}")
    if fused:
        for name in [name for name in result if ".attention.q_proj." in name]:
            three = [result.pop(name.replace("q_proj", each)) for each in ("q_proj", "k_proj", "v_proj")]
            result[name.replace("q_proj", "qkv_proj")] = torch.cat(three)
    return result


# mistake prefix_not_removed (raises), from plain
# Names that begin with `bert.` are not known.
# Next: Take it off first: `name.removeprefix("bert.")`.
#   -        name = name.removeprefix("bert.")

# mistake prefix_taken_for_granted (raises), from plain
# Five characters are cut off every name, whether it begins with `bert.` or not.
# Next: Use `name.removeprefix("bert.")`, which changes nothing where the prefix is missing.
#   name.removeprefix("bert.") => name[5:]

# mistake prefix_decided_by_the_first_name (raises), from plain
# Whether names begin with `bert.` is decided by the first one, for all.
# Next: Ask each name for itself.
#   -        name = name.removeprefix("bert.")
#   +        name = name[5:] if next(iter(state)).startswith("bert.") else name

# mistake prefix_removed_again_and_again (property), from plain
# `bert.` is removed wherever it stands and however often, so that wrong names become known ones.
# Next: `removeprefix` takes it off once, at the beginning.
#   name.removeprefix("bert.") => name.replace("bert.", "")

# mistake other_families_accepted (property), from plain
# The beginning of a name is ignored: the weights of another family of models are accepted.
# Next: Use `fullmatch`, after `bert.` has been taken off.
#   layer.fullmatch(name) => re.search(layer.pattern + "$", name)

# mistake blocks_called_layers (values), from plain
# The layers are called `layers.0`; the encoder's list is called `blocks`.
# Next: Write `blocks.` and the number.
#   f"blocks.{found[1]} => f"layers.{found[1]}

# mistake layers_from_1 (values), from plain
# The blocks are numbered from 1.
# Next: Keep the numbers: layer 0 is block 0.
#   f"blocks.{found[1]} => f"blocks.{int(found[1]) + 1}

# mistake one_digit (raises), from plain
# Only one digit is read, so that layer 10 is not known.
# Next: Read all digits: `\d+`.
#   (\d+) => (\d)

# mistake last_digit (values), from plain
# Of a number with two digits only the last one is kept, so that layer 10 overwrites layer 0.
# Next: Take the whole number between the two dots.
#   f"blocks.{found[1]} => f"blocks.{found[1][-1]}

# mistake norms_exchanged (values), from plain
# norm1 and norm2 are exchanged.
# Next: `attention.output.LayerNorm` follows the attention: it is norm1.
#   "attention.output.LayerNorm": "norm1" => "attention.output.LayerNorm": "norm2"
#   "output.LayerNorm": "norm2", => "output.LayerNorm": "norm1",

# mistake feed_forward_exchanged (values, shape), from plain
# ff1 and ff2 are exchanged.
# Next: `intermediate.dense` makes the vectors wider: it is ff1.
#   "intermediate.dense": "ff1" => "intermediate.dense": "ff2"
#   "output.dense": "ff2", => "output.dense": "ff1",

# mistake queries_and_keys_exchanged (values), from plain
# Queries and keys are exchanged.
# Next: `query` is `q_proj`, `key` is `k_proj`.
#   "attention.self.query": "attention.q_proj" => "attention.self.query": "attention.k_proj"
#   "attention.self.key": "attention.k_proj" => "attention.self.key": "attention.q_proj"

# mistake attention_forgotten (values), from plain
# The projections stand in the block itself; they belong to its `attention`.
# Next: Write `attention.q_proj`, and so on.
#   "attention.q_proj" => "q_proj"
#   "attention.k_proj" => "k_proj"
#   "attention.v_proj" => "v_proj"
#   "attention.out_proj" => "out_proj"

# mistake tables_exchanged (shape), from plain
# The tables of positions and segments are exchanged.
# Next: `token_type_embeddings` is the table of segments, of two rows.
#   "position_table.weight" => "segment_table.weight"
#   token_type_embeddings.weight": "segment_table.weight" => token_type_embeddings.weight": "position_table.weight"

# mistake biases_forgotten (values), from plain
# Only the weights are renamed; the biases are lost.
# Next: Every part of a layer has a weight and a bias.
#   -        elif found and found[2] in parts:
#   +        elif name.endswith(".bias"):
#   +            continue
#   +        elif found and found[2] in parts:

# mistake segments_left_out (values), from plain
# The table of segments is left out.
# Next: The encoder has a `segment_table`, whose row 0 it adds.
#   name == "embeddings.position_ids" => name in ("embeddings.position_ids", "embeddings.token_type_embeddings.weight")

# mistake matrices_transposed (values, shape), from plain
# The matrices are transposed; both sides keep them as nn.Linear does.
# Next: Change the names only.
#   {found[3]}"] = value => {found[3]}"] = value.T if value.ndim == 2 else value

# mistake position_ids_refused (raises), from plain
# `embeddings.position_ids` raises KeyError; it should be left out.
# Next: Skip it, like the pooler.
#   name == "embeddings.position_ids" or name.startswith(("pooler.", "cls.")) => name.startswith(("pooler.", "cls."))

# mistake pooler_refused (raises), from plain
# Names that begin with `pooler.` raise KeyError; they should be left out.
# Next: Skip names that begin with `pooler.` or `cls.`.
#   ("pooler.", "cls.") => ("cls.",)

# mistake head_refused (raises), from plain
# Names that begin with `cls.` raise KeyError; they should be left out.
# Next: Skip names that begin with `pooler.` or `cls.`.
#   ("pooler.", "cls.") => ("pooler.",)

# mistake pooler_kept (values), from plain
# The pooler, the head and position_ids come back under their old names: a strict load refuses them.
# Next: Skip them.
#   -            continue
#   +            result[name] = value
#   +            continue

# mistake skipped_without_the_dot (property), from plain
# Names that begin with the letters of pooler or cls are left out, whatever follows; unknown names among them should be refused.
# Next: Ask for the dot too: `name.startswith(("pooler.", "cls."))`.
#   ("pooler.", "cls.") => ("pooler", "cls")

# mistake skipped_wherever_the_word_stands (property), from plain
# A name is left out wherever `pooler.` or `position_ids` stands in it.
# Next: Only names that begin with `pooler.` or `cls.` are left out, and the one name `embeddings.position_ids`.
#   -        if name == "embeddings.position_ids" or name.startswith(("pooler.", "cls.")):
#   +        if any(word in name for word in ("position_ids", "pooler.", "cls.")):

# mistake unknown_names_left_out (property), from plain
# Unknown names are left out without a word: a weight that is lost makes a model worse and raises nothing.
# Next: Raise `KeyError(name)` on them.
#   raise KeyError(f"there is no place for {name}") => continue

# mistake unknown_names_kept (property), from plain
# Unknown names come back as they are.
# Next: Raise `KeyError(name)` on them.
#   raise KeyError(f"there is no place for {name}") => result[name] = value

# mistake value_error (raises), from plain
# Unknown names raise ValueError; KeyError was asked for.
# Next: Write `raise KeyError(name)`.
#   raise KeyError( => raise ValueError(

# mistake message_without_the_name (values), from plain
# The message of the KeyError does not contain the whole name.
# Next: Put the name into the message: `raise KeyError(name)`.
#   f"there is no place for {name}" => "there is no place for this name"

# mistake any_tensor_of_a_part (property), from plain
# Whatever stands behind a known part is accepted; only weight and bias are known.
# Next: Compare the end of the name with "weight" and "bias".
#   (weight|bias) => (\w+)

# mistake known_beginning_is_enough (property), from plain
# Only the beginning of a name is compared, so that an adapter behind a known weight overwrites it or is accepted.
# Next: Compare the whole name: `fullmatch`.
#   layer.fullmatch(name) => layer.match(name)

# mistake fused_ignored (values), from plain
# `fused` changes nothing.
# Next: With `fused=True` each layer has one `attention.qkv_proj`.
#   if fused: => if fused is None:

# mistake always_fused (values), from plain
# The projections are put together without being asked for.
# Next: Only with `fused=True`.
#   if fused: => if fused or not fused:

# mistake key_query_value (values), from plain
# The rows of the key come first.
# Next: First the query, then the key, then the value.
#   ("q_proj", "k_proj", "v_proj") => ("k_proj", "q_proj", "v_proj")

# mistake side_by_side (shape, raises), from plain
# The three matrices stand side by side, (d, 3d); they should be put below one another, (3d, d).
# Next: `torch.cat([q, k, v])` joins rows, `dim=0`.
#   torch.cat(three) => torch.cat(three, dim=-1)

# mistake three_in_a_new_axis (shape), from plain
# The three matrices are stacked along a new axis, (3, d, d).
# Next: `torch.cat`, which joins rows.
#   torch.cat(three) => torch.stack(three)

# mistake only_weights_fused (values), from plain
# The biases of query, key and value stay apart.
# Next: Join the biases in the same order.
#   ".attention.q_proj." in name => ".attention.q_proj.weight" in name

# mistake single_projections_stay (values), from plain
# The single projections come back beside the joined one.
# Next: Take them out: `pop`.
#   result.pop(name.replace("q_proj", each)) => result[name.replace("q_proj", each)]

# mistake only_the_first_layer_fused (values), from plain
# Only the projections of layer 0 are put together.
# Next: Do it for every layer.
#   ".attention.q_proj." in name => "blocks.0.attention.q_proj." in name

# mistake state_used_up (property), from plain
# The names are taken out of the caller's state.
# Next: Read it with `items()`, and leave it as it is.
#   -    for name, value in state.items():
#   +    for name in list(state):
#   +        value = state.pop(name)

# mistake always_float32 (dtype), from plain
# float64 weights become float32.
# Next: Leave `.float()` out.
#   -        name = name.removeprefix("bert.")
#   +        name, value = name.removeprefix("bert."), value.float()

# mistake pairs_come_back (type), from plain
# A list of pairs comes back; a dict was asked for.
# Next: Return the dict itself.
#   return result => return list(result.items())


# mistake replaced_one_after_the_other (values)
# `output.dense` is also found inside `attention.output.dense`, so that the projection becomes part of the feed-forward.
# Next: Compare whole names, or replace the longer ones first.
def translate_names(state, fused=False):
    pairs = [
        ("embeddings.word_embeddings", "word_table"), ("embeddings.position_embeddings", "position_table"),
        ("embeddings.token_type_embeddings", "segment_table"), ("embeddings.LayerNorm", "norm"),
        ("encoder.layer.", "blocks."), ("output.dense", "ff2"), ("output.LayerNorm", "norm2"),
        ("intermediate.dense", "ff1"), ("attention.self.query", "attention.q_proj"),
        ("attention.self.key", "attention.k_proj"), ("attention.self.value", "attention.v_proj"),
        ("attention.output.dense", "attention.out_proj"), ("attention.output.LayerNorm", "norm1"),
    ]
    result = {}
    for name, value in state.items():
        if "pooler." in name or "cls." in name or "position_ids" in name:
            continue
        for old, new in pairs:
            name = name.replace(old, new)
        result[name.removeprefix("bert.")] = value
    return result


# right form name_by_name
def translate_names(state, fused=False):
    rest = {name[5:] if name.startswith("bert.") else name: value for name, value in state.items()}
    result = {}
    for old, new in (("word_embeddings", "word_table"), ("position_embeddings", "position_table"),
                     ("token_type_embeddings", "segment_table")):
        if f"embeddings.{old}.weight" in rest:
            result[f"{new}.weight"] = rest.pop(f"embeddings.{old}.weight")
    places = [("embeddings.LayerNorm", "norm")]
    for layer in range(len(rest)):
        old, new = f"encoder.layer.{layer}", f"blocks.{layer}"
        places += [(f"{old}.attention.self.{long}", f"{new}.attention.{long[0]}_proj") for long in ("query", "key", "value")]
        places += [(f"{old}.attention.output.dense", f"{new}.attention.out_proj"), (f"{old}.output.dense", f"{new}.ff2"),
                   (f"{old}.attention.output.LayerNorm", f"{new}.norm1"), (f"{old}.output.LayerNorm", f"{new}.norm2"),
                   (f"{old}.intermediate.dense", f"{new}.ff1")]
    for old, new in places:
        for kind in ("weight", "bias"):
            if f"{old}.{kind}" in rest:
                result[f"{new}.{kind}"] = rest.pop(f"{old}.{kind}")
    for name in rest:
        if name != "embeddings.position_ids" and not re.match(r"(pooler|cls)\.", name):
            raise KeyError(name)
    if fused:
        for layer in range(len(state)):
            for kind in ("weight", "bias"):
                names = [f"blocks.{layer}.attention.{letter}_proj.{kind}" for letter in "qkv"]
                if names[0] in result:
                    result[f"blocks.{layer}.attention.qkv_proj.{kind}"] = torch.vstack([result.pop(name) for name in names]) \
                        if kind == "weight" else torch.hstack([result.pop(name) for name in names])
    return result


# right form one_pattern_for_each_place
def translate_names(state, fused=False):
    patterns = [
        (r"embeddings\.word_embeddings\.(weight)", r"word_table.\1"),
        (r"embeddings\.position_embeddings\.(weight)", r"position_table.\1"),
        (r"embeddings\.token_type_embeddings\.(weight)", r"segment_table.\1"),
        (r"embeddings\.LayerNorm\.(weight|bias)", r"norm.\1"),
        (
            r"encoder\.layer\.(\d+)\.attention\.self\.(?=(?:query|key|value)\.)(\w)\w+\.(weight|bias)",
            r"blocks.\1.attention.\2_proj.\3",
        ),
        (r"encoder\.layer\.(\d+)\.attention\.output\.dense\.(weight|bias)", r"blocks.\1.attention.out_proj.\2"),
        (r"encoder\.layer\.(\d+)\.attention\.output\.LayerNorm\.(weight|bias)", r"blocks.\1.norm1.\2"),
        (r"encoder\.layer\.(\d+)\.intermediate\.dense\.(weight|bias)", r"blocks.\1.ff1.\2"),
        (r"encoder\.layer\.(\d+)\.output\.dense\.(weight|bias)", r"blocks.\1.ff2.\2"),
        (r"encoder\.layer\.(\d+)\.output\.LayerNorm\.(weight|bias)", r"blocks.\1.norm2.\2"),
    ]
    result = {}
    for name in state:
        if re.fullmatch(r"(bert\.)?(embeddings\.position_ids|(pooler|cls)\..*)", name):
            continue
        for pattern, new in patterns:
            match = re.fullmatch(rf"(?:bert\.)?{pattern}", name)
            if match:
                result[match.expand(new)] = state[name].clone()
                break
        else:
            raise KeyError(name)
    if fused:
        for name in sorted(result):
            if name.endswith(("q_proj.weight", "q_proj.bias")):
                base, kind = name.split("q_proj")
                joined = [result.pop(f"{base}{letter}_proj{kind}").numpy() for letter in "qkv"]
                result[f"{base}qkv_proj{kind}"] = torch.from_numpy(np.concatenate(joined))
    return result


# right form from_new_to_old
def translate_names(state, fused=False):
    short = {re.sub(r"^bert\.", "", name): name for name in state}
    numbers = sorted({int(name.split(".")[2]) for name in short if re.match(r"encoder\.layer\.\d+\.", name)})
    wanted = {f"{new}.weight": f"embeddings.{old}.weight" for new, old in
              {"word_table": "word_embeddings", "position_table": "position_embeddings",
               "segment_table": "token_type_embeddings", "norm": "LayerNorm"}.items()}
    wanted["norm.bias"] = "embeddings.LayerNorm.bias"
    inside = {"attention.q_proj": "attention.self.query", "attention.k_proj": "attention.self.key",
              "attention.v_proj": "attention.self.value", "attention.out_proj": "attention.output.dense",
              "norm1": "attention.output.LayerNorm", "ff1": "intermediate.dense", "ff2": "output.dense",
              "norm2": "output.LayerNorm"}
    wanted |= {f"blocks.{number}.{new}.{kind}": f"encoder.layer.{number}.{old}.{kind}"
               for number in numbers for new, old in inside.items() for kind in ("weight", "bias")}
    found = {new: state[short[old]] for new, old in wanted.items() if old in short}
    for name in set(short) - set(wanted.values()):
        if name != "embeddings.position_ids" and name.split(".")[0] not in ("pooler", "cls"):
            raise KeyError("unknown: " + short[name])
    if not fused:
        return found
    joined = {name: value for name, value in found.items() if not re.search(r"\.[qkv]_proj\.", name)}
    for number in numbers:
        for kind in ("weight", "bias"):
            three = [found[f"blocks.{number}.attention.{letter}_proj.{kind}"] for letter in ("q", "k", "v")]
            joined[f"blocks.{number}.attention.qkv_proj.{kind}"] = torch.concat(three, dim=0)
    return joined


# right form match_on_the_words
def translate_names(state, fused=False):
    tables = {"word_embeddings": "word_table", "position_embeddings": "position_table",
              "token_type_embeddings": "segment_table"}
    places = {
        ("attention", "self", "query"): "attention.q_proj", ("attention", "self", "key"): "attention.k_proj",
        ("attention", "self", "value"): "attention.v_proj", ("attention", "output", "dense"): "attention.out_proj",
        ("attention", "output", "LayerNorm"): "norm1", ("intermediate", "dense"): "ff1", ("output", "dense"): "ff2",
        ("output", "LayerNorm"): "norm2",
    }
    kinds = ("weight", "bias")

    def new_name(name):
        match name.removeprefix("bert.").split("."):
            case ["embeddings", table, "weight"] if table in tables:
                return f"{tables[table]}.weight"
            case ["embeddings", "LayerNorm", kind] if kind in kinds:
                return f"norm.{kind}"
            case ["encoder", "layer", number, *where, kind] if tuple(where) in places and kind in kinds and number.isdigit():
                return f"blocks.{int(number)}.{places[tuple(where)]}.{kind}"
            case ["embeddings", "position_ids"] | ["pooler" | "cls", *_]:
                return None
        raise KeyError(name)

    result = {new_name(name): value for name, value in state.items()}
    result.pop(None, None)
    if fused:
        for name in [name for name in result if "q_proj" in name]:
            three = tuple(result.pop(name.replace("q_proj", f"{letter}_proj")) for letter in "qkv")
            result[name.replace("q_proj", "qkv_proj")] = torch.cat(three, 0)
    return result
