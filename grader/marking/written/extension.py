"""The marking page in a Jupyter server, so that the login of JupyterLab and JupyterHub serves.

`grader mark` starts a server with it. A Jupyter server of an environment with the grader loads it too, and opens nothing until
somebody asks for the page. The class is the folder that the server shows, or `c.MarkingApp.class_folder`.
"""

from __future__ import annotations

import getpass
import importlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.extension.application import ExtensionApp
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, StaticFileHandler, authenticated
from traitlets import Unicode

if TYPE_CHECKING:
    from .service import Marking

_PAGE = Path(__file__).parent / "page"
ADDRESS = "/grader-mark"
_MAX_COMMENT_CHARACTERS = 10_000


class _Class:
    """The class that is marked, opened when somebody first asks for it: most servers never show the page."""

    def __init__(self, folder: Path, gradebook: str) -> None:
        self._folder, self._gradebook = folder, gradebook
        self._lock = threading.Lock()
        self._marking: Marking | None = None

    def open(self) -> Marking:
        """Return the class; raise UserError if the folder holds none."""
        from ...classroom import records
        from ...errors import UserError
        from .service import Marking

        with self._lock:
            if self._marking is None:
                if not (self._folder / records.FOLDER).is_dir():
                    raise UserError(
                        f"{self._folder} holds no graded class: start the server in the folder of the class, or name it in "
                        "c.MarkingApp.class_folder."
                    )
                self._marking = Marking(self._folder, self._gradebook)
            return self._marking

    def close(self) -> None:
        """Close the gradebook."""
        if self._marking is not None:
            self._marking.close()


def _warm() -> None:
    """Import what the first question needs, which takes longer than to answer it."""
    for name in ("sklearn.cluster", "sklearn.feature_extraction.text", "nbgrader.api", "grader.marking.written.service"):
        importlib.import_module(name)


