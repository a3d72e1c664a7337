"""The worked example of the first neural language model: every number, recomputed."""

import pytest
import torch

from embedding_course.data.three_sentences import CONTEXTS, IDS, PRINTED, SENTENCES, TRANSLATIONS, WEIGHTS, WORDS

WEIGHT = WEIGHTS._make(torch.tensor(part, dtype=torch.float64) for part in WEIGHTS)

GLOSSES = dict(zip(WORDS, ("being beaten", "I", "dad", "love", "like", "toys", "hate"), strict=True))


def hidden_and_logits(context: str) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The sums, their tanh and the logits, from the weights."""
    concatenated = WEIGHT.embedding[[IDS[word] for word in context.split()]].flatten()
    sums = WEIGHT.hidden @ concatenated + WEIGHT.hidden_bias
    return sums, sums.tanh(), WEIGHT.output @ sums.tanh() + WEIGHT.output_bias


def test_the_words_have_the_ids_of_the_hand_computation() -> None:
    assert set(WORDS) == {word for sentence in SENTENCES for word in sentence.split()} and len(WORDS) == 7
    assert [[IDS[word] for word in context.split()] for context in CONTEXTS] == [[1, 3], [1, 6]]
    assert (WORDS[4], WORDS[5], WORDS[6]) == ("喜欢", "玩具", "讨厌")
    assert tuple(" ".join(GLOSSES[word] for word in sentence.split()) for sentence in SENTENCES) == TRANSLATIONS
    assert [len(sentence.split()) for sentence in TRANSLATIONS] == [3, 3, 4]


def test_the_model_has_45_numbers() -> None:
    assert [part.numel() for part in WEIGHT] == [14, 8, 2, 14, 7]


def test_the_true_numbers_follow_from_the_weights() -> None:
    sums, hidden, logits = hidden_and_logits(CONTEXTS[0])
    assert sums.tolist() == pytest.approx([0.58, -0.26], abs=1e-12)
    assert hidden.tolist() == pytest.approx([0.5227, -0.2543], abs=5e-5)
    assert logits.tolist() == pytest.approx([0.281, 0.384, -0.714, 0.969, -1.021, 1.046, -0.546], abs=5e-4)
    assert logits.argmax() == 5 and logits.softmax(0)[5].item() == pytest.approx(0.293, abs=5e-4)
    sums, hidden, logits = hidden_and_logits(CONTEXTS[1])
    assert sums.tolist() == pytest.approx([1.0, -0.32], abs=1e-12)
    assert hidden.tolist() == pytest.approx([0.7616, -0.3095], abs=5e-5)
    assert logits.argmax() == 5 and logits.softmax(0)[5].item() == pytest.approx(0.319, abs=5e-4)


def test_what_follows_from_what_is_printed() -> None:
    """Its tanh is that of its sums, and its sums are wrong; its predictions are those of its logits."""
    assert torch.tensor(PRINTED.sums).tanh().tolist() == pytest.approx(PRINTED.tanh, abs=5e-3)
    assert [max(range(7), key=row.__getitem__) for row in PRINTED.logits] == list(PRINTED.predicted)
    of_its_tanh = (WEIGHT.output @ torch.tensor(PRINTED.tanh, dtype=torch.float64) + WEIGHT.output_bias).tolist()
    follow = [abs(computed - printed) < 0.01 for computed, printed in zip(of_its_tanh, PRINTED.logits[0], strict=True)]
    assert follow == [True, True, False, False, False, False, False]


def test_the_printed_chances_are_not_the_softmax_of_the_printed_logits() -> None:
    wanted = [[0.089, 0.088, 0.019, 0.140, 0.513, 0.047, 0.104], [0.165, 0.030, 0.100, 0.067, 0.022, 0.122, 0.494]]
    for logits, chances, true, furthest in zip(PRINTED.logits, PRINTED.softmax, wanted, (0.08, 0.05), strict=True):
        softmax = torch.tensor(logits, dtype=torch.float64).softmax(0).tolist()
        assert softmax == pytest.approx(true, abs=5e-4)
        assert max(abs(computed - printed) for computed, printed in zip(softmax, chances, strict=True)) > furthest
        assert sum(chances) == pytest.approx(1.0)
