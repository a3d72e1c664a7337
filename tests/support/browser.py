"""A real browser and a real Jupyter server for tests, on loopback and away from the person's own settings."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROOT = Path(__file__).resolve().parents[2]
#: Where screenshots are kept; a build server that collects artefacts says where it wants them.
SHOTS = Path(os.environ.get("EMBEDDING_COURSE_SCREENSHOTS", ROOT / "build" / "screenshots"))
#: How long a state may take to come, in seconds. Long, since it only bounds a failure.
PATIENCE = 180


@dataclass(frozen=True)
class Site:
    """A running Jupyter server."""

    url: str
    token: str

    def at(self, path: str) -> str:
        """The address of a page, with the token in it."""
        return f"{self.url}{path}?token={self.token}"


@contextlib.contextmanager
def browser(folder: Path, width: int = 1280, height: int = 900) -> Iterator[Chrome]:
    """A headless Chromium that keeps its files in `folder` and reaches nothing but this machine. Skips without Chromium."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in (
        "--headless=new",
        "--no-sandbox",  # Chromium's own sandbox does not start as root
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={folder / 'chromium'}",
        f"--window-size={width},{height}",
    ):
        options.add_argument(word)
    environment = {**os.environ, "HOME": str(folder)}
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver, env=environment))
    try:
        driver.set_script_timeout(PATIENCE)
        driver.set_page_load_timeout(PATIENCE)
        yield driver
    finally:
        driver.quit()


@contextlib.contextmanager
def serve(home: Path, folder: Path, *words: str) -> Iterator[Site]:
    """A Jupyter server in the folder `home`; settings, trust and run-time files lie in `folder`."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    state = {name: str(folder / name.lower()) for name in names}
    inherited = {name: value for name, value in os.environ.items() if name != "EMBEDDING_COURSE_STATE"}
    environment = {
        **inherited,
        **state,
        "HOME": str(folder),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    quiet = folder / "jupyter_config_dir/lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    quiet.parent.mkdir(parents=True)
    quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}', encoding="utf-8")
    log = folder / "server.log"
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        *words,
    ]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        yield _when_up(server, Path(state["JUPYTER_RUNTIME_DIR"]), log)
    finally:
        server.terminate()  # ends its kernels as well
        try:
            server.wait(timeout=30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _when_up(server: subprocess.Popen[bytes], runtime: Path, log: Path) -> Site:
    """The server writes down its address once it listens."""
    deadline = time.monotonic() + PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError, KeyError):
            facts = json.loads((runtime / f"jpserver-{server.pid}.json").read_text(encoding="utf-8"))
            return Site(facts["url"], facts["token"])
        time.sleep(0.1)
    raise AssertionError(f"the Jupyter server did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-3000:]}")


def until(driver: Chrome, state: Any, what: str) -> Any:
    """Wait until `state(driver)` is true, and return its value; `what` names the state where it does not come."""
    from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    passing = [NoSuchElementException, StaleElementReferenceException]
    wait = WebDriverWait(driver, PATIENCE, poll_frequency=0.1, ignored_exceptions=passing)
    return wait.until(state, f"did not come: {what}")


def shoot(driver: Chrome, name: str) -> Path:
    """Keep a picture of what is seen now."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name}.png"
    assert driver.save_screenshot(str(path))
    return path
