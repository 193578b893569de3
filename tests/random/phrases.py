"""Random expressions of the language as text: numbers, flags and seats over what may be named in a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True)
class Names:
    """What an expression may name. ``lists`` hold numbers; ``calls`` are definitions of two numbers."""

    numbers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    seats: tuple[str, ...] = ("seat", "mover", "next", "previous")
    groups: tuple[str, ...] = ("table", "others", "everyone")
    lists: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    per_seat: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()

    def also(self, numbers: Sequence[str] = (), flags: Sequence[str] = (), **more: Sequence[str]) -> Names:
        """The same with more names."""
        grown = {key: (*getattr(self, key), *value) for key, value in more.items()}
        return replace(self, numbers=(*self.numbers, *numbers), flags=(*self.flags, *flags), **grown)


class Phrases:
    """Writes expressions. Every divisor is a number, every look at an empty list has a default: they never break."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.loops = 0

    def one(self, items: Sequence[str]) -> str:
        """One of them."""
        return self.random.choice(items)

    def number(self, names: Names, depth: int = 2) -> str:
        """A number."""
        if depth <= 0 or self.random.random() < 0.35:
            return self._leaf(names)
        a, b = self.number(names, depth - 1), self.number(names, depth - 1)
        forms = [
            f"{a} + {b}", f"({a}) - ({b})", f"({a}) * {self.random.randint(2, 3)}", f"({a}) // 2", f"({a}) % 3",
            f"abs(({a}) - ({b}))", f"min({a}, {b})", f"max({a}, {b})", f"-({a})",
            f"({a}) if {self.flag(names, depth - 1)} else ({b})",
        ]  # fmt: skip
        if names.calls:
            forms += [f"{self.one(names.calls)}({a}, {b})"] * 2
        return self.one(forms + self._sums(names, depth) * 2)

    def _leaf(self, names: Names) -> str:
        if names.numbers and self.random.random() < 0.75:
            found = self.one(names.numbers)
            if found in names.per_seat and self.random.random() < 0.5:
                return f"{found}[{self.one(names.seats)}]"
            return found
        return str(self.random.randint(0, 3))

    def _sums(self, names: Names, depth: int) -> list[str]:
        """Sums, counts and sizes of lists, hands and groups of seats."""
        self.loops += 1
        k = f"k{self.loops}"
        found = [f"size({self.one(names.groups)})"]
        if names.per_seat:
            mine, group = self.one(names.per_seat), self.one(names.groups)
            found += [f"sum({mine}[{group}])", f"max({mine}[{group}], default=0)"]
            found += [f"count({mine}[{k}] >= {self.random.randint(1, 2)} for {k} in {group})"]
        if names.lists:
            items = self.one(names.lists)
            found += [f"sum({items})", f"size(distinct({items}))", f"max({items}, default=1)"]
            found += [f"sum({k} + {self.number(names, depth - 2)} for {k} in {items} if {k} > 0)"]
        if names.hands:
            hand = self.one(names.hands)
            found += [f"sum({hand})", f"size({hand})", f"count({hand}, {self.random.randint(1, 3)})"]
            found += [f"rank({hand}, 1) if size({hand}) > 0 else 0", f"min({hand}, default=2)"]
        return found

    def flag(self, names: Names, depth: int = 2) -> str:
        """A flag."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.one([*names.flags, f"{self._leaf(names)} > {self.random.randint(0, 2)}"])
        a, b = self.number(names, depth - 1), self.number(names, depth - 1)
        how = self.one(["==", "!=", "<", "<=", ">", ">="])
        forms = [f"({a}) {how} ({b})"] * 4
        forms += [f"0 < ({a}) <= 2", f"({a}) in [{self.random.randint(0, 1)}, 2]", f"({a}) not in [1, 3]"]
        p, q = self.flag(names, depth - 1), self.flag(names, depth - 1)
        forms += [f"({p}) and ({q})", f"({p}) or ({q})", f"not ({p})"]
        forms += [f"{self.one(names.seats)} {self.one(['==', '!=', '<'])} {self.one(names.seats)}"]
        if names.hands:
            hand = self.one(names.hands)
            forms += [f"all_equal({hand})", f"has_run({hand}, 2)", f"{self.random.randint(1, 2)} in {hand}"]
            forms += [f"{hand} == [1, 2]"]
        if names.per_seat:
            self.loops += 1
            s = f"s{self.loops}"
            inner = f"{self.one(names.per_seat)}[{s}] >= {self.random.randint(1, 2)}"
            forms += [f"{self.one(['any', 'all'])}({inner} for {s} in {self.one(names.groups)})"]
        return self.one(forms)
