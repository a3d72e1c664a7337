"""ngshare in place of a shared folder: release, submit, collect and feedback by nbgrader's commands, on loopback.

Two environments are needed, and the test is skipped without them. NGSHARE_SERVER names the Python of the service
(`pip install ngshare "sqlalchemy<2" "jupyterhub<5"`), NGSHARE_PYTHON one with nbgrader and ngshare_exchange
(`pip install --no-deps ngshare_exchange`, which asks for an older jupyter_core than JupyterLab has).
"""

import json
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from grader.paths import NOTEBOOKS

TOPIC, COURSE = "03_max_norm", "embeddings"
PYTHON, SERVER = os.environ.get("NGSHARE_PYTHON", ""), os.environ.get("NGSHARE_SERVER", "")
pytestmark = [pytest.mark.long, pytest.mark.skipif(not (PYTHON and SERVER), reason="ngshare is not there")]


class Hub(BaseHTTPRequestHandler):
    """The one thing that ngshare asks of a hub: whose token this is. Here a token is its owner's name."""

    def do_GET(self) -> None:
        content = json.dumps({"name": self.headers["Authorization"].removeprefix("token ")}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _free() -> int:
    with socket.socket() as free_socket:
        free_socket.bind(("127.0.0.1", 0))
        return free_socket.getsockname()[1]


def _ask(address: str, person: str, **data: object) -> dict[str, object]:
    body = urllib.parse.urlencode({name: json.dumps(value) for name, value in data.items()}).encode()
    request = urllib.request.Request(address, body, {"Authorization": f"token {person}"}, method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


@pytest.fixture
def ngshare(tmp_path: Path) -> Iterator[str]:
    """The address of a running ngshare."""
    hub, port = ThreadingHTTPServer(("127.0.0.1", 0), Hub), _free()
    threading.Thread(target=hub.serve_forever, daemon=True).start()
    settings = {
        **os.environ,
        "JUPYTERHUB_API_URL": f"http://127.0.0.1:{hub.server_address[1]}",
        "JUPYTERHUB_API_TOKEN": "service",
        "JUPYTERHUB_CLIENT_ID": "service-ngshare",
        "JUPYTERHUB_SERVICE_PREFIX": "/api/",
        "JUPYTERHUB_SERVICE_URL": f"http://127.0.0.1:{port}",
    }
    settings.pop("PYTHONPATH", None)
    store = tmp_path / "store"
    store.mkdir()
    words = [
        "--database",
        f"sqlite:///{tmp_path}/ngshare.db",
        "--storage",
        str(store),
        "--admins",
        "root_admin",
        "--no-upgrade-db",
    ]
    with (tmp_path / "ngshare.log").open("wb") as log:
        process = subprocess.Popen([SERVER, "-m", "ngshare", *words], env=settings, cwd=tmp_path, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(120):
                try:
                    urllib.request.urlopen(f"{address}/healthz", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.5)
            yield address
        finally:
            process.terminate()
            process.wait(20)
            hub.shutdown()
            hub.server_close()
            print((tmp_path / "ngshare.log").read_text("utf-8", "replace")[-4000:])


def test_release_submit_collect_and_feedback(ngshare: str, tmp_path: Path) -> None:
    assert _ask(f"{ngshare}/api/course/{COURSE}", "root_admin", instructors=["teacher"])["success"]
    assert _ask(f"{ngshare}/api/student/{COURSE}/ada", "teacher", first_name="Ada", last_name="L", email="")["success"]

    def nbgrader(person: str, folder: Path, *words: str) -> str:
        folder.mkdir(exist_ok=True)
        config = (
            f"from ngshare_exchange import configureExchange\nc = get_config()\nconfigureExchange(c, {ngshare + '/api'!r})\n"
        )
        config += f"c.CourseDirectory.course_id = {COURSE!r}\n"
        config += "" if person == "teacher" else f"c.Exchange.assignment_dir = {str(folder)!r}\n"
        (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
        settings = {
            **os.environ,
            "USER": person,
            "JUPYTERHUB_USER": person,
            "JUPYTERHUB_API_TOKEN": person,
            "HOME": str(folder),
            "NO_PROXY": "127.0.0.1",
        }
        settings.pop("PYTHONPATH", None)
        command = [PYTHON, "-m", "nbgrader", *words]
        done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    teacher, ada = tmp_path / "teacher", tmp_path / "ada"
    (teacher / "release" / TOPIC).mkdir(parents=True)
    shutil.copy(NOTEBOOKS / TOPIC / f"{TOPIC}.ipynb", teacher / "release" / TOPIC)
    nbgrader("teacher", teacher, "release_assignment", TOPIC)
    nbgrader("ada", ada, "fetch_assignment", TOPIC)
    fetched = ada / TOPIC / f"{TOPIC}.ipynb"
    assert fetched.read_bytes() == (teacher / "release" / TOPIC / f"{TOPIC}.ipynb").read_bytes()
    nbgrader("ada", ada, "submit", TOPIC)
    nbgrader("teacher", teacher, "collect", TOPIC)
    submitted = teacher / "submitted" / "ada" / TOPIC
    assert (submitted / f"{TOPIC}.ipynb").read_bytes() == fetched.read_bytes() and (submitted / "timestamp.txt").exists()
    page = teacher / "feedback" / "ada" / TOPIC / f"{TOPIC}.html"
    page.parent.mkdir(parents=True)
    page.write_text("<p>well done</p>", encoding="utf-8")
    shutil.copy(submitted / "timestamp.txt", page.parent)  # by it ngshare knows the submission
    nbgrader("teacher", teacher, "release_feedback", TOPIC)
    nbgrader("ada", ada, "fetch_feedback", TOPIC)
    (returned,) = ada.rglob(f"{TOPIC}.html")
    assert returned.read_text(encoding="utf-8") == "<p>well done</p>"
