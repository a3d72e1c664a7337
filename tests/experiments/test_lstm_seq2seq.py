"""The small machines behind notebook 05's demonstrations."""

import io
import warnings

import pytest
import torch
import torch.nn.functional as F

from embedding_course.data.micro import micro_language
from embedding_course.experiments import curves
from embedding_course.experiments.lstm_seq2seq import bleu, remembering, translation
from embedding_course.experiments.lstm_seq2seq.translator import Translator
from embedding_course.plot import alignment, sentence_grid
from embedding_course.plot import translation as pictures

SHORT = translation.Setting(pairs=64, steps=6, batch=8, width=8, hidden=8)


@pytest.fixture
def small() -> Translator:
    return translation.train(SHORT).model.eval()


def test_a_batch_is_shifted_and_filled_up() -> None:
    text = translation.text("train", 64)
    batch = translation.batch_of([tensor[:8] for tensor in text.tensors])
    assert batch.source.shape[1] == batch.lengths.max()
    for row, pair in enumerate(text.pairs[:8]):
        fed, wanted = batch.fed[row].tolist(), batch.wanted[row].tolist()
        assert translation.ENGLISH().decode(wanted) == pair.english
        assert fed[0] == translation.ENGLISH().bos and fed[1:] == wanted[:-1]
    same = translation.batch_of([tensor[:8] for tensor in text.tensors], shifted=False)
    assert torch.equal(same.fed, same.wanted)


@pytest.mark.parametrize("attention", [True, False])
def test_padding_changes_nothing_unless_the_state_is_taken_there(attention: bool) -> None:
    torch.manual_seed(0)
    for packed in (True, False):
        model = Translator(9, 9, 4, 5, attention, packed=packed)
        source, lengths, fed = torch.tensor([[4, 5, 0], [6, 7, 8]]), torch.tensor([2, 3]), torch.tensor([[2, 4], [2, 5]])
        narrow = model.write(fed, model.read(source, lengths))[0]
        wide = model.write(fed, model.read(F.pad(source, (0, 4)), lengths))[0]
        assert torch.allclose(narrow, wide, atol=1e-6) == packed


def test_a_learners_attention_takes_torchs_place(small: Translator) -> None:
    def attend(query, memory, mask):
        scores = (memory @ query[:, :, None])[:, :, 0].masked_fill(~mask, -1e9)
        weights = scores.softmax(dim=1)
        return (weights[:, None] @ memory)[:, 0], weights

    held_out = translation.held_out(20)
    before = translation.translate(small, held_out.chinese, held_out.chinese_lengths)
    words, translation_words, weights = translation.alignment(small, held_out.pairs[0].chinese)
    small.own_attend = attend
    assert translation.translate(small, held_out.chinese, held_out.chinese_lengths) == before
    torch.testing.assert_close(translation.alignment(small, held_out.pairs[0].chinese)[2], weights)
    assert weights.shape == (len(translation_words), len(words))
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(len(translation_words)))


