"""The YAML of docs/jupyterhub.md for Kubernetes, with a spawner as KubeSpawner is made by older and by newer charts."""

import re
import textwrap
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from grader.paths import ROOT

PAGE = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")
VALUES = yaml.safe_load(re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)[0])
EXCHANGE = {"name": "exchange", "persistentVolumeClaim": {"claimName": "exchange"}}


def hook() -> Any:
    config = SimpleNamespace(KubeSpawner=SimpleNamespace())
    exec(VALUES["hub"]["extraConfig"]["instructors"], {"c": config})
    return config.KubeSpawner.pre_spawn_hook


def spawner(name: str, volumes: Any) -> Any:
    return SimpleNamespace(
        user=SimpleNamespace(name=name), image="student", mem_limit="2G", volumes=volumes, volume_mounts=volumes
    )


def test_a_volume_and_its_mount_have_one_name() -> None:
    storage = VALUES["singleuser"]["storage"]
    assert storage["extraVolumes"] == {"exchange": EXCHANGE}
    assert storage["extraVolumeMounts"]["exchange"] == {"name": "exchange", "mountPath": "/srv/nbgrader/exchange"}


@pytest.mark.parametrize("volumes", [{"exchange": EXCHANGE}, [EXCHANGE]], ids=["chart 4.3", "older charts"])
def test_an_instructor_has_the_class_once_however_often_the_server_starts(volumes: Any) -> None:
    teacher, student = spawner("teacher", volumes), spawner("ada", volumes)
    for _ in range(2):
        hook()(teacher)
        hook()(student)
    assert student.volumes == student.volume_mounts == volumes and student.image == "student"
    assert type(teacher.volumes) is type(volumes) and "instructor" in teacher.image
    held, mounts = (
        list(value.values()) if isinstance(value, dict) else value for value in (teacher.volumes, teacher.volume_mounts)
    )
    assert held == [EXCHANGE, {"name": "class", "persistentVolumeClaim": {"claimName": "class"}}]
    assert mounts[1:] == [{"name": "class", "mountPath": "/srv/class"}]


def test_what_the_hub_is_told_of_ngshare_can_be_read() -> None:
    block = next(block for block in re.findall(r"(?:^    .*\n)+", PAGE, re.M) if "ngshare.py" in block)
    hub = yaml.safe_load(textwrap.dedent(block))["hub"]
    services: list[dict[str, str]] = []
    exec(hub["extraConfig"]["ngshare.py"], {"c": SimpleNamespace(JupyterHub=SimpleNamespace(services=services))})
    scope = f"access:services!service={services[0]['name']}"
    assert all(scope in hub["loadRoles"][role]["scopes"] for role in ("user", "server"))
