"""Measure what the attention heads and layers of the published all-MiniLM-L6-v2 look at.

The model is an optional package, so `minilm_attention.json` keeps the numbers; `python -m claims.minilm_attention` records them
again, and a test compares them where the model is installed.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F

from embedding_course.data.dog_and_machine import story_pairs
from embedding_course.data.published import BertModel, minilm

__all__ = ["RECORDED", "RELATIONS", "measure", "recorded"]

RECORDED = Path(__file__).with_suffix(".json")

#: Each relation: the word that looks, and the word that it has to find.
RELATIONS = {
    "verb to object": ("verb", "object"),
    "verb to subject": ("verb", "subject"),
    "object to verb": ("object", "verb"),
    "subject to verb": ("subject", "verb"),
}
_SENTENCES, _PARAGRAPH = 400, 6
_NOUNS = ["dog", "cat", "teacher", "student", "farmer", "doctor", "horse", "bird", "child", "woman", "friend", "king"]
_ADJECTIVES = ["old", "young", "small", "red", "happy", "quiet"]
_VERBS = ["saw", "chased", "liked", "helped", "found", "followed", "watched", "heard"]
_PLACES = ["house", "river", "garden", "school"]


class Sentence(NamedTuple):
    """A sentence as words, and the positions of its verb, subject and object."""

    words: list[str]
    positions: dict[str, int]


def _sentence(draw: random.Random) -> Sentence:
    """Return a sentence in which neither the next noun nor a fixed distance gives subject and object away."""
    subject, object_, owner, guest = draw.sample(_NOUNS, 4)
    place = ["near", "the", draw.choice(_PLACES)]
    words = draw.choice([[], [], ["yesterday"], ["in", "the", draw.choice(_PLACES)]])
    words = [*words, "the", *draw.choices(_ADJECTIVES, k=draw.choice([0, 0, 1])), subject]
    positions = {"subject": len(words) - 1}
    words += draw.choice([[], [], [], place, place, ["with", "the", guest]]) + draw.choice([[], [], ["often"]])
    positions["verb"] = len(words)
    owned = draw.choice([[], [], [], ["'", "s"], ["'", "s"]])
    words += [draw.choice(_VERBS), "the", *([owner, *owned] if owned else [])]
    words += [*draw.choices(_ADJECTIVES, k=draw.choice([0, 1, 1, 2])), object_]
    positions["object"] = len(words) - 1
    return Sentence([*words, *draw.choice([[], ["near", "the", draw.choice(_PLACES)], ["today"]]), "."], positions)


@torch.no_grad()
def _run(model: BertModel, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the states (layers + 1, T, d) and the attention weights (layers, heads, T, T) of one text."""
    weight, width = model.state, model.d_model

    def linear(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, weight[f"{name}.weight"], weight[f"{name}.bias"])

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return F.layer_norm(x, (width,), weight[f"{name}.weight"], weight[f"{name}.bias"], model.eps)

    tables = "embeddings.word_embeddings", "embeddings.position_embeddings", "embeddings.token_type_embeddings"
    words, positions, segments = (weight[f"{name}.weight"] for name in tables)
    x = norm(words[ids] + positions[: len(ids)] + segments[0], "embeddings.LayerNorm")
    states, attentions = [x], []
    for layer in (f"encoder.layer.{number}" for number in range(model.layers)):
        query, key, value = (
            linear(x, f"{layer}.attention.self.{part}").unflatten(-1, (model.heads, -1)).transpose(0, 1)
            for part in ("query", "key", "value")
        )
        attentions.append((query @ key.transpose(1, 2) / query.shape[-1] ** 0.5).softmax(dim=-1))
        mixed = linear((attentions[-1] @ value).transpose(0, 1).flatten(1), f"{layer}.attention.output.dense")
        x = norm(x + mixed, f"{layer}.attention.output.LayerNorm")
        inside = F.gelu(linear(x, f"{layer}.intermediate.dense"))
        x = norm(x + linear(inside, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        states.append(x)
    return torch.stack(states), torch.stack(attentions)


def _relations(model: BertModel) -> dict[str, Any]:
    """Return for each relation the head that is best on one half of the sentences, and how it does on the other half."""
    draw = random.Random(0)
    sentences = [_sentence(draw) for _ in range(_SENTENCES)]
    hits = {name: torch.zeros(2, model.layers, model.heads) for name in RELATIONS}
    distances = {name: (Counter[int](), Counter[int]()) for name in RELATIONS}
    for number, sentence in enumerate(sentences):
        ids = model.tokenizer.ids([" ".join(sentence.words)])[0][0]
        assert len(ids) == len(sentence.words) + 2, "each word is one token"
        attention = _run(model, ids)[1]
        for name, (looking, wanted) in RELATIONS.items():
            looks, target = sentence.positions[looking] + 1, sentence.positions[wanted] + 1  # [CLS] stands first
            weights = attention[:, :, looks].clone()
            weights[:, :, [0, looks, -2, -1]] = -1  # not [CLS], the word itself, the full stop or [SEP]
            hits[name][number % 2] += weights.argmax(dim=-1) == target
            distances[name][number % 2][target - looks] += 1
    half, found, serving = _SENTENCES // 2, {}, Counter[int]()
    for name in RELATIONS:
        chosen, tested = (hits[name] / half).flatten(1)
        distance = distances[name][0].most_common(1)[0][0]
        by_distance = distances[name][1][distance] / half
        serving.update(((chosen > by_distance + 0.1) & (tested > by_distance + 0.1)).nonzero().flatten().tolist())
        best = int(chosen.argmax())
        found[name] = {
            "layer": best // model.heads + 1,
            "right": round(tested[best].item(), 3),
            "by distance": round(by_distance, 3),
            "best in layer 1": round(tested[: model.heads].max().item(), 3),
        }
    return {"heads": found, "serving": len(serving), "serving two": sum(count > 1 for count in serving.values())}


def _layers(model: BertModel) -> dict[str, Any]:
    """Return for each layer how far attention looks, and how alike one word is in several paragraphs."""
    english = [sentence for _, sentence in story_pairs()]
    paragraphs = [" ".join(english[start : start + _PARAGRAPH]) for start in range(0, len(english), _PARAGRAPH)]
    reach, even, states = [], [], {}
    for paragraph in paragraphs:
        ids = model.tokenizer.ids([paragraph])[0][0]
        hidden, attention = _run(model, ids)
        between_words = attention[:, :, 1:-1, 1:-1]
        between_words = between_words / between_words.sum(dim=-1, keepdim=True)
        positions = torch.arange(len(ids) - 2)
        distance = (positions[:, None] - positions).abs().float()
        reach.append((between_words * distance).sum(dim=-1).mean(dim=(1, 2)))
        even.append(distance.mean().item())
        for position in range(1, len(ids) - 1):
            states.setdefault(int(ids[position]), []).append(hidden[:, position])
    alike = torch.stack([_mean_cosine(torch.stack(vectors, dim=1)) for vectors in states.values() if len(vectors) > 1])
    return {
        "reach": [round(value, 2) for value in torch.stack(reach).mean(dim=0).tolist()],
        "even reach": round(sum(even) / len(even), 2),
        "alike": [round(value, 3) for value in alike.mean(dim=0).tolist()],
    }


def _mean_cosine(vectors: torch.Tensor) -> torch.Tensor:
    """Return the mean cosine of different vectors (layers, N, d), for each layer."""
    unit, count = F.normalize(vectors, dim=-1), vectors.shape[1]
    return ((unit @ unit.transpose(1, 2)).sum(dim=(1, 2)) - count) / (count * (count - 1))


def measure(model: BertModel) -> dict[str, Any]:
    """Return all numbers of the two entries that are about this model."""
    return {**_relations(model), **_layers(model)}


def recorded() -> dict[str, Any]:
    """Return the recorded numbers."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(measure(minilm()), indent=1) + "\n", encoding="utf-8")
