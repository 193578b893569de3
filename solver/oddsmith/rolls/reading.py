"""Translates a question about dice into plain trees: one syntax tree for each meaning of the question.

The grammar (``rolls.peg``) parses the question into a tree with many kinds of nodes. This module translates each
phrase, and each mark of a notation, into plain nodes: the few kinds of nodes that ``evaluate`` knows. The same mark
means different things on different platforms; ``Dialect`` names the platform. If a part of the question is ambiguous,
its node is an ``either`` node with several alternatives, and each alternative makes a meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, reduce
from itertools import count
from math import inf
from typing import Any

from oddsmith.base.errors import QuestionError, did_you_mean
from oddsmith.base.resources import package_text
from oddsmith.rolls.marks import (
    DIALECTS,
    KEEPS,
    MARKS,
    TITLES,
    Dialect,
    MarkTranslator,
    inclusive_conditions,
    number_node,
)
from oddsmith.rolls.peg import Grammar, Node, NotParsed, is_node, replace_node, walk_nodes

MAX_LENGTH = 2000
SUCH_AS = (
    "ask such as: 3d6, highest of 2d20, 4d6 drop lowest, d20 + 5 >= 15, count of 6 in 5d6, d6 exploding, 2d6 vs d20"
)
CARDS = ("draw", "card", "cards", "deck", "flush", "ace", "king", "queen", "spades", "hearts", "diamonds", "clubs")
_SIGNS = (">", "<", ">=", "<=", "==", "!=")
_ARITIES = {"@list keep": 2, "@list drop": 2, "keep": 3, "drop": 3}
"""For phrases and nodes that keep or drop dice, the number of parts: which, how many and, for a node, of what."""
_DROP_BOTH = (("drop", "high", None), ("drop", "low", None))
_CONDITIONS = ("target", "total", "set", "alike", "shown", "face", "every", "more", "natural", "kinds")
"""The kinds of conditions on dice that `and` and `or` can join."""
_TELLING = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|ten|half|no|not|all|any|each|both|high\w*|low\w*|than|reroll\w*|least|most|fail\w*|without|(?:dis)?adv\w*)\b",
    re.IGNORECASE,
)
"""Matches words that may carry the question, so no hint proposes to leave them out."""
_BEGINNING = re.compile(r"\d*d[\d%]|[+-]\d|\d+ dice|[A-Za-z]", re.IGNORECASE)
_BONUSES, _LIMITS = ("bonus", "modifier", "mod"), ("dc", "ac", "tn", "difficulty", "target")
"""Words for a value that a question may ask for: a number that is added to a roll, or that the roll must reach."""
_ABILITY_SCORES = 6
"""The number of scores of a character, for which dice are rolled in order."""
_names = count()


@dataclass
class QuestionMeaning:
    """One meaning of a question. ``tree``: its plain tree. ``note``: how it differs from the other meanings.

    ``dialect``: the platform whose notation was read, or None. ``notes``: remarks on the notation.
    """

    tree: Node
    note: str = ""
    dialect: Dialect | None = None
    notes: list[str] = field(default_factory=list)


@cache
def question_grammar() -> Grammar:
    """Return the grammar of questions."""
    return Grammar(package_text("rolls/rolls.peg"), arities=_ARITIES)


def parse_question(question: str) -> tuple[Node, str]:
    """Return the syntax tree of a question, and the name before the question, which does not belong to the tree.

    The name is for example that of a game; it is empty if there is none. Raises QuestionError, with the index at which
    the question cannot be read.
    """
    if len(question) > MAX_LENGTH:
        raise QuestionError(
            question[:MAX_LENGTH], MAX_LENGTH, f"a question has at most {MAX_LENGTH} characters", SUCH_AS
        )
    if not question.strip():
        raise QuestionError(question, len(question), "there is no question", SUCH_AS)
    try:
        return question_grammar().parse(question, "question"), ""
    except NotParsed as error:
        end = end_of_front_name(question)
        try:
            tree = question_grammar().parse(" " * end + question[end:], "question")
        except NotParsed:
            raise _reading_error(question, error) from None
        if not has_dice(tree):  # what is rolled there, the game says whose name it is
            raise _reading_error(question, error) from None
        return tree, question[:end].strip()


def end_of_front_name(question: str) -> int:
    """Return the index after the name with which a question begins, such as that of a game; 0 if it begins with none.

    The name starts with a capitalized word that the grammar does not know; each further word is capitalized or unknown.
    """
    known, end = question_grammar().words, 0
    for found in question_grammar().words_of(question):
        word, gap = found[0], question[end : found.start()]
        unknown, capital = word.lower() not in known, "A" <= word[0] <= "Z"
        if gap.strip(" :,&") or not ((end and capital) or (unknown and (capital or end))):
            break
        if (end and not word.isalpha()) or (not end and is_misspelling(word.lower(), known)):
            break
        end = found.end()
    return end


def is_misspelling(word: str, known_words: Collection[str], required_similarity: float = 0.81) -> bool:
    """Return whether a word is most likely a known word with a typing error.

    ``required_similarity``: the required similarity of the two words, from 0 to 1.
    """
    return bool(get_close_matches(word, [each for each in known_words if len(each) > 2], 1, required_similarity))


def _reading_error(question: str, error: NotParsed) -> QuestionError:
    """Return the error for a question that cannot be read. It points to the first unknown word.

    If all words are known, it points to the farthest index that parsing reached.
    """
    known = question_grammar().words
    for found in question_grammar().words_of(question):
        word = found[0].lower()
        if word not in known and word.isalpha():
            message = f"`{found[0]}` cannot be read here"
            return QuestionError(question, found.start(), message, _replacement_hint(question, found.start(), known))
    rest = question[error.offset :].split()
    if not rest:
        return QuestionError(question, len(question), "something is missing here", SUCH_AS)
    cut = re.search(r"(?<!\w)[A-Za-z]*$", question[: error.offset])  # the word in which reading ended
    offset = cut.start() if cut and question[error.offset].isalpha() else error.offset
    word = question[offset:].split(maxsplit=1)[0]
    hint = _hint_to_leave_out_front(question, offset + len(word)) or SUCH_AS
    return QuestionError(question, offset, f"`{word}` cannot be read here", hint)


def _hint_to_leave_out_front(question: str, front_end: int) -> str:
    """Return the hint to leave out the first words of a question, up to the index ``front_end`` or a little farther.

    The hint is empty if the rest is no question, or if these words may change what is asked.
    """
    for found in re.finditer(r"(?<!\w)[A-Za-z]+(?!\w)|$", question):
        front, rest = question[: found.end()].strip(" ,:"), question[found.end() :].strip(" :,().!?")
        if _TELLING.search(front):
            return ""
        if found.end() >= front_end and _BEGINNING.match(rest) and _is_readable(rest):
            return f"leave out `{front}`: {rest}"
    return ""


def _is_readable(question: str) -> bool:
    """Return whether a question can be read and contains dice."""
    if any(found[0].lower() not in question_grammar().words for found in question_grammar().words_of(question)):
        return False
    try:
        return bool(_meanings_in_dialect(question, question_grammar().parse(question, "question"), None))
    except (NotParsed, QuestionError):
        return False


def _replacement_hint(question: str, offset: int, known_words: Collection[str]) -> str:
    """Return the hint for the unknown word at the index ``offset``: to write a similar known word, or to leave it out."""
    end, rest = offset, ""
    for found in question_grammar().words_of(question):
        if (
            found.start() >= offset
            and found[0].isalpha()
            and found[0].lower() not in known_words
            and not question[end : found.start()].strip()
        ):
            end = found.end()
    word = question[offset:end].split(maxsplit=1)[0].lower()
    if word in CARDS:
        return "cards are drawn in a ruleset; here dice are rolled, such as: 4d6 drop lowest"
    long_words = sorted(each for each in known_words if len(each) > 2)
    same_start = [each for each in long_words if each[0] == word[0]]  # most people get the first letter right
    similar = (
        same_start if is_misspelling(word, same_start, 0.72) else long_words if is_misspelling(word, long_words) else []
    )
    near = did_you_mean(word, similar) if similar else ""
    if not question[:offset].strip(" (") or not question[end:].strip(" ).!?"):
        rest = f"{question[:offset]} {question[end:]}".strip(" :,().!?")
        rest = rest if _is_readable(rest) else ""
    left_out = f"leave out `{question[offset:end]}`: {rest}" if rest else _hint_to_leave_out_front(question, end)
    return f"{near} Or {left_out}" if near and left_out else near or left_out or SUCH_AS


def meanings(question: str, dialect: Dialect | None = None) -> list[QuestionMeaning]:
    """Return the meanings of a question, the most likely one first. Raises QuestionError.

    ``dialect``: the platform whose notation is read; None for all platforms.
    """
    tree, name = parse_question(question)
    found = _meanings_by_dialect(question, tree, dialect)
    for each in found if name else []:
        each.notes.append(f"`{name}` is ignored")
    return found


def _meanings_by_dialect(question: str, tree: Node, dialect: Dialect | None) -> list[QuestionMeaning]:
    """Return the meanings of a grammar tree in a dialect.

    If ``dialect`` is None, these are the meanings in every dialect that has all marks in the tree.
    """
    signs = [mark for node in walk_nodes(tree) if node[0] == "marked" for mark in node[3]]
    marks = {sign[0].lower() for sign in signs}
    counted = any(node[0] == "successes" for node in walk_nodes(tree))
    kept = set(KEEPS)
    if dialect is not None:
        return _meanings_in_dialect(question, tree, dialect)
    if marks <= kept and not counted:
        found = _meanings_in_dialect(question, tree, None)
        if _roll20_counts_successes(tree):
            found[0].note = "the total is compared"
            found += _meanings_in_dialect(question, tree, "roll20")
        if any(sign[0].lower() == "k" and sign[1] for sign in signs):  # there, 4d6k3 keeps the dice that show 3
            with suppress(QuestionError):
                found += _meanings_in_dialect(question, tree, "avrae")
        return found
    possible = [each for each in DIALECTS if marks <= {*MARKS[each]} | kept and not (counted and each != "roll20")]
    found, last = list[QuestionMeaning](), None
    for each in possible:
        try:
            found += _meanings_in_dialect(question, tree, each)
        except QuestionError as error:
            last = last or error
    if not found:
        if last is not None:
            raise last
        found = _meanings_in_dialect(question, tree, None)
    return found


def _without_empty_advantage(node: Node) -> Node:
    """Return the node inside ``advanced`` nodes that apply no advantage; any other node as it is."""
    return _without_empty_advantage(node[3]) if node[0] == "advanced" and node[2] is None else node


def _roll20_counts_successes(tree: Node) -> bool:
    """Return whether Roll20 would count dice while other platforms compare the total, as in 5d6>4."""
    if tree[0] == "chain":
        tree = [
            "chain",
            tree[1],
            _without_empty_advantage(tree[2]),
            [[sign, _without_empty_advantage(right)] for sign, right in tree[3]],
        ]
    if tree[0] != "chain" or len(tree[3]) != 1 or tree[2][0] != "modified":
        return False
    _, right = tree[3][0]
    plain_right = right[0] == "modified" and right[2][0] == "n"
    if tree[2][2][0] == "braces":
        return plain_right and not tree[2][3]
    if tree[2][2][0] != "marked":
        return False
    dice = tree[2][2][2]
    if tree[2][3] or tree[2][2][3] or dice[0] != "dice" or dice[3][0] != "n" or not plain_right or dice[2] is None:
        return False
    return 1 <= float(right[2][2]) <= int(dice[3][2]) and dice[2][2] != "1"


def _meanings_in_dialect(question: str, tree: Node, dialect: Dialect | None) -> list[QuestionMeaning]:
    made = _NodeTranslator(question, dialect)
    plain = made.plain_node(tree)
    plain = _share_equal_dice(plain)
    if not has_dice(plain):
        raise made.error_at(0, "no dice are rolled here", SUCH_AS)
    found = [QuestionMeaning(_choose_alternatives(plain), "", dialect, made.notes)]
    for which, node in enumerate(each for each in walk_nodes(plain) if each[0] == "either"):
        for place in range(1, len(node) - 2):
            chosen = _choose_alternatives(plain, {which: place})
            found.append(QuestionMeaning(chosen, node[2 + place][0], dialect, made.notes))
        found[0].note = found[0].note or node[2][0]
    return found


def _choose_alternatives(
    node: Any, chosen_indices: dict[int, int] | None = None, node_numbers: Iterator[int] | None = None
) -> Any:
    """Return a tree with each ambiguous node replaced by one of its alternatives.

    ``chosen_indices``: the index of the alternative, by the number of the ambiguous node in preorder; the default is
    the first alternative. ``node_numbers``: the counter of these nodes, for the recursion.
    """
    node_numbers = node_numbers if node_numbers is not None else count()
    if not isinstance(node, list):
        return node
    if is_node(node) and node[0] == "either":
        place = (chosen_indices or {}).get(next(node_numbers), 0)
        taken = None
        for option, (_, tree) in enumerate(node[2:]):  # all are walked, so that each has its number
            result = _choose_alternatives(tree, chosen_indices, node_numbers)
            taken = result if option == place else taken
        return taken
    return [_choose_alternatives(each, chosen_indices, node_numbers) for each in node]


def make_ambiguous_node(offset: int, *alternatives: tuple[str, Node]) -> Node:
    """Return an ambiguous node. ``alternatives``: its alternatives, each a note on how it differs and a tree."""
    return ["either", offset, *([note, tree] for note, tree in alternatives)]


def _ambiguous_advantage(offset: int, which_die: str, first_tree: Node, second_tree: Node) -> Node:
    """Return an ambiguous node for advantage if a low roll may be good.

    ``which_die``: the end that counts in the tree ``first_tree``, ``high`` or ``low``; in ``second_tree``, the other
    end counts.
    """
    other_die = "low" if which_die == "high" else "high"
    return make_ambiguous_node(
        offset,
        (f"the {which_die}er die counts", first_tree),
        (f"the {other_die}er die counts, because a low roll is good", second_tree),
    )


def _ambiguous_node_if_several(offset: int, *alternatives: tuple[str, Node]) -> Node:
    """Return an ambiguous node with several alternatives, or the tree of the only alternative."""
    return make_ambiguous_node(offset, *alternatives) if len(alternatives) > 1 else alternatives[0][1]


def without_offsets(node: Any) -> Any:
    """Return a node as nested tuples without its indices in the text, so that nodes can be compared."""
    if is_node(node):
        return (node[0], *map(without_offsets, node[2:]))
    return tuple(map(without_offsets, node)) if isinstance(node, list) else node


def has_dice(node: Any) -> bool:
    """Return whether a node contains dice."""
    return any(each[0] in ("dice", "name") for each in walk_nodes(node))


_METHODS = {
    "marked": "apply_marks",
    "chain": "comparison_chain", "successes": "roll20_success_count", "unclear": "refuse_uncounted_faces",
    "loose": "question_of_parts", "ison": "dice_show_or_total_is", "beaten": "roll_beats_target",
    "margin": "margin_over_or_under", "nodc": "refuse_margin_without_dc", "degree": "degree_of_success",
    "degrees": "chances_of_degrees", "vsac": "roll_against_armour_class", "attack": "attack_damage",
    "struck": "damage_of_one_attack", "attacks": "damage_or_hits_of_attacks", "saved": "damage_with_saving_throw",
    "pairs": "dice_compared_in_pairs", "moved": "with_bonus", "until": "rolls_until_face", "waited": "rolls_until_yes",
    "waitedsum": "sum_of_rolls_until_face",
    "branch": "roll_by_condition", "further": "with_further_roll", "share": "compare_count_with_half",
    "each_time": "yes_every_time", "once": "yes_at_least_once", "needed": "value_needed_for_chance",
    "movednumber": "refuse_ambiguous_number", "vsreroll": "first_is_higher_after_rerolled_ties",
    "two": "snake_eyes_or_boxcars", "twice": "count_with_double_face", "medianof": "median_die_or_total",
    "is": "total_meets_condition", "oneorother": "total_is_one_of", "vs": "first_roll_beats_second",
    "vsend": "compare_one_die_each", "morale": "morale_check", "again": "count_d10_successes",
    "critdamage": "critical_damage", "vsnumber": "roll_against_number", "advanced": "with_advantage",
    "oneof": "critical_faces", "natural": "die_shows_natural", "onlythose": "total_of_dice_that_show",
    "critical": "critical_hit", "shown": "die_shows_face", "hundred": "d100_with_several_tens", "uses": "rolls_of_usage_die",
    "within": "largest_set_within_rolls", "howmany": "count_at_least_or_exactly", "sequence": "dice_show_each_face",
    "together": "dice_show_each_or_any_face", "pair": "both_faces_or_range", "has": "dice_show_set_question",
    "under": "roll_is_under",
    "rated": "total_or_dice_against_number",
    "botch": "botch_question", "notsaid": "refuse_what_is_not_said", "glitch": "glitch_question",
    "pushed": "sixes_of_pushed_dice", "inchance": "x_in_n_chance", "fate": "fate_dice", "crit": "critical_hit_in_attacks",
    "modified": "apply_phrases", "insum": "apply_phrases_to_sum", "explode": "exploding_dice", "best": "keep_best_dice",
    "drop": "drop_dice", "plus": "sum_with_phrases", "braces": "pool_in_braces", "join": "joined_pools",
    "count": "number_of_dice_showing", "score": "count_with_cancelling_faces",
    "scored": "count_with_cancelling_and_exploding", "scoredby": "count_with_special_faces", "allof": "every_roll_meets",
    "arrayasked": "question_about_several_rolls", "array": "sorted_rolls", "xarray": "product_or_sorted_rolls",
    "xrolls": "sorted_rolls_or_product", "xsum": "multiplied_sum", "repeatedly": "every_time_or_at_least_once",
    "bestroll": "best_roll_or_dice", "arrayof": "combined_rolls", "list": "list_or_roll",
    "half": "half_of_value", "rounded": "rounded_value",
}  # fmt: skip
"""By operator of the grammar, the method of ``_NodeTranslator`` that translates its nodes, without the underscore."""


class _NodeTranslator(MarkTranslator):
    """Translates nodes of the grammar into plain nodes, children first.

    ``_METHODS`` names the method for each operator. An operator ``op`` that is not there has the method ``_op``. If there
    is no such method, the node keeps its operator.
    """

    def __init__(self, question: str, dialect: Dialect | None) -> None:
        self.question = question
        self.dialect = dialect
        self.notes: list[str] = []
        self.advantages: list[tuple[Node, str, Node]] = []
        """For each advantage in words, the node that keeps one end, this end, and the node that keeps the other end."""

    def unclear_error(self, offset: int) -> QuestionError:
        """Return the error for a part of the question whose meaning is unclear."""
        return self.error_at(offset, "it is not clear what is asked here", SUCH_AS)

    def plain_node(self, node: Any) -> Any:
        """Return a node of the grammar as a plain node."""
        if not isinstance(node, list):
            return node
        if not is_node(node):
            return [self.plain_node(each) for each in node]
        special: Callable[..., Node] | None = getattr(self, f"_{_METHODS.get(node[0], node[0])}", None)
        args = [self.plain_node(each) for each in node[2:]] if node[0] not in ("marked", "chain") else node[2:]
        return special(node[1], *args) if special else [node[0], node[1], *args]

    # --- conditions

    def _comparison_chain(self, offset: int, first_operand: Node, comparisons: list[list[Any]]) -> Node:
        """Read a chain of comparisons. ``5 <= 2d6 <= 9`` rolls the dice once. In Roll20, ``5d6>4`` counts dice."""
        first_operand = _without_empty_advantage(first_operand)
        grouped = (
            first_operand[0] == "modified" and not first_operand[3] and first_operand[2][0] in ("marked", "braces")
        )
        if self.dialect == "roll20" and grouped:
            (sign, right), *more = comparisons
            if not more and sign in (">", "<", ">=", "<=", "==") and not has_dice(right):
                pool, limit = _move_bonus_to_limit(self.plain_node(first_operand), target := self.plain_node(right))
                if target[0] != "n":  # there the bonus is added to the count
                    raise self.unclear_error(offset)
                return self._roll20_success_count(offset, pool, sign, limit, None)
        terms = [self.plain_node(first_operand), *(self.plain_node(right) for _, right in comparisons)]
        if terms[-1][0] == "pending":  # d20 + 7 >= 16 with advantage
            terms[0], terms[-1] = self._with_advantage(offset, terms[-1][2:4], terms[0]), terms[-1][4]
        signs, bound = [sign for sign, _ in comparisons], list[tuple[str, Node]]()
        for place in range(1, len(terms) - 1):
            if not has_dice(terms[place]):  # d20 >= 10 <= 15
                raise self.unclear_error(offset)
            name = f"_{next(_names)}"
            bound.append((name, terms[place]))
            terms[place] = ["name", offset, name]
        parts = [[sign, offset, terms[place], terms[place + 1]] for place, sign in enumerate(signs)]
        tree: Node = parts[0]
        for part in parts[1:]:
            tree = ["and", offset, tree, part]
        for name, value in bound:
            tree = ["let", offset, name, value, tree]
        return tree

    def _roll20_success_count(self, offset: int, pool: Node, sign: str, limit: Node, failing_faces: Any) -> Node:
        """Read Roll20's ``5d6>4f1``: the number of dice that show 4 or more, minus the number that show 1."""
        if self.dialect not in (None, "roll20"):
            raise self.error_at(offset, f"{TITLES[self.dialect]} does not count dice so", "write cs>=4 there")
        steps = [["count", [["cond", offset, {">": ">=", "<": "<="}.get(sign, sign), limit]]]]
        if failing_faces:
            steps.append(["minus", inclusive_conditions(failing_faces)])
        return ["gain", offset, pool, steps]

    def _refuse_uncounted_faces(self, offset: int, faces: Any, _pool: Node) -> Node:
        said = faces[0][-1][2]
        hint = f"for the total write `on` in the place of `in`, for dice that show it: at least 2 {said}s in 5d6"
        raise self.error_at(offset, f"`{said} in` asks for dice that show {said}, and does not say how many", hint)

    def _question_of_parts(self, offset: int, *parts: Any) -> Node:
        """Read a question whose parts, the roll and the conditions on it, come in any order."""
        parts_by_kind, conditions = self._parts_and_conditions(
            offset, [each for each in parts if isinstance(each, list)]
        )
        if (strike := self._attack_damage_from_parts(offset, parts_by_kind, conditions)) is not None:
            return strike
        if (
            "usual" in parts_by_kind
            and "plus" in parts_by_kind
            and not conditions
            and not parts_by_kind.keys() - {"usual", "plus"}
        ):  # Fate, to get +4
            dice, plus = parts_by_kind["usual"][0], parts_by_kind["plus"][0]
            reached = ["is", offset, dice, [["cond", offset, "==", plus]]]
            return make_ambiguous_node(
                offset, ("the total is meant", reached), ("it is added", ["+", offset, dice, plus])
            )
        in_order = self._asks_for_scores_in_order(offset, parts_by_kind, conditions)
        roll = self._roll_of_parts(offset, parts_by_kind, conditions)
        if in_order and (found := self._scores_in_order(offset, roll, parts_by_kind, conditions)) is not None:
            return found
        if "crits" in parts_by_kind:
            raise self.error_at(
                offset, "it is not said what a critical hit does", "ask such as: a crit in 3 attacks, crit on 19-20"
            )
        if "advantage" in parts_by_kind:
            if any(kind in ("shown", "every", "alike", "set") for _, kind, *_ in conditions):
                raise self.error_at(
                    offset, "with advantage one die counts, and this asks for several", "ask such as: 2 20s in 2d20"
                )
            low = any(kind == "total" and rest[0][0][2] in ("<", "<=") for _, kind, *rest in conditions)
            roll = (self._advantage_in_both_directions if low else self._with_advantage)(
                offset, parts_by_kind["advantage"][0], roll
            )
        often = parts_by_kind.get("times") or parts_by_kind.get("often")
        if "how" in parts_by_kind:
            how = parts_by_kind.pop("how")[0]
            roll = (
                self._combined_rolls(offset, how, often[0], roll)
                if often
                else ["keep", offset, how, number_node(1), roll]
            )
            often = None
        single = "threshold" in parts_by_kind and not conditions and not _is_several_dice(roll)
        if single and not often and "hits" in parts_by_kind:  # sum of 3d6, at least 2 hits on 3+
            raise self.unclear_error(offset)
        if often or single:
            total = self._conditions_on_each_roll(
                offset, roll, often[0] if often else number_node(1), parts_by_kind, conditions
            )
            return (
                total
                if often
                else self._ambiguous_total_or_dice_count(offset, roll, parts_by_kind["threshold"][0], total)
            )
        return self._negated_if_asked(
            offset, parts_by_kind, self._conditions_on_one_roll(offset, roll, parts_by_kind, conditions)
        )

    def _asks_for_scores_in_order(
        self, offset: int, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]
    ) -> bool:
        """Return whether the scores of a character are rolled in order, and remove the part that says so.

        In such a question, `highest` is changed to mean the highest score, not the highest die.
        """
        mods = parts_by_kind.get("mods", [])
        if (
            [mod[0] for mod in mods] == ["pushed"]
            and not conditions
            and not parts_by_kind.keys() & {"threshold", "hits"}
        ):
            raise self.error_at(offset, "it is not said what pushed dice count", "such as: 4d6 pushed")
        if parts_by_kind.pop("inorder", None) is None:
            return False
        if [(mod[0], *mod[2][2:]) for mod in mods if mod[0] == "keep"] == [("keep", "1")]:
            parts_by_kind["how"] = [parts_by_kind.pop("mods")[0][1]]
        return True

    def _ambiguous_total_or_dice_count(self, offset: int, roll: Node, faces: Any, total: Node) -> Node:
        """Return a node that holds two readings of a question: the total counts, or dice are counted and the numbers of
        the roll are added to their count. Returns ``total`` alone if the second reading is impossible.

        ``roll``: a sum of dice and numbers. ``faces``: the dice that count. ``total``: the question about the total.
        """
        if (terms := _dice_and_numbers(roll, faces)) is None:
            return total
        pool, rest = terms
        counted = self._number_of_dice_showing(offset, faces, pool[0] if len(pool) == 1 else ["join", offset, *pool])
        for sign, each in rest:
            counted = [sign, offset, counted, each]
        return make_ambiguous_node(offset, ("the dice are counted", counted), ("the total counts", total))

    def _scores_in_order(
        self, offset: int, roll: Node, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]
    ) -> Node | None:
        """Return the scores of a character in the order in which they are rolled; None if there are conditions on them.

        ``parts_by_kind``, ``conditions``: the parts and the conditions of the question, as ``_parts_and_conditions``
        returns them.
        """
        many = parts_by_kind.get("times") or parts_by_kind.get("often")
        more = conditions or parts_by_kind.keys() & {"threshold", "how", "hits", "all"}
        if more:  # 3d6 in order, all at least 9
            whole = [kind for _, kind, *_ in conditions] == ["total"] and not parts_by_kind.keys() & {
                "how",
                "hits",
                "all",
                "threshold",
            }
            if whole or any(kind in ("face", "faces") for _, kind, *_ in conditions):
                raise self.error_at(
                    offset, "it is not said which of the scores is meant", "such as: 3d6 in order, at least one 15+"
                )
            parts_by_kind["times"] = many or [number_node(_ABILITY_SCORES)]
            parts_by_kind.pop("often", None)
            return None
        scores = self._sorted_rolls(offset, many[0] if many else number_node(_ABILITY_SCORES), roll)
        return scores if many else make_ambiguous_node(offset, ("six scores", scores), ("one roll", roll))

    def _advantage_in_both_directions(self, offset: int, advantage: Any, roll: Node) -> Node:
        """Return a roll with advantage for which a low roll may be good: the higher die counts, or the lower one.

        ``advantage``: which die counts in the first meaning, and of how many dice. For ``lucky``, the number is
        None and there is only one meaning.
        """
        which_die, count = advantage
        first_tree = self._with_advantage(offset, advantage, roll)
        if count is None:
            return first_tree
        second_tree = self._with_advantage(offset, ["low" if which_die == "high" else "high", count], roll)
        self.advantages.clear()  # both ways are told of the whole question
        return _ambiguous_advantage(offset, which_die, first_tree, second_tree)

    def _attack_damage_from_parts(
        self, offset: int, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]
    ) -> Node | None:
        """Return the damage of an attack, if the parts are damage dice, a bonus and an armour class; else None."""
        only = len(conditions) == 1 and conditions[0][1] == "target" and {"roll", "plus"} <= parts_by_kind.keys()
        if not only or any(each[3][2:] == ["20"] for each in walk_nodes(parts_by_kind["roll"][0]) if each[0] == "dice"):
            return None
        if (
            parts_by_kind.keys() - {"roll", "plus", "times", "crits", "advantage"}
            or parts_by_kind["roll"][0][0] == "keep"
        ):
            raise self.unclear_error(offset)
        many, advantage, crits = (
            parts_by_kind[kind][0] if kind in parts_by_kind else None for kind in ("times", "advantage", "crits")
        )
        return self._attack_damage(
            offset, many, parts_by_kind["roll"][0], parts_by_kind["plus"][0], conditions[0][3], (advantage, crits, None)
        )

    def _parts_and_conditions(self, offset: int, parts: list[Any]) -> tuple[dict[str, list[Any]], list[list[Any]]]:
        """Return the parts of a question by kind, and the list of its conditions.

        Each condition is the word that joins it (`and` or `or`), its kind, and its arguments.
        """
        parts_by_kind: dict[str, list[Any]] = {}
        conditions: list[list[Any]] = []
        joined = ""
        for kind, *rest in self._split_compound_parts(offset, parts):
            if kind in ("and", "or"):
                joined = kind
                continue
            if kind == "face" and joined == "or" and conditions and conditions[-1][1] in ("face", "faces"):  # 6 or 8
                before = (
                    conditions[-1][2] if conditions[-1][1] == "faces" else [["cond", offset, "==", conditions[-1][2]]]
                )
                conditions[-1][1:] = ["faces", [*before, ["cond", offset, "==", rest[0]]]]
            elif kind in _CONDITIONS:
                if conditions and not joined:
                    raise self.error_at(
                        offset, "this asks for several things at once", "join them by `and`, or by `or`"
                    )
                conditions.append([joined or "and", kind, *rest])
            elif kind in ("mods", "bonus"):
                parts_by_kind.setdefault(kind, []).extend(rest)
            elif kind in parts_by_kind or joined == "or":
                raise self.error_at(offset, "this asks for several things at once", "ask for one thing at a time")
            else:
                parts_by_kind[kind] = rest
            joined = ""
        if parts_by_kind.pop("any", None) is not None:  # 5 or 6 on any of 3d6
            conditions = [self._condition_on_any_die(offset, *each) for each in conditions]
        if (
            "all" in parts_by_kind
            and "hits" in parts_by_kind
            and parts_by_kind["hits"][0][0][0] == "bare"
            and "times" not in parts_by_kind
        ):
            parts_by_kind["times"] = parts_by_kind.pop("hits")[0][0][2:]  # three hits in a row
        if "often" in parts_by_kind and ("times" in parts_by_kind or "hits" in parts_by_kind):  # hit twice in 3 attacks
            parts_by_kind.setdefault("hits", [[["bare", offset, parts_by_kind["often"][0]]]])
            parts_by_kind.setdefault("times", parts_by_kind["often"])
            del parts_by_kind["often"]
        if (
            "counts" in parts_by_kind
            and "threshold" not in parts_by_kind
            and [each[1] for each in conditions] == ["total"]
        ):
            parts_by_kind["threshold"] = conditions.pop()[2:]  # how many hits on 5+
        return parts_by_kind, conditions

    def _condition_on_any_die(self, offset: int, joining_word: str, kind: str, *arguments: Any) -> list[Any]:
        """Return a condition on any of several dice as the condition that at least one die shows one of the faces."""
        if kind not in ("face", "faces", "total"):
            return [joining_word, kind, *arguments]
        faces = [["cond", offset, "==", arguments[0]]] if kind == "face" else arguments[0]
        return [joining_word, "shown", [["cond", offset, ">=", number_node(1)]], faces]

    def _split_compound_parts(self, offset: int, parts: list[Any]) -> Iterator[list[Any]]:
        """Yield the parts of a question, with each compound part replaced by two simple parts.

        A critical hit is replaced by the condition that a die shows its faces.
        """
        crits = next((rest[0] for kind, *rest in parts if kind == "crits"), self._critical_faces(offset, None))
        for kind, *rest in parts:
            if kind == "crit":
                yield ["natural", rest[0], crits]
            elif kind == "blunder":
                yield ["natural", rest[0], rest[1] or self._faces_of_critical_failure(offset, parts)]
            elif kind in _COMPOUNDS:
                yield from _COMPOUNDS[kind](offset, *rest)
            elif kind != "crits" or not any(each[0] == "crit" for each in parts):
                yield [kind, *rest]

    def _faces_of_critical_failure(self, offset: int, parts: list[Any]) -> list[Node]:
        """Return the faces of a critical failure of a d20, which is a 1. Raises QuestionError if other dice are rolled."""
        rolls = [rest[0] for kind, *rest in parts if kind in ("roll", "usual")]
        if rolls and not any(each[0] == "dice" and each[3][2:] == ["20"] for each in walk_nodes(rolls)):
            message = "it is not said on which faces these dice fail critically"
            raise self.error_at(offset, message, "such as: d100, fumble on 96-100")
        return [["cond", offset, "==", number_node(1)]]

    def _negated_if_asked(self, offset: int, parts_by_kind: dict[str, list[Any]], question: Node) -> Node:
        return ["not", offset, question] if "fails" in parts_by_kind or "never" in parts_by_kind else question

    def _conditions_on_one_roll(
        self, offset: int, roll: Node, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]
    ) -> Node:
        """Read the conditions on dice that are rolled once."""
        steps = roll[3] if roll[0] == "gain" and conditions else None  # of dice that count, these are asked of the dice
        roll = roll[2] if steps else roll
        counting = "threshold" in parts_by_kind
        if counting and steps:
            raise self.error_at(offset, "this asks for several things at once", "ask for one thing at a time")
        if "all" in parts_by_kind:
            if (
                counting
                or "hits" in parts_by_kind
                or len(conditions) != 1
                or conditions[0][1] != "total"
                or not _is_several_dice(roll)
            ):
                raise self.unclear_error(offset)
            return ["all", offset, roll, conditions[0][2]]
        if not counting and "hits" not in parts_by_kind and not conditions:
            if parts_by_kind.keys() & {"fails", "never", "retry"}:
                raise self.unclear_error(offset)
            return roll
        wanted = [*([["and", "hits", *parts_by_kind["hits"]]] if "hits" in parts_by_kind else []), *conditions]
        if not wanted and "rated" in parts_by_kind and "counts" not in parts_by_kind:
            return self._total_or_dice_against_number(
                offset, parts_by_kind["rated"][0], roll, parts_by_kind["threshold"][0]
            )
        if not wanted:
            return self._number_of_dice_showing(offset, parts_by_kind["threshold"][0], roll)
        name: Node | None = ["name", offset, f"_{next(_names)}"] if len(wanted) > 1 else None
        shown = name or roll
        counted = self._number_of_dice_showing(offset, parts_by_kind["threshold"][0], shown) if counting else shown
        counted = ["gain", offset, shown, steps] if steps else counted
        nodes = [
            (joined, self._condition_node(offset, roll, shown, counted, kind, rest)) for joined, kind, *rest in wanted
        ]
        tree = nodes[0][1]
        for joined, one in nodes[1:]:
            tree = [joined, offset, tree, one]
        whole = ["let", offset, name[2], roll, tree] if name else tree
        return self._yes_at_least_once(offset, number_node(2), whole) if "retry" in parts_by_kind else whole

    def _condition_node(
        self, offset: int, roll: Node, roll_or_name: Node, counted: Node, kind: str, arguments: list[Any]
    ) -> Node:
        """Return one condition on a roll as a plain node. ``kind``, ``arguments``: its kind and its arguments.

        ``roll_or_name``: the roll, or the name to which it is bound. ``counted``: the number of its dice that count.
        """
        coins = roll[0] == "dice" and roll[3][0] == "faces"
        made: dict[str, Callable[..., Node]] = {
            "target": lambda sign, limit: (
                self._roll_against_number(offset, roll_or_name, limit, roll)
                if sign == "vsnumber"
                else self._comparison_with_target(offset, sign, roll_or_name, limit)
            ),
            "total": lambda faces: self._total_meets_condition(offset, counted, faces),
            "faces": lambda faces: self._total_is_one_of(offset, roll_or_name, faces),
            "set": lambda kind: self._dice_show_set_question(offset, kind, roll_or_name),
            "alike": lambda wanted: self._compare_count(offset, ["largest", offset, roll_or_name], wanted),
            "shown": lambda wanted, faces: self._compare_count(
                offset, self._number_of_dice_showing(offset, faces, roll_or_name), wanted
            ),
            "face": lambda face: self._ambiguous_face_on_roll(offset, face, roll_or_name, roll),
            "every": lambda faces: ["all", offset, roll_or_name, faces],
            "kinds": lambda wanted: self._compare_count(offset, ["distinct", offset, roll_or_name], wanted),
            "more": lambda left, right: self._more_of_one_face(offset, roll_or_name, left, right),
            "hits": lambda wanted: self._compare_count(offset, counted, wanted),
            "natural": lambda wanted, faces: self._compare_count(
                offset, self._count_naturals(offset, roll, roll_or_name, faces), wanted
            ),
        }
        plain = counted is roll_or_name
        clear = kind != "hits" or not plain or coins or roll[0] == "gain"
        if not clear or (not plain and kind not in ("total", "hits", "shown")):
            raise self.unclear_error(offset)
        return made[kind](*arguments)

    def _more_of_one_face(self, offset: int, roll: Node, left: Node, right: Node) -> Node:
        """Read "more X than Y" of two faces: each X adds 1, each Y subtracts 1, and the sum must be positive."""
        faces = [[["cond", offset, "==", each]] for each in (left, right)]
        return [">", offset, ["gain", offset, roll, [["count", faces[0]], ["minus", faces[1]]]], number_node(0)]

    def _comparison_with_target(self, offset: int, sign: str, roll: Node, limit: Node) -> Node:
        return (
            self._roll_against_armour_class(offset, roll, limit)
            if sign == "vsac"
            else self._first_roll_beats_second(offset, roll, limit, None)
        )

    def _roll_of_parts(self, offset: int, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]) -> Node:
        """Return the roll that a question names. Raises QuestionError if no roll can be found.

        If the question names no roll, a check or an attack rolls a d20, and any other question rolls a die that can
        show the face.
        """
        roll: Node | None = next((parts_by_kind[each][0] for each in ("roll", "usual") if each in parts_by_kind), None)
        kinds = {kind: rest for _, kind, *rest in conditions}
        if roll is None:
            faces = kinds["shown"][1] if "shown" in kinds else kinds.get("total", [[]])[0]
            face = kinds["face"][0] if "face" in kinds else faces[0][3] if faces and faces[0][0] == "cond" else None
            if face and parts_by_kind.keys() & {"times", "often"} and not parts_by_kind.keys() & {"advantage", "plus"}:
                roll = self._die_for_face(offset, face)
            elif parts_by_kind.keys() & {"advantage", "plus", "hits"} or kinds.keys() & {"target", "natural"}:
                roll = ["dice", offset, None, number_node(20)]
                if (
                    "threshold" in parts_by_kind
                    and not parts_by_kind.keys() & {"advantage", "plus"}
                    and _compares_at_most_six(parts_by_kind["threshold"][0])
                ):
                    roll = make_ambiguous_node(
                        offset, ("a d6 is rolled", ["dice", offset, None, number_node(6)]), ("a d20 is rolled", roll)
                    )
        if roll is None or not has_dice(roll):
            raise self.error_at(offset, "no dice are rolled here", SUCH_AS)
        if "mods" in parts_by_kind:
            roll = (
                self._apply_phrases(offset, roll, parts_by_kind["mods"])
                if _is_dice(roll)
                else self._apply_phrases_to_sum(offset, roll, parts_by_kind["mods"])
            )
        if "rank" in parts_by_kind:
            place, how = parts_by_kind["rank"]
            roll = ["rank" if how == "high" else "ranklow", offset, place, roll]
        if "made" in parts_by_kind:
            roll = [parts_by_kind["made"][0], offset, roll]
        bonus = parts_by_kind.get("bonus", [])
        twice = bonus and bonus[0][0] == "dice" and "d4" in self.question
        for each in [*parts_by_kind.get("plus", []), *bonus]:
            if roll[0] == "gain" or twice:  # d20, difficulty 15, +5; d20 + d4 (bless)
                raise self.unclear_error(offset)
            roll = ["+", offset, roll, each]
        return roll

    def _conditions_on_each_roll(
        self, offset: int, roll: Node, trials: Node, parts_by_kind: dict[str, list[Any]], conditions: list[list[Any]]
    ) -> Node:
        """Read a condition on each of several rolls, and compare the number of rolls that meet it."""
        kinds = [(kind, rest) for _, kind, *rest in conditions]
        kinds += [("total", parts_by_kind["threshold"])] if "threshold" in parts_by_kind else []
        often = parts_by_kind.get("hits")
        for kind, rest in kinds:
            if kind in ("shown", "natural"):
                often = often or rest[:1]
            if kind == "every":
                often = often or [[["cond", offset, "==", trials]]]
        nodes = [self._condition_on_each_roll(offset, roll, kind, rest) for kind, rest in kinds]
        if not nodes and often and roll[0] == "dice" and roll[3][0] == "faces":  # heads of a coin
            nodes.append(["is", offset, roll, [["cond", offset, "==", number_node(1)]]])
        if len(nodes) != 1:
            raise self.unclear_error(offset)
        one = self._yes_at_least_once(offset, number_node(2), nodes[0]) if "retry" in parts_by_kind else nodes[0]
        if trials[2:] == ["1"]:
            return self._negated_if_asked(offset, parts_by_kind, one)
        if "fails" in parts_by_kind:
            one = ["not", offset, one]
        if "never" in parts_by_kind:
            return ["not", offset, self._yes_at_least_once(offset, trials, one)]
        if "all" in parts_by_kind:
            return self._yes_every_time(offset, trials, one)
        return self._question_about_number_of_rolls(offset, trials, one, often, parts_by_kind, kinds)

    def _question_about_number_of_rolls(
        self,
        offset: int,
        trials: Node,
        condition: Node,
        comparison: list[Any] | None,
        parts_by_kind: dict[str, list[Any]],
        kinds_of_conditions: list[Any],
    ) -> Node:
        """Return a question about the number of rolls that meet a condition, or this number if that is what is asked.

        ``trials``: the number of rolls. ``condition``: the condition. ``comparison``: the comparison of the number, or
        None.
        """
        counted = [
            "gain",
            offset,
            ["repeat", offset, trials, condition],
            [["count", [["cond", offset, "==", number_node(1)]]]],
        ]
        if comparison is not None:
            return self._compare_count(offset, counted, comparison[0])
        if "counts" in parts_by_kind:
            return counted
        if "often" in parts_by_kind or (condition[0] == "has" and condition[2][0] == "different"):
            return self._every_time_or_at_least_once(offset, trials, condition)
        once = [">=", offset, counted, number_node(1)]
        if "threshold" not in parts_by_kind and kinds_of_conditions[0][0] != "target":
            return once
        return make_ambiguous_node(offset, ("at least one", once), ("how many of them", counted))

    def _condition_on_each_roll(self, offset: int, roll: Node, kind: str, arguments: list[Any]) -> Node:
        """Read the condition that each single roll must meet."""
        if kind in ("alike", "more", "kinds") or (roll[0] == "gain" and kind != "total"):
            raise self.unclear_error(offset)
        if kind in ("face", "set", "target"):
            return self._condition_node(offset, roll, roll, roll, kind, arguments)
        if kind == "natural":
            return self._shows_without_bonus(offset, roll, arguments[1])
        if kind != "shown":
            return ["is", offset, roll, arguments[0]]
        wanted, faces = arguments
        shown = self._ambiguous_face_on_roll(offset, faces[0][-1], roll)
        if shown[0] == "is":
            return ["is", offset, roll, faces]
        once = wanted[0][0] == "cond" and (wanted[0][2], *wanted[0][3][2:]) in ((">=", "1"), ("==", "0"))
        if not once or len(faces) > 1 or faces[0][2] != "==":  # two 6s in 3 rolls of 5d6
            raise self.unclear_error(offset)
        return shown

    def _compare_count(self, offset: int, counted: Node, comparisons: list[Node]) -> Node:
        return (
            self._count_at_least_or_exactly(offset, comparisons[0][2], counted)
            if comparisons[0][0] == "bare"
            else ["is", offset, counted, comparisons]
        )

    def _ambiguous_face_on_roll(self, offset: int, face: Node, value: Node, dice: Node | None = None) -> Node:
        """Read `a 6 on 3d6`: a die shows 6, or, as a second meaning, the total is 6."""
        return self._dice_show_or_total_is(offset, "shown", [["cond", offset, "==", face]], value, dice)

    def _dice_show_or_total_is(
        self, offset: int, first_way: str, faces: list[Node], value: Node, dice: Node | None = None
    ) -> Node:
        """Return the question whether a die shows one of the faces, or whether the total is one of them.

        Both are meanings if both are possible. ``first_way``: the more likely one, ``shown`` or ``total``. ``dice``: the
        dice if ``value`` is their name.
        """
        total = ["is", offset, value, faces]
        sides = _sides_of_several_dice(dice := dice or value)
        if not sides or any(face[3][0] != "n" or not 1 <= Fraction(face[3][2]) <= sides for face in faces):
            return total
        shown = ["shows", offset, value, [number_node(1), faces]]
        if all(Fraction(face[3][2]) < int(dice[2][2]) for face in faces):
            return shown
        ways = [("at least one die shows it", shown), ("the total is meant", total)]
        return make_ambiguous_node(offset, *(ways if first_way == "shown" else reversed(ways)))

    def _roll_beats_target(self, offset: int, value: Node, target: Node) -> Node:
        """Read `beat 15`: more than 15, or in some games at least 15. To beat another roll is as in `d20 vs d20`."""
        if target[0] == "pending":  # d20 + 7 beats 16 with advantage
            value, target = self._with_advantage(offset, target[2:4], value), target[4]
        if has_dice(target):
            return self._first_roll_beats_second(offset, value, target, None)
        more, enough = [">", offset, value, target], [">=", offset, value, target]
        return make_ambiguous_node(offset, ("to beat it takes more", more), ("as much is enough", enough))

    def _margin_over_or_under(self, offset: int, side: str, roll: Node, target: Node, comparisons: Any) -> Node:
        """Read a question about the margin over or under a number: ``beat DC 15 by 5 or more``."""
        return [
            "is",
            offset,
            ["-", offset, roll, target] if side == "over" else ["-", offset, target, roll],
            comparisons,
        ]

    def _refuse_margin_without_dc(self, offset: int) -> Node:
        raise self.error_at(
            offset, "it is not said what is rolled, or against which DC", "such as: d20 + 7 beats DC 15 by 5 or more"
        )

    def _degree_of_success(self, offset: int, roll: Node, target: Node) -> Node:
        """Return the degree of success, from 0 to 3. A natural 20 raises it by one; a natural 1 lowers it by one."""
        outer = _single_d20(roll)
        if outer is None:
            raise self.unclear_error(offset)
        self.notes.append("10 over or under the number, or a natural 20 or 1, is a degree better or worse")
        shown: Node = ["name", offset, f"_{next(_names)}"]
        return ["let", offset, shown[2], outer, ["degree", offset, shown, replace_node(roll, outer, shown), target]]

    def _chances_of_degrees(self, offset: int, roll: Node, target: Node) -> Node:
        names = ("critical failure", "failure", "success", "critical success")
        degree = self._degree_of_success(offset, roll, target)
        return [
            "bands",
            offset,
            degree,
            *([name, [["cond", offset, "==", number_node(place)]]] for place, name in reversed([*enumerate(names)])),
        ]

    def _roll_against_armour_class(self, offset: int, value: Node, target: Node) -> Node:
        """Read a roll against an armour class: the total decides.

        As a second meaning, a natural 20 always hits and a natural 1 always misses.
        """
        plain = self._first_roll_beats_second(offset, value, target, None)
        if plain[0] != ">=":
            return plain
        value, target = plain[2:]
        outer = _single_d20(value)
        if outer is None:
            return plain
        name = f"_{next(_names)}"
        shown: Node = ["name", offset, name]
        total = [">=", offset, replace_node(value, outer, shown), target]
        hits = [
            "or",
            offset,
            ["==", offset, shown, number_node(20)],
            ["and", offset, ["!=", offset, shown, number_node(1)], total],
        ]
        natural = ["let", offset, name, outer, hits]
        return make_ambiguous_node(
            offset, ("the total decides", plain), ("a natural 20 hits and a natural 1 misses", natural)
        )

    def _attack_damage(
        self,
        offset: int,
        attack_count: Node | None,
        damage: Node,
        bonus: Node,
        target: Node,
        attack_details: Sequence[Any],
    ) -> Node:
        """Return the damage of attacks: with twice the dice on a critical hit, and none on a miss or a natural 1.

        ``attack_details``: the advantage; the faces of a critical hit; and the damage of a miss, which may be ``half``,
        or None.
        """
        advantage, crit, missed = attack_details
        name = f"_{next(_names)}"
        shown: Node = ["name", offset, name]
        die = self._with_advantage(offset, advantage, ["dice", offset, None, number_node(20)])
        total = [">=", offset, ["+", offset, shown, bonus], target]
        hits = ["and", offset, ["!=", offset, shown, number_node(1)], total]
        otherwise = self._half_of_value(offset, damage, None) if missed == "half" else missed or number_node(0)
        struck = ["if", offset, hits, damage, otherwise]
        one = [
            "let",
            offset,
            name,
            die,
            [
                "if",
                offset,
                ["is", offset, shown, self._critical_faces(offset, crit)],
                _with_doubled_dice(damage),
                struck,
            ],
        ]
        return (
            one
            if attack_count is None or attack_count[2:] == ["1"]
            else ["total", offset, ["repeat", offset, attack_count, one]]
        )

    def _damage_of_one_attack(
        self, offset: int, bonus: Node, advantage_before: Any, target: Node, damage: Node, attack_details: Sequence[Any]
    ) -> Node:
        """Return the damage of an attack. Its advantage may be written before the armour class or after it."""
        return self._attack_damage(
            offset, None, damage, bonus, target, (advantage_before or attack_details[0], *attack_details[1:])
        )

    def _damage_or_hits_of_attacks(
        self, offset: int, bonuses: list[Node], target: Node, damage: Node | None, attack_details: Sequence[Any]
    ) -> Node:
        """Return the damage of several attacks, or how many attacks hit if ``damage`` is None.

        ``bonuses``: the bonus of each attack.
        """
        if damage is not None:
            return _sum_of_rolls(
                offset, [self._attack_damage(offset, None, damage, bonus, target, attack_details) for bonus in bonuses]
            )
        rolls = [
            [
                "+",
                offset,
                self._with_advantage(offset, attack_details[0], ["dice", offset, None, number_node(20)]),
                bonus,
            ]
            for bonus in bonuses
        ]
        ways = [self._roll_against_armour_class(offset, roll, target) for roll in rolls]
        made = [[["if", offset, way[place][1], number_node(1), number_node(0)] for way in ways] for place in (2, 3)]
        total, natural = (_sum_of_rolls(offset, each) for each in made)
        return make_ambiguous_node(offset, (ways[0][2][0], total), (ways[0][3][0], natural))

    def _damage_with_saving_throw(self, offset: int, damage: Node, saving_throw: Any, on_success: str | None) -> Node:
        """Return damage if a saving throw fails.

        ``saving_throw``: its difficulty, and a pair of its bonus and its advantage. ``on_success``: ``half`` or ``none`` of
        the damage; None if it is not said.
        """
        difficulty, (bonus, advantage) = saving_throw
        die = self._with_advantage(offset, advantage, ["dice", offset, None, number_node(20)])
        if damage[0] == "keep":  # whose advantage it is
            raise self.unclear_error(offset)
        saved = [">=", offset, self._with_bonus(offset, die, bonus), difficulty]
        half = ["if", offset, saved, self._half_of_value(offset, damage, None), damage]
        none = ["if", offset, saved, number_node(0), damage]
        if on_success:
            return half if on_success == "half" else none
        return make_ambiguous_node(offset, ("a save halves the damage", half), ("a save avoids it", none))

    def _dice_compared_in_pairs(self, offset: int, left: Node, right: Node, ties: str | None) -> Node:
        """Compare the dice of two rolls in pairs, from the highest dice on."""
        if ties is not None:
            return ["opposed", offset, ties, left, right]
        ways = [["opposed", offset, each, left, right] for each in ("lose", "win")]
        return make_ambiguous_node(offset, ("a tie does not win", ways[0]), ("a tie wins", ways[1]))

    def _with_bonus(self, offset: int, dice: Node, bonus: Node | None) -> Node:
        return ["+", offset, dice, bonus] if bonus else dice

    def _die_for_face(self, offset: int, face: Node) -> Node:
        """Return a die for a question that names none: a d6 if it has the face, or a d20 if the face is 20."""
        sides = next((each for each in (6, 20) if Fraction(face[2]) in (range(1, 7) if each == 6 else (20,))), None)
        if sides is None:
            raise self.error_at(offset, "it is not said which die is rolled", f"such as: a {face[2]} in 5 rolls of d12")
        return ["dice", offset, None, number_node(sides)]

    def _rolls_until_face(self, offset: int, face: Node, die: Node | None) -> Node:
        """Return how many dice are rolled until one shows a face.

        The node counts the dice of a die that explodes on all other faces.
        """
        die = die or self._die_for_face(offset, face)
        rolling = ["explode", offset, "add", [["cond", offset, "!=", face]], None, die]
        return ["gain", offset, rolling, [["count", [["cond", offset, ">=", number_node(1)]]]]]

    def _rolls_until_yes(self, offset: int, goal: list[Any], dice_before: Node | None, dice_after: Node | None) -> Node:
        """Return the number of rolls until the answer to a question is yes."""
        kind, rest = goal
        dice = dice_before or dice_after
        if kind == "set":
            question = self._dice_show_set_question(
                offset, rest, dice or ["dice", offset, number_node(2), number_node(6)]
            )
        elif rest[0][0] == "cond":
            dice = dice or self._die_for_face(offset, rest[0][3])
            question = (
                self._ambiguous_face_on_roll(offset, rest[0][3], dice)
                if rest[0][2] == "=="
                else ["is", offset, dice, rest]
            )
        else:
            question = ["is", offset, dice or ["dice", offset, None, number_node(6)], rest]
        rolling = [
            "explode",
            offset,
            "add",
            [["cond", offset, "==", number_node(0)]],
            None,
            ["repeat", offset, number_node(1), question],
        ]
        return ["gain", offset, rolling, [["count", [["cond", offset, ">=", number_node(0)]]]]]

    def _sum_of_rolls_until_face(self, offset: int, faces: list[Node], dice: Node) -> Node:
        """Return the sum of rolls until one shows one of the faces, with this last roll, or as a second meaning without it."""
        opposites = {"==": "!=", ">=": "<", "<=": ">", ">": "<=", "<": ">="}
        if len(faces) != 1 or faces[0][0] != "cond" or not _sides_of_dice(dice):
            raise self.unclear_error(offset)
        before = [["cond", offset, opposites[faces[0][2]], faces[0][3]]]
        if _sides_of_several_dice(dice):
            if self._ambiguous_face_on_roll(offset, faces[0][3], dice)[0] != "is":
                raise self.unclear_error(offset)
            dice = ["repeat", offset, number_node(1), dice]
        rolling = ["explode", offset, "add", before, None, dice]
        return make_ambiguous_node(
            offset,
            ("with the last roll", rolling),
            ("without the last roll", ["gain", offset, rolling, [["only", before]]]),
        )

    def _roll_by_condition(self, offset: int, die: Node, faces: Any, then: Node, other: Node) -> Node:
        """Return the roll ``then`` if a die shows one of the faces, else the roll ``other``."""
        return ["if", offset, ["is", offset, die, faces], then, other]

    def _with_further_roll(self, offset: int, die: Node, faces: Any, further_roll: Node | None) -> Node:
        """Return a die, with another roll added if the die shows one of the faces.

        ``further_roll``: the other roll; None for the die itself.
        """
        total = _with_roll_if(offset, die, faces, further_roll)
        if die[0] in ("+", "-"):  # d20 + 5, on a 20 add d6
            if _sides_of_several_dice(die[2]):
                raise self.unclear_error(offset)
            before = [*die[:2], self._with_further_roll(offset, die[2], faces, further_roll), die[3]]
            return make_ambiguous_node(offset, ("the die is meant", before), ("the total is meant", total))
        sides = _sides_of_several_dice(die)
        if not sides or not any(_some_integer_meets(each, 1, sides) for each in faces):
            return total
        name: Node = ["name", offset, f"_{next(_names)}"]
        one = _with_roll_if(offset, ["dice", offset, None, die[3]], faces, further_roll)
        some = ["if", offset, ["shows", offset, name, [number_node(1), faces]], further_roll or die, number_node(0)]
        ways = [
            ("for each die that shows it", ["total", offset, ["repeat", offset, die[2], one]]),
            ("once if a die shows it", ["let", offset, name[2], die, ["+", offset, name, some]]),
        ]
        many = int(die[2][2])
        if all(_some_integer_meets(each, many, many * sides) for each in faces):
            ways.append(("the total is meant", total))
        return make_ambiguous_node(offset, *ways)

    def _compare_count_with_half(self, offset: int, pool: Node, sign: str, faces: Any) -> Node:
        """Compare the number of dice that show one of the faces with half the number of dice."""
        half = ["/", offset, ["call", offset, "size", _with_explosions_as_own_dice(pool)], number_node(2)]
        return [sign, offset, self._number_of_dice_showing(offset, faces, pool), half]

    def _yes_every_time(self, offset: int, trials: Node, question: Node) -> Node:
        return _at_least_of_trials(offset, trials, question, trials)

    def _every_time_or_at_least_once(self, offset: int, trials: Node, question: Node) -> Node:
        every, once = self._yes_every_time(offset, trials, question), self._yes_at_least_once(offset, trials, question)
        return make_ambiguous_node(offset, ("every time", every), ("at least once", once))

    def _value_needed_for_chance(self, offset: int, name: str, chance: Node, question: Node) -> Node:
        """Return a node that asks at which value of ``name`` a question has the given chance.

        ``name``: a name for a bonus, or for the number that the roll must reach. It is put into the question if it does
        not occur there.
        """
        if not any(each[0] == "name" and each[2] == name for each in walk_nodes(question)):
            question = self._with_bonus_or_limit(offset, name.lower(), ["name", offset, name], question)
        return ["needed", offset, name, chance, question]

    def _with_bonus_or_limit(self, offset: int, value_name: str, value: Node, question: Node) -> Node:
        """Return a question with a value put into it. ``value_name``: the word for the value, which decides its role."""
        if question[0] == "either":
            return [
                *question[:2],
                *([note, self._with_bonus_or_limit(offset, value_name, value, way)] for note, way in question[2:]),
            ]
        asks = question[0] in (*_SIGNS, "is")
        if value_name in _BONUSES and asks and has_dice(question[2]):
            return [*question[:2], ["+", offset, question[2], value], *question[3:]]
        if value_name in _BONUSES and question[0] == "let" and has_dice(question[4]):  # a natural 20 hits
            totals = [each for each in walk_nodes(question[4]) if each[0] == ">="]
            return (
                replace_node(question, totals[0], self._with_bonus_or_limit(offset, value_name, value, totals[0]))
                if totals
                else question
            )
        if value_name in _LIMITS and not asks and (_is_dice(question) or question[0] in ("+", "-")):
            return [">=", offset, question, value]
        return question

    def _refuse_ambiguous_number(self, offset: int, target_word: str) -> Node:
        raise self.error_at(
            offset, f"it is not clear whether {target_word} is the number, or changes the roll", "write the sum"
        )

    def _first_is_higher_after_rerolled_ties(self, offset: int, left: Node, right: Node) -> Node:
        """Return the question whether the first roll is higher, if ties are rolled again."""
        return ["given", offset, [">", offset, left, right], ["!=", offset, left, right]]

    def _snake_eyes_or_boxcars(self, offset: int, which: str) -> Node:
        face = 1 if which.lower().startswith("snake") else 6
        return [
            "all",
            offset,
            ["dice", offset, number_node(2), number_node(6)],
            [["cond", offset, "==", number_node(face)]],
        ]

    def _count_with_double_face(self, offset: int, pool: Node, faces: Any, double_face: Node) -> Node:
        return self._count_with_special_faces(offset, pool, faces, [["plus", [["cond", offset, "==", double_face]]]])

    def _median_die_or_total(self, offset: int, pool: Node) -> Node:
        return make_ambiguous_node(
            offset, ("the middle die", ["median", offset, pool]), ("the median of the total", ["total", offset, pool])
        )

    def _total_meets_condition(self, offset: int, value: Node, faces: Any) -> Node:
        """Read a condition on a total. If its form is as in `5d10 8+`, a second meaning counts dice.

        If the total must be less than a number and has advantage, a second meaning applies advantage to low rolls.
        """
        total = ["is", offset, value, faces]
        if len(faces) == 1 and faces[0][0] == "cond" and faces[0][2] in ("<", "<="):
            for made, how, other in self.advantages:
                if any(each is made for each in walk_nodes(value)):
                    low = ["is", offset, replace_node(value, made, other), faces]
                    return _ambiguous_advantage(offset, how, total, low)
        if len(faces) != 1 or faces[0][:1] != ["cond"] or faces[0][2] != ">=" or faces[0][3][0] != "n":
            return total
        return (
            self._total_or_number_of_dice(total)
            if 1 < Fraction(faces[0][3][2]) <= _sides_of_several_dice(value)
            else total
        )

    def _total_is_one_of(self, offset: int, value: Node, faces: Any) -> Node:
        """Read `2d6 7 or 11`: a condition on the total. If a die has all these faces, a second meaning counts dice."""
        total = ["is", offset, value, faces]
        sides = _sides_of_several_dice(value)
        if not sides or any(face[3][0] != "n" or Fraction(face[3][2]) > sides for face in faces):
            return total
        return self._total_or_number_of_dice(total)

    def _total_or_dice_against_number(self, offset: int, first_way: str, roll: Node, faces: Any) -> Node:
        """Read `difficulty 7` behind dice: their total is compared, and if a die can show 7, they may be counted.

        ``first_way``: which of the two is more likely, ``total`` or ``dice``.
        """
        total = ["is", offset, roll, faces]
        sides = [
            int(each[3][2]) if each[3][0] == "n" else inf for each in walk_nodes(roll) if each[0] == "dice"
        ]  # fmt: skip
        several = _is_several_dice(roll[2][1] if roll[0] == "either" else roll)
        if not several or not any(_some_integer_meets(face, 1, most) for face in faces for most in sides):
            return total
        ways = [
            ("the dice are counted", self._number_of_dice_showing(offset, faces, roll)),
            ("the total counts", total),
        ]
        return make_ambiguous_node(offset, *(ways if first_way == "dice" else reversed(ways)))

    def _total_or_number_of_dice(self, total: Node) -> Node:
        """Return a condition on a total with a second meaning: the number of dice that meet the condition."""
        _, offset, value, faces = total
        counted = ["gain", offset, value, [["count", faces]]]
        return make_ambiguous_node(offset, ("the total counts", total), ("the dice are counted", counted))

    def _first_roll_beats_second(self, offset: int, left: Node, right: Node, ties: str | None) -> Node:
        if right[0] == "pending":  # d20 + 7 vs AC 16 with advantage
            left, right = self._with_advantage(offset, right[2:4], left), right[4]
        if not has_dice(right) or ties is not None:
            return [">=" if ties != "lose" else ">", offset, left, right]
        return make_ambiguous_node(
            offset, ("a tie does not win", [">", offset, left, right]), ("a tie wins", [">=", offset, left, right])
        )

    def _compare_one_die_each(self, offset: int, which_die: str, first_roll: Node, second_roll: Node) -> Node:
        """Read ``3d6 vs 4d6 highest``: one die of each side is compared.

        As a second meaning, the sum of the first side is compared with one die of the second side.
        """
        left, right = (["keep", offset, which_die, number_node(1), each] for each in (first_roll, second_roll))
        if not _is_several_dice(first_roll):
            return self._first_roll_beats_second(offset, first_roll, right, None)
        one, other = (
            self._first_roll_beats_second(offset, left, right, None),
            self._first_roll_beats_second(offset, first_roll, right, None),
        )
        return make_ambiguous_node(
            offset, *((f"one die of each side, {note}", way) for note, way in one[2:]),
            *((f"one die of the second side, {note}", way) for note, way in other[2:]),
        )  # fmt: skip

    def _morale_check(self, offset: int, dice: Node | None, limit: Node) -> Node:
        """Read a check of morale: a roll of 2d6, unless the question names dice, which must not exceed the number.

        As a second meaning, the roll must reach the number.
        """
        roll = dice or ["dice", offset, number_node(2), number_node(6)]
        low, high = ["<=", offset, roll, limit], [">=", offset, roll, limit]
        return make_ambiguous_node(offset, ("a low roll is good", low), ("a high roll is good", high))

    def _count_d10_successes(self, offset: int, dice_count: Node, exploding_from: Node, comparisons: Any) -> Node:
        """Count the d10s that show 8 or more. ``exploding_from``: a d10 that shows this number or more brings a further die."""
        faces, again = ([["cond", offset, ">=", each]] for each in (number_node(8), exploding_from))
        counted = self._count_with_cancelling_and_exploding(
            offset, ["dice", offset, dice_count, number_node(10)], faces, None, again
        )
        return ["is", offset, counted, comparisons] if comparisons else counted

    def _critical_damage(self, offset: int, damage: Node) -> Node:
        """Read the damage of a critical hit: the number of dice is doubled, or in some games the total."""
        dice, total = _with_doubled_dice(damage), ["*", offset, damage, number_node(2)]
        return make_ambiguous_node(offset, ("the dice are doubled", dice), ("the total is doubled", total))

    def _roll_against_number(self, offset: int, roll: Node, limit: Node, dice: Node | None = None) -> Node:
        """Read a roll against a number, which it must reach.

        A d100 and 3d6 also have the meaning that the roll must not exceed the number, as in many games.
        """
        under, over = ["<=", offset, roll, limit], [">=", offset, roll, limit]
        low, high, dice = ("a low roll is good", under), ("a high roll is good", over), dice or roll
        if _is_percentile(dice):
            return make_ambiguous_node(offset, low, high)
        three_d6 = _sides_of_several_dice(dice) == 6 and dice[2][2] == "3"
        return make_ambiguous_node(offset, high, low) if three_d6 else over

    def _yes_at_least_once(self, offset: int, trials: Node, question: Node) -> Node:
        return _at_least_of_trials(offset, trials, question, number_node(1))

    def _with_advantage(self, offset: int, advantage: Any, value: Node) -> Node:
        """Apply advantage to the only d20, or to the only die if there is no d20; ``lucky`` rolls a 1 again.

        A number without dice becomes a ``pending`` node, whose advantage is applied to the dice on the other side of
        the comparison. Raises QuestionError if it is unclear which die is meant.
        """
        if advantage is None:
            return value
        how, many = advantage
        dice = [each for each in walk_nodes(value) if each[0] == "dice"]
        found = [each for each in dice if each[3][2:] == ["20"]] or dice
        if not dice and value[0] == "n":
            return ["pending", offset, how, many, value]
        kept = [below for each in walk_nodes(value) if each[0] == "keep" for below in walk_nodes(each)]
        if len(found) != 1 or any(each is found[0] for each in kept):
            raise self._advantage_error(offset)
        if how == "lucky":
            ones = [["cond", offset, "==", number_node(1)]]
            made = ["reroll", offset, "once", ones, None, found[0]]
        else:
            made = self._keep_one_of_several(offset, found[0], how, many)
            other = ["keep", offset, "low" if how == "high" else "high", *made[3:]]
            self.advantages.append((made, how, other))
        tree: Node = replace_node(value, found[0], made)
        return tree

    def _critical_faces(self, offset: int, faces: Any) -> Any:
        """Return the faces of a critical hit: 20 unless the question names faces."""
        return faces or [["cond", offset, "==", number_node(20)]]

    def _die_shows_natural(self, offset: int, face: Node, second_face: Node | None, dice: Node | None) -> Node:
        """Read a condition on the face of a die, without any bonus."""
        faces = [["cond", offset, "==", each] for each in (face, second_face) if each]
        return self._shows_without_bonus(offset, dice or ["dice", offset, None, number_node(20)], faces)

    def _count_naturals(self, offset: int, roll: Node, roll_or_name: Node, faces: Any) -> Node:
        """Count the dice of a roll that show one of the faces; for a single die, ask whether it shows one of them."""
        one = self._shows_without_bonus(offset, roll if _is_dice(roll) else roll_or_name, faces)
        if _is_several_dice(roll):
            return self._number_of_dice_showing(offset, faces, roll_or_name)
        return ["is", offset, roll_or_name, faces] if one[2] is roll else one

    def _shows_without_bonus(self, offset: int, roll: Node, faces: Any) -> Node:
        """Ask whether a die of a roll shows one of the faces, without any bonus.

        Raises QuestionError if it is unclear which dice are meant, or if no die has the face 20 that is asked for.
        """
        while roll[0] in ("+", "-"):
            sides = [each for each in roll[2:] if _has_die_with_face_20(each)] or [
                each for each in roll[2:] if has_dice(each)
            ]
            if len(sides) != 1:
                break
            roll = sides[0]
        if not _is_dice(roll) or (faces[0][-1][2:] == ["20"] and not _has_die_with_face_20(roll)):
            raise self.unclear_error(offset)
        return (
            ["shows", offset, roll, [number_node(1), faces]] if _is_several_dice(roll) else ["is", offset, roll, faces]
        )

    def _total_of_dice_that_show(
        self, offset: int, pool: Node, first_faces: list[Node], further_faces: list[list[Node]]
    ) -> Node:
        return ["gain", offset, pool, [["only", [*first_faces, *(face for each in further_faces for face in each)]]]]

    def _critical_hit(self, offset: int, roll: Node) -> Node:
        """Read a critical hit: the die shows a 20, without any bonus."""
        return self._shows_without_bonus(offset, roll, self._critical_faces(offset, None))

    def _die_shows_face(self, offset: int, face: Node, die: Node | None) -> Node:
        return self._die_shows_natural(offset, face, None, die or self._die_for_face(offset, face))

    def _d100_with_several_tens(self, offset: int, tens_dice_count: Node | None, which_result: str) -> Node:
        """Roll a d100 with several dice for the tens, and keep the highest or lowest result.

        The tens 00 and the unit 0 together are 100. ``tens_dice_count``: the number of dice for the tens, two if None.
        """
        digit: Node = ["dice", offset, None, ["faces", offset, ["range", offset, number_node(0), number_node(9)]]]
        units: Node = ["name", offset, "_units"]
        shown = ["+", offset, ["*", offset, number_node(10), digit], units]
        one = ["swap", offset, [["cond", offset, "==", number_node(0)]], number_node(100), shown]
        return [
            "let",
            offset,
            "_units",
            digit,
            ["keep", offset, which_result, number_node(1), ["repeat", offset, tens_dice_count or number_node(2), one]],
        ]

    def _rolls_of_usage_die(self, offset: int, sides: Node) -> Node:
        """Return the number of rolls of a usage die: on a 1 or 2, the next smaller die replaces it.

        Rolling ends when the d4 shows a 1 or 2. ``sides``: the number of sides of the first die.
        """
        used: list[Node] = []
        for each in (int(sides[2]), *(each for each in (12, 10, 8, 6, 4) if each < int(sides[2]))):
            rolling = [
                "explode",
                offset,
                "add",
                [["cond", offset, ">", number_node(2)]],
                None,
                ["dice", offset, None, number_node(each)],
            ]
            used.append(["gain", offset, rolling, [["count", [["cond", offset, ">=", number_node(1)]]]]])
        return reduce(lambda tree, each: ["+", offset, tree, each], used)

    def _largest_set_within_rolls(
        self, offset: int, roll_count: Node, set_size: Node | None, pool: Node | None
    ) -> Node:
        """Ask whether the largest set of equal dice has at least ``set_size`` dice after a number of rolls.

        ``roll_count``: the number of rolls. Each roll after the first rolls all dice outside the largest set again.
        """
        pool = pool or ["dice", offset, number_node(5), number_node(6)]
        return [">=", offset, ["gathered", offset, roll_count, pool], set_size or ["call", offset, "size", pool]]

    def _rounded_value(self, offset: int, value: Node, rounding: str) -> Node:
        return ["call", offset, "floor" if rounding == "down" else "ceil", value]

    def _half_of_value(self, offset: int, value: Node, rounding: str | None) -> Node:
        half = ["/", offset, value, number_node(2)]
        down, up = ["call", offset, "floor", half], ["call", offset, "ceil", half]
        if rounding is not None:
            return down if rounding == "down" else up
        return make_ambiguous_node(offset, ("half is rounded down", down), ("half is not rounded", half))

    def _count_at_least_or_exactly(self, offset: int, number: Node, counted: Node) -> Node:
        return make_ambiguous_node(
            offset,
            (f"at least {number[2]}", [">=", offset, counted, number]),
            (f"exactly {number[2]}", ["==", offset, counted, number]),
        )

    def _dice_show_each_face(self, offset: int, pool: Node, *faces: Node) -> Node:
        times = Counter(str(face[2]) for face in faces)
        first = {str(face[2]): face for face in reversed(faces)}
        return [
            "shows",
            offset,
            pool,
            *([number_node(times[name]), [["cond", offset, "==", first[name]]]] for name in times),
        ]

    def _dice_show_each_or_any_face(self, offset: int, pool: Node, *faces: Node) -> Node:
        any_of = ["shows", offset, pool, [number_node(1), [["cond", offset, "==", face] for face in faces]]]
        if not _sides_of_several_dice(pool):
            return any_of
        if not _can_show_all_at_once(pool, faces):
            raise self.error_at(
                offset, "these dice never show all of that at once", "for the total write: 2d6 is 7 or 11"
            )
        return make_ambiguous_node(
            offset,
            ("each of them shows", self._dice_show_each_face(offset, pool, *faces)),
            ("one of them is enough", any_of),
        )

    def _both_faces_or_range(self, offset: int, pool: Node, first: Node, second: Node) -> Node:
        total = ["is", offset, pool, [["range", offset, first, second]]]
        return (
            self._dice_show_each_face(offset, pool, first, second)
            if _can_show_all_at_once(pool, (first, second))
            else total
        )

    def _dice_show_set_question(self, offset: int, kind: list[Any], pool: Node) -> Node:
        if kind[0] == "pairs":
            only = ["has", offset, ["onlypairs", kind[1]], pool]
            return make_ambiguous_node(
                offset, ("larger sets count as well", ["has", offset, kind, pool]), ("pairs and no larger set", only)
            )
        if kind[0] == "exactly":
            return ["all", offset, pool, [["cond", offset, "==", kind[1]]]]
        if kind[0] in ("alike", "kind", "least") and kind[1] and kind[1][2:] == ["2"] and _is_percentile(pool):
            doubles = (11, 22, 33, 44, 55, 66, 77, 88, 99, 100)  # two digits alike; 00 is 100
            return ["is", offset, pool, [["cond", offset, "==", number_node(each)] for each in doubles]]
        if kind[0] == "least":
            return ["has", offset, ["kind", kind[1]], pool]
        asked = ["has", offset, kind, pool]
        if kind[0] == "kind":
            only = ["==", offset, ["largest", offset, pool], kind[1]]
            return make_ambiguous_node(offset, ("larger sets count as well", asked), ("no larger set", only))
        if kind[0] == "straight" and kind[1] is not None:
            only = ["==", offset, ["run", offset, pool], kind[1]]
            return make_ambiguous_node(offset, ("longer ones count as well", asked), ("no longer one", only))
        return asked

    def _roll_is_under(self, offset: int, value: Node, limit: Node) -> Node:
        """Read `roll under 65`: less than 65, or, as a second meaning, at most 65, as in many games."""
        if value[0] == "keep":  # with advantage
            raise self.unclear_error(offset)
        return make_ambiguous_node(
            offset,
            ("less than the number", ["<", offset, value, limit]),
            ("the number is enough", ["<=", offset, value, limit]),
        )

    def _botch_question(self, offset: int, pool: Node, faces: Any) -> Node:
        """Read a botch: no die succeeds and at least one shows 1. By older rules, more dice show 1 than succeed.

        ``faces``: the faces of a success.
        """
        hand: Node = ["name", offset, f"_{next(_names)}"]
        ones, some = [["cond", offset, "==", number_node(1)]], number_node(1)
        none = [
            "and",
            offset,
            ["not", offset, ["shows", offset, hand, [some, faces]]],
            ["shows", offset, hand, [some, ones]],
        ]
        more = ["<", offset, ["gain", offset, pool, [["count", faces], ["minus", ones]]], number_node(0)]
        return make_ambiguous_node(
            offset,
            ("no success and at least one 1", ["let", offset, hand[2], pool, none]),
            ("more 1s than successes", more),
        )

    def _refuse_what_is_not_said(self, offset: int, missing: str, example: str) -> Node:
        raise self.error_at(offset, f"it is not said {missing}", f"such as: {example}")

    def _glitch_question(self, offset: int, kind: str, dice_count: Node) -> Node:
        """Read a glitch: more than half of the dice show 1, or by older rules at least half of them.

        ``kind``: ``critical`` for a glitch in which also no die is a hit.
        """
        dice = ["dice", offset, dice_count, number_node(6)]
        ones, hits = [["cond", offset, "==", number_node(1)]], [["cond", offset, ">=", number_node(5)]]
        hand: Node = ["name", offset, f"_{next(_names)}"]
        ways = list[Node]()
        for sign in (">", ">="):
            glitch = [
                sign,
                offset,
                self._number_of_dice_showing(offset, ones, hand if kind == "critical" else dice),
                ["/", offset, dice_count, number_node(2)],
            ]
            none = ["not", offset, ["shows", offset, hand, [number_node(1), hits]]]
            ways.append(["let", offset, hand[2], dice, ["and", offset, glitch, none]] if kind == "critical" else glitch)
        return make_ambiguous_node(
            offset, ("more than half of the dice show 1", ways[0]), ("half of them or more show 1", ways[1])
        )

    def _sixes_of_pushed_dice(self, offset: int, pool: Node) -> Node:
        """Count the sixes of dice that are pushed (see ``_pushed_dice``)."""
        return self._number_of_dice_showing(
            offset, [["cond", offset, ">=", number_node(6)]], self._apply_phrases(offset, pool, [["pushed"]])
        )

    def _pushed_dice(self, offset: int, pool: Node) -> Node:
        """Return pushed dice: all dice that show neither 1 nor 6 are rolled once more.

        As a second meaning, dice that show 1 are rolled once more too.
        """
        ways = [
            ["reroll", offset, "once", [["range", offset, number_node(least), number_node(5)]], None, pool]
            for least in (2, 1)
        ]
        return make_ambiguous_node(offset, ("1s and 6s stay", ways[0]), ("only 6s stay", ways[1]))

    def _x_in_n_chance(self, offset: int, winning_faces: str, sides: str) -> Node:
        """Read ``a 2 in 6 chance``."""
        return ["<=", offset, ["dice", offset, None, ["n", offset, sides]], ["n", offset, winning_faces]]

    def _fate_dice(self, offset: int, dice_count: Node | None) -> Node:
        return [
            "dice",
            offset,
            dice_count or number_node(4),
            ["faces", offset, number_node(-1), number_node(0), number_node(1)],
        ]

    def _critical_hit_in_attacks(self, offset: int, attack_count: Node, faces: Any) -> Node:
        die = ["dice", offset, None, number_node(20)]
        return self._yes_at_least_once(offset, attack_count, ["is", offset, die, self._critical_faces(offset, faces)])

    # --- pools

    def _apply_phrases(self, offset: int, pool: Node, phrases: Sequence[Sequence[Any]]) -> Node:
        """Apply the phrases after dice: first those that change dice, then those that keep or drop dice.

        ``phrases``: the phrases, in any order, each its kind and its arguments.
        """
        phrases = [each for mod in phrases for each in (_DROP_BOTH if mod[0] == "dropboth" else [mod])]
        if (place := next((place for place, mod in enumerate(phrases) if mod[0] == "ends"), None)) is not None:
            ways = self._meanings_of_two_ends(offset, *phrases[place][1:])
            return _ambiguous_node_if_several(
                offset,
                *(
                    (note, self._apply_phrases(offset, pool, [*phrases[:place], *way, *phrases[place + 1 :]]))
                    for note, way in ways
                ),
            )
        late = [mod for mod in phrases if mod[0] in ("keep", "drop", "bothends")]
        for kind, *rest in [mod for mod in phrases if mod not in late and mod[0] != "again"]:
            pool = self._apply_changing_phrase(offset, kind, rest, pool, bool(late))
        for kind, which_dice, dice_count in late:
            both = kind == "bothends"
            pool = (
                self._sum_of_highest_and_lowest(offset, which_dice, dice_count, pool)
                if both
                else [kind, offset, which_dice, dice_count or number_node(1), pool]
            )
        for _, which_dice, dice_count in [mod for mod in phrases if mod[0] == "again"]:
            pool = ["keep", offset, which_dice, number_node(1), ["repeat", offset, dice_count, pool]]
        return pool

    def _apply_changing_phrase(
        self, offset: int, kind: str, arguments: Sequence[Any], pool: Node, some_are_kept: bool
    ) -> Node:
        """Apply a phrase that changes dice. ``kind``, ``arguments``: the phrase, as its kind and its arguments.

        ``some_are_kept``: whether dice are kept or dropped afterwards.
        """
        if kind == "pushed":
            return self._pushed_dice(offset, pool)
        if kind == "swap":
            return ["swap", offset, *arguments, pool]
        if kind == "explode":
            how, faces, times = arguments
            if self._only_total_can_show(offset, pool, faces):
                raise self._missing_face_error(offset, pool)
            if how == "once":
                how, times = "word", number_node(1)
            return self._exploding_dice(offset, how, faces, times, pool, some_are_kept)
        if kind == "anew":
            how, before, behind = arguments
            return self._reroll_highest_or_lowest(offset, how, before or behind or number_node(1), pool)
        if kind == "reroll":
            how, faces = arguments
            return self._with_rerolls(offset, how, faces, pool)
        how, limit = arguments
        return self._clamp_dice(offset, how, limit, pool)

    def _with_rerolls(self, offset: int, variant: str, faces: Any, pool: Node) -> Node:
        """Reroll dice that show one of the faces, or the whole roll if only its total can be such a number.

        ``variant``: ``once``, ``until`` or ``keep``; ``word`` for the ambiguous word `reroll`.
        """
        what = "each die"
        if self._only_total_can_show(offset, pool, faces):
            what, pool = "the roll", ["repeat", offset, number_node(1), pool]
        if variant != "word":
            return ["reroll", offset, variant, faces, None, pool]
        ways = [["reroll", offset, each, faces, None, pool] for each in ("once", "until")]
        return make_ambiguous_node(
            offset, (f"{what} is rerolled once", ways[0]), ("rerolled until it shows another", ways[1])
        )

    def _only_total_can_show(self, offset: int, pool: Node, faces: Any) -> bool:
        """Return whether the faces are possible only as totals.

        A die lacks some of them, but the total can be each of them. Raises QuestionError if neither is possible.
        """
        sides = _sides_of_dice(pool)
        if not sides or all(_compares_with_die_faces(each, sides) for each in faces or []):
            return False
        many = int(pool[2][2]) if _sides_of_several_dice(pool) else 0
        if not many or not all(_some_integer_meets(each, many, many * sides) for each in faces):
            raise self._missing_face_error(offset, pool)
        return True

    def _missing_face_error(self, offset: int, pool: Node) -> QuestionError:
        """Return the error for a face that no die of a pool has."""
        sides = pool[3][2]
        return self.error_at(offset, f"no d{sides} shows that", f"name faces from 1 to {sides}, such as: {sides}s")

    def _sum_of_highest_and_lowest(
        self, offset: int, first_selection: Sequence[Any], second_selection: Sequence[Any], pool: Node
    ) -> Node:
        """Return the sum of the highest and the lowest dice of a pool. Raises QuestionError if a die would count twice.

        ``first_selection``, ``second_selection``: an end, ``high`` or ``low``, and the number of dice at this end.
        """
        counts = [int(each[1][2]) for each in (first_selection, second_selection)]
        if pool[0] == "dice" and pool[2] and pool[2][0] == "n" and sum(counts) > int(pool[2][2]):
            raise self.unclear_error(offset)
        hand: Node = ["name", offset, f"_{next(_names)}"]
        return [
            "let",
            offset,
            hand[2],
            pool,
            ["+", offset, *(["keep", offset, *each, hand] for each in (first_selection, second_selection))],
        ]

    def _meanings_of_two_ends(
        self,
        offset: int,
        keep_or_drop: str,
        first_end: str,
        count_before_first: Node | None,
        count_after_first: Node | None,
        second_end: str,
        *second_counts: Node | None,
    ) -> list[tuple[str, list[list[Any]]]]:
        """Return the meanings of ``highest and lowest two``: which number belongs to which end.

        Each meaning is a note and the phrases to apply. ``keep_or_drop``: whether the dice are kept or dropped.
        ``count_before_first``, ``count_after_first``, ``second_counts``: the numbers written before and after the ends
        ``first_end`` and ``second_end``.
        """
        one, other = count_before_first or count_after_first, second_counts[0] or second_counts[1]
        if {first_end, second_end} != {"high", "low"}:
            raise self.unclear_error(offset)

        def phrases_for_counts(first_count: Node | None, second_count: Node | None) -> list[list[Any]]:
            if keep_or_drop == "drop":
                return [["drop", first_end, first_count], ["drop", second_end, second_count]]
            return [
                ["bothends", [first_end, first_count or number_node(1)], [second_end, second_count or number_node(1)]]
            ]

        own = ("one die of one end", phrases_for_counts(one, other))
        shared = count_before_first if second_counts == (None, None) else second_counts[1] if one is None else None
        if shared is None:
            return [own]
        return [("as many of each end", phrases_for_counts(shared, shared)), own]

    def _reroll_highest_or_lowest(self, offset: int, which_dice: str, count: Node, pool: Node) -> Node:
        """Roll the lowest or the highest dice once more. Their new faces replace the old ones."""
        if not _sides_of_several_dice(pool):
            raise self.error_at(
                offset, "it is not said which dice are meant", "write such as: 4d6 reroll the lowest die"
            )
        return ["join", offset, ["drop", offset, which_dice, count, pool], ["dice", offset, count, pool[3]]]

    def _clamp_dice(self, offset: int, bound_kind: str, bound: Node, pool: Node) -> Node:
        """Apply a minimum or a maximum to each die, or to the total if the minimum exceeds every face.

        Joined pools have both meanings.
        """
        each = ["clamp", offset, bound_kind, bound, pool]
        total = ["call", offset, "max" if bound_kind == "min" else "min", ["total", offset, pool], bound]
        sides = _sides_of_several_dice(pool)
        if bound_kind == "min" and sides and bound[0] == "n" and Fraction(bound[2]) > sides:
            return total
        return make_ambiguous_node(offset, ("each die", each), ("the total", total)) if pool[0] == "join" else each

    def _apply_phrases_to_sum(self, offset: int, value: Node, phrases: Sequence[Sequence[Any]]) -> Node:
        """Apply the phrases after a sum to its dice. Raises QuestionError if the sum has several kinds of dice."""
        if value[0] == "either":
            return [*value[:2], *([note, self._apply_phrases_to_sum(offset, way, phrases)] for note, way in value[2:])]
        dice = [each for each in walk_nodes(value) if each[0] == "dice"]
        if len(dice) != 1:
            raise self.error_at(
                offset, "it is not said which dice are meant", "write it behind the dice: 2d6 exploding + 3"
            )
        made = self._apply_phrases(offset, dice[0], phrases)
        tree: Node = replace_node(value, dice[0], _with_explosions_as_own_dice(made) if value[0] == "gain" else made)
        return tree

    def _exploding_dice(
        self, offset: int, variant: str | None, faces: Any, limit: Any, pool: Node, some_are_kept: bool = False
    ) -> Node:
        if variant in ("sum", "penetrate", "add"):
            return ["explode", offset, variant, faces, limit, pool]
        one = ["explode", offset, "word", faces, limit, pool]
        if not some_are_kept or limit is not None:
            return one
        two = ["explode", offset, "add", faces, limit, pool]
        return make_ambiguous_node(
            offset, ("each die with all that it brings is one", one), ("each further die is one of its own", two)
        )

    def _keep_one_of_several(self, offset: int, pool: Node, which_die: str, count: Node) -> Node:
        if pool[0] == "dice" and (pool[2] is None or pool[2][2] == "1"):
            pool = ["dice", pool[1], count, pool[3]]
        elif pool[0] != "dice" or pool[2][2] != count[2] or pool[3][2:] != ["20"]:
            raise self._advantage_error(offset)
        return ["keep", offset, which_die, number_node(1), pool]

    def _advantage_error(self, offset: int) -> QuestionError:
        hint = "write d20 with advantage + 5, or what is kept of more dice: 3d6 keep highest 2 + 1"
        return self.error_at(offset, "advantage is for one die", hint)

    def _keep_best_dice(self, offset: int, which_dice: str, count: Node, pool: Node) -> Node:
        if pool[0] != "plus":
            return ["keep", offset, which_dice, count, pool]
        _, _, first, rest, mods = pool
        whole = ["join", offset, first, *(each for _, each in rest)]
        together = ["keep", offset, which_dice, count, self._apply_phrases(offset, whole, mods)]
        size = int(first[2][2]) if first[0] == "dice" and first[2] and first[2][0] == "n" else 1
        parts = [first, *(each for _, each in rest)]
        several = any(each[0] == "dice" and each[2] and each[2][2:] != ["1"] for each in parts)
        if not mods and several and count[2:] == ["1"] and all(op == "," for op, _ in rest):
            totals = [
                "keep",
                offset,
                which_dice,
                count,
                ["join", offset, *(["repeat", offset, number_node(1), each] for each in parts)],
            ]
            return make_ambiguous_node(offset, ("the totals are compared", totals), ("all dice are compared", together))
        if mods or size <= int(count[2]) or any(op == "," for op, _ in rest):
            return together
        tree = ["keep", offset, which_dice, count, first]
        for op, right in rest:
            tree = [op, offset, tree, right]
        return make_ambiguous_node(
            offset,
            ("only the first dice are compared, the others are added", tree),
            ("all dice are compared", together),
        )

    def _drop_dice(self, offset: int, which_dice: str, count: Node | None, pool: Node) -> Node:
        return ["drop", offset, which_dice, count or number_node(1), pool]

    def _sum_with_phrases(self, offset: int, first_term: Node, further_terms: list[Any], phrases: list[Any]) -> Node:
        return ["plus", offset, first_term, further_terms, phrases]

    def _pool_in_braces(self, offset: int, *parts: Node) -> Node:
        if len(parts) == 1 and self.dialect != "foundry":  # there a pool of one roll holds its total
            terms = list(_terms_of_sum(parts[0]))
            return ["join", offset, *terms] if len(terms) > 1 and all(has_dice(each) for each in terms) else parts[0]
        return ["join", offset, *(["repeat", offset, number_node(1), part] for part in parts)]

    def _joined_pools(self, offset: int, *parts: Node) -> Node:
        return parts[0] if len(parts) == 1 else ["join", offset, *parts]

    def _number_of_dice_showing(self, offset: int, faces: Any, pool: Node) -> Node:
        return self._count_with_special_faces(offset, pool, faces, [])

    def _count_with_cancelling_faces(self, offset: int, pool: Node, faces: Any, cancelling_faces: Any) -> Node:
        return self._count_with_cancelling_and_exploding(offset, pool, faces, cancelling_faces, None)

    def _count_with_cancelling_and_exploding(
        self, offset: int, pool: Node, faces: Any, cancelling_faces: Any, exploding_faces: Any
    ) -> Node:
        extra = [["minus", cancelling_faces], ["again", exploding_faces]]
        return self._count_with_special_faces(offset, pool, faces, [[kind, what] for kind, what in extra if what])

    def _count_with_special_faces(
        self, offset: int, pool: Node, faces: Any, special_faces: Sequence[Sequence[Any]]
    ) -> Node:
        """Count the dice that show one of the faces.

        ``special_faces``: kinds of other faces, with these faces: they count twice, subtract 1, or bring further dice.
        """
        if faces[0] == "unsaid":  # 5d10 count 7
            exactly, more = (
                self._count_with_special_faces(offset, pool, [["cond", offset, sign, faces[2]]], special_faces)
                for sign in ("==", ">=")
            )
            return make_ambiguous_node(
                offset, ("dice that show exactly that count", exactly), ("higher dice count as well", more)
            )
        for kind, what in special_faces:
            if kind == "again":
                pool = ["explode", offset, "add", what, None, pool]
        steps = [[kind, what] for kind, what in special_faces if kind != "again"]
        return ["gain", offset, _with_explosions_as_own_dice(pool), [["count", faces], *steps]]

    def _every_roll_meets(self, offset: int, roll_count: Node, roll: Node, faces: Any) -> Node:
        return self._yes_every_time(offset, roll_count, ["is", offset, roll, faces])

    def _question_about_several_rolls(
        self, offset: int, combination: str, roll_count: Node, roll: Node, faces: Any
    ) -> Node:
        asked = self._combined_rolls(offset, combination, roll_count, roll)
        return ["is", offset, asked, faces] if faces else asked

    def _sorted_rolls(self, offset: int, roll_count: Node, roll: Node) -> Node:
        return ["sorted", offset, ["repeat", offset, roll_count, roll]]

    def _product_or_sorted_rolls(self, offset: int, roll_count: Node, roll: Node) -> Node:
        """Read ``4d6 drop lowest x 6``, which multiplies the result or asks for six rolls."""
        return make_ambiguous_node(offset, *self._multiplied_or_rolled(offset, roll_count, roll))

    def _sorted_rolls_or_product(self, offset: int, roll_count: Node, roll: Node) -> Node:
        """Read ``6x 4d6 drop lowest``, which asks for six rolls or multiplies the result."""
        return make_ambiguous_node(offset, *reversed(self._multiplied_or_rolled(offset, roll_count, roll)))

    def _multiplied_sum(self, offset: int, roll_count: Node, roll: Node) -> Node:
        """Read ``1d4+1 x3``: arithmetic multiplies its last part, which nobody means if that is a number."""
        operator, place, *parts, last = roll
        last_only = "only the last part is multiplied", [operator, place, *parts, ["*", offset, last, roll_count]]
        whole = self._multiplied_or_rolled(offset, roll_count, roll)
        return make_ambiguous_node(offset, *([last_only, *whole] if has_dice(last) else [*whole, last_only]))

    def _multiplied_or_rolled(self, offset: int, roll_count: Node, roll: Node) -> list[tuple[str, Node]]:
        return [
            ("the result is multiplied", ["*", offset, roll, roll_count]),
            ("it is rolled so many times", self._sorted_rolls(offset, roll_count, roll)),
        ]

    def _best_roll_or_dice(
        self, offset: int, which_roll: str, roll_count: Node, roll: Node, kind_word: str | None
    ) -> Node:
        """Read ``two rolls of 2d6, keep the best``: the best total counts.

        As a second meaning, the best die of each roll counts. ``kind_word``: ``die`` if the question says that a die is
        kept; None if it does not say what is kept.
        """
        best = self._combined_rolls(offset, which_roll, roll_count, roll)
        each = self._sorted_rolls(offset, roll_count, ["keep", offset, which_roll, number_node(1), roll])
        if kind_word == "die":
            return each
        unsaid = kind_word is None and _is_several_dice(roll)
        return (
            make_ambiguous_node(offset, ("one roll counts", best), ("one die of each roll", each)) if unsaid else best
        )

    def _combined_rolls(self, offset: int, combination: str, roll_count: Node, roll: Node) -> Node:
        pool = ["repeat", offset, roll_count, roll]
        if combination == "sorted":
            return ["sorted", offset, pool]
        return ["total", offset, pool] if combination == "sum" else ["keep", offset, combination, number_node(1), pool]

    def _list_or_roll(self, offset: int, *items: Node) -> Node:
        """Read a list. Brackets around a single roll have no effect, because people write [highest 3 of 4d6]."""
        return items[0] if len(items) == 1 and has_dice(items[0]) else ["list", offset, *items]


