"""Render the page of a learner's progress: one self-contained HTML file without scripts, for any browser and any width."""

import os
from html import escape
from pathlib import Path

from ...checking.exercise import Exercise
from ...checking.render import code
from ...checking.result import number
from ...files import atomic_write
from ...messages import ENGLISH, Message, as_text, capitalised, edition, language, translate
from ..page_policy import policy
from .course_map import Score, course_map
from .record import ProgressRecord
from .summary import Standing, Topic

_STYLE = """
:root { color-scheme: light dark; --ink: #22262e; --soft: #5d6470; --ground: #fdfcf9; --card: #f3f1ea; --line: #d8d4c8;
  --done: #1a7f4b; --begun: #a86a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e0; --soft: #a9adb6; --ground: #17191d; --card: #22252b;
  --line: #3a3f48; --done: #5fc793; --begun: #e3ac4d; } }
body { background: var(--ground); color: var(--ink); font: 16px/1.5 Helvetica, Arial, 'DejaVu Sans', sans-serif;
  margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .3rem 0; } small, .soft { color: var(--soft); } code { font-size: .92em; overflow-wrap: anywhere; }
a { color: inherit; } .next { background: var(--card); border-left: 5px solid var(--begun); border-radius: 6px;
  margin: 1rem 0; padding: .7rem 1rem; }
.map { overflow-x: auto; margin: 1rem 0; } .map svg { min-width: 44rem; display: block; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; padding: .5rem .8rem; }
summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; list-style: none; }
summary::-webkit-details-marker { display: none; } summary::before { content: '▸'; color: var(--soft); }
details[open] summary::before { content: '▾'; } summary b { flex: 1 1 12rem; }
.bar { background: var(--line); border-radius: 4px; display: inline-block; height: .55rem; overflow: hidden; width: 7rem; }
.bar i { background: var(--begun); display: block; height: 100%; } .bar.full i { background: var(--done); }
table { border-collapse: collapse; margin: .5rem 0 .2rem; width: 100%; } td, th { padding: .25rem .5rem .25rem 0;
  text-align: left; vertical-align: top; } th { color: var(--soft); font-weight: normal; font-size: .88rem; }
tr + tr td { border-top: 1px solid var(--line); } .mark { white-space: nowrap; }
.done { color: var(--done); } .begun { color: var(--begun); } .open { color: var(--soft); }
summary > span:last-child { min-width: 9rem; text-align: right; }
@media (max-width: 36rem) { summary > span:last-child { min-width: 0; } }
@media (max-width: 36rem) { .title { display: none; } body { font-size: 15px; } .bar { width: 4.5rem; } }
@media print { .map { overflow: visible; } .map svg { min-width: 0; } details { break-inside: avoid; } }
"""

_LEGEND = (
    Message("✔ done, ◐ begun, ○ open."),
    Message(
        "Best results of the checks in your notebooks, from public cases; marks come from hidden ones of the same kinds. "
        "Written by `progress()`."
    ),
)
_STATES = {"✔": Message("done"), "◐": Message("begun"), "○": Message("open")}


def progress_page(state: Standing, memory: ProgressRecord, links: dict[str, str] | None = None) -> str:
    """Return the page as text. `links` maps a notebook's topic to its address."""
    links = links or {}
    rows = "".join(_topic(topic, memory, links.get(topic.lesson.topic, "")) for topic in state.topics)
    points = Message(
        "{score} of {maximum} points in public cases ({share:.0%}), and {extra} extra.",
        score=number(state.earned),
        maximum=number(state.points),
        share=state.earned / state.points if state.points else 0.0,
        extra=number(state.extra),
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{language()}"><head>{policy()}'
        f'<meta charset="utf-8"><title>{escape(str(Message("My progress · Embeddings")))}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>"
        f"<h1>{escape(str(Message('Embeddings: my progress')))}</h1>"
        f"<p>{escape(str(points))} {_bar(state.earned, state.points)}</p>{_next(state, links)}"
        f'<div class="map">{course_map(state.scores)}</div>'
        f"<h2>{escape(str(Message('Notebook by notebook')))}</h2>{rows}"
        f"<p><small>{code(as_text(_LEGEND))}</small></p></body></html>\n"
    )


