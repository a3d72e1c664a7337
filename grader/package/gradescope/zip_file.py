"""Write the zip that is uploaded to Gradescope as an assignment's autograder."""

import shutil
import tempfile
import zipfile
from pathlib import Path

import msgspec

from embedding_course.subject.lessons import lesson

from ..grading_wheel import own_wheels
from ..settings import Settings, write_settings
from ..third_party import needed, pinned, require_wheels
from .start import FILE as START
from .start import Start

_HERE = Path(__file__).parent
_SCRIPTS = ("setup.sh", "run_autograder")
_RUNS = 0o755 << 16


def autograder_zip(out: Path, settings: Settings, wheels: Path | None = None, torch_index: str = "") -> Path:
    """Write the autograder of one notebook, and return its path.

    It holds both scripts, our own wheels and the settings.

    Parameters
    ----------
    out : Path
        Zip file to write, in place of an earlier one.
    settings : Settings
    wheels : Path, optional
        Folder of other packages' wheels; if given, they are in the zip file, and the image is built without a network.
    torch_index : str, optional
        Address of the package index for torch; "" for the usual one.

    Raises
    ------
    CannotPackage
        If `wheels` is not complete.
    CalledProcessError
        If pip fails.
    """
    asked = needed()
    others = require_wheels(wheels, asked) if wheels else []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        own_wheels(tree / "own", [settings.topic])
        write_settings(tree, settings)
        (tree / START).write_bytes(msgspec.json.encode(Start(topic=settings.topic, trusted=settings.trusted)))
        lines = asked if others else pinned(asked)
        (tree / "requirements.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (tree / "torch_index.txt").write_text(torch_index, encoding="utf-8")
        (tree / "README.txt").write_text(_about(settings.topic), encoding="utf-8")
        for name in _SCRIPTS:
            shutil.copyfile(_HERE / name, tree / name)
        out.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(path for path in tree.rglob("*") if path.is_file()):
                _add(archive, path, path.relative_to(tree).as_posix())
            for path in others:
                archive.write(path, f"wheels/{path.name}", zipfile.ZIP_STORED)
    return out


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    """Add a file. Scripts keep the right to run; the times of temporary files are left out."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = _RUNS if name in _SCRIPTS else 0o644 << 16
    archive.writestr(member, path.read_bytes())


def _about(topic: str) -> str:
    return (
        f"The autograder of {topic} ({lesson(topic).title}) for Gradescope, written by `grader package gradescope`.\n"
        "It holds the answers, the known mistakes and the seed of the hidden cases: keep it from learners.\n"
        "docs/packages.md of the engine tells how it is used.\n"
    )
