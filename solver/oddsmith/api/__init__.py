"""The Python interface, and the functions that it shares with the command line.

``LoadedRuleset`` is a ruleset with a method for every task. Its method ``solve`` returns a ``SolvedGame``, which
answers questions. This package parses the text that people type (a position, a question, the range of a parameter), so
the Python interface and the command line accept the same words. Nothing here prints. Slow modules are imported only
when they are needed.
"""

from typing import TYPE_CHECKING

from oddsmith.base.lazy import lazy_getattr

if TYPE_CHECKING:
    from oddsmith.api.asking import parse_parameter_range
    from oddsmith.api.checking import MAX_SAMPLED_STATES, check, check_file, check_source, refuse_ruleset_with_errors
    from oddsmith.api.exporting import (
        FORMATS,
        GRAPHS,
        explore_graph,
        export_format_of_file,
        export_graph,
        export_solution,
        export_tree,
        nondeterministic_seat,
        refuse_format_for_secrets,
    )
    from oddsmith.api.figures import draw_sweep
    from oddsmith.api.loaded import Certified, LoadedRuleset
    from oddsmith.api.modules import (
        FIRST,
        MAX_SHARED_TABLE_BYTES,
        ModulePublication,
        game_module_options,
        module_pictures,
        module_scripts,
        odds_module_options,
        odds_scripts,
        options_of_module_on_page,
    )
    from oddsmith.api.odds import Odds, roll
    from oddsmith.api.secret import SecretGame
    from oddsmith.api.site import (
        answering_forecast_text,
        build_html,
        open_answer_store,
        ruleset_about_one_setting,
        shipped_answer_store,
        site_pages,
        successive_sites,
    )
    from oddsmith.api.solved import AS_ASKED, Policy, SolvedGame
    from oddsmith.api.staged import StagedGame, refuse_unknown_names
    from oddsmith.api.workers import share_tasks

__all__ = [
    "AS_ASKED",
    "FIRST",
    "FORMATS",
    "GRAPHS",
    "MAX_SAMPLED_STATES",
    "MAX_SHARED_TABLE_BYTES",
    "Certified",
    "LoadedRuleset",
    "ModulePublication",
    "Odds",
    "Policy",
    "SecretGame",
    "SolvedGame",
    "StagedGame",
    "answering_forecast_text",
    "build_html",
    "check",
    "check_file",
    "check_source",
    "draw_sweep",
    "explore_graph",
    "export_format_of_file",
    "export_graph",
    "export_solution",
    "export_tree",
    "game_module_options",
    "module_pictures",
    "module_scripts",
    "nondeterministic_seat",
    "odds_module_options",
    "odds_scripts",
    "open_answer_store",
    "options_of_module_on_page",
    "parse_parameter_range",
    "refuse_format_for_secrets",
    "refuse_ruleset_with_errors",
    "refuse_unknown_names",
    "roll",
    "ruleset_about_one_setting",
    "share_tasks",
    "shipped_answer_store",
    "site_pages",
    "successive_sites",
]

_HOMES = {
    "asking": ("parse_parameter_range",),
    "checking": (
        "MAX_SAMPLED_STATES",
        "check",
        "check_file",
        "check_source",
        "refuse_ruleset_with_errors",
    ),
    "exporting": (
        "FORMATS",
        "GRAPHS",
        "MAX_SHARED_TABLE_BYTES",
        "explore_graph",
        "export_graph",
        "export_solution",
        "export_tree",
        "export_format_of_file",
        "nondeterministic_seat",
        "refuse_format_for_secrets",
    ),
    "figures": ("draw_sweep",),
    "loaded": (
        "Certified",
        "LoadedRuleset",
    ),
    "modules": (
        "ModulePublication",
        "FIRST",
        "MAX_SHARED_TABLE_BYTES",
        "odds_module_options",
        "odds_scripts",
        "options_of_module_on_page",
        "game_module_options",
        "module_pictures",
        "module_scripts",
    ),
    "odds": (
        "Odds",
        "roll",
    ),
    "secret": ("SecretGame",),
    "site": (
        "ruleset_about_one_setting",
        "build_html",
        "successive_sites",
        "open_answer_store",
        "answering_forecast_text",
        "shipped_answer_store",
        "site_pages",
    ),
    "solved": (
        "AS_ASKED",
        "Policy",
        "SolvedGame",
    ),
    "staged": (
        "StagedGame",
        "refuse_unknown_names",
    ),
    "workers": ("share_tasks",),
}
__getattr__ = lazy_getattr(__name__, {name: home for home, names in _HOMES.items() for name in names})
