"""What the verbs of the command line share: options and settings, progress, errors in words, and the terminal itself."""

from oddsmith.cli.shared.advising import advice_json, advice_lines
from oddsmith.cli.shared.common import (
    Settings,
    Verbs,
    changed,
    limits_of,
    lines_of_play,
    opened,
    plain_value,
    print_json,
    progress,
    report_error,
    settings_of,
    settings_options,
    show_problem,
    show_refusal,
    solved,
)
from oddsmith.cli.shared.keeping import KEPT, advised, kept
from oddsmith.cli.shared.spreading import bar, lines_of
from oddsmith.cli.shared.terminal import Closed, Full, say, streams
from oddsmith.cli.shared.writing import STORE, accounts, dask_option, jobs_option, refuse_others

__all__ = [
    "KEPT",
    "STORE",
    "Closed",
    "Full",
    "Settings",
    "Verbs",
    "accounts",
    "advice_json",
    "advice_lines",
    "advised",
    "bar",
    "changed",
    "dask_option",
    "jobs_option",
    "kept",
    "limits_of",
    "lines_of",
    "lines_of_play",
    "opened",
    "plain_value",
    "print_json",
    "progress",
    "refuse_others",
    "report_error",
    "say",
    "settings_of",
    "settings_options",
    "show_problem",
    "show_refusal",
    "solved",
    "streams",
]