def _sides_of_several_dice(node: Node) -> int:
    """Return the number of sides if a node is two or more identical dice, else 0."""
    several = node[0] == "dice" and node[2] and node[2][0] == node[3][0] == "n" and int(node[2][2]) > 1
    return int(node[3][2]) if several else 0


def _can_show_all_at_once(pool: Node, faces: Sequence[Node]) -> bool:
    """Return whether a node is identical dice that can show all the given faces at once, each on a different die."""
    sides = _sides_of_several_dice(pool)
    return bool(sides) and len(faces) <= int(pool[2][2]) and all(1 <= int(face[2]) <= sides for face in faces)


def _sides_of_dice(node: Node) -> int:
    """Return the number of sides if a node is one or more identical dice, else 0."""
    return int(node[3][2]) if node[0] == "dice" and node[3][0] == "n" and (not node[2] or node[2][0] == "n") else 0


def _dice_and_numbers(roll: Node, faces: Any) -> tuple[list[Node], list[tuple[str, Node]]] | None:
    """Return the dice of a sum, and its other terms with their signs; None if only the total can be meant.

    ``faces``: the conditions on a face that the question may ask of each die.
    """
    signed, rest = list[tuple[str, Node]](), roll
    while rest[0] in ("+", "-"):
        signed.insert(0, (rest[0], rest[3]))
        rest = rest[2]
    terms = [("+", rest), *signed]
    pool = [each for sign, each in terms if sign == "+" and each[0] == "dice"]
    numbers = [(sign, each) for sign, each in terms if not has_dice(each)]
    several = len(pool) > 1 or bool(pool and _sides_of_several_dice(pool[0]))
    if not several or not numbers or len(pool) + len(numbers) < len(terms):
        return None
    shown = [all(_some_integer_meets(each, 1, _sides_of_dice(die)) for each in faces) for die in pool]
    small = all(0 < _sides_of_dice(die) <= 12 for die in pool)
    return (pool, numbers) if all(shown) or (small and any(shown)) else None


