"""The marking page in a Jupyter server, so that the login of JupyterLab and JupyterHub serves.

`grader mark` starts a server with it. In a server that runs already: `jupyter server extension enable grader.marking.written`,
and the class in `c.MarkingApp.class_folder`.
"""

from __future__ import annotations

import getpass
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.extension.application import ExtensionApp
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, StaticFileHandler, authenticated
from traitlets import Unicode

from ...errors import PhraseError, UserError
from ...feedback.text import as_html
from .desk import Draft, Outdated
from .service import Marking

_PAGE = Path(__file__).parent / "page"
ADDRESS = "/grader-mark"
_MAX_COMMENT_CHARACTERS = 10_000


class _Api(APIHandler):
    """What all calls share: the class, the author, and errors as one sentence."""

    @property
    def marking(self) -> Marking:
        return self.settings["grader_marking"]

    @property
    def author(self) -> str:
        """Return who is logged in; on a server with a token alone, the name that the page was told."""
        user = self.current_user
        known = str(getattr(user, "username", "") or "")
        if self.settings["grader_anonymous_login"] or not known:
            told = self.request.headers.get("X-Grader-Author", "").strip()
            return told[:80] or getpass.getuser()
        return known

    async def answer(self, work: Callable[[], Any]) -> None:
        """Do some work in a thread and send its result; a known error becomes a sentence with status 400."""
        try:
            result = await IOLoop.current().run_in_executor(None, work)
        except (UserError, PhraseError, ValueError, KeyError, TypeError) as error:
            self.set_status(400)
            result = {
                "error": str(error) if isinstance(error, (UserError, PhraseError)) else f"The request is no mark: {error}."
            }
        self.finish(json.dumps(result, ensure_ascii=False))

    def body(self) -> dict[str, Any]:
        content = json.loads(self.request.body or b"{}")
        if not isinstance(content, dict):
            raise HTTPError(400)
        return content

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
        topic, cell = self.question
        await self.answer(lambda: self.marking.question(topic, cell))


class _Text(_Api):
    @authenticated
    async def post(self) -> None:
        """Return Markdown as HTML that runs nothing."""
        text = str(self.body().get("text", ""))
        await self.answer(lambda: {"html": as_html(text, "")})


class _Mark(_Api):
    @authenticated
    async def put(self) -> None:
        (topic, cell), body = self.question, self.body()

        def save() -> Any:
            name = str(body["student"])
            comment = str(body.get("comment", ""))[:_MAX_COMMENT_CHARACTERS]
            draft = Draft(tuple(map(int, body.get("items", []))), float(body.get("adjustment", 0)), comment)
            try:
                return self.marking.save(topic, cell, name, draft, self.author, int(body["seen"]))
            except Outdated as outdated:
                self.set_status(409)
                return {"current": self.marking.data_of(topic, cell, name, outdated)}

        await self.answer(save)


class _Look(_Api):
    @authenticated
    async def post(self) -> None:
        (topic, cell), body = self.question, self.body()
        await self.answer(lambda: {"others": self.marking.look_at(topic, cell, str(body["student"]), self.author)})


class _Rubric(_Api):
    @authenticated
    async def put(self) -> None:
        (topic, cell), body = self.question, self.body()
        await self.answer(lambda: {"rubric": self.marking.set_rubric(topic, cell, body["items"])})


class _History(_Api):
    @authenticated
    async def get(self) -> None:
        (topic, cell), name = self.question, self.get_argument("student")
        await self.answer(lambda: {"marks": self.marking.history(topic, cell, name)})


class _PageHandler(JupyterHandler):
    @authenticated
    async def get(self) -> None:
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

    class_folder = Unicode("", help="The folder of the class whose written answers are marked.").tag(config=True)
    gradebook = Unicode("", help="The address of the gradebook, if it is not gradebook.db of the class.").tag(config=True)

    @classmethod
    def get_extension_package(cls) -> str:
        """Return the package whose extension this is; the server would take the first part of its name."""
        return __name__.rpartition(".")[0]

    def initialize_settings(self) -> None:
        """Open the class."""
        folder = Path(self.class_folder or ".")
        self.settings["grader_marking"] = Marking(folder, self.gradebook)
        provider = type(self.serverapp.identity_provider).__name__ if self.serverapp else ""
        self.settings["grader_anonymous_login"] = "Hub" not in provider

    def initialize_handlers(self) -> None:
        """Add the page and its calls."""
        calls = {
            "questions": _Questions,
            "question": _Question,
            "text": _Text,
            "mark": _Mark,
            "look": _Look,
            "rubric": _Rubric,
            "history": _History,
        }
        self.handlers.extend((rf"{ADDRESS}/api/{name}", handler) for name, handler in calls.items())
        self.handlers.append((rf"{ADDRESS}/page/(.*)", _Static, {"path": str(_PAGE)}))
        self.handlers.append((rf"{ADDRESS}/?", _PageHandler))

    async def stop_extension(self) -> None:
        """Close the gradebook."""
        self.settings["grader_marking"].close()
