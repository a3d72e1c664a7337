"""docs/attacks.md: the red team's table, what each attack tries and what came of it when it was last run."""

from collections.abc import Sequence

from grader.paths import ROOT

from .stage import Outcome

PAGE = ROOT / "docs" / "attacks.md"
_OPENING = """\
# The red team's table

What happens to a submission that wants marks it did not earn? Here a class of {tried} attackers handed in, each with a wrong
answer made into something worse, and the grader graded them all. Made by `grader attack --write`; the attacks are in
`tests/redteam/`.

| | |
|---|---:|
| attacks | {tried} |
| gained points | {gained} |
| saw a reference, a hidden input or somebody else's file | {leaked} |
| harmed somebody else's mark, file or gradebook | {harmed} |
| honest but odd submissions | {honest} |
| of these, lost a mark | {lost} |

*What happened* is the status of the attacked exercise, or of the whole submission where it could not be read. *wrong* means
that the attack was judged as the wrong answer it is; where the grader stumbled, it says that the grader was harmed.

## Attacks

| attack | tries | on | what happened |
|---|---|---|---|
"""
_HONEST = """
## Honest, but odd

Some learners rename cells, print a thousand lines or open a file. None of it may cost a mark.

| variant | lost |
|---|---|
"""


def page(findings: Sequence[Outcome], honest: Sequence[tuple[str, list[str]]]) -> str:
    """Return the page as Markdown, from what `grade_attacks` and `grade_honest` found."""
    counts = {
        "tried": len(findings),
        "gained": sum(outcome.gained for outcome in findings),
        "leaked": sum(bool(outcome.leaked) for outcome in findings),
        "harmed": sum(bool(outcome.harmed) for outcome in findings),
        "honest": len(honest),
        "lost": sum(bool(lost) for _, lost in honest),
    }
    rows = [row(outcome) for outcome in findings]
    odd = [f"| {cell(name)} | {', '.join(lost) or 'nothing'} |" for name, lost in honest]
    return _OPENING.format(**counts) + "\n".join(rows) + "\n" + _HONEST + "\n".join(odd) + "\n"


def row(outcome: Outcome) -> str:
    """Return an attempt's line of the table."""
    attack, exercise = outcome.attempt.attack, outcome.attempt.exercise.id
    return f"| {cell(attack.name)} | {cell(attack.tries)} | `{exercise}` | {cell(outcome.said())} |"


def cell(text: str) -> str:
    """Return text that means nothing to Markdown and stays in its cell.

    >>> cell("a | b")
    'a \\\\| b'
    """
    plain = "".join(f"\\{sign}" if sign in "\\`*_[]<>|$" else sign for sign in text)
    return " ".join(plain.split())