def _constants_compared(condition: Node) -> list[float]:
    """Return the numbers with which a condition compares; an empty list if not all of them are constants."""
    kind, _, *rest = condition
    limits = rest if kind == "range" else rest[1:]
    plain = kind in ("range", "cond") and all(each[0] == "n" for each in limits)
    return [float(each[2]) for each in limits] if plain else []


def _compares_with_die_faces(condition: Node, sides: int) -> bool:
    """Return whether every constant in a condition is a face of a die with ``sides`` sides."""
    return all(1 <= each <= sides for each in _constants_compared(condition))


def _some_integer_meets(condition: Node, least: float, most: float) -> bool:
    """Return whether an integer from ``least`` to ``most`` can meet a condition.

    A condition that compares with anything but constants counts as met.
    """
    limits = _constants_compared(condition)
    if not limits:
        return True
    low, high, sign = limits[0], limits[-1], "==" if condition[0] == "range" else condition[2]
    low = -inf if sign in ("<", "<=", "!=") else low + (sign == ">")
    high = inf if sign in (">", ">=", "!=") else high - (sign == "<")
    return low <= most and high >= least


def _compares_at_most_six(faces: Any) -> bool:
    """Return whether each condition on a face compares it with a number of at most 6."""
    return all(each[0] == "cond" and each[3][0] == "n" and Fraction(each[3][2]) <= 6 for each in faces)


