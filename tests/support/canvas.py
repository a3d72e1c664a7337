"""A Canvas on loopback. Its answers were written by hand from the documentation of Canvas's API, and are no more than that."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

TOKEN = "7~secret"
COURSE = 4102


@dataclass
class Canvas:
    """What the course holds, and what it was asked. `refuse` maps a path's end to an answer that replaces the real one."""

    users: list[dict[str, Any]] = field(default_factory=list)
    sections: list[dict[str, Any]] = field(default_factory=list)
    assignments: list[dict[str, Any]] = field(default_factory=list)
    submissions: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    refuse: dict[str, tuple[int, dict[str, str], str]] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    jobs: list[str] = field(default_factory=lambda: ["queued", "completed"])
    per_page: int = 2
    address: str = ""

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: dict[str, str]) -> Any:
        """Return what lies at a path, after it was written to."""
        parts = path.removeprefix(f"/api/v1/courses/{COURSE}/").split("/")
        if path.startswith("/api/v1/progress/"):
            return {"id": 9, "workflow_state": self.jobs.pop(0) if len(self.jobs) > 1 else self.jobs[0]}
        if method == "GET" and parts == ["sections"]:
            return self.sections
        if method == "GET" and parts == ["search_users"]:
            return [user for user in self.users if _is_listed(user, query)]
        if method == "GET" and parts == ["assignments"]:
            return self.assignments
        if method == "GET" and parts[0] == "assignments" and parts[2:] == ["submissions"]:
            return self.submissions[int(parts[1])]
        if method == "POST" and parts[0] == "assignments" and parts[2:] == ["submissions", "update_grades"]:
            rows = {row["user_id"]: row for row in self.submissions[int(parts[1])]}
            for key, value in body.items():
                user = int(key.removeprefix("grade_data[").partition("]")[0])
                rows[user]["score"] = rows[user]["entered_score"] = float(value)
            return {"id": 9, "workflow_state": self.jobs[0]}
        return None


@contextmanager
def serving(canvas: Canvas) -> Iterator[Canvas]:
    """Serve a course on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            query = parse_qs(parts.query)
            body = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()))
            canvas.asked.append((self.command, parts.path, body))
            refused = next((answer for end, answer in canvas.refuse.items() if parts.path.endswith(end)), None)
            if refused:
                self._send(*refused)
            elif self.headers["Authorization"] != f"Bearer {TOKEN}":
                answer = json.dumps({"errors": [{"message": "Invalid access token."}]})
                self._send(401, {"WWW-Authenticate": 'Bearer realm="canvas-lms"'}, answer)
            else:
                self._page(parts.path, query, canvas.answer(self.command, parts.path, query, body))

        def _page(self, path: str, query: dict[str, list[str]], found: Any) -> None:
            if found is None:
                self._send(404, {}, json.dumps({"errors": [{"message": "The specified resource does not exist."}]}))
                return
            headers = {}
            if isinstance(found, list):
                page = int(query.get("page", ["1"])[0])
                end = page * canvas.per_page
                if end < len(found):
                    more = urlencode({**query, "page": page + 1}, doseq=True)
                    headers["Link"] = f'<{canvas.address}{path}?{more}>; rel="next"'
                found = found[end - canvas.per_page : end]
            self._send(200, headers, json.dumps(found))

        def _send(self, status: int, headers: dict[str, str], text: str) -> None:
            content = text.encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - the names are given

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    canvas.address = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield canvas
    finally:
        server.shutdown()
        server.server_close()


def _is_listed(user: dict[str, Any], query: dict[str, list[str]]) -> bool:
    """Return True if a user has an enrolment of the kind and in a state that is asked for."""
    kinds = {"StudentEnrollment": "student", "StudentViewEnrollment": "student_view", "TeacherEnrollment": "teacher"}
    return any(
        kinds[entry["type"]] in query["enrollment_type[]"] and entry["enrollment_state"] in query["enrollment_state[]"]
        for entry in user["enrollments"]
    )


def user(number: int, name: str, login: str, sections: tuple[int, ...] = (11,), **enrolment: str) -> dict[str, Any]:
    """A student as `GET /courses/:id/search_users` gives one; `enrolment` replaces fields of each enrolment."""
    first, _, last = name.rpartition(" ")
    enrolled = [
        {"type": "StudentEnrollment", "course_section_id": section, "enrollment_state": "active", **enrolment}
        for section in sections
    ]
    return {
        "id": number,
        "name": name,
        "sortable_name": f"{last}, {first}",
        "short_name": name,
        "sis_user_id": None,
        "login_id": login,
        "email": f"{login}@x.org",
        "enrollments": enrolled,
    }


def submission(number: int, score: float | None = None, **more: Any) -> dict[str, Any]:
    """A submission as `GET …/submissions` gives one."""
    shown = None if score is None else f"{score:g}"
    return {
        "id": number * 10,
        "user_id": number,
        "score": score,
        "entered_score": score,
        "grade": shown,
        "excused": None,
        **more,
    }
