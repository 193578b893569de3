"""The reference pages of Python, of the command line and of the codes of lint: from docstrings, click, and the table of codes.

``python -m tests.docs.reference`` writes them anew. Griffe reads the docstrings and signatures as they stand in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

import click
import griffe

from oddsmith.api.modules import FIRST
from oddsmith.base.exact import DIGITS
from oddsmith.cli import cli
from oddsmith.ruleset.checking.codes import ProblemCode, problem_codes_by_name
from oddsmith.ruleset.model import ANY
from tests.docs.blocks import ROOT

FOLDER = ROOT / "docs" / "reference"
WIDE = 100  # characters of a signature on one line

DOOR = {
    "Start": ["load", "loads", "check", "diff", "sweep", "fair", "shipped_rulesets", "limited"],
    "A ruleset": [
        "api.loaded.LoadedRuleset",
        "ruleset.model.editions.Setting",
        "base.executors.Work",
        "api.loaded.Certified",
    ],
    "A sweep": ["design.sweeping.Sweep"],
    "What makes a game fair": ["design.fairness.Fair", "design.goals.Goal"],
    "A solved game": ["api.solved.SolvedGame", "api.solved.PositionAdvice", "api.solved.Policy"],
    "Policies of an evening": ["report.contests.evenings.Matchup"],
    "A roll": ["roll", "api.odds.Odds"],
    "Answers": [
        "api.notebooks.Values",
        "api.notebooks.Actions",
        "api.notebooks.Chances",
    ],
    "Numbers": ["base.exact.Number"],
}
GIVEN = [
    "solve.extensive.solver.SecretSolution",
    "solve.extensive.solver.Decision",
    "api.positions.Position", "solve.solution.Advice", "base.distributions.Distribution", "base.distributions.Outcome",
    "solve.questions.horizon.Horizon", "report.facts.breakeven.BreakEven", "report.facts.cheats.CheatValue",
    "report.policy.lists.DecisionLists", "report.policy.lists.DecisionList", "report.policy.quantities.WrittenLine",
    "report.lint.finding.LintReport", "report.lint.finding.Finding", "report.lint.finding.SkippedCheck",
    "report.policy.outline.Outline", "report.policy.outline.DecisionOutline", "report.policy.outline.UnusedOption",
    "report.policy.difference.Difference", "report.policy.difference.RuleChange", "report.policy.difference.DecisionChange",
    "report.policy.difference.Example", "design.sweeping.Point",
    "design.fairness.Case", "design.fairness.FairValue", "design.fairness.TriedValue",
    "api.staged.StagedGame", "solve.staged.staged.Staged", "solve.staged.staged.Effort",
    "solve.estimates.Estimate", "solve.estimates.EstimatedMean", "solve.estimates.EstimatedLength",
    "report.contests.tournament.Tournament", "report.contests.tournament.Match", "report.contests.evenings.Evening",
    "report.contests.evenings.EveningResult", "report.contests.evenings.Stake", "report.contests.tables.BestResponse",
    "report.facts.breakeven.Formula", "report.facts.breakeven.Threshold", "solve.parameter.parametric.ParametricSolution",
    "solve.parameter.parametric.Piece", "solve.parameter.parametric.BestActionChange", "solve.parameter.algebraic.Algebraic",
    "solve.parameter.algebraic.RationalFunction", "report.facts.claims.Verdict", "proof.values.Proof", "proof.rules.Derivation",
    "ruleset.game.Game", "ruleset.rules.State", "graph.stategraph.StateGraph", "solve.solution.Solution",
]  # fmt: skip
FUNCTIONS = {
    "load": "load", "loads": "loads", "roll": "api.odds.roll", "check": "api.checking.check",
    "diff": "design.comparing.diff", "sweep": "design.sweeping.sweep", "fair": "design.fairness.fair",
    "shipped_rulesets": "base.files.shipped_rulesets", "limited": "base.limits.limited",
}  # fmt: skip

LINTED = {code for code in problem_codes_by_name() if code.startswith("OD7")}
DEFAULTS = {"ANY": ANY, "DIGITS": DIGITS, "FIRST": FIRST}

HEAD = """\
# Python

<!-- Written by `python -m tests.docs.reference` from the docstrings. -->

"""
LINT_HEAD = """\
# What lint finds