def _has_die_with_face_20(roll: Node) -> bool:
    """Return whether a roll has a die with 20 sides or more."""
    return any(each[0] == "dice" and each[3][0] == "n" and int(each[3][2]) >= 20 for each in walk_nodes(roll))


def _is_several_dice(node: Node) -> bool:
    """Return whether a node is several dice, and not a number."""
    if node[0] in _CHANGES:
        return _is_several_dice(node[-1])
    return (
        _sides_of_several_dice(node) > 0 or node[0] in ("join", "drop") or (node[0] == "keep" and node[3][2:] != ["1"])
    )


def _is_dice(node: Node) -> bool:
    """Return whether a node is dice, and not a number such as a sum."""
    return bool(node[0] in ("dice", "join", "keep", "drop", "explode", "reroll", "clamp", "swap"))


def _is_percentile(node: Node) -> bool:
    """Return whether a node is one die with 100 sides."""
    return bool(node[0] == "dice" and node[3][2:] == ["100"] and (node[2] is None or node[2][2:] == ["1"]))


def _is_d20(node: Node) -> bool:
    """Return whether a node is a single d20, or several d20 of which one is kept."""
    if node[0] == "keep":
        return bool(node[3][2:] == ["1"] and node[4][0] == "dice" and node[4][3][2:] == ["20"])
    return bool(node[0] == "dice" and node[3][2:] == ["20"] and (node[2] is None or node[2][2:] == ["1"]))


