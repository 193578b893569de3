"""The server: what an editor asks, and what it is told while somebody types."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from oddsmith.answering import Message, Question
from oddsmith.editing import (
    Index,
    Item,
    completions,
    cursor_of,
    definition,
    filled,
    hover,
    is_ruleset,
    nameable,
    page_of,
    references,
    renamed,
)
from oddsmith.errors import InputError, Problem, RulesetError
from oddsmith.location import Location, Source
from oddsmith.lsp import answers
from oddsmith.lsp.background import Background
from oddsmith.lsp.examining import Told
from oddsmith.lsp.problems import diagnostics, stretch
from oddsmith.resources import VERSION
from oddsmith.ruleset.reading import formatted, read

PAUSE = 0.15  # seconds without an edit before a text is read
LONGER = 0.6  # seconds more before it is checked whole and solved
FAILED = -32803  # the protocol's code for a request that was understood and cannot be done
_KINDS = {
    "key": types.CompletionItemKind.Property, "variable": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Constant, "function": types.CompletionItemKind.Function,
    "phase": types.CompletionItemKind.Reference, "value": types.CompletionItemKind.Value,
    "word": types.CompletionItemKind.EnumMember, "snippet": types.CompletionItemKind.Snippet,
}  # fmt: skip


@dataclass
class Seen:
    """What was last found out about a text.

    ``refused``: it could not even be read. ``solved``: the text that ``told`` is of. ``looks`` counts the edits.
    """

    refused: bool = False
    told: Told | None = None
    solved: str = ""
    looks: int = 0


class Server(LanguageServer):
    """A language server for rulesets. It reads the texts that the editor sends, and no file."""

    def __init__(self) -> None:
        super().__init__("oddsmith", VERSION, max_workers=2)
        self.seen: dict[str, Seen] = {}
        self.background = Background(self.heard, self._soon)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.above = True
        """Whether answers stand in lines of their own, above what they are about."""

    def _soon(self, function: Any) -> None:
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function)

    # --- texts

    def document(self, uri: str) -> TextDocument:
        """A text that is open."""
        return self.workspace.get_text_document(uri)

    def source(self, uri: str) -> Source:
        """A text with its file's name."""
        return Source(to_fs_path(uri) or uri, self.document(uri).source.replace("\r\n", "\n"))

    def place(self, params: Any) -> tuple[str, int, int]:
        """The text, the line and the column (from 0, in characters) that a request is about."""
        uri = params.text_document.uri
        at = self.workspace.position_codec.position_from_client_units(self.document(uri).lines, params.position)
        return uri, at.line, at.character

    def range(self, uri: str, where: types.Range) -> types.Range:
        """A range in the units of the editor."""
        return self.workspace.position_codec.range_to_client_units(self.document(uri).lines, where)

    def stretch(self, uri: str, location: Location) -> types.Range:
        """Where something stands, in the units of the editor."""
        return self.range(uri, stretch(location, self.source(uri)))

    # --- looking

    async def look(self, uri: str) -> None:
        """Read a text after a pause; check it and solve it after a longer one. A newer edit takes over."""
        self.loop = asyncio.get_running_loop()
        seen = self.seen.setdefault(uri, Seen())
        seen.looks += 1
        mine = seen.looks
        await asyncio.sleep(PAUSE)
        if mine != seen.looks or uri not in self.workspace.text_documents:
            return
        source = self.source(uri)
        if not is_ruleset(source.text, self.document(uri).language_id or ""):
            self.publish(uri, ())
            return
        problems, refused = await asyncio.to_thread(_read, source)
        if mine != seen.looks:
            return
        if refused or seen.refused:
            self.publish(uri, problems)
        seen.refused = refused
        if refused:
            self.background.forget(uri)
            self.refresh()
            return
        self.background.ready()
        await asyncio.sleep(LONGER)
        if mine == seen.looks:
            self.background.ask(Question(uri, source.text))
        self.refresh()

    def heard(self, question: Question, message: Message) -> None:
        """A part of what an examination found."""
        uri = question.file
        seen = self.seen.get(uri)
        if seen is None or self.source(uri).text != question.text:
            return
        if "problems" in message:
            self.publish(uri, message["problems"])
        if "told" in message:
            seen.told, seen.solved = message["told"], question.text
            self.refresh()

    def publish(self, uri: str, problems: tuple[Problem, ...]) -> None:
        """Say what is wrong with a text."""
        source = self.source(uri)
        found = diagnostics(problems, source)
        for each in found:
            each.range = self.range(uri, each.range)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version=self.document(uri).version)
        )

    def refresh(self) -> None:
        """Ask the editor to show answers anew, if it can."""
        can = self.client_capabilities.workspace
        if self.above and can and can.code_lens and can.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if not self.above and can and can.inlay_hint and can.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def said(self, uri: str) -> list[tuple[int, str]]:
        """What the last solution says, at the lines of the text as it is now."""
        seen, source = self.seen.get(uri), self.source(uri)
        return answers.lines(page_of(source), seen.told, seen.solved != source.text) if seen else []

    # --- questions

    def items(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        """What may be typed at a place."""
        uri, line, column = self.place(params)
        cursor = cursor_of(self.source(uri), line, column)
        found = completions(cursor) if cursor else []
        return [self.item(uri, item, number, line, column) for number, item in enumerate(found)]

    def item(self, uri: str, item: Item, number: int, line: int, column: int) -> types.CompletionItem:
        """One thing that may be typed, in the protocol's words."""
        can = self.client_capabilities.text_document
        offer = can.completion.completion_item if can and can.completion else None
        snippets = bool(offer and offer.snippet_support)
        text = item.insert if snippets or not item.snippet else filled(item.insert)
        where = types.Range(types.Position(line, column - item.replaced), types.Position(line, column))
        style = types.InsertTextFormat.Snippet if item.snippet and snippets else types.InsertTextFormat.PlainText
        return types.CompletionItem(
            item.label,
            kind=_KINDS[item.kind],
            detail=item.detail or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, item.documentation),
            text_edit=types.TextEdit(self.range(uri, where), text),
            insert_text_format=style,
            insert_text_mode=types.InsertTextMode.AdjustIndentation,
            filter_text=item.label,
            sort_text=f"{number:04}",
        )

    def index(self, params: Any) -> tuple[str, Index, int, int]:
        """What the words of a text mean, and the place (from 1) that a request is about."""
        uri, line, column = self.place(params)
        return uri, Index(page_of(self.source(uri))), line + 1, column + 1


