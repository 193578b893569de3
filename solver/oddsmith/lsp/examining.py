"""What takes longer than a pause in typing: the whole check of a ruleset, and then its answer, where the game is small.

This runs in a process of its own, which a newer edit ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from oddsmith.answering import Message, Question
from oddsmith.errors import OddsmithError
from oddsmith.exact import plural
from oddsmith.graph import Explorer
from oddsmith.library import SolvedGame, check_source
from oddsmith.location import Source
from oddsmith.ruleset import Game, bind
from oddsmith.ruleset.reading import read

POSITIONS = 30_000
"""Up to which a game is solved while somebody types: some seconds."""
PLACES = 4


@dataclass(frozen=True)
class Told:
    """What is said in the text of a solved game, or of one that was not solved. ``phases``: the lines of each choice."""

    title: str
    phases: dict[str, tuple[str, ...]]


class Examiner:
    """Checks a text, then solves it at the usual number of seats or the fewest, if that is within the budget."""

    def answers(self, question: Question, _: Callable[[Message], None], /) -> Iterator[Message]:
        """``problems``, as a check finds them; then ``told``, where there are none that stop the game."""
        source = Source(question.file, question.text)
        problems = check_source(source).problems
        yield {"problems": problems}
        if any(problem.severity == "error" for problem in problems):
            return
        try:
            yield {"told": _told(source)}
        except OddsmithError as error:
            yield {"told": Told(f"not solved: {error}", {})}


def _told(source: Source) -> Told:
    from oddsmith.solve import solve

    ruleset, _ = read(source)
    least, _, usual = ruleset.seats
    game = next((game for seats in (usual, least) if _is_small(game := bind(ruleset, seats))), None)
    if game is None:
        return Told(f"not solved here: over {POSITIONS:,} positions at {plural(least, 'seat')}", {})
    solution = solve(game)
    outline = SolvedGame(solution).outline(rules=False)
    values = ", ".join(value.decimal(PLACES) for value in solution.values)
    title = f"{solution.graph.objective} at {plural(game.seats, 'seat')}: {values} ({solution.grade})"
    return Told(title, {choice.phase: choice.lines for choice in outline.choices})


def _is_small(game: Game) -> bool:
    _, whole = Explorer(game, next(iter(game.ruleset.payoffs))).explore(limit=POSITIONS)
    return whole