def _single_d20(roll: Node) -> Node | None:
    """Return the only d20 of a roll, or the node that keeps one of several; None if there is not exactly one."""
    dice = [each for each in walk_nodes(roll) if _is_d20(each)]
    inner = [below for each in dice if each[0] == "keep" for below in walk_nodes(each[4])]
    outer = [each for each in dice if not any(each is below for below in inner)]
    return outer[0] if len(outer) == 1 else None


def _with_doubled_dice(node: Any) -> Any:
    """Return a roll with twice as many dice."""
    if is_node(node) and node[0] == "dice":
        many = number_node(2) if node[2] is None else ["*", node[1], node[2], number_node(2)]
        return [
            "dice",
            node[1],
            number_node(2 * int(many[2][2])) if many[0] == "*" and many[2][0] == "n" else many,
            node[3],
        ]
    return [_with_doubled_dice(each) for each in node] if isinstance(node, list) else node


def _move_bonus_to_limit(pool: Node, limit: Node) -> tuple[Node, Node]:
    """Return the two sides of a comparison, with the numbers that are added to dice moved to the limit.

    Roll20's ``{3d20+5}>21`` becomes 3d20 and 21 - 5.
    """
    while pool[0] in ("+", "-") and not has_dice(pool[3]):
        pool, limit = pool[2], ["-" if pool[0] == "+" else "+", limit[1], limit, pool[3]]
    return pool, limit


