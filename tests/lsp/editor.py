"""An editor, as far as the server can tell: it speaks the protocol over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WAIT = 60
Message = dict[str, Any]

FULL: Message = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeLens": {},
        "rename": {"prepareSupport": True},
    },
    "workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}},
}
PLAIN: Message = {"textDocument": {"completion": {}, "inlayHint": {}}, "workspace": FULL["workspace"]}


class Refused(Exception):
    """The server answered with an error."""


class Editor:
    """One editor and its server. Texts are opened under names; places are lines and columns from 0."""

    def __init__(self, capabilities: Message = FULL, command: list[str] | None = None, **options: Any) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "oddsmith", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        self.heard: Queue[Message | None] = Queue()
        self.waiting: list[Message] = []
        self.number = 0
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        asked = {"processId": None, "rootUri": None, "capabilities": capabilities, "initializationOptions": options}
        self.ask("initialize", asked)
        self.tell("initialized", {})

    # --- the wire

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while (line := stream.readline().strip()) or not length:
                if not line and self.process.poll() is not None:
                    self.heard.put(None)
                    return
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            self.heard.put(json.loads(stream.read(length)))

    def _send(self, message: Message) -> None:
        stream = self.process.stdin
        assert stream is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()

    def _next(self) -> Message:
        message = self.heard.get(timeout=WAIT)
        assert message is not None, "the server has gone"
        if "id" in message and "method" in message:  # what the server asks of an editor
            self._send({"id": message["id"], "result": None})
        return message

    def tell(self, method: str, params: Any) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """A request, and its answer."""
        self.number += 1
        mine = self.number
        self._send({"id": mine, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == mine and "method" not in message:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message.get("result")
            self.waiting.append(message)

    def until(self, fits: Callable[[Message], bool]) -> Message:
        """The next message of a kind, those included that came while something else was asked."""
        for at, message in enumerate(self.waiting):
            if fits(message):
                del self.waiting[: at + 1]
                return message
        self.waiting.clear()
        while not fits(message := self._next()):
            pass
        return message

    def close(self) -> None:
        """Say goodbye as the protocol wants it: the server ends well, and had nothing to complain of."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.listener.join(WAIT)
        with self.process as process:
            assert process.stderr is not None
            said = process.stderr.read().decode()
        assert not said, said
        assert self.process.returncode == 0

    # --- texts

    def write(self, name: str, text: str, language: str = "yaml") -> None:
        """Open a text, or put another in its place."""
        uri = self.uri(name)
        self.versions[name] = self.versions.get(name, 0) + 1
        self.texts[name] = text
        if self.versions[name] == 1:
            document = {"uri": uri, "languageId": language, "version": 1, "text": text}
            self.tell("textDocument/didOpen", {"textDocument": document})
        else:
            document = {"uri": uri, "version": self.versions[name]}
            self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    @staticmethod
    def uri(name: str) -> str:
        """The address of a text."""
        return f"file:///rules/{name}"

    def problems(self, name: str) -> list[Message]:
        """What is wrong with the text as it stands now, as soon as the server says so."""

        def mine(message: Message) -> bool:
            params = message.get("params", {})
            said = message.get("method") == "textDocument/publishDiagnostics" and params.get("uri") == self.uri(name)
            return said and params.get("version") == self.versions[name]

        found: list[Message] = self.until(mine)["params"]["diagnostics"]
        return found

    def at(self, name: str, line: int, column: int, method: str, **more: Any) -> Any:
        """A question about a place."""
        place = {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": column}}
        return self.ask(f"textDocument/{method}", {**place, **more})

    def about(self, name: str, method: str, **more: Any) -> Any:
        """A question about a whole text."""
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, **more})

    def offered(self, text: str, name: str = "typed.yaml") -> dict[str, Message]:
        """What may be typed where ``‸`` stands in a text, by label."""
        return self._offered(text, name, len)

    def offered_in_utf16(self, text: str, name: str = "typed.yaml") -> dict[str, Message]:
        """The same, with columns as the protocol counts them: in pairs of bytes."""
        return self._offered(text, name, lambda line: len(line.encode("utf-16-le")) // 2)

    def _offered(self, text: str, name: str, width: Callable[[str], int]) -> dict[str, Message]:
        before, _, after = text.partition("‸")
        self.write(name, before + after)
        items = self.at(name, before.count("\n"), width(before.rpartition("\n")[2]), "completion")["items"]
        return {item["label"]: item for item in items}
