"""The page as an extension of Jupyter's server: enabled by the installation, and harmless where there is no class."""

import importlib
import json
import tomllib
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.marking.written.extension import _Class
from grader.paths import ROOT


def test_an_installation_enables_the_extension() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    ((source, target),) = targets["wheel"]["shared-data"].items()
    assert target.startswith("etc/jupyter/jupyter_server_config.d/") and target.endswith(".json")
    (name,) = json.loads((ROOT / source).read_text(encoding="utf-8"))["ServerApp"]["jpserver_extensions"]
    assert importlib.import_module(name)._jupyter_server_extension_points()[0]["module"].startswith(name)


def test_a_server_elsewhere_says_that_there_is_no_class_and_makes_nothing(tmp_path: Path) -> None:
    opened = _Class(tmp_path, "")
    with pytest.raises(UserError, match="holds no graded class: start the server in the folder of the class"):
        opened.open()
    opened.close()
    assert list(tmp_path.iterdir()) == []
