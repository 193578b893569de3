"""Reads marks: the modifiers that dice notations write after dice, such as ``kh3``, ``r<2``, ``!p``, ``cs>=5``.

The same mark means different things on different platforms; ``Dialect`` names the platform.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

from oddsmith.base.errors import QuestionError
from oddsmith.rolls.peg import Node

Dialect = Literal["foundry", "avrae", "roll20"]
DIALECTS: tuple[Dialect, ...] = ("foundry", "avrae", "roll20")
TITLES = {"foundry": "Foundry", "avrae": "Avrae", "roll20": "Roll20"}
KEEPS = {"kh": ("keep", "high"), "k": ("keep", "high"), "kl": ("keep", "low"), "dl": ("drop", "low"), "d": ("drop", "low"),
         "dh": ("drop", "high"), "ph": ("drop", "high"), "pl": ("drop", "low")}  # fmt: skip
# The marks that each platform knows. Avrae writes a selector behind most of its marks: a face, h3, l1, >2 or <2.
MARKS: dict[str, tuple[str, ...]] = {
    "foundry": ("kh", "kl", "k", "dh", "dl", "d", "x", "xo", "r", "rr", "min", "max", "cs", "cf", "even", "odd", "df", "sf",
                "ms"),
    "roll20": ("kh", "kl", "k", "dh", "dl", "d", "!", "!!", "!p", "r", "ro", "cs", "cf", "s", "sa", "sd", "m", "mt", "f"),
    "avrae": ("kh", "kl", "k", "ph", "pl", "p", "rr", "ro", "ra", "e", "mi", "ma"),
}  # fmt: skip
_SELECTORS = {"k": "keep", "kh": "keep", "kl": "keep", "p": "drop", "ph": "drop", "pl": "drop"}
_EXPLOSIONS, _REROLLS = ("x", "xo", "!", "!o", "!!", "!p", "e"), ("r", "rr", "ro", "ra")
_CLAMPS = {"min": "min", "mi": "min", "max": "max", "ma": "max"}
_COUNTS = ("cs", "cf", "even", "odd", "df", "sf")
_MUST_PRECEDE: dict[str, dict[str, tuple[str, ...]]] = {
    "foundry": {
        **dict.fromkeys(("x", "xo"), ("r", "rr", "min", "max", "df", "sf")),
        **dict.fromkeys(("min", "max"), ("min", "max", *_COUNTS)),
        **dict.fromkeys(("r", "rr"), ("rr", "min", "max", *_COUNTS)),
        "df": ("cf",),
    },
    "roll20": {"r": ("!", "!!", "!p"), "ro": ("!", "!!", "!p", "r")},
    "avrae": {
        **dict.fromkeys(("e", "ra"), ("rr", "ro", "mi", "ma", "k", "p", "e", "ra")),
        **dict.fromkeys(("rr", "ro"), ("rr", "ro", "mi", "ma", "k", "p")),
        **dict.fromkeys(("mi", "ma"), ("k", "p")),
        **dict.fromkeys(("ph", "pl"), ("k",)),
        **dict.fromkeys(("kh", "kl"), ("p",)),
    },
}
"""By dialect and mark, the marks that the mark must precede. Such a mark rolls new dice, or looks at a rolled face."""
ROLL20_ORDER = ("!", "!!", "!p", "r", "ro", "kh", "kl", "k", "dh", "dl", "d")
"""The order in which Roll20 applies its marks, in whatever order they are written."""


def number_node(value: int) -> Node:
    """Return the syntax node of a number."""
    return ["n", 0, str(value)]


class MarkTranslator(ABC):
    """Translates dice with marks into plain syntax nodes, which the evaluator reads.

    ``dialect``: the platform whose meaning of marks holds; None for what all dialects share. ``notes``: remarks on
    marks for the answer.
    """

    question: str
    dialect: Dialect | None
    notes: list[str]

    def error_at(self, offset: int, message: str, hint: str = "") -> QuestionError:
        """Return an error at the index ``offset`` of the question."""
        return QuestionError(self.question, offset, message, hint)

    @abstractmethod
    def plain_node(self, node: Any) -> Any:
        """Return a node of the grammar as a plain node."""

    def _apply_marks(self, offset: int, dice: Node, marks: list[list[Any]]) -> Node:
        dice = self.plain_node(dice)
        if not marks:
            return dice
        marks = [[letter.lower(), many, self.plain_node(compare)] for letter, many, compare in marks]
        letter, many, compare = marks[-1]
        if letter == "x" and many and not compare and _exceeds_sides_of_dice(dice, many):
            return ["*", offset, self._apply_marks(offset, dice, marks[:-1]), many]  # 3d6x10 is no explosion
        if letter == "d" and len(marks) == 1 and _is_number_of_dice(dice, many):
            return ["dice", offset, dice, many]
        self._refuse_unknown_marks(offset, [mark[0] for mark in marks])
        if self.dialect == "roll20":
            marks = sorted(
                marks, key=lambda mark: ROLL20_ORDER.index(mark[0]) if mark[0] in ROLL20_ORDER else len(ROLL20_ORDER)
            )
            marks = [[letter, many, compare and inclusive_conditions(compare)] for letter, many, compare in marks]
        self._refuse_marks_out_of_order(offset, [mark[0] for mark in marks])
        pool, steps = dice, list[list[Any]]()
        if self.dialect == "avrae":
            pool, marks = self._join_selectors(offset, pool, marks)
        if [mark[0] for mark in marks].count("mt") > 1:
            raise self.error_at(offset, "what a second `mt` does is not read", "write `mt` once")
        for letter, many, faces in marks:
            if letter == "mt":
                return ["groups", offset, many or number_node(2), faces, pool]
            if letter == "ms":
                return self._margin_of_success_node(
                    offset, ["gain", offset, pool, steps] if steps else pool, many, faces
                )
            pool, steps = self._apply_mark(offset, letter, many, faces, pool, steps)
        return ["gain", offset, pool, steps] if steps else pool

    def _join_selectors(self, offset: int, pool: Node, marks: list[list[Any]]) -> tuple[Node, list[list[Any]]]:
        """Join adjacent keeps of Avrae into one: a die is kept if any of them selects it. Join adjacent drops likewise.

        Return the dice with the joined marks applied, and the marks that remain to be applied.
        """
        kinds = [_SELECTORS.get(mark[0]) for mark in marks]
        first = next((place for place, kind in enumerate(kinds[1:], 1) if kind and kind == kinds[place - 1]), 0) - 1
        if first < 0:
            return pool, marks
        if kinds[first:] != [kinds[first]] * (len(marks) - first):
            raise self.error_at(offset, "what stands behind several keeps or drops is not read", "write them last")
        steps = list[list[Any]]()
        for letter, many, faces in marks[:first]:
            pool, steps = self._apply_mark(offset, letter, many, faces, pool, steps)
        if steps:
            raise self.error_at(offset, "what stands before several keeps or drops is not read", "write them first")
        counts, named = {"h": number_node(0), "l": number_node(0)}, list[Node]()
        for letter, many, faces in marks[first:]:
            if letter[1:]:
                counts[letter[1]] = max(counts[letter[1]], many or number_node(1), key=lambda each: int(each[2]))
            else:
                named += faces or [["cond", offset, "==", many or number_node(1)]]
        return ["selected", offset, kinds[first], counts["h"], counts["l"], named, pool], []

    def _apply_mark(
        self, offset: int, mark_name: str, number: Any, faces: Any, pool: Node, steps: list[list[Any]]
    ) -> tuple[Node, list[list[Any]]]:
        """Return the node of the dice after one more mark, and the steps from the face of a die to its worth.

        ``mark_name``: the letters of the mark, such as ``kh``. ``number``: the node of the number after them, or None.
        ``faces``: the conditions on faces after them, or None. ``pool``, ``steps``: the dice and the steps so far.
        """
        if self.dialect == "avrae" and mark_name in ("k", "p"):  # a selector: faces, and not how many dice
            wanted = faces or [["cond", offset, "==", number or number_node(1)]]
            return pool, [*steps, ["only" if mark_name == "k" else "without", wanted]]
        if mark_name in KEEPS:
            kind, how = KEEPS[mark_name]
            return [kind, offset, how, number or number_node(1), pool], steps
        if mark_name in _EXPLOSIONS:
            if any(step[0] == "count" for step in steps):
                raise self.error_at(
                    offset, "dice that explode after they were counted add their faces", "write x before cs"
                )
            return self._explosion_node(offset, mark_name, number, faces, pool), steps
        if mark_name in _REROLLS:
            return self._reroll_node(offset, mark_name, number, faces, pool), steps
        if mark_name in _CLAMPS:
            if number is None:
                raise self.error_at(offset, f"`{mark_name}` needs a number", "such as d20min10")
            how = _CLAMPS[mark_name]
            if self.dialect == "foundry":  # the die is kept by what it rolled, and worth what it shows
                return pool, [*steps, ["atleast" if how == "min" else "atmost", number]]
            return ["clamp", offset, how, number, pool], steps
        if mark_name in ("s", "sa", "sd", "m") or (self.dialect == "roll20" and mark_name in ("cs", "cf")):
            self.notes.append(f"`{mark_name}` only changes how Roll20 shows the dice")
            return pool, steps
        return pool, self._steps_with_mark(offset, mark_name, number, faces, steps)

    def _refuse_unknown_marks(self, offset: int, mark_names: list[str]) -> None:
        if self.dialect is None:
            return
        for letter in mark_names:
            if letter not in MARKS[self.dialect]:
                raise self.error_at(
                    offset, f"{TITLES[self.dialect]} has no modifier `{letter}`", self._hint_for_unknown_mark(letter)
                )

    def _refuse_marks_out_of_order(self, offset: int, mark_names: list[str]) -> None:
        """Raise QuestionError if a mark comes after a mark that it must precede, or anything comes after ``ms``."""
        refused = _MUST_PRECEDE[self.dialect or "foundry"]
        for place, letter in enumerate(mark_names):
            late = (*refused.get(letter, ()), "ms")
            if before := next((each for each in mark_names[:place] if each in late), None):
                raise self.error_at(offset, f"what `{letter}` does behind `{before}` is not read", "say it in words")

    def _hint_for_unknown_mark(self, mark_name: str) -> str:
        table = {"!": "x", "!o": "xo", "ro": "r", "x": "!", "xo": "!o", "mi": "min", "ma": "max", "e": "x",
                 "d": "pl", "dl": "pl", "dh": "ph", "pl": "dl", "ph": "dh"}  # fmt: skip
        other = table.get(mark_name)
        known = self.dialect is not None and other in MARKS[self.dialect]
        return f"write `{other}` there" if known else "say it in words, or choose another dialect"

    def _explosion_node(self, offset: int, mark_name: str, number: Any, faces: Any, pool: Node) -> Node:
        limit = number_node(1) if mark_name in ("xo", "!o") else None
        if faces and number:
            if limit:
                raise self.error_at(offset, f"`{mark_name}` with two numbers is not read")
            return ["explode", offset, "some", faces, number, pool]
        if number:
            faces = [["cond", offset, "==", number]]
        how = {"!!": "sum", "!p": "penetrate"}.get(mark_name, "add")
        return ["explode", offset, how, faces, limit, pool]

    def _reroll_node(self, offset: int, mark_name: str, number: Any, faces: Any, pool: Node) -> Node:
        limit = number if faces and number else None
        if faces is None:
            faces = [["cond", offset, "==", number or number_node(1)]]
        if mark_name == "ra":  # however many dice show it, one die is added
            return ["explode", offset, "some", faces, number_node(1), pool]
        until = mark_name == "rr" or (mark_name == "r" and self.dialect == "roll20")
        if limit is not None:
            if mark_name == "rr" or self.dialect == "roll20" or pool[0] == "reroll":
                raise self.error_at(offset, f"`{mark_name}` with two numbers is not read")
            return ["reroll", offset, "some", faces, limit, pool]
        return ["reroll", offset, "until" if until else "once", faces, None, pool]

    def _steps_with_mark(
        self, offset: int, mark_name: str, number: Any, faces: Any, steps: list[list[Any]]
    ) -> list[list[Any]]:
        if faces is None and number is not None:
            faces = [["cond", offset, "==", number]]
        if mark_name in ("even", "odd"):
            faces = [["parity", offset, str(int(mark_name == "odd"))]]
        if mark_name in ("cs", "cf", "even", "odd"):
            if faces is None:
                wanted = "the highest face" if mark_name == "cs" else "the lowest face"
                message = f"`{mark_name}` alone is said to count {wanted}, and counts nothing in Foundry 14"
                raise self.error_at(
                    offset, message, f"write {mark_name}=6" if mark_name == "cs" else f"write {mark_name}=1"
                )
            if any(step[0] in ("count", "minus") for step in steps):
                self.notes.append(
                    f"in Foundry the last count replaces the one before, so only `{mark_name}` counts here"
                )
            return [["count", faces]]
        if mark_name == "df":
            return [*steps, ["without", faces], ["minus", faces]] if faces else [*steps, ["minusrest"]]
        if faces is None:
            raise self.error_at(offset, f"`{mark_name}` needs a comparison", f"such as {mark_name}=1")
        return [*steps, ["lose", faces]]

    def _margin_of_success_node(self, offset: int, pool: Node, number: Any, faces: Any) -> Node:
        sign, target = (faces[0][2], faces[0][3]) if faces else (">=", number)
        if target is None:
            raise self.error_at(offset, "`ms` needs a number", "such as d20ms>=12")
        return ["-", offset, target, pool] if sign in ("<", "<=") else ["-", offset, pool, target]


def _is_number_of_dice(dice: Node, number: Any) -> bool:
    """Return whether the dice before a ``d`` say how many dice the ``d`` rolls, as in d6d6.

    Otherwise the ``d`` drops dice, as in 4d6d1: it does so if more than ``number`` dice stand before it. ``number``: the
    number after the ``d``.
    """
    if dice[0] != "dice" or not number or (dice[2] is not None and dice[2][0] != "n"):
        return False
    return int((dice[2] or number_node(1))[2]) <= int(number[2])


def _exceeds_sides_of_dice(dice: Node, number: Node) -> bool:
    return dice[0] == "dice" and dice[3][0] == "n" and int(number[2]) > int(dice[3][2])


def inclusive_conditions(faces: list[Node]) -> list[Node]:
    """Return conditions on a face with > replaced by >=, and < by <=, because Roll20 reads them so."""
    return [["cond", each[1], {">": ">=", "<": "<="}.get(each[2], each[2]), each[3]] for each in faces]
