"""Render the page of a learner's progress: one self-contained HTML file without scripts, for any browser and any width."""

import os
from html import escape
from pathlib import Path

from ...checking.exercise import Exercise
from ...checking.render import code
from ...checking.result import number
from ...files import atomic_write
from ..page_policy import policy
from .course_map import course_map
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


def progress_page(state: Standing, memory: ProgressRecord, links: dict[str, str] | None = None) -> str:
    """Return the page as text. `links` maps a notebook's topic to its address."""
    links = links or {}
    rows = "".join(_topic(topic, memory, links.get(topic.lesson.topic, "")) for topic in state.topics)
    share = state.earned / state.points if state.points else 0.0
    return (
        '<!DOCTYPE html>\n<html lang="en"><head>'
        f"{policy()}"
        '<meta charset="utf-8"><title>My progress · Embeddings</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>"
        "<h1>Embeddings: my progress</h1>"
        f"<p><strong>{number(state.earned)} of {number(state.points)} points</strong> in public cases ({share:.0%}), and "
        f"{number(state.extra)} extra. {_bar(state.earned, state.points)}</p>{_next(state, links)}"
        f'<div class="map">{course_map(state.places)}</div>'
        f"<h2>Notebook by notebook</h2>{rows}"
        "<p><small>✔ done, ◐ begun, ○ open. Best results of the checks in your notebooks, from public cases; marks come from "
        "hidden ones of the same kinds. Written by <code>progress()</code>.</small></p></body></html>\n"
    )


def write_page(path: Path, state: Standing, memory: ProgressRecord) -> None:
    """Write the page atomically, with links to the notebooks around it. Raise OSError if the disk refuses."""
    links = {}
    for topic in (item.lesson.topic for item in state.topics):
        for folder in (path.parent, path.parent.parent):
            if (folder / topic / f"{topic}.ipynb").is_file():
                target = folder / topic / f"{topic}.ipynb"
                links.setdefault(topic, os.path.relpath(target, path.parent).replace(os.sep, "/"))
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, progress_page(state, memory, links).encode("utf-8"))


def _next(state: Standing, links: dict[str, str]) -> str:
    exercise = state.following
    if exercise is None:
        return f'<div class="next"><strong>Next:</strong> {escape(state.why)}.</div>'
    where = _link(f"notebook {exercise.number}, {exercise.lesson.title}", links.get(exercise.lesson.topic, ""))
    return (
        f'<div class="next"><strong>Next: {escape(exercise.id)}</strong> · {escape(exercise.title)}, in {where}'
        f"<br/>{escape(state.why[0].upper() + state.why[1:])}. About {exercise.minutes} minutes, "
        f"{number(exercise.points)} points. {code(exercise.why)}</div>"
    )


def _topic(topic: Topic, memory: ProgressRecord, link: str) -> str:
    place, extra = topic.place, topic.extra
    current = " open" if place.mark == "◐" else ""
    rows = "".join(_exercise(exercise, best, memory) for exercise, best in topic.entries)
    more = f", {number(extra.earned)}/{number(extra.points)} extra" if extra.points else ""
    return (
        f'<details{current}><summary><span class="mark {_tone(place.mark)}">{place.mark}</span>'
        f"<b>{topic.lesson.number} · {escape(topic.lesson.title)}</b> {_bar(place.earned, place.points)} "
        f"<span>{number(place.earned)}/{number(place.points)}{more}</span></summary>"
        f'<p class="soft">{escape(topic.lesson.question)} About {topic.lesson.minutes} minutes. {_opening(link)}</p>'
        '<table><thead><tr><th></th><th>exercise</th><th class="title">title</th><th>best</th><th>tries</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def _exercise(exercise: Exercise, best: float, memory: ProgressRecord) -> str:
    mark = "✔" if best >= exercise.points else "◐" if best else "○"
    state = {"✔": "done", "◐": "begun", "○": "open"}[mark]
    extra = "" if exercise.core else " extra"
    return (
        f'<tr><td class="mark {_tone(mark)}" title="{state}">{mark}</td><td><code>{escape(exercise.name)}</code></td>'
        f'<td class="title">{escape(exercise.title)}</td><td>{number(best)}/{number(exercise.points)}{extra}</td>'
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
    return _link("Open the notebook", target) if target else ""
