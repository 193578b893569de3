"""Standard output and standard error. Control characters are escaped, and the reader of a pipe may close it at any
time.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from oddsmith.base.errors import Signal

# Signs that steer a terminal, or turn the direction of writing; lines may end and be indented.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class OutputClosed(Signal):
    """Raised if the reader of the output has closed it."""


class OutputFull(Signal):
    """Raised if standard output cannot be written. The text says why."""


class _SignallingWriter(io.BufferedWriter):
    """A writer of bytes that raises signals, so that errors of the output are not confused with those of files."""

    def write(self, data: bytes) -> int:  # type: ignore[override] # we write bytes only
        try:
            return super().write(data)
        except OSError as error:
            raise _as_output_error(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _as_output_error(error) from None


def _as_output_error(error: OSError) -> Exception:
    return OutputClosed() if isinstance(error, BrokenPipeError) else OutputFull(error.strerror)


class _EscapingWriter(io.TextIOWrapper):
    """A writer of text that escapes control characters."""

    def write(self, text: str) -> int:
        return super().write(escape_control_characters(text))

    def write_styled(self, text: str) -> None:
        """Write text with control characters for colours."""
        super().write(text)


def escape_control_characters(text: str) -> str:
    """Return a text in which control characters are replaced by escape sequences, as Python writes them. Tabs and line
    breaks stay.
    """
    return _STEERING.sub(lambda found: ascii(found[0])[1:-1], text)


def print_styled(text: str, err: bool = False, fg: str | None = None, bold: bool | None = None) -> None:
    """Print a line, in a colour if it goes to a terminal."""
    stream = sys.stderr if err else sys.stdout
    if isinstance(stream, _EscapingWriter) and stream.isatty():
        stream.write_styled(click.style(escape_control_characters(text), fg=fg, bold=bold) + "\n")
    else:
        click.echo(text, err=err)


@contextmanager
def escaping_streams() -> Iterator[None]:
    """Within a context, escape control characters, and letters that the encoding lacks, on standard output and standard
    error.

    Raises OutputClosed or OutputFull if they cannot be written.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_escaping_writer, before)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = before


def _escaping_writer(stream: TextIO | None) -> TextIO:
    if stream is None:  # closed from the start: whatever is opened next is not to stand in its place
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - for as long as we run
    try:
        number = stream.fileno()
    except OSError:
        return stream  # a test's own
    stream.flush()
    # A console of Windows takes letters by a way of its own, which this finds.
    sink = _SignallingWriter(open(number, "wb", buffering=0, closefd=False))  # noqa: SIM115 - closes nothing
    return _EscapingWriter(sink, stream.encoding, "backslashreplace", line_buffering=bool(stream.line_buffering))