def _at_least_of_trials(offset: int, trials: Node, question: Node, least: Node) -> Node:
    """Return the question whether a question, asked ``trials`` times, is answered yes at least ``least`` times."""
    test = [["cond", offset, "==", number_node(1)]]
    return [">=", offset, ["gain", offset, ["repeat", offset, trials, question], [["count", test]]], least]


def _with_roll_if(offset: int, roll: Node, faces: Any, further_roll: Node | None) -> Node:
    """Return a roll, with another roll added if the roll is one of the faces: ``further_roll``, or the roll itself if None."""
    name: Node = ["name", offset, f"_{next(_names)}"]
    added = ["if", offset, ["is", offset, name, faces], further_roll or roll, number_node(0)]
    return ["let", offset, name[2], roll, ["+", offset, name, added]]


def _sum_of_rolls(offset: int, rolls: list[Node]) -> Node:
    """Return the sum of rolls, whose dice are independent even if two rolls are written alike."""
    return reduce(
        lambda left, right: ["+", offset, left, right], (["repeat", offset, number_node(1), each] for each in rolls)
    )


def _terms_of_sum(node: Node) -> Iterator[Node]:
    """Yield the terms of a sum."""
    if node[0] == "+":
        yield from _terms_of_sum(node[2])
        yield from _terms_of_sum(node[3])
    else:
        yield node