def write_page(path: Path, state: Standing, memory: ProgressRecord) -> None:
    """Write the page atomically, with links to the notebooks around it. Raise OSError if the disk refuses."""
    links = {}
    folders = [path.parent, path.parent.parent]
    if edition() != ENGLISH:
        folders.insert(0, path.parent / edition())
    for topic in (item.lesson.topic for item in state.topics):
        for folder in folders:
            if (folder / topic / f"{topic}.ipynb").is_file():
                target = folder / topic / f"{topic}.ipynb"
                links.setdefault(topic, os.path.relpath(target, path.parent).replace(os.sep, "/"))
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, progress_page(state, memory, links).encode("utf-8"))


def _next(state: Standing, links: dict[str, str]) -> str:
    exercise = state.following
    if exercise is None:
        return f'<div class="next">{escape(str(Message("Next: {reason}.", reason=state.why)))}</div>'
    head = Message("Next: {exercise} · {title}", exercise=exercise.id, title=Message(exercise.title))
    where = Message("Notebook {number}, {title}", number=exercise.number, title=Message(exercise.lesson.title))
    why = [
        capitalised(Message("{reason}.", reason=state.why)),
        Message("About {minutes} minutes, {points} points.", minutes=exercise.minutes, points=number(exercise.points)),
        translate(exercise.why),
    ]
    return (
        f'<div class="next"><strong>{escape(str(head))}</strong><br/>'
        f"{_link(str(where), links.get(exercise.lesson.topic, ''))}<br/>{code(' '.join(map(str, why)))}</div>"
    )


def _topic(topic: Topic, memory: ProgressRecord, link: str) -> str:
    score, extra = topic.score, topic.extra
    current = " open" if score.mark == "◐" else ""
    rows = "".join(_exercise(exercise, best, memory) for exercise, best in topic.entries)
    about = Message("About {minutes} minutes.", minutes=topic.lesson.minutes)
    return (
        f'<details{current}><summary><span class="mark {_tone(score.mark)}">{score.mark}</span>'
        f"<b>{topic.lesson.number} · {escape(translate(topic.lesson.title))}</b> {_bar(score.earned, score.points)} "
        f"<span>{points_of(score, extra)}</span></summary>"
        f'<p class="soft">{escape(translate(topic.lesson.question))} {about} {_opening(link)}</p>'
        f'<table><thead><tr><th></th><th>{Message("exercise")}</th><th class="title">{Message("title")}</th>'
        f"<th>{Message('best')}</th><th>{Message('tries')}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )


def points_of(score: Score, extra: Score) -> Message:
    """Return the points of a notebook, with its extra credit if it has any."""
    points = Message("{score}/{maximum}", score=number(score.earned), maximum=number(score.points))
    if not extra.points:
        return points
    further = Message("{points}, {score}/{maximum} extra", points=points, score=number(extra.earned))
    return further.fill(maximum=number(extra.points))


def _exercise(exercise: Exercise, best: float, memory: ProgressRecord) -> str:
    mark = "✔" if best >= exercise.points else "◐" if best else "○"
    points = Message("{score}/{maximum}") if exercise.core else Message("{score}/{maximum} extra")
    points = points.fill(score=number(best), maximum=number(exercise.points))
    return (
        f'<tr><td class="mark {_tone(mark)}" title="{_STATES[mark]}">{mark}</td><td><code>{escape(exercise.name)}</code></td>'
        f'<td class="title">{escape(translate(exercise.title))}</td><td>{points}</td>'
        f"<td>{memory.tries.get(exercise.id, 0)}</td></tr>"
    )


def _tone(mark: str) -> str:
    return {"✔": "done", "◐": "begun"}.get(mark, "open")


def _bar(earned: float, points: float) -> str:
    share = min(1.0, earned / points) if points else 0.0
    full = " full" if share == 1 else ""
    return f'<span class="bar{full}" role="img" aria-label="{share:.0%}"><i style="width:{share:.0%}"></i></span>'


def _link(text: str, target: str) -> str:
    return f'<a href="{escape(target)}">{escape(text)}</a>' if target else escape(text)


def _opening(target: str) -> str:
    return _link(str(Message("Open the notebook")), target) if target else ""
