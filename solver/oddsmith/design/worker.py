"""Processes that answer questions part by part, and that can be stopped.

Solving cannot be interrupted from within. So a new question ends a process that is still answering, and goes to a spare
process, which has already imported the slow modules.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Protocol

from oddsmith.design.answering import Question, QuestionAnswerer
from oddsmith.design.settings import Message


class Answerer(Protocol):
    """An object that answers one question after another. It lives in a separate process."""

    def answer_parts(self, question: Question, progress: Callable[[Message], None], /) -> Iterator[Message]:
        """Yield the parts of an answer, each as soon as it is known."""
        ...


class WorkerWithSpare:
    """A process that answers questions, and a spare one.

    ``receive_part``: a function that is called with each part of the answer to the last question. It runs in another
    thread and must not call ``ask``. ``make_answerer``: a function that is called in the process and returns the object
    that answers. ``number``: the number of questions so far.
    """

    def __init__(
        self, receive_part: Callable[[Message], None], make_answerer: Callable[[], Answerer] = QuestionAnswerer
    ) -> None:
        self.receive_part, self.make_answerer = receive_part, make_answerer
        self.lock = threading.Lock()
        self.number = 0
        self.busy = False
        self.worker, self.spare = self._new_worker(), self._new_worker()

    def _new_worker(self) -> _Worker:
        return _Worker(self._deliver, self.make_answerer)

    def ask(self, question: Question) -> None:
        """Ask a question. If another one is still being answered, its answer is stopped."""
        with self.lock:
            self.number += 1
            if self.busy or not self.worker.process.is_alive():
                self.worker.kill()
                self.worker, self.spare = self.spare, self._new_worker()
            self.busy = True
            self.worker.send((self.number, question))

    def _deliver(self, question_number: int, message: Message) -> None:
        with self.lock:
            if question_number != self.number:
                return
            self.busy = not message.get("done")
            self.receive_part(message)

    def close(self) -> None:
        """End both processes."""
        with self.lock:
            self.number += 1
            for worker in (self.worker, self.spare):
                worker.kill()


class _Worker:
    """A process that answers questions, and the thread that receives its answers."""

    def __init__(self, receive: Callable[[int, Message], None], make_answerer: Callable[[], Answerer]) -> None:
        ours, theirs = get_context("spawn").Pipe()
        self.connection, self.receive, self.number = ours, receive, 0
        self.process = get_context("spawn").Process(target=_run_worker, args=(theirs, make_answerer), daemon=True)
        self.process.start()
        theirs.close()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, numbered_question: tuple[int, Question]) -> None:
        """Send a question, with its number, to the process."""
        self.number = numbered_question[0]
        with suppress(OSError):
            self.connection.send(numbered_question)

    def _listen(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self.receive(*self.connection.recv())
        self.receive(
            self.number, {"failed": "The process that solves was ended, perhaps because memory ran out.", "done": True}
        )

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()


def _run_worker(connection: Connection, make_answerer: Callable[[], Answerer]) -> None:
    """Import the slow modules, then answer questions until the connection is closed."""
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks decides when it ends
    for name in ("solve", "report.policy", "ruleset.reading"):
        import_module(f"oddsmith.{name}")
    solver = make_answerer()
    with suppress(EOFError, OSError), threadpool_limits(1):
        while True:
            number, question = connection.recv()
            say = partial(_send_message, connection, number)
            for message in solver.answer_parts(question, say):
                say(message)
            say({"done": True})
    os._exit(0)


def _send_message(connection: Connection, question_number: int, message: Message) -> None:
    connection.send((question_number, message))
