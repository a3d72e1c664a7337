"""Connect to Canvas with a token from the environment or the keyring, and report its refusals as sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import UserError

if TYPE_CHECKING:
    from canvasapi.course import Course as CanvasCourse

ADDRESS, TOKEN = "CANVAS_API_URL", "CANVAS_API_TOKEN"
#: The user under whose name a keyring holds the token; the service is the address of Canvas.
KEYRING_USER = "grader"
#: Seconds to wait for the connection, and for an answer.
_TIMEOUT = (10, 60)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class CanvasError(UserError):
    """Canvas could not be asked, or refused; the message says what to do."""


def open_course(number: int | None) -> CanvasCourse:
    """Return the class's course in Canvas. Nothing is sent yet.

    Parameters
    ----------
    number : int or None
        Number of the course, as `[canvas]` in course.toml names it.

    Raises
    ------
    CanvasError
        If the course, the address or the token is not known, or the package canvasapi is not installed.
    """
    if number is None:
        raise CanvasError(
            "course.toml names no course of Canvas: write [canvas] and below it course = 4102, the number in the address of "
            "the course's page."
        )
    address = _address()
    token = os.environ.get(TOKEN, "").strip() or _from_keyring(address)
    if not token:
        raise CanvasError(
            f"There is no token for {address}: put one into the variable {TOKEN}, or into the keyring with "
            f"`keyring set {address} {KEYRING_USER}` (Canvas makes tokens under Account, Settings)."
        )
    try:
        from canvasapi.course import Course
        from canvasapi.requester import Requester
    except ImportError:
        raise CanvasError(
            'The package canvasapi is not installed: pip install --editable ".[canvas]" in the checkout.'
        ) from None
    requester = Requester(address, token)
    requester._session = _session()  # canvasapi itself waits for an answer without end
    return Course(requester, {"id": number})


def _address() -> str:
    address = os.environ.get(ADDRESS, "").strip().rstrip("/").removesuffix("/api/v1")
    if not address:
        raise CanvasError(
            f"The address of Canvas is not known: put it into the variable {ADDRESS}, as https://canvas.example.edu."
        )
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    if not host or parts.path or parts.query or parts.username or (parts.scheme != "https" and host not in _LOOPBACK):
        raise CanvasError(
            f"{ADDRESS} has to be an address such as https://canvas.example.edu, with https and nothing behind it."
        )
    return address


def _from_keyring(address: str) -> str:
    """Return the token that the system's keyring holds for this address, or "" if there is no keyring."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return (keyring.get_password(address, KEYRING_USER) or "").strip()
    except KeyringError:
        return ""


def _session() -> Any:
    import requests
    from requests.adapters import HTTPAdapter

    class WithTimeout(HTTPAdapter):
        # The options are passed on as they come, so their names, which the base class lists, are not repeated.
        def send(self, request: Any, **options: Any) -> Any:  # type: ignore[override]
            return super().send(request, **{**options, "timeout": options.get("timeout") or _TIMEOUT})

    session = requests.Session()
    session.auth = lambda request: request  # else a password in ~/.netrc would replace the token
    for scheme in ("https://", "http://"):
        session.mount(scheme, WithTimeout())
    return session


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Raise a CanvasError of one sentence, without the token, if a request to Canvas fails.

    Parameters
    ----------
    what : str
        What Canvas is asked for, as in "Canvas did not give the students of the course".
    """
    import requests
    from canvasapi import exceptions as refused

    try:
        yield
    except (refused.InvalidAccessToken, refused.Unauthorized):
        reason = f"the token in {TOKEN} or in the keyring is wrong, has expired or was withdrawn; make a new one in Canvas"
    except refused.RateLimitExceeded:
        reason = "it has had too many requests for now; wait some minutes and give the command again"
    except refused.Forbidden as error:
        busy = "rate limit" in str(error).casefold()
        reason = (
            "it has had too many requests for now; wait some minutes and give the command again"
            if busy
            else "the token's owner may not do that in this course; a teacher's token may"
        )
    except refused.ResourceDoesNotExist:
        reason = "it has no such course or assignment for this token's owner; look at course in [canvas] of course.toml"
    except refused.CanvasException as error:
        reason = f"it answered: {_short(error)}"
    except requests.exceptions.SSLError:
        reason = f"the certificate of {ADDRESS} is not to be trusted"
    except requests.exceptions.Timeout:
        reason = "it did not answer in time; give the command again"
    except requests.exceptions.ConnectionError:
        reason = f"it cannot be reached; look at {ADDRESS} and at the network"
    except (requests.exceptions.RequestException, ValueError, KeyError, TypeError, AttributeError):
        reason = f"the server at {ADDRESS} does not answer as Canvas does"
    else:
        return
    raise CanvasError(f"Canvas did not {what}: {reason}.")


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()).rstrip(".")
    return text if len(text) <= 200 else f"{text[:197]}..."