def _with_explosions_as_own_dice(pool: Node) -> Node:
    """Return dice whose explosions count as dice of their own, unless the question says that they add up."""
    return [*pool[:2], "add", *pool[3:]] if pool[0] == "explode" and pool[2] == "word" else pool


_COMPOUNDS: dict[str, Callable[..., list[list[Any]]]] = {
    "hitson": lambda _, many, faces: [["hits", many], ["threshold", faces]],
    "outof": lambda _, many, trials: [["hits", many], ["times", trials]],
    "coins": lambda offset, many, coins: [
        ["hits", many], ["roll", ["dice", offset, coins, ["faces", offset, number_node(0), number_node(1)]]]
    ],
    "noset": lambda _, kind: [["never"], ["set", kind]],
    "counting": lambda _, faces: [["counts"], ["threshold", faces]],  # how many 6s
    "rated": lambda _, first_way, faces: [["rated", first_way], ["threshold", faces]],  # difficulty 7
    "half": lambda offset, sign, many: [
        ["hits", [["cond", offset, sign, ["/", offset, many, number_node(2)]]]], ["times", many]
    ],
    "each": lambda _, many, kind, limit: [["times", many], ["target", kind, limit]],
    "other": lambda offset, faces: [["shown", [["cond", offset, ">=", number_node(1)]], faces]],
    "shownof": lambda offset, many, *faces: [["shown", many, [["cond", offset, "==", each] for each in faces]]],
    "inchance": lambda offset, many, sides: [
        ["roll", ["dice", offset, None, ["n", offset, sides]]], ["total", [["cond", offset, "<=", ["n", offset, many]]]]
    ],
}  # fmt: skip
"""The compound parts of a question: functions that return the two simple parts of each."""

