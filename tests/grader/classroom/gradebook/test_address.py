"""Where the gradebook is, said without a password that everybody on the machine could read."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.classroom.gradebook.address import BadAddress, address_of, shown
from grader.cli import app

SECRET = "s3cret"


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://teacher:{SECRET}@db/grades",
        f"postgresql+psycopg://:{SECRET}@db/grades",
        f"postgresql://db/grades?user=teacher&password={SECRET}",
        f"postgresql://db/grades?sslpassword={SECRET}",
    ],
)
def test_a_password_on_the_command_line_is_refused(address: str, tmp_path: Path) -> None:
    where = ["--class", str(tmp_path)]
    for command in (
        ["grade", *where],
        ["report", *where],
        ["export", *where],
        ["regrade", "03.renorm_rows", *where],
        ["class", "upgrade", str(tmp_path)],
    ):
        outcome = CliRunner().invoke(app, [*command, "--db", address])
        assert outcome.exit_code == 2 and "PGPASSFILE" in outcome.output and SECRET not in outcome.output, command


def test_an_address_from_the_environment_may_hold_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADES", f"postgresql://teacher:{SECRET}@db/grades")
    assert address_of("env:GRADES").endswith(f"{SECRET}@db/grades")
    for address, wanted in (
        ("env:NOWHERE", "holds no NOWHERE"),
        ("env:", "holds no"),
        ("grades", "no address"),
        (":", "no address"),
    ):
        with pytest.raises(BadAddress, match=wanted):
            address_of(address)
    monkeypatch.setenv("GRADES", "not an address")
    with pytest.raises(BadAddress, match="no address"):
        address_of("env:GRADES")
    assert address_of("") == "" and address_of("postgresql://teacher@db/grades") == "postgresql://teacher@db/grades"


@pytest.mark.parametrize(
    "url",
    [f"postgresql+psycopg://teacher:{SECRET}@db:5432/grades", f"postgresql://db/grades?password={SECRET}", f"://{SECRET}"],
)
def test_messages_show_no_password(url: str) -> None:
    assert SECRET not in shown(url)


@pytest.mark.slow  # that no secret is there, tests/grader/engine/test_sandbox.py shows as well
def test_the_environment_of_a_learner_holds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.engine.fork_server import Learners

    monkeypatch.setenv("PGPASSWORD", SECRET)
    monkeypatch.setenv("GRADES", SECRET)
    with Learners(strongest="none", trusted=True, topics=[]) as learners, learners.start() as learner:
        assert learners.level == "none"
        learner.run(f"import os\nassert {SECRET!r} not in str(os.environ)")
        assert learner.errors == [None]