def test_no_figure_with_chinese_words_lacks_a_glyph() -> None:
    labels = micro_language().vocabulary["chinese"].words[4:]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure, axes = sentence_grid.new_figure(4, 3)
        for index, text in enumerate(labels):
            axes.text(index % 9 / 10, index // 9 / 30, text)
        figure.savefig(io.BytesIO(), format="png")
        sentence = (["明天", "他", "忙"], ["he", "is", "busy", "tomorrow", "<eos>"], torch.rand(5, 3))
        alignment.card(sentence, {"忙": "busy"}, 0.99, 100_000, 13.0, mine=True)
        sentence_grid.show_batch(["他 的 箱子 很 小", "女孩 不 喜欢 游泳"], {"小": "small"})


def test_a_new_lstm_forgets_and_an_open_gate_keeps() -> None:
    kept = {name: remembering.influence(name, words=20, seeds=2) for name in remembering.KINDS}
    assert kept["LSTM as torch makes it"][-1] < 0.01 < 0.1 < kept["LSTM, forget gate opened"][-1]
    assert 0.5 < kept["LSTM as torch makes it"][-1].item() ** (1 / 19) < 0.7, "it falls by a third to a half with every word"
    assert 0.475 < remembering.forget_gate(seeds=3) < 0.495, "the gates alone lose more than half"


def test_the_chinese_table_puts_words_of_a_kind_together() -> None:
    table = F.normalize(translation.chinese_table(), dim=1)
    ids = translation.CHINESE().ids
    assert table[ids["男孩"]] @ table[ids["女孩"]] > table[ids["男孩"]] @ table[ids["很"]]
    assert not table[:4].any()


def test_the_recorded_runs_say_what_the_lesson_says(capsys: pytest.CaptureFixture[str]) -> None:
    slips = curves.load("05_slips")
    ends = {name: values[-1][1] for name, values in slips.curves.items()}
    assert min(ends, key=ends.__getitem__) == "target" and slips.numbers["target"] < 0.01
    assert ends["loss"] < ends["right"]
    assert slips.numbers["right"] == slips.numbers["right, padded"]
    assert slips.numbers["state"] > 3 * slips.numbers["state, padded"]
    pictures.show_slips(slips)
    pictures.show_widths(curves.load("05_widths"))
    tables, narrow = curves.load("05_tables"), curves.load("05_unknown_words")
    assert tables.numbers["given"] > tables.numbers["random"]
    assert tables.numbers["one, parameters"] < tables.numbers["two, parameters"]
    assert narrow.numbers["all known"] > narrow.numbers["some unknown"] > 0.5
    widths = curves.load("05_widths").numbers
    assert 12 < 1 / widths["4"] < 14 and widths["8"] < 0.5 and widths["16"] > 0.9 and widths["48"] == widths["128"]
    assert round(ends["state"], 2) == 0.16 and round(ends["right"], 2) == 0.07
    assert capsys.readouterr().out.count("[Figure:") == 2


def test_bleu_of_the_two_slips_is_as_the_lesson_counts_it() -> None:
    reference = ["he", "will", "go", "to", "the", "library", "by", "bus", "tomorrow"]

    def shares(candidate: list[str]) -> list[tuple[int, int]]:
        counted = []
        for size in (1, 2, 3, 4):
            runs = [tuple(candidate[at : at + size]) for at in range(len(candidate) - size + 1)]
            there = [tuple(reference[at : at + size]) for at in range(len(reference) - size + 1)]
            counted.append((sum(run in there for run in runs), len(runs)))
        return counted

    assert shares(["he", "will", "go", "to", "the", "school", "by", "bus", "tomorrow"]) == [(8, 9), (6, 8), (4, 7), (2, 6)]
    assert shares(["he", "will", "go", "to", "the", "library", "by", "bus"]) == [(8, 8), (7, 7), (6, 6), (5, 5)]


def test_long_joined_texts_are_nearly_always_two_sentences() -> None:
    held_out = translation.held_out(joined=True)
    two = torch.arange(len(held_out.pairs)) % 2 == 1
    assert two[held_out.chinese_lengths >= 13].float().mean() > 0.98


def test_bleu_falls_back_on_the_recorded_number(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bleu, "find_spec", lambda _: None)
    assert bleu.bleu(["a"], ["a"]) == bleu.RECORDED > 90
    assert "not installed" in capsys.readouterr().out


def test_bleu_is_sacrebleus() -> None:
    pytest.importorskip("sacrebleu")
    assert bleu.bleu(["his box is very small"], ["his box is very small"]) == pytest.approx(100)


@pytest.mark.long
def test_the_headline_holds() -> None:
    run = translation.train(translation.Setting())
    assert run.seconds < 30
    assert translation.exact(run.model, translation.held_out()) >= 0.98