def _read(source: Source) -> tuple[tuple[Problem, ...], bool]:
    """The problems of a text as far as reading finds them, and whether it can be used."""
    try:
        return read(source)[1], False
    except RulesetError as error:
        return error.problems, True


def start(asked: BinaryIO, told: BinaryIO) -> None:
    """Answer an editor that writes into one stream and reads from the other, until it says that it goes."""
    server = make()
    logging.getLogger("pygls").setLevel(logging.ERROR)  # an answer that comes after the goodbye is nobody's concern
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_a_fault)
    try:
        server.start_io(asked, told)
    finally:
        server.background.close()


def _is_a_fault(record: logging.LogRecord) -> bool:
    """Whether something went wrong, rather than that a request was refused with a reason."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, JsonRpcException) and error.code == FAILED)


def make() -> Server:
    """A server that knows what to answer."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def _(params: types.InitializeParams) -> None:
        can = params.capabilities.text_document
        asked = params.initialization_options
        wish = asked.get("answers") if isinstance(asked, dict) else None
        server.above = wish == "above" if wish in ("above", "beside") else bool(can and can.code_lens)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def _(params: Any) -> None:
        await server.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.seen.pop(uri, None)
        server.background.forget(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    _questions(server)
    _changes(server)
    return server


def _questions(server: Server) -> None:
    """What only asks."""
    triggers = types.CompletionOptions(trigger_characters=[" ", "{", "(", "[", ":"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)
    def _(params: types.CompletionParams) -> types.CompletionList:
        return types.CompletionList(is_incomplete=False, items=server.items(params))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _(params: types.HoverParams) -> types.Hover | None:
        _, index, line, column = server.index(params)
        words = hover(index, line, column)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, words)) if words else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def _(params: types.DefinitionParams) -> types.Location | None:
        uri, index, line, column = server.index(params)
        found = definition(index, line, column)
        return types.Location(uri, server.stretch(uri, found)) if found else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def _(params: types.ReferenceParams) -> list[types.Location]:
        uri, index, line, column = server.index(params)
        found = references(index, line, column)
        told = params.context.include_declaration
        return [types.Location(uri, server.stretch(uri, use.location)) for use in found if told or not use.defines]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _(params: types.CodeLensParams) -> list[types.CodeLens]:
        return answers.lenses(server.said(params.text_document.uri)) if server.above else []

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        return [] if server.above else answers.hints(server.said(uri), server.source(uri).lines)


def _changes(server: Server) -> None:
    """What changes the text."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def _(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        uri, index, line, column = server.index(params)
        try:
            use = nameable(index, line, column)
        except InputError as error:
            raise JsonRpcException(str(error), FAILED) from None
        return types.PrepareRenamePlaceholder(server.stretch(uri, use.location), use.name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def _(params: types.RenameParams) -> types.WorkspaceEdit:
        uri, index, line, column = server.index(params)
        try:
            found = renamed(index, line, column, params.new_name.strip())
        except InputError as error:
            raise JsonRpcException(str(error), FAILED) from None
        edits = [types.TextEdit(server.stretch(uri, where), params.new_name.strip()) for where in found]
        return types.WorkspaceEdit(changes={uri: edits})

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        uri = params.text_document.uri
        before = server.source(uri).text
        after = formatted(before)
        whole = types.Range(types.Position(0, 0), types.Position(before.count("\n") + 1, 0))
        return [] if after == before or not is_ruleset(before) else [types.TextEdit(whole, after)]
