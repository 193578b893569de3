"""Texts that wait to be examined: the newest edit first, and an edit ends the examination of what it replaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from oddsmith.answering import Message, Question
from oddsmith.lsp.examining import Examiner
from oddsmith.workbench import Bench


class Background:
    """Examines one text at a time. ``told`` hears each part of an answer with its question, in the thread of whoever calls.

    ``soon`` runs a function in that thread.
    """

    def __init__(self, told: Callable[[Question, Message], None], soon: Callable[[Callable[[], None]], object]) -> None:
        self.told, self.soon = told, soon
        self.waiting: dict[str, Question] = {}
        self.current: Question | None = None
        self.bench: Bench | None = None

    def ask(self, question: Question) -> None:
        """Examine a text now. What is under way for another file is begun anew afterwards."""
        if self.current is not None and self.current.file != question.file:
            self.waiting[self.current.file] = self.current
        self.waiting.pop(question.file, None)
        self._begin(question)

    def forget(self, file: str) -> None:
        """A file was closed, or is no ruleset any more."""
        self.waiting.pop(file, None)
        if self.current is not None and self.current.file == file:
            self.current = replace(self.current, file="")

    def close(self) -> None:
        """End all processes."""
        if self.bench is not None:
            self.bench.close()

    def ready(self) -> Bench:
        """Start the processes, if they are not there: they import what takes long while somebody still reads."""
        if self.bench is None:
            self.bench = Bench(self._told, Examiner)
        return self.bench

    def _begin(self, question: Question) -> None:
        self.current = question
        self.ready().ask(question)

    def _told(self, message: Message) -> None:
        assert self.bench is not None, "nobody else speaks"
        number = self.bench.number
        self.soon(lambda: self._heard(number, message))

    def _heard(self, number: int, message: Message) -> None:
        asked = self.current
        if asked is None or self.bench is None or number != self.bench.number:
            return  # a newer edit came between
        if not message.get("done"):
            self.told(asked, message)
            return
        self.current = None
        if self.waiting:
            self._begin(self.waiting.pop(next(iter(self.waiting))))
