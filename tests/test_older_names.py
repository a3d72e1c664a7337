"""A notebook or a class folder that was made with an older tree still opens with this one."""

import subprocess
import sys

#: What the notebooks of the first edition import.
IMPORTS = """
from embedding_course import check, hint, pieces, predict, progress, reveal, waiting_for
from embedding_course import check, hint, predict, progress, reveal, waiting_for
from embedding_course import doctor, submit
from embedding_course import pieces
from embedding_course.data.tiktoken_facts import token_count, token_ids, token_pieces
from embedding_course.demo import attention_ablations, curves, masked_words, parity, reversal, senses
from embedding_course.demo import bleu, curves, own_pieces
from embedding_course.demo import remembering, translation, translation_experiments, translation_tables
from embedding_course.demo import clip_digits, compression, curves, hard_negatives, recommender, search_baselines
from embedding_course.demo import clouds, digits_map, four_clouds
from embedding_course.demo import function_map, language_alignment, neighbourhoods, table_health
from embedding_course.demo import copy_back, copy_race, curves, sentence_pair
from embedding_course.demo import curves, held_out, ngram_counts, nplm_ablations, skip_gram, word_classes
from embedding_course.demo import curves, invariance, padding, paraphrases, transplant, window, window_experiments
from embedding_course.demo import difference_quotients, initialisation, moving_rows, pretrained, sparse_cost
from embedding_course.demo import first_word_gradient, next_word
from embedding_course.demo import search_training, search_variants, shifted_digits, two_languages, word_circle
from embedding_course.demo.causal import Causal
from embedding_course.demo.fair_null import cut, fair_test, said
from embedding_course.demo.kneser_ney import InterpolatedTrigram
from embedding_course.demo.lookup_cost import by_rows, by_vocabulary, by_width
from embedding_course.demo.map_making import Pieces, divergence, make_map, scikit_map, slopes
from embedding_course.demo.search_box import search_box
from embedding_course.demo.search_engine import SearchEngine
from embedding_course.demo.self_test import ask
from embedding_course.demo.training import Batches, train
from embedding_course.demo.word_pairs import letter_pairs
from embedding_course.pieces import own
from embedding_course.plot import alignment, sentence_grid
from embedding_course.plot import attention as pictures
from embedding_course.plot import blocks
from embedding_course.plot import bpe as bpe_figures
from embedding_course.plot import clipped_gradients, norm_traces
from embedding_course.plot import compression as memory
from embedding_course.plot import contrast, digit_views, retrieval
from embedding_course.plot import cross_entropy, lines, scatter_add
from embedding_course.plot import hover_map, maps, tsne_steps
from embedding_course.plot import language_models as pictures
from embedding_course.plot import max_norm as pictures
from embedding_course.plot import meaning
from embedding_course.plot import moving_rows as moving_pictures
from embedding_course.plot import onehot as onehot_figures
from embedding_course.plot import pooling as pictures
from embedding_course.plot import positions as pictures
from embedding_course.plot import pretrained as pretrained_pictures
from embedding_course.plot import rotary
from embedding_course.plot import table_health as health_pictures
from embedding_course.plot import translation as pictures
from embedding_course.plot import word_map
from embedding_course.plot.chinese import label
from embedding_course.plot.chinese import say_how
from embedding_course.plot.chinese import spelled
from embedding_course.plot.token_card import show_segments, show_tokenizer
from embedding_course.tables import keep_table
from embedding_course.tables import table
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_all_that_older_notebooks_import_is_there() -> None:
    done = run(IMPORTS)
    assert done.returncode == 0, done.stderr


RENAMED = {
    "embedding_course.demo.curves": "embedding_course.experiments.curves",
    "embedding_course.demo.causal": "embedding_course.experiments.attention.causal",
    "embedding_course.pieces": "embedding_course.learner.own_answers",
    "grader.nbgrader_plugin": "grader.marking.nbgrader_plugin",
}


def test_an_older_name_gives_the_same_module() -> None:
    """Not a copy: what one of them remembers, the other knows."""
    code = ["import sys"]
    for older, now in RENAMED.items():
        code.append(f"import {older}, {now}; older, now = sys.modules[{older!r}], sys.modules[{now!r}]")
        code.append(f"assert older is now and now.__name__ == now.__spec__.name == {now!r}")
    done = run("\n".join(code))
    assert done.returncode == 0, done.stderr


def test_what_never_was_is_still_missing() -> None:
    done = run("import embedding_course.demo.nothing_of_that_name")
    assert "ModuleNotFoundError" in done.stderr
