"""The language server: it answers the requests of an editor, and sends its findings while somebody types.

The whole check of a ruleset, and the solution of a small game, take longer than a pause in typing. They run in a
separate process, which a newer edit stops. If an edit of one text stops the examination of another, that other text is
examined afterwards.

The solution is shown at the lines that it is about: the values at the title, the thresholds at each phase. Problems are
marked from their first character to their last.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from oddsmith.api import SolvedGame, check_source
from oddsmith.base.errors import InputError, OddsmithError, Problem, RulesetError
from oddsmith.base.exact import plural
from oddsmith.base.location import Location, Source
from oddsmith.base.resources import VERSION
from oddsmith.design import Message, Question, WorkerWithSpare
from oddsmith.editor.completing import Completion, completions, fill_snippet_defaults
from oddsmith.editor.reading import ParsedText, cursor_at, is_ruleset, parse_leniently
from oddsmith.editor.showing import hover_text
from oddsmith.editor.uses import NameIndex, definition_location, locations_to_rename, references, renameable_use
from oddsmith.graph import Explorer
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.model import Setting
from oddsmith.ruleset.reading import formatted_text, read_ruleset

MAX_POSITIONS = 30_000
"""The most positions of a game that is solved while somebody types. It takes some seconds."""
PLACES = 4


@dataclass(frozen=True)
class SolutionNotes:
    """The notes about a solved game that the editor shows. ``title``: the values of the game, or why it was not solved.
    ``phases``: the notes about each phase, by name.
    """

    title: str
    phases: dict[str, tuple[str, ...]]


class TextExaminer:
    """Checks a text, and then solves its game if it is small enough: with the usual number of seats, or else with the
    fewest.
    """

    def answer_parts(self, question: Question, _: Callable[[Message], None], /) -> Iterator[Message]:
        """Yield the ``problems`` that a check of the text finds. If none of them is an error, also yield the notes on
        the solution, under the key ``told``.
        """
        source = Source(question.file, question.text)
        problems = check_source(source).problems
        yield {"problems": problems}
        if any(problem.severity == "error" for problem in problems):
            return
        try:
            yield {"told": _solution_notes(source)}
        except OddsmithError as error:
            yield {"told": SolutionNotes(f"not solved: {error}", {})}


def _solution_notes(source: Source) -> SolutionNotes:
    from oddsmith.solve import solve

    ruleset, _ = read_ruleset(source)
    least, _, usual = ruleset.seats
    game = next((game for seats in (usual, least) if _is_small(game := bind(ruleset, Setting(seats)))), None)
    if game is None:
        return SolutionNotes(f"not solved here: over {MAX_POSITIONS:,} positions at {plural(least, 'seat')}", {})
    solution = solve(game)
    outline = SolvedGame.of(solution).outline(rules=False)
    values = ", ".join(value.decimal(PLACES) for value in solution.values)
    title = f"{solution.graph.objective} at {plural(game.seats, 'seat')}: {values} ({solution.grade})"
    return SolutionNotes(title, {choice.phase: choice.lines for choice in outline.choices})


def _is_small(game: Game) -> bool:
    _, whole = Explorer(game, next(iter(game.ruleset.payoffs))).explore(max_states=MAX_POSITIONS)
    return whole


OLD = "before the last edit: "
LINES_PER_PHASE = 2  # lines of one phase


def notes_at_lines(parsed: ParsedText, notes: SolutionNotes | None, are_outdated: bool) -> list[tuple[int, str]]:
    """Return pairs of a line of the text (from 0) and a note about it. ``are_outdated``: whether the text has changed
    since it was solved.
    """
    if notes is None:
        return []
    lead = OLD if are_outdated else ""
    found = []
    title, phases = parsed.root.keys.get("title"), parsed.root.get("phases")
    if title is not None:
        found.append((title.location.line - 1, lead + notes.title))
    for name, key in phases.keys.items() if phases else ():
        said = notes.phases.get(str(name), ())
        more = ("...",) if len(said) > LINES_PER_PHASE else ()
        found += [(key.location.line - 1, lead + "; ".join((*said[:LINES_PER_PHASE], *more)))] if said else []
    return found


def code_lenses(line_notes: list[tuple[int, str]]) -> list[types.CodeLens]:
    """Return a code lens for each note, which the editor shows above the line."""
    start = [(types.Position(line, 0), words) for line, words in line_notes]
    return [types.CodeLens(types.Range(at, at), types.Command(words, "")) for at, words in start]


def inlay_hints(line_notes: list[tuple[int, str]], lines: tuple[str, ...]) -> list[types.InlayHint]:
    """Return an inlay hint for each note, for editors without code lenses. It is shown at the end of its line.

    ``line_notes``: pairs of a line (from 0) and a note. ``lines``: the lines of the text.
    """
    return [
        types.InlayHint(types.Position(line, len(lines[line])), words, padding_left=True)
        for line, words in line_notes
        if line < len(lines)
    ]


class BackgroundExaminer:
    """Examines one text at a time, in other processes.

    ``receive_part``: a function that receives each question with a part of its answer. ``call_soon``: a function that
    runs a given function in the thread of the caller; it is used to call ``receive_part`` there.
    """

    def __init__(
        self, receive_part: Callable[[Question, Message], None], call_soon: Callable[[Callable[[], None]], object]
    ) -> None:
        self.receive_part, self.call_soon = receive_part, call_soon
        self.waiting: dict[str, Question] = {}
        self.current: Question | None = None
        self.workers: WorkerWithSpare | None = None

    def examine(self, question: Question) -> None:
        """Examine a text now. If another file is being examined, that examination is stopped and repeated afterwards."""
        if self.current is not None and self.current.file != question.file:
            self.waiting[self.current.file] = self.current
        self.waiting.pop(question.file, None)
        self._start_question(question)

    def drop_examinations(self, file: str) -> None:
        """Drop the examinations of a file that was closed, or that is no longer a ruleset."""
        self.waiting.pop(file, None)
        if self.current is not None and self.current.file == file:
            self.current = replace(self.current, file="")

    def close(self) -> None:
        """End all processes."""
        if self.workers is not None:
            self.workers.close()

    def start_workers(self) -> WorkerWithSpare:
        """Return the processes. Start them if they do not run yet, so that they import slow modules early."""
        if self.workers is None:
            self.workers = WorkerWithSpare(self._receive_message, TextExaminer)
        return self.workers

    def _start_question(self, question: Question) -> None:
        self.current = question
        self.start_workers().ask(question)

    def _receive_message(self, message: Message) -> None:
        assert self.workers is not None, "nobody else speaks"
        number = self.workers.number
        self.call_soon(lambda: self._handle_message(number, message))

    def _handle_message(self, question_number: int, message: Message) -> None:
        asked = self.current
        if asked is None or self.workers is None or question_number != self.workers.number:
            return  # a newer edit came between
        if not message.get("done"):
            self.receive_part(asked, message)
            return
        self.current = None
        if self.waiting:
            self._start_question(self.waiting.pop(next(iter(self.waiting))))


_WORD = re.compile(r"\w+|\S")
_SEVERITY = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}


def diagnostics(problems: Iterable[Problem], source: Source) -> list[types.Diagnostic]:
    """Return problems as diagnostics of the Language Server Protocol."""
    return [
        types.Diagnostic(
            lsp_range_of(problem.location, source),
            f"{problem.message}\n{problem.hint}" if problem.hint else problem.message,
            _SEVERITY[problem.severity],
            problem.code,
            source="oddsmith",
        )
        for problem in problems
    ]


def lsp_range_of(location: Location, source: Source) -> types.Range:
    """Return the range of a location, in lines and characters from 0. If the end of the location is not known, the
    range ends with the word.
    """
    line, column = location.line - 1, location.column - 1
    text = source.lines[line] if line < len(source.lines) else ""
    last, end = (each - 1 for each in location.until or (0, 0))
    if (last, end) <= (line, column):
        found = _WORD.match(text, column)
        last, end = line, found.end() if found else max(len(text), column)
    if end == 0 and last > line:  # a block of text ends where the next line begins
        last, end = last - 1, len(source.lines[last - 1]) if last - 1 < len(source.lines) else 0
    return types.Range(types.Position(line, column), types.Position(last, end))


SECONDS_BEFORE_READING = 0.15  # seconds without an edit before a text is read
SECONDS_BEFORE_SOLVING = 0.6  # seconds more before it is checked whole and solved
REQUEST_FAILED = -32803  # the protocol's code for a request that was understood and cannot be done
_KINDS = {
    "key": types.CompletionItemKind.Property, "variable": types.CompletionItemKind.Variable,
    "constant": types.CompletionItemKind.Constant, "function": types.CompletionItemKind.Function,
    "phase": types.CompletionItemKind.Reference, "value": types.CompletionItemKind.Value,
    "word": types.CompletionItemKind.EnumMember, "snippet": types.CompletionItemKind.Snippet,
}  # fmt: skip


@dataclass
class TextFindings:
    """The last findings about a text. ``notes``: the notes about its solution.

    ``refused``: whether the text could not be read. ``solved_text``: the text to which ``notes`` belongs.
    ``edit_count``: the number of edits.
    """

    refused: bool = False
    notes: SolutionNotes | None = None
    solved_text: str = ""
    edit_count: int = 0


class Server(LanguageServer):
    """A language server for rulesets. It reads only the texts that the editor sends, and no files."""

    def __init__(self) -> None:
        super().__init__("oddsmith", VERSION, max_workers=2)
        self.seen: dict[str, TextFindings] = {}
        self.background = BackgroundExaminer(self.show_answer_part, self._call_soon)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.above = True
        """Whether notes are shown above their lines, rather than at the ends of the lines."""

    def _call_soon(self, function: Any) -> None:
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function)

    # --- texts

    def document(self, uri: str) -> TextDocument:
        """Return the open document with this URI."""
        return self.workspace.get_text_document(uri)

    def source(self, uri: str) -> Source:
        """Return the text of an open document as a source, with the name of its file."""
        return Source(to_fs_path(uri) or uri, self.document(uri).source.replace("\r\n", "\n"))

    def requested_position(self, params: Any) -> tuple[str, int, int]:
        """Return the URI, and the line and column (from 0, in characters), to which a request refers."""
        uri = params.text_document.uri
        at = self.workspace.position_codec.position_from_client_units(self.document(uri).lines, params.position)
        return uri, at.line, at.character

    def client_range(self, uri: str, character_range: types.Range) -> types.Range:
        """Return a range in the units of the editor. ``character_range``: the range in characters."""
        return self.workspace.position_codec.range_to_client_units(self.document(uri).lines, character_range)

    def client_range_of(self, uri: str, location: Location) -> types.Range:
        """Return the range of a place, in the units of the editor."""
        return self.client_range(uri, lsp_range_of(location, self.source(uri)))

    # --- looking

    async def examine_after_pause(self, uri: str) -> None:
        """Read a text after a pause in typing; check and solve it after a longer pause. A newer edit of the text
        cancels this.
        """
        self.loop = asyncio.get_running_loop()
        seen = self.seen.setdefault(uri, TextFindings())
        seen.edit_count += 1
        mine = seen.edit_count
        await asyncio.sleep(SECONDS_BEFORE_READING)
        if mine != seen.edit_count or uri not in self.workspace.text_documents:
            return
        source = self.source(uri)
        if not is_ruleset(source.text, self.document(uri).language_id or ""):
            self.publish_problems(uri, ())
            return
        problems, refused = await asyncio.to_thread(_problems_and_refusal, source)
        if mine != seen.edit_count:
            return
        if refused or seen.refused:
            self.publish_problems(uri, problems)
        seen.refused = refused
        if refused:
            self.background.drop_examinations(uri)
            self.refresh_notes()
            return
        self.background.start_workers()
        await asyncio.sleep(SECONDS_BEFORE_SOLVING)
        if mine == seen.edit_count:
            self.background.examine(Question(uri, source.text))
        self.refresh_notes()

    def show_answer_part(self, question: Question, message: Message) -> None:
        """Show a part of the result of an examination, unless the text has changed since."""
        uri = question.file
        seen = self.seen.get(uri)
        if seen is None or self.source(uri).text != question.text:
            return
        if "problems" in message:
            self.publish_problems(uri, message["problems"])
        if "told" in message:
            seen.notes, seen.solved_text = message["told"], question.text
            self.refresh_notes()

    def publish_problems(self, uri: str, problems: tuple[Problem, ...]) -> None:
        """Send the problems of a text to the editor."""
        source = self.source(uri)
        found = diagnostics(problems, source)
        for each in found:
            each.range = self.client_range(uri, each.range)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version=self.document(uri).version)
        )

    def refresh_notes(self) -> None:
        """Ask the editor to refresh the notes, if it supports this."""
        can = self.client_capabilities.workspace
        if self.above and can and can.code_lens and can.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if not self.above and can and can.inlay_hint and can.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def solution_notes(self, uri: str) -> list[tuple[int, str]]:
        """Return pairs of a line of the current text (from 0) and a note about the last solution; empty if there is
        none.
        """
        seen, source = self.seen.get(uri), self.source(uri)
        return notes_at_lines(parse_leniently(source), seen.notes, seen.solved_text != source.text) if seen else []

    # --- questions

    def completion_items(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        """Return the completions for a request, in the form of the protocol."""
        uri, line, column = self.requested_position(params)
        cursor = cursor_at(self.source(uri), line, column)
        found = completions(cursor) if cursor else []
        return [self.completion_item(uri, item, number, line, column) for number, item in enumerate(found)]

    def completion_item(self, uri: str, item: Completion, rank: int, line: int, column: int) -> types.CompletionItem:
        """Return a completion in the form of the protocol. ``rank``: its place in the order. ``line``, ``column``:
        the cursor.
        """
        can = self.client_capabilities.text_document
        offer = can.completion.completion_item if can and can.completion else None
        snippets = bool(offer and offer.snippet_support)
        text = item.insert if snippets or not item.snippet else fill_snippet_defaults(item.insert)
        where = types.Range(types.Position(line, column - item.replaced), types.Position(line, column))
        style = types.InsertTextFormat.Snippet if item.snippet and snippets else types.InsertTextFormat.PlainText
        return types.CompletionItem(
            item.label,
            kind=_KINDS[item.kind],
            detail=item.detail or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, item.documentation),
            text_edit=types.TextEdit(self.client_range(uri, where), text),
            insert_text_format=style,
            insert_text_mode=types.InsertTextMode.AdjustIndentation,
            filter_text=item.label,
            sort_text=f"{rank:04}",
        )

    def index_and_position(self, params: Any) -> tuple[str, NameIndex, int, int]:
        """Return the URI, the index of names of the text, and the line and column (from 1) to which a request refers."""
        uri, line, column = self.requested_position(params)
        return uri, NameIndex(parse_leniently(self.source(uri))), line + 1, column + 1


def _problems_and_refusal(source: Source) -> tuple[tuple[Problem, ...], bool]:
    """Read a text. Return the problems that reading finds, and whether the text was refused."""
    try:
        return read_ruleset(source)[1], False
    except RulesetError as error:
        return error.problems, True


def serve_editor(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve an editor until it exits. ``stdin``: the stream from the editor. ``stdout``: the stream to the editor."""
    server = make_server()
    logging.getLogger("pygls").setLevel(logging.ERROR)  # an answer that comes after the goodbye is nobody's concern
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_server_fault)
    try:
        server.start_io(stdin, stdout)
    finally:
        server.background.close()


