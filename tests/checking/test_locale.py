"""The same inputs, the same expectations and the same verdicts under any locale, hash seed and number of threads."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.paths import ROOT

#: Prints one line for each exercise: a digest of its hidden cases for one seed, and what the public check says of the
#: reference. Results are written as JSON in UTF-8, whatever the locale.
SAY = """
import hashlib, sys
import msgspec, torch
torch.set_num_threads(int(sys.argv[1]))
from embedding_course.learner.check import public_result
from embedding_course.exercises import known
from grader.course_source.catalogue import reference
from grader.marking.hidden_check import Prepared
for one in known().values():
    if sys.argv[2] not in ("all", one.number):
        continue
    cases = hashlib.sha256(Prepared(one, 12).question).hexdigest()[:16]
    line = f"{one.id} {cases} ".encode() + msgspec.json.encode(public_result(one, reference(one)))
    sys.stdout.buffer.write(line + b"\\n")
"""


def said(folder: Path, notebook: str, threads: int, **settings: str) -> list[str]:
    """The lines of a process with these settings of the environment; Python's own escape from the C locale is shut."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    own = {"PYTHONPATH": str(ROOT), "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "EMBEDDING_COURSE_STATE": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", SAY, str(threads), notebook], cwd=folder, env={**kept, **own, **settings}, capture_output=True
    )
    assert ran.returncode == 0, ran.stderr.decode("utf-8", "replace")[-2000:]
    return ran.stdout.decode("utf-8").splitlines()


#: Byte pairs and Chinese text are in 01; the long run has all ten.
EXTENT = ["01", pytest.param("all", marks=pytest.mark.long)]


def usual(folder: Path, notebook: str) -> list[str]:
    return said(folder, notebook, 1, LC_ALL="C.UTF-8", PYTHONHASHSEED="1")


@pytest.mark.parametrize("notebook", EXTENT)
def test_the_c_locale_and_two_threads(notebook: str, tmp_path: Path) -> None:
    expected = usual(tmp_path, notebook)
    assert len(expected) >= 8
    assert said(tmp_path, notebook, 2, LC_ALL="C", PYTHONHASHSEED="2") == expected


@pytest.mark.slow
@pytest.mark.parametrize("notebook", EXTENT)
def test_a_chinese_locale_that_is_not_utf_8(notebook: str, tmp_path: Path) -> None:
    made = tmp_path / "locales" / "zh_CN.GB18030"
    made.parent.mkdir()
    if not shutil.which("localedef"):
        pytest.skip("no localedef here to make a Chinese locale with")
    if subprocess.run(["localedef", "-i", "zh_CN", "-f", "GB18030", str(made)], capture_output=True).returncode:
        pytest.skip("this machine has no sources of locales (on Debian: the package locales)")
    settings = {"LC_ALL": "zh_CN.GB18030", "LOCPATH": str(made.parent), "PYTHONHASHSEED": "3"}
    says = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.getpreferredencoding())"
    encoding = subprocess.run([sys.executable, "-c", says], env=settings | {"PYTHONUTF8": "0"}, capture_output=True, text=True)
    assert encoding.stdout.strip().upper().replace("-", "") == "GB18030"
    assert said(tmp_path, notebook, 1, **settings) == usual(tmp_path, notebook)