class _Api(APIHandler):
    """What all calls share: the class, the author, and errors as one sentence."""

    @property
    def marking(self) -> Marking:
        return self.settings["grader_marking"].open()

    @property
    def author(self) -> str:
        """Return who is logged in; on a server with a token alone, the name that the page was told."""
        user = self.current_user
        known = str(getattr(user, "username", "") or "")
        if self.settings["grader_anonymous_login"] or not known:
            told = unquote(self.request.headers.get("X-Grader-Author", "")).strip()
            return told[:80] or getpass.getuser()
        return known

    async def answer(self, work: Callable[[], Any]) -> None:
        """Do some work in a thread and send its result; a known error becomes a sentence with status 400."""
        from ...errors import UserError

        try:
            result = await IOLoop.current().run_in_executor(None, work)
        except (UserError, ValueError, KeyError, TypeError) as error:
            self.set_status(400)
            result = {"error": error.sentence if isinstance(error, UserError) else f"The request is no mark: {error}."}
        self.finish(json.dumps(result, ensure_ascii=False))

    def body(self) -> dict[str, Any]:
        content = json.loads(self.request.body or b"{}")
        if not isinstance(content, dict):
            raise HTTPError(400)
        return content

    def save(self, question: tuple[str, str], answer: dict[str, Any], values: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Mark one answer with the values of a request, and return a status with the answer's state."""
        from .desk import Outdated
        from .mark import Draft

        name, comment = str(answer["student"]), str(values.get("comment", ""))[:_MAX_COMMENT_CHARACTERS]
        draft = Draft(tuple(map(int, values.get("items", []))), float(values.get("adjustment", 0)), comment)
        seen = int(answer["seen"]), int(answer.get("seen_change", 0))
        try:
            return 200, self.marking.save(*question, name, draft, self.author, *seen)
        except Outdated as outdated:
            return 409, self.marking.outdated_data(*question, name, outdated)

    @property
    def question(self) -> tuple[str, str]:
        return self.get_argument("topic"), self.get_argument("cell")


class _Questions(_Api):
    @authenticated
    async def get(self) -> None:
        await self.answer(lambda: {"author": self.author, "questions": self.marking.questions()})


class _Question(_Api):
    @authenticated
    async def get(self) -> None:
        (topic, cell), texts = self.question, self.get_argument("texts", "1") != "0"
        await self.answer(lambda: self.marking.question(topic, cell, self.author, texts))


class _Texts(_Api):
    @authenticated
    async def post(self) -> None:
        """Return Markdown texts as HTML that runs nothing."""
        texts = self.body().get("texts", [])

        def as_pages() -> dict[str, list[str]]:
            from ...feedback.text import as_html

            return {"html": [as_html(str(text), "") for text in texts]}

        await self.answer(as_pages)


class _Mark(_Api):
    @authenticated
    async def put(self) -> None:
        """Mark one answer; status 409 if somebody else marked it since."""
        question, body = self.question, self.body()

        def save() -> Any:
            status, data = self.save(question, body, body)
            self.set_status(status)
            return data

        await self.answer(save)


class _Group(_Api):
    @authenticated
    async def put(self) -> None:
        """Mark several answers alike; each has a status of its own."""
        question, body = self.question, self.body()

        def save() -> Any:
            from ...errors import UserError

            results = []
            for answer in body["answers"]:
                try:
                    status, data = self.save(question, answer, body)
                except UserError as error:  # those before it are saved, and the page has to know which
                    status, data = 400, {"error": error.sentence}
                results.append({"status": status, "data": data})
            return {"results": results}

        await self.answer(save)


class _Look(_Api):
    @authenticated
    async def post(self) -> None:
        (topic, cell), body = self.question, self.body()
        await self.answer(lambda: {"others": self.marking.look_at(topic, cell, str(body["student"]), self.author)})


class _Rubric(_Api):
    @authenticated
    async def put(self) -> None:
        """Replace the rubric by the items of the page, or take that of course.toml or of the lesson."""
        (topic, cell), body = self.question, self.body()
        items, seen = body.get("items"), body.get("seen")
        await self.answer(
            lambda: (
                self.marking.take_rubric(topic, cell) if items is None else self.marking.set_rubric(topic, cell, items, seen)
            )
        )


class _Allot(_Api):
    @authenticated
    async def put(self) -> None:
        (topic, cell), body = self.question, self.body()
        await self.answer(lambda: self.marking.allot(topic, cell, list(body["students"]), str(body.get("marker", ""))[:80]))


class _Comments(_Api):
    @authenticated
    async def put(self) -> None:
        """Keep a comment, or take one off the list; return the list."""
        (topic, cell), body = self.question, self.body()

        def change() -> dict[str, Any]:
            from . import shared

            desk = self.marking.desk(topic, cell)
            if "drop" in body:
                shared.drop_comment(desk, int(body["drop"]))
            else:
                shared.keep_comment(desk, str(body["text"])[:_MAX_COMMENT_CHARACTERS], self.author)
            return {"comments": shared.kept_comments(desk)}

        await self.answer(change)


class _History(_Api):
    @authenticated
    async def get(self) -> None:
        (topic, cell), name = self.question, self.get_argument("student")
        await self.answer(lambda: {"lines": self.marking.history(topic, cell, name, self.author)})


class _PageHandler(JupyterHandler):
    @authenticated
    async def get(self) -> None:
        threading.Thread(target=_warm, daemon=True).start()
        page = (_PAGE / "index.html").read_text(encoding="utf-8")
        page = page.replace("{{base}}", f"{self.base_url.rstrip('/')}{ADDRESS}")
        self.finish(page.replace("{{xsrf}}", self.xsrf_token.decode("ascii")))


class _Static(JupyterHandler, StaticFileHandler):
    @authenticated
    async def get(self, path: str, include_body: bool = True) -> None:
        await StaticFileHandler.get(self, path, include_body)


class MarkingApp(ExtensionApp):
    """The marking page of one class."""

    name = "grader_mark"
    default_url = ADDRESS
    load_other_extensions = False

    class_folder = Unicode(
        "", help="The folder of the class whose written answers are marked; the server's own folder unless said."
    ).tag(config=True)
    gradebook = Unicode("", help="The address of the gradebook, if it is not gradebook.db of the class.").tag(config=True)

    @classmethod
    def get_extension_package(cls) -> str:
        """Return the package whose extension this is; the server would take the first part of its name."""
        return __name__.rpartition(".")[0]

    def initialize_settings(self) -> None:
        """Note where the class lies."""
        root = str(self.serverapp.root_dir) if self.serverapp else "."
        self.settings["grader_marking"] = _Class(Path(self.class_folder or root), self.gradebook)
        if self.class_folder:  # a server for this class, whose page is about to be opened
            threading.Thread(target=_warm, daemon=True).start()
        provider = type(self.serverapp.identity_provider).__name__ if self.serverapp else ""
        self.settings["grader_anonymous_login"] = "Hub" not in provider

    def initialize_handlers(self) -> None:
        """Add the page and its calls."""
        calls = {
            "questions": _Questions,
            "question": _Question,
            "texts": _Texts,
            "mark": _Mark,
            "group": _Group,
            "look": _Look,
            "rubric": _Rubric,
            "allot": _Allot,
            "comments": _Comments,
            "history": _History,
        }
        self.handlers.extend((rf"{ADDRESS}/api/{name}", handler) for name, handler in calls.items())
        self.handlers.append((rf"{ADDRESS}/page/(.*)", _Static, {"path": str(_PAGE)}))
        self.handlers.append((rf"{ADDRESS}/?", _PageHandler))

    async def stop_extension(self) -> None:
        """Close the gradebook."""
        self.settings["grader_marking"].close()