<!-- Written by `python -m tests.docs.reference` from the table of codes. -->

[`oddsmith lint`](../lint.md) asks for what stands here, one section for each code. The examples are keys of a small game.
Its players roll a six-sided die in turn; the first six ends the game and wins. Each player has a purse with three coins, and
two lie in a pot. `oddsmith check --explain CODE` prints the same.
"""
RECORDS = """\
## What answers are made of

The methods above return these. You need not make one yourself.
"""
ERRORS = """\
## Errors

Every error is an `OddsmithError`: either an `InputError`, which you can mend, or an `InternalError`, a fault of Oddsmith. Catch
them as `oddsmith.InputError` and the like.
"""


def package() -> griffe.Module:
    """The source of the program, read and not run."""
    found = griffe.load("oddsmith", search_paths=[str(ROOT / "solver")])
    assert isinstance(found, griffe.Module)
    return found


# --- Python


def api() -> str:
    """The page about Python."""
    return HEAD + "\n".join(_api(package())).rstrip() + "\n"


def _api(source: griffe.Module) -> Iterator[str]:
    yield text_of(source)
    for title, names in DOOR.items():
        yield f"## {title}\n"
        for name in names:
            yield from _shown(source[FUNCTIONS.get(name, name)])
    yield RECORDS
    for name in [*GIVEN, "base.errors.Problem"]:
        yield from _shown(source[name])
    yield ERRORS
    for branch in ("OddsmithError", "InputError", "InternalError"):
        yield from _errors(source["base.errors"], branch)


def _shown(each: griffe.Object) -> Iterator[str]:
    """A function, or a class with its public members."""
    if isinstance(each, griffe.Function):
        yield f"### `{each.name}`\n\n{_signature(each)}\n\n{text_of(each)}"
        return
    yield f"### `{each.name}`\n\n{text_of(each)}"
    fields = [member for member in public(each) if member.is_attribute and "property" not in member.labels]
    if fields:
        lines = [f"| `{each.name}` | {_type(each)} |" for each in fields]
        yield "\n".join(["| Field | Type |", "|---|---|", *lines]) + "\n"
    properties = [member for member in public(each) if member.is_attribute and "property" in member.labels]
    if properties:
        lines = [f"| `{each.name}` | {_type(each)} | {_cell(text_of(each))} |" for each in properties]
        yield "\n".join(["| Property | Type | Meaning |", "|---|---|---|", *lines]) + "\n"
    for member in public(each):
        if isinstance(member, griffe.Function):
            yield f"#### `{each.name}.{member.name}`\n\n{_signature(member)}\n\n{text_of(member)}"


def public(each: griffe.Object) -> list[griffe.Object]:
    """The members that people use; of what Python calls by itself, only being called."""
    known = {**each.members, **(each.inherited_members if isinstance(each, griffe.Class) else {})}
    members = [member for name, member in known.items() if not name.startswith("_") or name == "__call__"]
    own = [
        member.final_target if isinstance(member, griffe.Alias) and member.inherited else member for member in members
    ]
    return [member for member in own if isinstance(member, griffe.Object)]


def _errors(source: griffe.Object, branch: str) -> Iterator[str]:
    """A branch, and what derives from it directly, as a list."""
    yield f"### `{branch}`\n\n{text_of(source[branch])}"
    if branch == "OddsmithError":
        return
    classes = [each for each in source.members.values() if isinstance(each, griffe.Class)]
    below = [each for each in classes if branch in _above(source, each)]
    yield "\n".join(f"- `{each.name}`: {_cell(text_of(each))}" for each in below) + "\n"


def _above(source: griffe.Object, each: griffe.Class) -> set[str]:
    """The names of all that a class derives from."""
    bases = {str(base) for base in each.bases} & set(source.members)
    return bases.union(*(_above(source, found) for base in bases if isinstance(found := source[base], griffe.Class)))


def _signature(function: griffe.Function) -> str:
    line = str(function.signature())
    line = re.sub(rf"= ({'|'.join(DEFAULTS)})\b", lambda name: f"= {DEFAULTS[name[1]]!r}", line)
    line = re.sub(r"^(\w+)\((?:self(?:, )?|cls(?:, )?)", r"\1(", line)
    if len(line) > WIDE:
        start, rest = line.split("(", 1)
        inner, end = rest.rsplit(") -> ", 1)
        parts = re.split(r", (?![^\[]*\])", inner)
        line = "\n".join([f"{start}(", *(f"    {part}," for part in parts), f") -> {end}"])
    return f"```text\n{line}\n```"


def _type(each: griffe.Object) -> str:
    annotation = str(getattr(each, "annotation", "") or "")
    return f"`{annotation}`".replace("|", "\\|") if annotation else ""


def text_of(each: griffe.Object) -> str:
    """A docstring as Markdown; a session in it becomes a block that can be run by itself."""
    assert each.docstring is not None, f"{each.path} has no docstring"
    parts = re.split(r"\n\n", each.docstring.value)
    return "\n\n".join(_session(part) if part.startswith(">>>") else _plain(part) for part in parts) + "\n"


def _plain(text: str) -> str:
    return re.sub(r":\w+:`([^`]+)`", r"`\1`", text).replace("``", "`")


def _session(text: str) -> str:
    needed = ["import oddsmith"] * ("import oddsmith" not in text)
    needed += ["from fractions import Fraction"] * ("Fraction(" in re.sub(r"^[^>].*", "", text, flags=re.MULTILINE))
    needed += ['piglet = oddsmith.load("piglet").solve()'] * bool(
        re.search(r"\bpiglet\.", text) and "piglet =" not in text
    )
    return "\n".join(["```python", *(f">>> {line}" for line in needed), text, "", "```"])


def _cell(text: str) -> str:
    """A text in one line of a table or a list; its sessions stand elsewhere."""
    return " ".join(re.sub(r"```python.*?```", "", text, flags=re.DOTALL).split()).replace("|", "\\|")


# --- the command line


def commands() -> str:
    """The page about the command line."""
    return "\n".join(_commands()).rstrip() + "\n"


def _commands() -> Iterator[str]:
    yield "# Command line\n\n<!-- Written by `python -m tests.docs.reference` from the help of each command. -->\n"
    context = click.Context(cli, info_name="oddsmith", help_option_names=["-h", "--help"])
    yield from _command(cli, context)
    for name, verb in cli.commands.items():
        yield f"## `{name}`\n"
        yield from _command(verb, click.Context(verb, context, name))


def _command(verb: click.Command, context: click.Context) -> Iterator[str]:
    """What a command is for, how it is called, an example, and its options."""
    about, _, example = cleandoc(verb.help or "").partition("\b\n")
    yield f"```text\n{' '.join([context.command_path, *verb.collect_usage_pieces(context)])}\n```\n"
    yield _angled(about.strip()) + "\n"
    lines = [line.strip() for line in example.splitlines() if line.strip().startswith("oddsmith")]
    yield "\n".join(["```sh", *lines, "```\n"])
    verb._help_option = None  # click keeps the first that it made, with the names of that context
    options = [each for each in verb.get_params(context) if isinstance(each, click.Option)]
    records = [record for each in options if (record := each.get_help_record(context))]
    yield "\n".join(
        [
            "| Option | What it does |",
            "|---|---|",
            *(f"| `{_code(name)}` | {_angled(_cell(what))} |" for name, what in records),
        ]
    )
    yield ""


def _code(text: str) -> str:
    return text.replace("|", "\\|")


def _angled(text: str) -> str:
    """Text in which nothing is taken for HTML."""
    return text.replace("<", "&lt;").replace(">", "&gt;")


# --- what lint finds


def lint_codes() -> str:
    """The page about the codes of ``oddsmith lint``, each with an example that is wrong and then put right."""
    return (
        "\n".join(
            [LINT_HEAD, *(_code_section(each) for each in problem_codes_by_name().values() if each.code in LINTED)]
        ).rstrip()
        + "\n"
    )


def _code_section(each: ProblemCode) -> str:
    examples = (
        f"{word}:\n\n```yaml\n{text.strip()}\n```\n"
        for word, text in (("Odd", each.wrong_example), ("Better", each.right_example))
    )
    return "\n".join([f"## {each.code}\n\n**{each.title}.** {each.text}\n", *examples])


PAGES = {"api.md": api, "commands.md": commands, "lint-codes.md": lint_codes}

if __name__ == "__main__":
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
