"""A strict reader of the part of PRISM's language that we write, and value iteration on what was read."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

State = tuple[int, int]  # the graph's state, and the seat to move (from 1)

WORD = r"[A-Za-z_]\w*"
NUMBER = r"-?\d+(?:\.0)?(?:/\d+(?:\.0)?)?"
WHERE = r"state=(\d+)(?: & mover=(\d+))?"
PLAYER = re.compile(r"player (seat_\d+)")
OWN = re.compile(rf"  \[{WORD}\](?:, \[{WORD}\])*|  ")
RANGE = re.compile(r"  (state|mover) : \[([01])\.\.(\d+)\] init (\d+);")
COMMAND = re.compile(rf"  \[({WORD})\] {WHERE} -> (.+);")
WAY = re.compile(rf"({NUMBER}) : \(state'=(\d+)\)(?: & \(mover'=(\d+)\))?")
END = re.compile(r"  \[\] state=(\d+) -> true;")
PAID = re.compile(rf"  \[({WORD})\] {WHERE} : ({NUMBER});")


@dataclass
class Choice:
    """A command: where it leads, and what each reward model gets."""

    ways: dict[State, Fraction]
    rewards: dict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))


@dataclass
class Model:
    """A model: who owns which label, and for every state its choices by their labels."""

    kind: str = ""
    owners: dict[str, str] = field(default_factory=dict)
    choices: dict[State, dict[str, Choice]] = field(default_factory=dict)
    rewards: list[str] = field(default_factory=list)
    ranges: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    end: int = -1
    notes: list[str] = field(default_factory=list)

    @property
    def first(self) -> State:
        """Where play starts."""
        return self.ranges["state"][2], self.ranges.get("mover", (1, 1, 1))[2]

    def worth(self, reward: str, wants: str, goal: str, close: float = 1e-13) -> float:
        """What is collected from the start, if one player (by name) goes for the goal, and all others for its contrary."""
        best, worst = (max, min) if goal == "max" else (min, max)
        rows = {
            state: (
                best if self.kind == "mdp" or self.owners[next(iter(choices))] == wants else worst,
                [
                    (float(choice.rewards[reward]), [(to, float(chance)) for to, chance in choice.ways.items()])
                    for choice in choices.values()
                ],
            )
            for state, choices in reversed(self.choices.items())
        }
        values: dict[State, float] = defaultdict(float)
        moved = 1.0
        while moved > close:
            moved = 0.0
            for state, (pick, choices) in rows.items():
                found = pick(paid + sum(chance * values[to] for to, chance in ways) for paid, ways in choices)
                moved = max(moved, abs(found - values[state]))
                values[state] = found
        return values[self.first]


def read_prism(data: bytes) -> Model:
    """The model in a file, every line of which must be of the language."""
    lines = data.decode().split("\n")
    assert lines.pop() == "", "the last line ends"
    model, inside, rewards, player = Model(), "", "", ""
    for line in lines:
        if line.lstrip().startswith("//"):
            model.notes.append(line)
        elif line in ("smg", "mdp"):
            model.kind = line
        elif begun := PLAYER.fullmatch(line):
            player = begun[1]
        elif player and OWN.fullmatch(line):
            own = dict.fromkeys(re.findall(WORD, line), player)
            assert not own.keys() & model.owners.keys(), "a label has one owner"
            model.owners |= own
        elif line in ("endplayer", "module game", "endmodule", "endrewards"):
            inside, rewards, player = line, "", ""
        elif start := re.fullmatch(r'rewards "(\w+)"', line):
            rewards = start[1]
            model.rewards.append(rewards)
        elif rewards:
            paid = PAID.fullmatch(line)
            assert paid, line
            model.choices[_state(paid[2], paid[3])][paid[1]].rewards[rewards] = _fraction(paid[4])
        else:
            assert inside == "module game" or line == f'label "done" = state={model.end};', line
            _read_command(line, model)
    _check(model)
    return model


def _read_command(line: str, model: Model) -> None:
    if found := RANGE.fullmatch(line):
        model.ranges[found[1]] = (int(found[2]), int(found[3]), int(found[4]))
    elif end := END.fullmatch(line):
        model.end = int(end[1])
    elif not line.startswith("label"):
        command = COMMAND.fullmatch(line)
        assert command, line
        ways = [WAY.fullmatch(way) for way in command[4].split(" + ")]
        assert all(ways), line
        found_ways = {_state(way[2], way[3]): _fraction(way[1]) for way in ways if way}
        assert len(found_ways) == len(ways), "ways to one place are added up"
        here = model.choices.setdefault(_state(command[2], command[3]), {})
        assert command[1] not in here, "a reward could not tell them apart"
        here[command[1]] = Choice(found_ways)


def _state(state: str, mover: str | None) -> State:
    return int(state), int(mover or 1)


def _fraction(text: str) -> Fraction:
    parts = text.split("/")
    assert all("." in part or abs(int(part)) < 2**31 for part in parts), "whole numbers have 32 bits"
    return Fraction(*(int(part.removesuffix(".0")) for part in parts))


def _check(model: Model) -> None:
    """What a reader of the language would refuse, or could get wrong."""
    assert model.kind == ("smg" if "mover" in model.ranges else "mdp")
    assert (model.ranges["state"][0], model.ranges["state"][1]) == (0, model.end)
    for state, choices in model.choices.items():
        assert model.kind == "mdp" or {model.owners[label] for label in choices} == {f"seat_{state[1]}"}
        for choice in choices.values():
            assert sum(choice.ways.values()) == 1
            assert all(
                chance > 0 and (to in model.choices or to == (model.end, 1)) for to, chance in choice.ways.items()
            )