# --- the same dice, written twice

_STATISTICS = ("keep", "drop", "rank", "ranklow", "median", "gain", "shows", "has", "largest", "run", "distinct", "spread",
               "call", "multiplied")  # fmt: skip
_CHANGES = ("explode", "reroll", "clamp", "swap")
_ROLLED_ANEW = ("repeat", "sorted")


def _is_identical_dice(node: Node) -> bool:
    """Return whether a node is identical dice, possibly with explosions, rerolls or changed faces."""
    while node[0] in _CHANGES:
        node = node[-1]
    return bool(node[0] == "dice")


def _dice_uses(node: Any, needs_faces: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield the dice in a node, without places. Yield with them whether the node asks more of them than their total.

    ``needs_faces``: whether a node above asks more of these dice than their total.
    """
    if not isinstance(node, list):
        return
    if is_node(node):
        if _is_identical_dice(node):
            yield without_offsets(node), needs_faces
            return
        if node[0] in _ROLLED_ANEW:
            return
        if node[0] == "given":  # its condition is about the same roll
            yield from _dice_uses(node[2], needs_faces)
            return
        if node[0] == "either":  # one of the ways is meant
            yield from _dice_uses(node[2][1], needs_faces)
            return
        needs_faces = needs_faces or node[0] in _STATISTICS
        if node[0] == "join":  # dice side by side are several, however alike
            yield from dict.fromkeys(found for each in node[2:] for found in _dice_uses(each, needs_faces))
            return
    for each in node:
        yield from _dice_uses(each, needs_faces)


def _with_name_for_dice(node: Any, dice_key: Any, name: str) -> Any:
    if not isinstance(node, list):
        return node
    if is_node(node) and node[0] in _ROLLED_ANEW:
        return node
    if is_node(node) and _is_identical_dice(node) and without_offsets(node) == dice_key:
        return ["name", node[1], name]
    return [_with_name_for_dice(each, dice_key, name) for each in node]


def _first_dice_like(node: Any, dice_key: Any) -> Node:
    return next(each for each in walk_nodes(node) if _is_identical_dice(each) and without_offsets(each) == dice_key)


def _roll_once(node: Node, dice_keys: Iterable[Any]) -> Node:
    """Return a node with dice bound to names, so that dice that occur several times are rolled once.

    ``dice_keys``: the dice, as ``without_offsets`` returns them.
    """
    for what in dice_keys:
        name = f"_{next(_names)}"
        node = ["let", node[1], name, _first_dice_like(node, what), _with_name_for_dice(node, what, name)]
    return node


def _share_dice_of_loop(node: Node) -> Node:
    """Return a loop with two meanings: its dice are rolled in each round, or once for all rounds."""
    one = _roll_once(node, dict.fromkeys(what for what, _ in _dice_uses(node[3])))
    return make_ambiguous_node(
        node[1], ("the dice are rolled for each round", node), ("they are rolled once for all rounds", one)
    )


def _share_dice_in_and_or(node: Any) -> Any:
    """Return a node with equal dice shared in every `and` and `or` below it (see ``_share_equal_dice``)."""
    if is_node(node) and node[0] in ("and", "or"):
        return _share_equal_dice(node)
    return [_share_dice_in_and_or(each) for each in node] if isinstance(node, list) else node


def _compares_equal_operands(node: Node) -> bool:
    """Return whether a node compares two values that are written alike."""
    question = node[2] if node[0] == "given" else node
    return question[0] in _SIGNS and without_offsets(question[2]) == without_offsets(question[3])


def _share_equal_dice(node: Any) -> Any:
    """Return a node with two meanings if the same dice occur twice: they are rolled once, or anew at each occurrence.

    If the dice occur on both sides of `and` or `or`, the shared roll is the first meaning, otherwise the separate
    rolls.
    """
    if not isinstance(node, list):
        return node
    if not is_node(node):
        return [_share_equal_dice(each) for each in node]
    if node[0] in ("and", "or"):
        parts = list(_and_or_operands(node))
        rolled = [{what for what, _ in _dice_uses(part)} for part in parts]
        twice = [what for what in dict.fromkeys(w for part in parts for w, _ in _dice_uses(part))
                 if sum(what in each for each in rolled) > 1]  # fmt: skip
        if twice:
            one = _roll_once(node, twice)
            return make_ambiguous_node(
                node[1], ("the same dice are one roll", one), ("they are rolled anew each time", node)
            )
        return node
    if node[0] in ("let", "either", "query"):
        return [node[0], node[1], *(_share_equal_dice(each) for each in node[2:])]
    inner = _share_dice_in_and_or(node)
    if node[0] == "loop" and node[3] and any(True for _ in _dice_uses(node[3])):
        return _share_dice_of_loop(inner)
    if inner != node or _compares_equal_operands(node):  # nobody compares a roll with itself
        return inner
    seen: dict[Any, list[bool]] = {}
    for what, under in _dice_uses(node):
        seen.setdefault(what, []).append(under)
    twice = [what for what, under in seen.items() if len(under) > 1 and all(under)]
    if twice and node[0] not in _STATISTICS:
        one = _roll_once(node, twice)
        return make_ambiguous_node(
            node[1], ("the dice are rolled anew each time that they stand there", node), ("they are one roll", one)
        )
    return node


def _and_or_operands(node: Node) -> Iterator[Node]:
    for each in node[2:]:
        if is_node(each) and each[0] in ("and", "or"):
            yield from _and_or_operands(each)
        else:
            yield each
