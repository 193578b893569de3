"""A local page that watches ruleset files. A file that is saved is checked, solved and compared, and each part of the
answer goes to every open browser.

The files on disk are the only source of rulesets. A browser only selects one of them, and changes settings.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from oddsmith.base.files import WatchedFile, folder_files
from oddsmith.base.resources import data_folder
from oddsmith.design.answering import Question
from oddsmith.design.settings import Message, setting_from_message
from oddsmith.design.worker import WorkerWithSpare
from oddsmith.ruleset.model import Setting

SECONDS_BETWEEN_LOOKS = 0.1  # seconds between two looks at the files
KEEP_ALIVE_SECONDS = 15.0  # seconds after which a silent connection is told that it stands
MAX_REQUEST_BYTES = 65_536  # bytes of what a browser may ask
ROOMS = {
    "bench/": "bench/",
    "answer/": "answer/",
    "runtime/": "runtime/",
    "page/": "page/",
    "vendor/": "vendor/",
    "theme/": "theme/assets/",
}
"""For each beginning of a path on the server, the folder of the project's ``site/`` that it stands for."""
KINDS = {
    ".html": "text/html", ".mjs": "text/javascript", ".js": "text/javascript",
    ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"
}  # fmt: skip
GUARD = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}


class DeskSession:
    """The state of the page: its files, the question that was asked last, and the parts of its answer so far.

    When a file is saved, its game is compared with the game of the file before. While somebody changes settings, the
    game is compared with the game before the first change. If settings to compare with were chosen, the game is always
    compared with the game at these settings.
    """

    def __init__(self, files: Sequence[Path], setting: Setting) -> None:
        self.files = [WatchedFile(path) for path in files]
        for each in self.files:
            each.has_changed()
        self.at, self.setting = 0, setting
        self.chosen: Setting | None = None  # what stands beside it, where somebody chose that
        self.answered: Question | None = None
        self.base: Question | None = None
        self.moving = False
        self.state: dict[str, Any] = {}
        self.listeners: set[asyncio.Queue[Message]] = set()
        self.play: dict[str, bytes] = {}

    # --- questions

    def question_at(self, setting: Setting | None = None) -> Question:
        """Return the question about the current file at ``setting``; None means the current setting."""
        file = self.files[self.at]
        return Question(str(file.path), file.text, setting or self.setting)

    def next_question(self, only_settings_changed: bool) -> Question:
        """Return the question about the current file and setting, with the question to compare it with.

        ``only_settings_changed``: whether only settings have changed since the last question, and not the file.
        """
        if self.answered is not None and not (only_settings_changed and self.moving):
            self.base = replace(self.answered, compared_with=None)
        self.moving = only_settings_changed
        now = self.question_at()
        beside = self.base if self.chosen is None else self.question_at(self.chosen)
        return replace(now, compared_with=beside if beside is not None and beside.key != now.key else None)

    # --- answers

    def begin_answer(self) -> None:
        """Begin a new answer. Pages keep the parts of the old answer, marked as old, until the new parts arrive."""
        names = [each.path.name for each in self.files]
        self.state = {"files": names, "at": self.at, "chosen": self.chosen is not None, "busy": True}
        self._send_to_browsers({"begin": self.state})

    def receive_answer_part(self, message: Message, question: Question) -> None:
        """Store a part of the answer to the last question, and send it to every browser."""
        if "play" in message:
            self.play = message["play"]
            message = {"play": bool(self.play)}
        if "answer" in message:
            self.answered = question
        if message.get("done"):
            message = {"busy": False}
        self.state |= message
        self._send_to_browsers(message)

    def _send_to_browsers(self, message: Message) -> None:
        for listener in self.listeners:
            listener.put_nowait(message)


def web_application(files: Sequence[Path], setting: Setting, allowed_hosts: Sequence[str]) -> Starlette:
    """Return the server as a Starlette application.

    ``allowed_hosts``: the host names of the server. Requests for other hosts are refused, so that no page of another
    site can read the answers.
    """
    session = DeskSession(files, setting)
    site = folder_files(data_folder("site"))

    async def stream_events(_: Request) -> Response:
        return StreamingResponse(_event_stream(session), media_type="text/event-stream", headers=GUARD)

    async def receive_request(request: Request) -> Response:
        body = await request.body()
        if request.headers.get("content-type") != "application/json" or len(body) > MAX_REQUEST_BYTES:
            return PlainTextResponse("ask with JSON", 400)
        try:
            _apply_request(session, json.loads(body))
        except (ValueError, TypeError, KeyError, AttributeError):
            return PlainTextResponse("these are no settings", 400)
        request.app.state.ask(session.next_question(only_settings_changed=True))
        return Response(status_code=204)

    async def serve_file(request: Request) -> Response:
        path = request.path_params["path"]
        data = session.play.get(path.removeprefix("play/"))
        for start, room in ROOMS.items():
            if data is None and path.startswith(start):
                data = site.get(room + path.removeprefix(start))
        if data is None:
            return PlainTextResponse("there is no such file", 404)
        kind = KINDS.get(Path(path).suffix, "application/octet-stream")
        return Response(data, media_type=kind, headers=GUARD)

    @asynccontextmanager
    async def run_with_workers(app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        current: list[Question] = []

        def deliver(message: Message) -> None:
            loop.call_soon_threadsafe(lambda: session.receive_answer_part(message, current[-1]))

        workers = WorkerWithSpare(deliver)

        def ask_workers(question: Question) -> None:
            current[:] = [question]
            session.begin_answer()
            workers.ask(question)

        app.state.ask = ask_workers
        following = asyncio.create_task(_watch_files(session, ask_workers))
        try:
            yield
        finally:
            following.cancel()
            workers.close()

    return Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse("bench/index.html")),
            Route("/bench/events", stream_events),
            Route("/bench/ask", receive_request, methods=["POST"]),
            Route("/{path:path}", serve_file),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(allowed_hosts))],
        lifespan=run_with_workers,
    )


async def _watch_files(session: DeskSession, ask: Callable[[Question], None]) -> None:
    ask(session.next_question(only_settings_changed=False))
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        saved = [number for number, each in enumerate(session.files) if each.has_changed()]
        if saved:
            session.at = saved[0]
            ask(session.next_question(only_settings_changed=False))


async def _event_stream(session: DeskSession) -> AsyncIterator[bytes]:
    """Yield the events for one browser: everything so far, then each part as it arrives."""
    mine: asyncio.Queue[Message] = asyncio.Queue()
    session.listeners.add(mine)
    try:
        yield _event_bytes({"begin": session.state})
        while True:
            try:
                yield _event_bytes(await asyncio.wait_for(mine.get(), KEEP_ALIVE_SECONDS))
            except TimeoutError:
                yield b": here\n\n"
    finally:
        session.listeners.discard(mine)


def _event_bytes(message: Message) -> bytes:
    return f"data: {json.dumps(message)}\n\n".encode()


def _apply_request(session: DeskSession, request: dict[str, Any]) -> None:
    """Apply a request of a browser to the session: another file, other settings, or settings to compare with.

    ``request``: any of the keys ``at`` (the index of the file), ``settings`` and ``beside`` (the settings to compare
    with; null ends the comparison with chosen settings). Raises ValueError, TypeError, KeyError or AttributeError if
    the request is malformed.
    """
    session.at = min(max(int(request.get("at", session.at)), 0), len(session.files) - 1)
    if "settings" in request:
        session.setting = setting_from_message(request["settings"])
    if "beside" in request:
        session.chosen = None if request["beside"] is None else setting_from_message(request["beside"])
