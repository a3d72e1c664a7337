"""docs/jupyterhub.md with a hub that runs: a student fetches, answers and hands in there, and finds feedback after grading."""

import contextlib
import importlib.util
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import nbgrader
import pytest
from click.testing import Result

from embedding_course.subject.titles import COURSE_ID
from grader.classroom import records
from grader.classroom.new_class import make_class
from grader.paths import BUILD, ROOT
from tests.support.classes import perfect

PAGE = (ROOT / "docs" / "jupyterhub.md").read_text(encoding="utf-8")
FILES = {name: body for name, body in re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.M | re.S)}
COMMANDS = {name: body.splitlines() for name, body in re.findall(r"^```bash ?(\S*)\n(.*?)^```$", PAGE, re.M | re.S)}
TOPIC = "03_max_norm"
#: In place of what a test has not: accounts, and fixed ports. All servers are one user, so students' names come from the hub.
OVERLAY = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy}"
c.ConfigurableHTTPProxy.command = [{command!r}]
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = "{home}/people/{{username}}"
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--allow-root"]
c.Spawner.environment = {{"JUPYTER_CONFIG_PATH": {config!r}, "JUPYTER_PATH": {data!r}}}
c.Spawner.start_timeout = c.Spawner.http_timeout = 180
c.JupyterHub.db_url = "sqlite:///{home}/hub.sqlite"
c.JupyterHub.cookie_secret_file = "{home}/cookie_secret"
c.JupyterHub.services = [{{"name": "test", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [
    {{"name": "test", "scopes": ["admin:users", "admin:servers", "access:servers"], "services": ["test"]}},
]
"""
ONE_USER = """
import os
c.CourseDirectory.student_id = os.environ.get("JUPYTERHUB_USER", "*")
c.ExchangeCollect.check_owner = False
"""


def _proxy(folder: Path) -> str:
    """JupyterHub's proxy: one that is installed, else from npm's registry. Skips where there is none."""
    executable = shutil.which("configurable-http-proxy")
    if executable:
        return executable
    if not shutil.which("npm"):
        pytest.skip("JupyterHub's proxy is missing: npm install --global configurable-http-proxy (npm comes with Node.js).")
    words = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(folder), "configurable-http-proxy"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"npm could not install configurable-http-proxy: {done.stderr.strip()[-300:]}")
    return str(folder / "node_modules" / ".bin" / "configurable-http-proxy")


def _free() -> int:
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        return free_socket.getsockname()[1]


class Api:
    """The hub's and its servers' HTTP interface, with a token."""

    def __init__(self, base: str, token: str) -> None:
        self.base, self.token = base, token

    def ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            text = answer.read().decode("utf-8")
        return json.loads(text) if text else None

    def until(self, path: str, good: Callable[[Any], object], seconds: float = 240) -> Any:
        """Ask until the answer is good."""
        end, last_answer = time.monotonic() + seconds, "nothing"
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                answer = self.ask("GET", path)
                if good(answer):
                    return answer
                last_answer = str(answer)[:500]
            time.sleep(1)
        raise AssertionError(f"{path} did not come; the last answer was {last_answer}")


class Student:
    """Somebody with a server on the hub, who clicks in JupyterLab's assignment list."""

    def __init__(self, api: Api, name: str) -> None:
        self.api, self.name = api, name
        api.ask("POST", f"/hub/api/users/{name}", {})
        with contextlib.suppress(TimeoutError):
            api.ask("POST", f"/hub/api/users/{name}/server", {})
        api.until(f"/hub/api/users/{name}", lambda user: user["servers"].get("", {}).get("ready"))

    def click(self, action: str) -> list[dict[str, Any]]:
        """Fetch, submit or fetch feedback; what the list shows then."""
        words = urllib.parse.urlencode({"course_id": COURSE_ID, "assignment_id": TOPIC})
        answer = self.api.ask("POST", f"/user/{self.name}/assignments/{action}?{words}", {})
        assert answer["success"], answer
        return answer["value"]

    def read(self, path: str) -> Any:
        return self.api.ask("GET", f"/user/{self.name}/api/contents/{urllib.parse.quote(path)}")["content"]

    def write(self, path: str, notebook: object) -> None:
        body = {"type": "notebook", "format": "json", "content": notebook}
        self.api.ask("PUT", f"/user/{self.name}/api/contents/{path}", body)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    """A hub as on the page, its files in the test's folder. Its log is kept: build/hub.log."""
    if importlib.util.find_spec("jupyterhub") is None:
        pytest.skip("JupyterHub is not installed here: pip install --editable '.[hub]'.")
    command, token = _proxy(tmp_path / "npm"), secrets.token_hex(16)
    ports = {"port": _free(), "hub": _free(), "proxy": _free()}
    prefix = Path(nbgrader.__file__).parents[4]  # where nbgrader's server extensions are configured
    machine = tmp_path / "etc"
    for folder in (machine, tmp_path / "people"):
        folder.mkdir()
    exchange = FILES["nbgrader_config.py"].replace("/srv/nbgrader", str(tmp_path))
    assert exchange != FILES["nbgrader_config.py"]
    (machine / "nbgrader_config.py").write_text(exchange + ONE_USER, encoding="utf-8")
    config = os.pathsep.join([str(machine), str(prefix / "etc" / "jupyter")])
    overlay = OVERLAY.format(
        **ports,
        command=command,
        home=tmp_path,
        python=sys.executable,
        config=config,
        token=token,
        data=str(prefix / "share" / "jupyter"),
    )
    (tmp_path / "jupyterhub_config.py").write_text(FILES["jupyterhub_config.py"] + overlay, encoding="utf-8")
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", config)  # the instructor is on the same machine
    for line in COMMANDS[""]:
        subprocess.run(shlex.split(line.replace("/srv/nbgrader", str(tmp_path))), check=True)
    with (tmp_path / "hub.log").open("wb") as log:
        words = [sys.executable, "-m", "jupyterhub", "-f", str(tmp_path / "jupyterhub_config.py")]
        process = subprocess.Popen(words, cwd=tmp_path, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            api = Api(f"http://127.0.0.1:{ports['port']}", token)
            api.until("/hub/api/", lambda answer: "version" in answer)
            yield api
        finally:
            process.terminate()  # it ends its servers and its proxy
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
            BUILD.mkdir(exist_ok=True)
            shutil.copyfile(tmp_path / "hub.log", BUILD / "hub.log")
            print((tmp_path / "hub.log").read_text("utf-8", "replace")[-20_000:])


@pytest.mark.long
def test_a_student_and_an_instructor_take_the_whole_way(
    hub: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Result]
) -> None:
    home = tmp_path / "class"
    make_class(home)
    monkeypatch.chdir(home)

    def typed(name: str) -> str:
        output = ""
        for line in COMMANDS[name]:
            outcome = command(*shlex.split(line)[1:])
            assert outcome.exit_code == 0, f"{line}\n{outcome.output}\n{outcome.exception!r}"
            output += outcome.output
        return output

    assert "released" in typed("release")
    ada = Student(hub, "ada")
    (fetched,) = ada.click("fetch")
    assert (fetched["assignment_id"], fetched["status"]) == (TOPIC, "fetched")
    path = f"{TOPIC}/{TOPIC}.ipynb"
    given, answers = ada.read(path), perfect(TOPIC)
    solved = {cell.metadata.nbgrader.grade_id: cell.source for cell in answers.cells if "nbgrader" in cell.metadata}
    for cell in given["cells"]:
        facts = cell["metadata"].get("nbgrader", {})
        if facts.get("solution"):
            cell["source"] = solved[facts["grade_id"]]
    ada.write(path, given)
    shown = ada.click("submit")
    assert [assignment["status"] for assignment in shown] == ["fetched", "submitted"]
    grading_output = typed("grade")
    assert (
        "Collected 1 (from nbgrader's exchange)" in grading_output
        and "1 graded" in grading_output
        and "Released 1 of 1 pages" in grading_output
    )
    record = records.load(home, TOPIC, "ada")
    assert record is not None and record.score == record.max_score > 0
    assert not (tmp_path / "people" / "ada" / TOPIC / "feedback").exists()
    (submission,) = ada.click("fetch_feedback")[-1]["submissions"]
    assert submission["has_local_feedback"]
    feedback = ada.read(f"{submission['local_feedback_path']}/{TOPIC}.html")
    assert feedback == (home / "feedback" / "ada" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert nbformat.reads((home / "submitted" / "ada" / TOPIC / f"{TOPIC}.ipynb").read_text("utf-8"), 4).cells


def test_the_page_has_all_that_is_typed() -> None:
    assert set(FILES) == {"jupyterhub_config.py", "nbgrader_config.py"} and set(COMMANDS) == {"", "release", "grade"}
