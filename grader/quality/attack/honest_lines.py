"""Honest answers in a cell of which another line fails where nobody is at the keyboard: above the definition, or below."""

from __future__ import annotations

__all__ = ["ABOVE", "BELOW", "DECORATORS"]

#: What stands above the definition.
ABOVE: dict[str, str] = {
    "installs": "!pip install --quiet numba",
    "installs_by_magic": "%pip install transformers",
    "installs_with_conda": "%conda install -y numba",
    "installs_by_program": "import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'numba'])",
    "lists_files": "!ls -la\nfiles = !ls\nprint(files[0])",
    "graphics_card": "!nvidia-smi\nimport torch\nprint(torch.cuda.get_device_name(0))",
    "onto_the_graphics_card": "import torch\nx = torch.zeros(2).cuda()",
    "draws_inline": "%matplotlib inline\n%config InlineBackend.figure_format = 'retina'",
    "draws_interactively": "%matplotlib widget",
    "reloads": "%load_ext autoreload\n%autoreload 2",
    "magic_that_is_not_there": "%load_ext nb_black\n%lab_black",
    "fonts": "import matplotlib.pyplot as plt\nplt.rcParams['font.sans-serif'] = ['SimHei']",
    "fonts_that_are_chosen": "plt.rcParams['font.sans-serif'] = my_fonts",
    "font_file": "from matplotlib import font_manager\nfont_manager.fontManager.addfont('/content/SimHei.ttf')",
    "style": "import matplotlib.pyplot as plt\nplt.style.use('seaborn-whitegrid')",
    "style_file": "import matplotlib.pyplot as plt\nplt.style.use('./my.mplstyle')",
    "window_for_plots": "import matplotlib\nmatplotlib.use('TkAgg')",
    "seaborn": "import seaborn as sns\nsns.set_theme()",
    "asks": "name = input('Your name? ')\nprint('Hello', name)",
    "asks_for_a_number": "n = int(input('How many? '))",
    "asks_for_a_password": "from getpass import getpass\ntoken = getpass()",
    "colab_drive": "from google.colab import drive\ndrive.mount('/content/drive')",
    "colab_by_name": "import google.colab\nfrom google.colab import files\nfiles.upload()",
    "colab_folder": "%cd /content/drive/MyDrive\nimport os\nos.chdir('/content')",
    "local_file": "words = open('words.txt', encoding='utf-8').read().split()",
    "local_table": "import pandas as pd\nframe = pd.read_csv('data.csv')",
    "local_tensor": "import torch\nsaved = torch.load('model.pt')",
    "local_module": "from my_utils import *\nimport my_other_utils as helper",
    "picture": "import matplotlib.pyplot as plt\nplt.imshow(plt.imread('figure.png'))\nplt.show()",
    "download": "import urllib.request\nurllib.request.urlretrieve('https://example.org/words.txt', 'words.txt')",
    "hugging_face": "from transformers import AutoTokenizer\ntokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
    "experiment_log": "import wandb\nwandb.init(project='embeddings')",
    "progress_bar": "from tqdm.notebook import tqdm",
    "environment": "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n%env TOKENIZERS_PARALLELISM=false",
    "threads": "import torch\ntorch.set_num_threads(8)\ntorch.set_num_interop_threads(8)\ntorch.set_num_interop_threads(4)",
    "help": "?print\nprint?\nhelp(len)",
    "leftover_of_the_stub": "raise NotImplementedError()",
    "assertion": "assert False, 'later'",
    "typing_error": "prnit('hello')",
    "exit": "import sys\nsys.exit()",
    "hard_exit": "import os\nos._exit(0)",
    "runs_another_file": "%run setup.ipynb",
    "stored_variable": "%store -r weights",
    "debugger": "%pdb on",
    "several_of_them": "!pip install x\nimport numba\n%matplotlib widget\nn = int(input())\nwords = open('w.txt').read()",
}  # fmt: skip

#: What stands below it.
BELOW: dict[str, str] = {
    "measures": "%timeit sum(range(1000))",
    "runs_for_ever": "while True:\n    pass",
    "plots": "import matplotlib.pyplot as plt\nplt.plot(losses)\nplt.show()",
    "returns": "return 3",
    "waits": "await nothing_at_all()",
    "ends": "quit()",
}

#: Decorators that compile, or are not there.
DECORATORS: dict[str, str] = {
    "torch_compile": "@torch.compile",
    "torch_compile_with_options": "@torch.compile(mode='reduce-overhead', fullgraph=True)",
    "torch_jit": "@torch.jit.script",
    "numba": "import numba\n@numba.njit",
    "numba_with_options": "from numba import jit\n@jit(nopython=True)",
    "typed": "from jaxtyping import jaxtyped\n@jaxtyped",
    "two": "@torch.compile\n@torch.no_such_decorator",
}