def _is_server_fault(record: logging.LogRecord) -> bool:
    """Return whether a log record reports a fault of the server. A request that was refused with a reason is not a
    fault.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, JsonRpcException) and error.code == REQUEST_FAILED)


def make_server() -> Server:
    """Return a new server with all features registered."""
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
        await server.examine_after_pause(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.seen.pop(uri, None)
        server.background.drop_examinations(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    _register_read_requests(server)
    _register_edit_requests(server)
    return server


def _register_read_requests(server: Server) -> None:
    """Register the requests that do not change the text."""
    triggers = types.CompletionOptions(trigger_characters=[" ", "{", "(", "[", ":"])

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, triggers)
    def _(params: types.CompletionParams) -> types.CompletionList:
        return types.CompletionList(is_incomplete=False, items=server.completion_items(params))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _(params: types.HoverParams) -> types.Hover | None:
        _, index, line, column = server.index_and_position(params)
        words = hover_text(index, line, column)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, words)) if words else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def _(params: types.DefinitionParams) -> types.Location | None:
        uri, index, line, column = server.index_and_position(params)
        found = definition_location(index, line, column)
        return types.Location(uri, server.client_range_of(uri, found)) if found else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def _(params: types.ReferenceParams) -> list[types.Location]:
        uri, index, line, column = server.index_and_position(params)
        found = references(index, line, column)
        told = params.context.include_declaration
        return [
            types.Location(uri, server.client_range_of(uri, use.location)) for use in found if told or not use.defines
        ]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _(params: types.CodeLensParams) -> list[types.CodeLens]:
        return code_lenses(server.solution_notes(params.text_document.uri)) if server.above else []

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        return [] if server.above else inlay_hints(server.solution_notes(uri), server.source(uri).lines)


def _register_edit_requests(server: Server) -> None:
    """Register the requests that change the text."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def _(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
        uri, index, line, column = server.index_and_position(params)
        try:
            use = renameable_use(index, line, column)
        except InputError as error:
            raise JsonRpcException(str(error), REQUEST_FAILED) from None
        return types.PrepareRenamePlaceholder(server.client_range_of(uri, use.location), use.name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def _(params: types.RenameParams) -> types.WorkspaceEdit:
        uri, index, line, column = server.index_and_position(params)
        try:
            found = locations_to_rename(index, line, column, params.new_name.strip())
        except InputError as error:
            raise JsonRpcException(str(error), REQUEST_FAILED) from None
        edits = [types.TextEdit(server.client_range_of(uri, where), params.new_name.strip()) for where in found]
        return types.WorkspaceEdit(changes={uri: edits})

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        uri = params.text_document.uri
        before = server.source(uri).text
        after = formatted_text(before)
        whole = types.Range(types.Position(0, 0), types.Position(before.count("\n") + 1, 0))
        return [] if after == before or not is_ruleset(before) else [types.TextEdit(whole, after)]
