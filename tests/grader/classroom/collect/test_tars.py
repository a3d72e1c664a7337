"""Tar archives are collected as zip archives are: the same people, the same limits, the same refusals."""

import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.classroom.collect import archive as archive_module
from grader.classroom.collect.archive_endings import bare, is_archive, is_tar
from grader.classroom.collect.bounds import BadArchive, Budget
from grader.classroom.collect.tars import _from_xz, in_tar
from tests.support.handed_in import BODY, FILE, LAYOUTS, NOON, STUDENTS, TOPIC, collected, other, packed, tarred, there

ENDINGS = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.xz": "w:xz", ".tar.bz2": "w:bz2"}


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("layout", "ending"),
    [(layout, ".tar.gz") for layout in LAYOUTS] + [("moodle", ending) for ending in ENDINGS if ending != ".tar.gz"],
)
def test_every_layout_in_every_form(tmp_path: Path, layout: str, ending: str) -> None:
    home = tmp_path / "class"
    source = written(tmp_path / f"download{ending}", tarred(LAYOUTS[layout], ENDINGS[ending]))
    output = collected(home, source)
    files = there(home)
    assert {name.split("/")[0] for name in files} == STUDENTS[layout]
    assert all(body == BODY for name, body in files.items() if name.endswith(f"/{TOPIC}/{FILE}"))
    assert ("late, says Canvas" in output) == (layout == "canvas")
    if layout == "nbgrader":
        assert files[f"ada/{TOPIC}/timestamp.txt"] == b"2026-03-01 10:00:00 UTC"


def test_what_students_packed_is_opened_one_deep(tmp_path: Path) -> None:
    deeper = zipfile.ZipFile(buffer := io.BytesIO(), "w")
    with deeper:
        deeper.writestr("in.tgz", tarred({FILE: BODY}, "w:gz"))
    entries = {
        "Ada Lovelace_1_assignsubmission_file_/work.tar.gz": tarred({f"a/b/{FILE}": BODY, "big.csv": b"1,2\n" * 1000}, "w:gz"),
        "Bo Ek_2_assignsubmission_file_/03.TAR.XZ": tarred({"answers.ipynb": other("b")}, "w:xz"),
        "Cy Ny_3_assignsubmission_file_/work.tgz": tarred({"deep.tar": tarred({FILE: BODY})}, "w:gz"),
        "Di Oh_4_assignsubmission_file_/work.zip": buffer.getvalue(),
        "El Ur_5_assignsubmission_file_/broken.tar.gz": b"\x1f\x8b no gzip",
        "Fi Wu_6_assignsubmission_file_/mine.tar": tarred({f"Ada Lovelace_1_assignsubmission_file_/{FILE}": other("forged")}),
    }
    for form, source in {
        "zip": packed(tmp_path / "m.zip", entries),
        "tar": written(tmp_path / "m.tar.xz", tarred(entries, "w:xz")),
    }.items():
        home = tmp_path / form
        output = collected(home, source)
        assert there(home) == {
            f"Ada_Lovelace/{TOPIC}/{FILE}": BODY,
            f"Bo_Ek/{TOPIC}/{FILE}": other("b"),
            f"Fi_Wu/{TOPIC}/{FILE}": other("forged"),
        }
        assert output.count("an archive inside an archive inside an archive") == 2 and "that cannot be read" in output


def test_the_name_of_a_packed_file_says_whose_it_is(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "ada_03.tar.gz").write_bytes(tarred({"answers.ipynb": BODY}, "w:gz"))
    (source / "03_max_norm_bo.tgz").write_bytes(tarred({"x.ipynb": BODY}, "w:gz"))
    collected(tmp_path / "class", source)
    assert {name.split("/")[0] for name in there(tmp_path / "class")} == {"ada", "bo"}


def test_what_was_unpacked_on_the_way_is_read_all_the_same(tmp_path: Path) -> None:
    """Some browsers unpack a .tar.gz while they save it, and leave its name."""
    collected(tmp_path / "class", written(tmp_path / "a.tar.gz", tarred({f"ada/{FILE}": BODY})))
    assert there(tmp_path / "class") == {f"ada/{TOPIC}/{FILE}": BODY}


