"""A reader of Storm's DRN, strict about what Storm lets pass, and the exact values of a chain that was read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from flint import fmpq, fmpq_mat

from oddsmith.base.exact import fraction_from_text

STATE = re.compile(r"state (\d+) \[([^\]]*)\]((?: \w+)*)")
ACTION = re.compile(r"\t(?:action) (\S+) \[([^\]]*)\]")
MOVE = re.compile(r"\t\t(\d+) : (\d+(?:/\d+)?)")


@dataclass
class Choice:
    """An action with its rewards and where it leads."""

    name: str
    rewards: list[Fraction]
    moves: dict[int, Fraction] = field(default_factory=dict)


@dataclass
class Model:
    """A model: choices and labels per state. ``notes``: the comment lines."""

    kind: str
    rewards: list[str]
    choices: list[list[Choice]] = field(default_factory=list)
    labels: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def labelled(self, label: str) -> list[int]:
        """The states with a label."""
        return [state for state, labels in enumerate(self.labels) if label in labels]

    def values(self, reward: str) -> list[Fraction]:
        """What is collected from every state of a chain until the end: the solution of the linear system."""
        place, (end,) = self.rewards.index(reward), self.labelled("done")
        assert self.kind == "DTMC"
        assert end == len(self.choices) - 1
        if end == 0:
            return [Fraction(0)]
        rows = [[fmpq(int(i == j)) for j in range(end)] for i in range(end)]
        for state in range(end):
            (choice,) = self.choices[state]
            for to, chance in choice.moves.items():
                if to != end:
                    rows[state][to] -= _rational(chance)
        paid = [[_rational(choice.rewards[place])] for (choice,) in self.choices[:end]]
        found = fmpq_mat(rows).solve(fmpq_mat(paid))  # ZeroDivisionError where play need not end
        return [*(Fraction(int(found[state, 0].p), int(found[state, 0].q)) for state in range(end)), Fraction(0)]


def _rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def read_drn(data: bytes) -> Model:
    """The model in a file, every line of which must be as DRN lays it down."""
    lines = data.decode().split("\n")
    assert lines.pop() == "", "the last line ends"
    head = lines.index("@model")
    keys = [line for line in lines[:head] if not line.startswith("//")]
    assert keys[0].startswith("@type: ")
    assert keys[1:3] == ["@value_type: rational", "@reward_models"]
    assert (keys[4], keys[6]) == ("@nr_states", "@nr_choices")
    model = Model(keys[0].removeprefix("@type: "), keys[3].split(" "))
    model.notes = [line for line in lines if line.startswith("//")]
    for line in lines[head + 1 :]:
        _read_line(line, model)
    assert len(model.choices) == int(keys[5])
    assert sum(map(len, model.choices)) == int(keys[7])
    _check(model)
    return model


def _read_line(line: str, model: Model) -> None:
    if line.startswith("//"):
        return
    if state := STATE.fullmatch(line):
        assert int(state[1]) == len(model.choices), "states come in order"
        assert set(_fractions(state[2], model)) == {0}, "every reward stands at a choice"
        model.labels.append(state[3].split())
        model.choices.append([])
    elif action := ACTION.fullmatch(line):
        model.choices[-1].append(Choice(action[1], _fractions(action[2], model)))
    else:
        move = MOVE.fullmatch(line)
        assert move, f"no line of DRN: {line!r}"
        moves = model.choices[-1][-1].moves
        assert int(move[1]) not in moves
        moves[int(move[1])] = fraction_from_text(move[2])


def _fractions(text: str, model: Model) -> list[Fraction]:
    found = [fraction_from_text(part) for part in text.split(", ")]
    assert len(found) == len(model.rewards)
    return found


def _check(model: Model) -> None:
    """What Storm does not check, and what every export has."""
    assert model.kind in ("DTMC", "MDP")
    assert len(set(model.rewards)) == len(model.rewards)
    assert all(re.fullmatch(r"[a-z_]+\d*", name) for name in model.rewards), "Storm's questions can name it"
    assert len(model.labelled("init")) == 1
    for choices in model.choices:
        assert choices
        assert model.kind == "MDP" or len(choices) == 1
        for choice in choices:
            assert sum(choice.moves.values()) == 1
            assert all(to < len(model.choices) and chance > 0 for to, chance in choice.moves.items())
    (end,) = model.labelled("done")
    (stay,) = model.choices[end]
    assert list(stay.moves) == [end]
    assert not any(stay.rewards)
