"""What a report of a problem says of a verdict: enough to look at it again, and nothing that gives an answer away."""

from __future__ import annotations

import msgspec

from embedding_course.checking.result import Result, number

__all__ = ["problem_text"]


def problem_text(result: Result) -> str:
    """Return the text of a problem report, in Markdown, from the verdict on hidden cases.

    Its message names kinds and shapes only. Raise ValueError for a verdict on public cases, whose message repeats values.
    """
    if not result.hidden:
        raise ValueError("a report of a problem is written from a verdict on hidden cases")
    named = f"the mistake `{result.mistake}`" if result.mistake else "no known mistake"
    lines = [
        f"**Exercise** {result.exercise}: {result.title}",
        f"**Verdict** {result.status}, {number(result.score)} of {number(result.max_score)} points; {named}",
        f"**Versions** {', '.join(f'{name} {version}' for name, version in sorted(result.versions.items()))}",
        "",
        "```json",
        msgspec.json.format(msgspec.json.encode(result)).decode(),
        "```",
        "",
        "**What I expected** (write it here)",
        "",
        "The answer itself is not in this text, since others could read a solution in it. Describe what it does in words.",
    ]
    return "\n".join(lines)