def test_a_tar_archive_knows_the_time_whatever_the_zone(tmp_path: Path) -> None:
    home = tmp_path / "class"
    home.mkdir()
    (home / "course.toml").write_text('timezone = "Asia/Kathmandu"\n', encoding="utf-8")
    entries = {f"ada/{FILE}": BODY, f"ada/later-{FILE}": other("x"), f"bo/{FILE}": BODY}

    def times(member: tarfile.TarInfo) -> None:
        member.mtime = NOON + 60 if "later" in member.name else 0 if member.name.startswith("bo") else NOON

    collected(home, written(tmp_path / "a.tar", tarred(entries, change=times)), "--file-times")
    files = there(home)
    assert files[f"ada/{TOPIC}/timestamp.txt"] == b"2026-03-01 12:01:00 UTC" and files[f"ada/{TOPIC}/{FILE}"] == other("x")
    assert f"bo/{TOPIC}/timestamp.txt" not in files, "zero is no time"


def test_names_in_an_old_encoding(tmp_path: Path) -> None:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT, encoding="gb18030") as archive:
        member = tarfile.TarInfo(f"王小明/{FILE}")
        member.size = len(BODY)
        archive.addfile(member, io.BytesIO(BODY))
    collected(tmp_path / "class", written(tmp_path / "a.tar", raw.getvalue()), "--encoding", "gb18030")
    assert set(there(tmp_path / "class")) == {f"王小明/{TOPIC}/{FILE}"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_links_devices_and_paths_that_lead_out(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.classroom.collect.bounds.MAX_NOTEBOOK_BYTES", 2**20)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=ENDINGS[ending]) as archive:
        for number, (kind, target) in enumerate(
            [
                (tarfile.SYMTYPE, "/etc/passwd"),
                (tarfile.SYMTYPE, f"../ada/{FILE}"),
                (tarfile.LNKTYPE, f"ada/{FILE}"),
                (tarfile.LNKTYPE, "/etc/passwd"),
                (tarfile.CHRTYPE, ""),
                (tarfile.BLKTYPE, ""),
                (tarfile.FIFOTYPE, ""),
            ]
        ):
            archive.addfile(special(f"s{number}/{FILE}", kind, target))
        archive.addfile(special("linked", tarfile.SYMTYPE, "/etc"))  # a folder, for what follows to be written through
        for name, body in {
            f"linked/{FILE}": BODY,
            f"../../mallory/{FILE}": BODY,
            f"eve/../../../{FILE}": BODY,
            f"..\\..\\win/{FILE}": BODY,
            f"/absolute/{FILE}": BODY,
            f"bomb/{FILE}": b"\0" * 2**22,
            f"ada/{FILE}": BODY,
            f"{'n' * 3000}/{FILE}": BODY,
        }.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    output = collected(tmp_path / "class", written(tmp_path / f"bad{ending}", buffer.getvalue()))
    assert output.count("it is a link") == 5 and output.count("a device or a pipe") == 3
    assert output.count("leads out of the archive") == 3 and "more than 1 MB" in output
    assert {name.split("/")[0] for name in there(tmp_path / "class")} == {"absolute", "ada", "linked"}
    assert not [path for path in (tmp_path / "class").rglob("*") if path.is_symlink() or path.is_fifo()]


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what nobody asked for in it, which has to be unpacked to come to what follows."""
    monkeypatch.setattr("grader.classroom.collect.bounds.MAX_NOTEBOOK_BYTES", 2**20)
    monkeypatch.setattr(archive_module, "MAX_BYTES_INSIDE", 2**21)
    bomb = {"zeros.bin": bytes(2**24), FILE: BODY}
    source = tmp_path / "in"
    bombs = {"gz/a.tgz": tarred(bomb, "w:gz"), "xz/a.tar.xz": tarred(bomb, "w:xz")}
    for name, body in {**bombs, "fair/a.tgz": tarred({"data.bin": bytes(2**20), FILE: BODY}, "w:gz")}.items():
        (source / name).parent.mkdir(parents=True)
        (source / name).write_bytes(body)
    output = collected(tmp_path / "class", source)
    assert output.count("unpacks to more than 2 MB") == 2
    assert {name.split("/")[0] for name in there(tmp_path / "class")} == {"fair"}
    for body in bombs.values():
        target = io.BytesIO()
        with pytest.raises(BadArchive, match="more than 2 MB"):
            in_tar(io.BytesIO(body), target, Budget(2**21), 100, "", lambda path: True)
        assert len(target.getvalue()) <= 2**21


def test_more_files_than_anybody_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_FILES_INSIDE", 20)
    many = {f"{number}.txt": b"" for number in range(21)}
    (source := tmp_path / "in").mkdir()
    (source / "ada.tar").write_bytes(tarred(many | {FILE: BODY}))
    (source / "bo.tar").write_bytes(tarred({FILE: BODY}))
    assert "an archive of more than 20 files" in collected(tmp_path / "class", source)
    monkeypatch.setattr(archive_module, "MAX_FILES", 10)
    output = collected(tmp_path / "class", written(tmp_path / "all.tgz", tarred(many, "w:gz")), code=2)
    assert "lists more than 10 files" in output


def base_256(number: int) -> bytes:
    return (b"\xff" if number < 0 else b"\x80") + (number % 256**11).to_bytes(11, "big")


def patched(content: bytes, size: bytes) -> bytes:
    """The first entry with another size in its header, and a checksum that fits."""
    header = bytearray(content[:512])
    header[124:136] = size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + content[512:]


def headers_of_headers() -> bytes:
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1
    return (member.tobuf() + b"x" + bytes(511)) * 2000 + tarred({FILE: BODY})


def settings_for_all() -> bytes:
    with tarfile.open(fileobj=(buffer := io.BytesIO()), mode="w", pax_headers={f"k{n}": "v" for n in range(5000)}) as archive:
        for number in range(50):
            archive.addfile(tarfile.TarInfo(f"{number}.txt"))
    return buffer.getvalue()


def wide_window() -> bytes:
    """Asks for a dictionary of 1.5 GiB."""
    wanted = [{"id": lzma.FILTER_LZMA2, "dict_size": 3 * 2**19}]
    content = bytearray(lzma.compress(tarred({FILE: BODY}), lzma.FORMAT_XZ, filters=wanted))
    index = content.index(b"\x21\x01", 12) + 2
    content[index] = 39  # of 40: 3 GiB; the header's checksum is mended below
    size = (content[12] + 1) * 4
    content[12 + size - 4 : 12 + size] = zlib.crc32(bytes(content[12 : 12 + size - 4])).to_bytes(4, "little")
    return bytes(content)


ODD: dict[str, Callable[[], bytes]] = {
    "no archive": lambda: b"no tar at all",
    "empty": lambda: b"",
    "cut": lambda: tarred({FILE: BODY})[:2000],
    "cut, packed": lambda: tarred({FILE: BODY}, "w:gz")[:-200],
    "cut, packed by xz": lambda: tarred({FILE: BODY}, "w:xz")[:-200],
    "two xz": lambda: tarred({FILE: BODY}, "w:xz") + lzma.compress(b"more"),
    "damaged in the middle": lambda: tarred({FILE: BODY}).rstrip(b"\0") + bytes(512) + b"?" * 512,
    "a size below nothing": lambda: patched(tarred({FILE: BODY}), base_256(-512)),
    "a size beyond everything": lambda: patched(tarred({FILE: BODY}), base_256(2**80)),
    "a name of a gigabyte": lambda: patched(headers_of_headers(), b"10000000000\0"),
    "headers of headers": headers_of_headers,
    "settings for all": settings_for_all,
    "a wide window": wide_window,
    "no archive in gzip": lambda: gzip.compress(b"no tar at all"),
}


@pytest.mark.parametrize("what", ODD)
def test_archives_that_nobody_honest_makes(what: str, tmp_path: Path) -> None:
    """Each is one sentence, takes little memory, and costs nobody else their work."""
    content = ODD[what]()
    tracemalloc.start()
    with pytest.raises(BadArchive):
        in_tar(io.BytesIO(content), io.BytesIO(), Budget(), 2000, "", lambda path: True)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**24
    output = collected(tmp_path / "class", written(tmp_path / "b.tar", tarred({"eve/a.tar": content, f"ada/{FILE}": BODY})))
    assert {name.split("/")[0] for name in there(tmp_path / "class")} == {"ada"} and "that cannot be read" in output
    assert "cannot be read" in collected(tmp_path / "other", written(tmp_path / "a.tar", content), code=2)


def test_the_window_that_is_refused_is_wide() -> None:
    """Else the case above would test nothing: it is the memory that is refused, not the checksum."""
    with pytest.raises(lzma.LZMAError, match=r"[Mm]emory"):
        list(_from_xz(io.BytesIO(wide_window())))


def test_which_names_are_archives() -> None:
    tar = [name for name in ("a.tar", "a.TGZ", "a.b.tar.gz", "a.tar.xz", "a.zip", ".tar.gz", "..zip", "a.gz") if is_tar(name)]
    assert tar == ["a.tar", "a.TGZ", "a.b.tar.gz", "a.tar.xz"] and is_archive("a.zip")
    assert not any(map(is_archive, (".zip", "..zip", ".tar.gz", ".gz", "tar", "a.ipynb"))) and bare("x.tar.tar.gz") == "x.tar"
