"""The door for programs, and what the command line and it share.

``LoadedRuleset`` is a ruleset with all that can be done with it; solving it gives a ``SolvedGame``, which answers
questions. Text that people type (a position, a question, a range of a symbol) is read here, so that both understand the
same words. Nothing here prints. Heavy imports wait until they are needed.
"""

from typing import TYPE_CHECKING

from oddsmith.faces import later
from oddsmith.library.checking import SAMPLE, check, check_file, check_source
from oddsmith.library.exporting import FORMATS, GRAPHS, explored, export_graph, export_solution, format_of, open_seat
from oddsmith.library.loaded import Certified, LoadedRuleset
from oddsmith.library.modules import FIRST, Delivery, beside, options_for, scripts
from oddsmith.library.notebooks import over_settings
from oddsmith.library.playground import PYODIDE, playground_files
from oddsmith.library.rolls import Odds, ask
from oddsmith.library.site import about_one_game, built, came, growing_site, kept_answers, site_pages
from oddsmith.library.solved import DIGITS, Policy, SolvedGame
from oddsmith.library.typed import asked_parameters, asked_symbol

if TYPE_CHECKING:
    from oddsmith.library.typed import Position, position_of

__all__ = [
    "DIGITS",
    "FIRST",
    "FORMATS",
    "GRAPHS",
    "PYODIDE",
    "SAMPLE",
    "Certified",
    "Delivery",
    "LoadedRuleset",
    "Odds",
    "Policy",
    "Position",
    "SolvedGame",
    "about_one_game",
    "ask",
    "asked_parameters",
    "asked_symbol",
    "beside",
    "built",
    "came",
    "check",
    "check_file",
    "check_source",
    "explored",
    "export_graph",
    "export_solution",
    "format_of",
    "growing_site",
    "kept_answers",
    "open_seat",
    "options_for",
    "over_settings",
    "playground_files",
    "position_of",
    "scripts",
    "site_pages",
]

# It takes arrays, and a browser reads without.
__getattr__ = later(__name__, {"Position": "typed", "position_of": "typed"})
