"""Published files are found in the named folder, the cache and packages, and only their true contents are returned."""

import hashlib
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from embedding_course.data.published import PublishedError, locate
from embedding_course.data.published.locate import PublishedFile, read_published

BODY = b"the published contents"
DIGEST = hashlib.sha256(BODY).hexdigest()
FILE = PublishedFile(
    "model.bin", DIGEST, len(BODY), "Some model", "some-model", "some_model", "data/model.bin", "maker/some-model"
)
ZIPPED = PublishedFile("model.bin", DIGEST, len(BODY), "Some model", "some-model", "some_model", "model.zip!model.bin")


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)  # as where it is not installed
    return cache


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose code must not run."""
    folder = tmp_path / "packages" / "some_model"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    return folder


def written(path: Path, body: bytes = BODY) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return path


def in_cache(cache: Path, body: bytes = BODY, revision: str = "abc") -> Path:
    return written(cache / "models--maker--some-model" / "snapshots" / revision / "model.bin", body)


def test_the_named_folder_comes_first(tmp_path: Path, empty_cache: Path) -> None:
    in_cache(empty_cache, b"older contents")
    assert read_published(FILE, written(tmp_path / "mine" / "model.bin").parent) == BODY


def test_the_cache_is_searched_and_any_revision_will_do(empty_cache: Path, tmp_path: Path) -> None:
    in_cache(empty_cache, b"newer contents", "aaa")
    in_cache(empty_cache, BODY, "bbb")
    assert read_published(FILE, tmp_path / "there is no such folder") == BODY


def test_the_home_of_hugging_face_holds_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    in_cache(tmp_path / "home" / "hub")
    assert read_published(FILE) == BODY


def test_a_package_is_read_and_not_imported(package: Path) -> None:
    written(package / "data" / "model.bin")
    assert read_published(FILE) == BODY
    assert "some_model" not in sys.modules


def test_a_zip_file_of_a_package_is_read(package: Path) -> None:
    with zipfile.ZipFile(package / "model.zip", "w") as archive:
        archive.writestr("model.bin", BODY)
    assert read_published(ZIPPED) == BODY


def test_a_damaged_cache_does_not_hide_the_package(package: Path, empty_cache: Path) -> None:
    in_cache(empty_cache, BODY[:-1])
    written(package / "data" / "model.bin")
    assert read_published(FILE) == BODY


@pytest.mark.parametrize("body", [BODY[:-1], BODY + b"!", b"X" + BODY[1:], b"", b"X" * 10_000])
def test_other_contents_in_the_named_folder_are_refused_with_both_digests(tmp_path: Path, package: Path, body: bytes) -> None:
    written(package / "data" / "model.bin")
    path = written(tmp_path / "mine" / "model.bin", body)
    with pytest.raises(PublishedError) as caught:
        read_published(FILE, path.parent)
    message = str(caught.value)
    received = hashlib.sha256(body).hexdigest()
    assert str(path) in message and DIGEST in message and received in message and "nothing was loaded" in message
    assert "\n" not in message


def test_other_contents_of_the_package_are_refused(package: Path) -> None:
    written(package / "data" / "model.bin", b"foreign")
    with pytest.raises(PublishedError, match="is not the published file"):
        read_published(FILE)


@pytest.mark.parametrize("body", [b"no zip file", b"PK\x03\x04 cut off"])
def test_a_damaged_zip_file_is_refused(package: Path, body: bytes) -> None:
    written(package / "model.zip", body)
    with pytest.raises(PublishedError, match="cannot be read"):
        read_published(ZIPPED)


def test_a_zip_file_whose_contents_are_damaged_is_refused(package: Path) -> None:
    with zipfile.ZipFile(package / "model.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.bin", BODY)
    body = bytearray((package / "model.zip").read_bytes())
    body[42] ^= 0xFF
    (package / "model.zip").write_bytes(body)
    with pytest.raises(PublishedError, match=r"cannot be read|is not the published file"):
        read_published(ZIPPED)


def test_a_missing_file_is_one_sentence_with_the_line_that_gets_it() -> None:
    with pytest.raises(PublishedError) as caught:
        read_published(FILE)
    assert str(caught.value) == (
        "Some model is not on this machine (model.bin); this line gets it: pip install --no-deps some-model "
        "(in a notebook, on Colab too: %pip install --no-deps some-model)"
    )


def test_a_download_needs_the_hubs_library() -> None:
    with pytest.raises(PublishedError, match="pip install huggingface_hub"):
        read_published(FILE, download=True)


class Hub:
    """Stand in for the library huggingface_hub."""

    def __init__(self, result: Path | Exception) -> None:
        self.result, self.asked = result, []

    def hf_hub_download(self, repository: str, name: str, cache_dir: Path) -> str:
        self.asked.append((repository, name, cache_dir))
        if isinstance(self.result, Exception):
            raise self.result
        return str(self.result)


def test_what_is_downloaded_is_checked(tmp_path: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(written(tmp_path / "fresh.bin"))
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert read_published(FILE, download=True) == BODY
    assert hub.asked == [("maker/some-model", "model.bin", empty_cache)]
    hub.result.write_bytes(b"something else")
    with pytest.raises(PublishedError, match="is not the published file"):
        read_published(FILE, download=True)


def test_nothing_is_downloaded_unasked_or_twice(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(AssertionError("asked"))
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    with pytest.raises(PublishedError, match="not on this machine"):
        read_published(FILE)
    written(package / "data" / "model.bin")
    assert read_published(FILE, download=True) == BODY
    assert not hub.asked


def test_without_a_network_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub(ConnectionError("no network")))
    with pytest.raises(PublishedError) as caught:
        read_published(FILE, download=True)
    assert "could not be downloaded" in str(caught.value) and "pip install --no-deps some-model" in str(caught.value)


def test_a_full_disk_is_said_before_the_download(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub(AssertionError("asked"))
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(100, 100, 0))
    with pytest.raises(PublishedError, match=r"on the disk of .*, and 0 MB are free; nothing was written"):
        read_published(FILE, download=True)
    assert not hub.asked


def test_short_memory_is_said_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "available_memory", lambda: 50_000_000)
    with pytest.raises(PublishedError, match="MiniLM takes 270 MB of memory to load, and 50 MB are free: nothing was loaded"):
        locate.require_memory(270_000_000, "MiniLM")
    locate.require_memory(50_000_000, "MiniLM")


def test_where_the_system_does_not_say_memory_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "available_memory", lambda: None)
    locate.require_memory(10**9, "MiniLM")


def test_the_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, size: int) -> None:
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(locate.mmap, "mmap", refuse)
    with pytest.raises(PublishedError, match="takes 1 MB of memory to load, and this process may not take so much"):
        locate.require_memory(1_000_000, "MiniLM")


def test_the_limit_of_a_container_counts(tmp_path: Path) -> None:
    assert locate._free_of_container(tmp_path) is None
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 500\ninactive_file 150\n")
    (tmp_path / "memory.max").write_text("1000\n")
    assert locate._free_of_container(tmp_path) == 450
    (tmp_path / "memory.max").write_text("max\n")
    assert locate._free_of_container(tmp_path) is None
