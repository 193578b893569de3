"""``oddsmith serve``: the effect of a change as soon as a file is saved, on a page or in the terminal."""

from __future__ import annotations

import queue
import socket
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from oddsmith.base.errors import InputError
from oddsmith.base.files import WatchedFile, find_ruleset
from oddsmith.cli.common import SettingOptions, settings_options
from oddsmith.cli.terminal import print_styled

if TYPE_CHECKING:
    from oddsmith.ruleset.model import Setting


SECONDS_BETWEEN_LOOKS = 0.1  # seconds between two looks at a file
HOST, PORT, PORTS_TRIED = "127.0.0.1", 8700, 20


@click.command()
@settings_options(with_objective=True, with_policies=False, many_rulesets=True)
@click.option(
    "--host",
    default=HOST,
    show_default=True,
    help="Address to listen at. Other machines can reach the page only if you name one.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port to listen at (default: the first free one from {PORT}; 0: any).",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--terminal", is_flag=True, help="Follow one file here in the terminal, without a page.")
def serve(
    rulesets: tuple[str, ...], settings: SettingOptions, host: str, port: int | None, opens: bool, terminal: bool
) -> int:
    """Open a page on this machine that follows files: on every save it shows what is wrong, or what changed and what it was
    before.

    Settings are sliders and choices there, and two games can stand side by side. Files are only read. Nobody but this machine
    can see the page, unless --host says otherwise. A game that takes long to solve, or is too large, is played: then numbers
    are estimated, from more and more games. This needs the extra oddsmith[serve].

    \b
    Examples:
      oddsmith serve my.yaml
      oddsmith serve my.yaml --seats 4 --terminal
    """
    if not rulesets:
        raise click.UsageError("name at least one RULESET")
    if terminal:
        if len(rulesets) > 1:
            raise click.UsageError("--terminal follows one RULESET: leave out the others")
        _print_answers_on_save(rulesets[0], _setting_with_one_variant(settings))
    import uvicorn

    from oddsmith.design import web_application

    listening = _listening_socket(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    names = [host, "localhost", HOST] if host in (HOST, "localhost", "::1") else ["*"]
    app = web_application([find_ruleset(name) for name in rulesets], _setting_with_one_variant(settings), names)
    click.echo(f"{address} follows {', '.join(rulesets)}; an interrupt ends it")
    if opens:
        click.launch(address)
    config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def _print_answers_on_save(ruleset: str, setting: Setting) -> None:
    """Print the answer for a file in the terminal, and again whenever the file is saved, until an interrupt.

    A save stops the work on the previous answer.
    """
    from oddsmith.design import Question, WorkerWithSpare

    file = WatchedFile(find_ruleset(ruleset))
    heard: queue.Queue[dict[str, Any]] = queue.Queue()
    workers = WorkerWithSpare(heard.put)
    asked: Question | None = None
    answered: Question | None = None
    try:
        while True:
            if file.has_changed():
                beside = None if answered is None else replace(answered, compared_with=None)
                asked = Question(str(file.path), file.text, setting, beside)
                click.echo(f"\n{file.path.name}, {time.strftime('%H:%M:%S')}")
                workers.ask(asked)
            try:
                message = heard.get(timeout=SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            answered = asked if "answer" in message else answered
            for line in _message_lines(message):
                print_styled(line, fg="red" if "problems" in message or "failed" in message else None)
    finally:
        workers.close()


def _listening_socket(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens at a free port. Raises InputError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = OSError()
    for number in range(PORT, PORT + PORTS_TRIED) if port is None else [port]:
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            found.listen()
        except OSError as error:
            found.close()
            last = error
        else:
            return found
    raise InputError(
        f"nothing can listen at {host}, port {port if port is not None else PORT}: {last.strerror or last}"
    )


def _setting_with_one_variant(settings: SettingOptions) -> Setting:
    if len(settings.variants) > 1:
        raise click.UsageError("one variant at a time can be followed: set the parameters of the other with --set")
    return settings.setting


def _message_lines(message: dict[str, Any]) -> list[str]:
    """Return a part of an answer as lines of text. ``message``: the part, as ``QuestionAnswerer.answer_parts`` yields it."""
    lines: list[str] = []
    for problem in message.get("problems", ()):
        lines.append(
            f"{problem['line']}:{problem['column']}: {problem['severity']} {problem['code']}: {problem['message']}"
        )
        lines += [problem["excerpt"], *([f"  hint: {problem['hint']}"] if problem["hint"] else [])]
    if "failed" in message:
        lines.append(message["failed"])
    lines += [message[said] for said in ("way", "large") if said in message]
    if "estimate" in message:
        found = message["estimate"]
        lines.append(f"{found['seats']} seats, {found['objective']} (estimated): {', '.join(found['values'])}")
        lines += found["notes"]
    for size in ("quick", "answer"):
        if size in message:
            found = message[size]
            head = f"{found['seats']} seats, {found['objective']} ({found['grade']}): "
            lines.append(head + ", ".join(value["decimal"] for value in found["values"]))
            for choice in found["choices"]:
                lines += [f"{choice['phase']}:", *(f"  {line}" for line in choice["lines"])]
                lines += [f"  {unused['words']}" for unused in choice["unused"]]
    if "difference" in message:
        lines += ["since the last answer:", *(f"  {line}" for line in message["difference"].get("lines", ()))]
    lines += [f"{name}: {number}" for name, number in message.get("measures", {}).items()]
    lines += [f"to remember: {rule['words']}; {rule['costs']}" for rule in message.get("rules") or ()]
    return lines
