"""Changes to the checker that change nothing that it decides, by the reason. A star stands for any text."""

from __future__ import annotations

import re
from collections.abc import Sequence

REASONS: dict[str, tuple[str, ...]] = {
    "Without the operator, Python says TypeError or asks another one, which is refused as well; only the words differ.": (
        'ruleset.successors.: without item * | _ARITHMETIC = ("add", *',
        'ruleset.successors.: without item * | *("eq", "ne", *',
        'ruleset.successors.: without item * | *("bool", "hash", *',
    ),
    "The rest of an unknown is taken off again with it: what was held before is subtracted.": (
        "ruleset.successors.LinearUnknown.__init__: 0 * 1 | *",
    ),
    "What is paid is a difference, and a sum leaves out parts of 0.": (
        "ruleset.successors.LinearUnknown.__mul__: never | if not factor:",
    ),
    "An unknown number, taken twice, is as unknown.": (
        "ruleset.successors.SuccessorDeriver.position_with_unknowns: 1 + 1 | cells[where] = LinearUnknown(*",
    ),
    "Chances are weights over their sum, whatever their unit and sign.": (
        "ruleset.successors.SuccessorDeriver._weighted_steps_of_action: 1 + 1 | yield 1, step",
        "ruleset.successors.SuccessorDeriver._landing_distribution: Add turned | weights[*",
    ),
    "It counts work for those who ask, and nobody who checks does.": (
        "ruleset.successors.SuccessorDeriver._landing_distribution: * | self.steps += 1",
        "ruleset.successors.SuccessorDeriver.__init__: 0 * 1 | self.game, self.steps = *",
    ),
    "It saves a division of 0.": ("ruleset.successors.SuccessorDeriver.landing: always | turned = *",),
    "What comes after refuses the same files; here it is done sooner, or in better words.": (
        "ruleset.successors.: without item * | UNKNOWN_VALUE_ERRORS = *",
        "ruleset.successors.SuccessorDeriver.landing: * | if any(isinstance(gain, Unknown) for gain in gains):",
        "ruleset.successors.SuccessorDeriver.landing: never | if unknown is not None:",
        "ruleset.successors.SuccessorDeriver.landing: never | if target is None:",
        "proof.rules.canonical_form_from_steps: never | if any(len(each) != game.seats *",
        "proof.values._check_equilibrium: 1 - 1 | seats, count = *",
        "proof.values._check_equilibrium: never | if len(parts) != count:",
        "proof.values._read_equilibrium_subgame: 0 - 1 | leaves.append(*",
        "proof.rules.PrescribedPolicy.__init__: never | if name not in *",
        'proof.rules._game_of_header: never | if given["sha256"] != *',
        "proof.rules._RulesComparison._compare_state: never | if len(derived.landing_distributions) != *",
        "proof.rules._derive_subgames: never | if situation is None:",
        "proof.values.read_header: 1 - 1 | seats, states = *",
    ),
    "The check of values, which comes first, refuses a file without a header.": (
        "proof.rules.compare_table_with_rules: without item 1 | except (*MALFORMED_DATA_ERRORS, StopIteration) as wrong:",
        "proof.rules.compare_plans_with_rules: without item 1 | except (*MALFORMED_DATA_ERRORS, StopIteration) as wrong:",
    ),
    "No effect of the language comes here, which the type checker proves.": (
        "ruleset.successors.*: left out | assert_never(effect)",
    ),
    "A move has two ends, or one of them.": (
        "ruleset.successors._may_add_to_group: And without part 1 | return effect.source is None and *",
    ),
    "A net for what no file of the suite can reach.": ("proof.values.: without item * | MALFORMED_DATA_ERRORS = *",),
    "How much is derived of tables far larger than those of the suite.": (
        "proof.rules.: * | MAX_FULLY_DERIVED = *",
        "proof.rules.: * | SAMPLED_STATES = *",
        "proof.rules._RulesComparison.compare: LtE 0 to Lt | whole = positions <= MAX_FULLY_DERIVED *",
        "proof.rules._RulesComparison.compare: never | size, random = count if whole *",
        "proof.rules._RulesComparison._count_positions: 0 * 1 | lines, positions = *",
        "proof.rules._RulesComparison._count_positions: * | if positions > MAX_FULLY_DERIVED:",
    ),
    "Where there is one row alone, no policy has a choice.": (
        "proof.rules._RulesComparison._compare_state: * | for seat, policy in self.named.items() if len(stated) > 1 else ():",
    ),
    "What no later stage leads to may stay: that takes memory alone.": (
        "proof.values.check_table: left out | table.forget_states(*",
        "proof.values.ValueTable.forget_states: * | *",
        "proof.rules._RulesComparison.compare: 0 * 1 | stages = *",
        "proof.rules._RulesComparison.compare: 0 * 1 | least = min(*",
    ),
    "A number from the first state on is not below 0.": ("proof.values._checked_row: 0 - 1 | by, 0, *",),
    "A header is no position.": ("proof.rules._RulesComparison._count_positions: left out | next(lines)",),
    "It tells how far the work has come.": (
        "proof.rules._RulesComparison.compare: * | if number % 1_000 == 0:",
        "proof.rules._RulesComparison.compare: left out | progress(*",
        "proof.rules.compare_plans_with_rules: Or turned | return _derive_subgames(*",
    ),
    "Where nothing is preferred all are preferred alike.": (
        "proof.rules.PrescribedPolicy.prescribed_index: 0 * 1 | worth = compiled_function(*",
    ),
    "Any number below 0 stands for the end.": (
        "proof.values.ValueTable.row_with_entry_targets: never | (t if *",
        "proof.values.ValueTable.row_with_entry_targets: 0 - 1 | (t if *",
        "proof.values._read_subgame: 1 + 1 | ((found*",
        "proof.values._read_equilibrium_subgame: 1 + 1 | leaves.append(*",
        "proof.rules._leaf_outcome: 1 + 1 | return subgame_indices.get(*",
    ),
    "A row that is played alone is itself, whatever its share.": (
        "proof.values.read_played_shares: 1 * 1 | return {read_whole_number(play_data, 0): 1}",
    ),
    "A limit of memory, far from anything that a file of the suite could hold.": (
        "proof.values.: * | MAX_LINE_BYTES = *",
        "proof.values.: 200 * 1 | MAX_COMPRESSION_RATIO = *",
        "proof.values.: 50000 * 1 | MAX_HEX_DIGITS = *",
        "proof.values.read_long_number: * | if len(text) > MAX_HEX_DIGITS:",
        "proof.values.records: * | if length > MAX_COMPRESSION_RATIO * size:",
        "proof.values.records: 0 * 1 | packed, size = *",
    ),
    "The first look saves the second, slower one, which alone decides.": (
        "proof.values._refuse_deep_nesting: without item 0 | for has_texts in (True, False):*",
        "proof.values._refuse_deep_nesting: True turned | for has_texts in (True, False):*",
        "proof.values._refuse_deep_nesting: never | left, depth = (line if has_texts else *",
    ),
    "No text in UTF-8 has the byte 255.": ("proof.values.: 256 - 1 | NOT_BRACKETS = *",),
    "The suite says from which seed states are sampled.": (
        "proof.rules.compare_table_with_rules: * | certificate, sample_size, *",
    ),
    "The length is counted modulo 2^32, which no file of the suite comes near.": (
        "proof.values.records: 1 + 1 | if packed and rest != *",
        "proof.values.records: 32 * 1 | if packed and rest != *",
    ),
    "Only what is gzipped has a length at its end.": (
        "proof.values.records: always | rest = *",
        "proof.values.records: 0 * 1 | rest = int.from_bytes(*",
    ),
    "The suite gives bytes; other tests give files.": ("proof.values.records: always | with BytesIO(source) *",),
    "Any number beyond those that a file may hold stands for never.": ("proof.values.: * | NEVER_ENDS = *",),
    "Only the sign of the number is asked for.": ("proof.values.read_long_number: 16 + 1 | if not re.fullmatch(*",),
    "A common denominator that is a multiple of the least serves as well.": (
        "proof.values.ValueTable.common_denominator: without test 0 | *{self.*",
        "proof.values.ValueTable.common_denominator: 0 - 1 | *{self.*",
    ),
    "It saves products of 0.": ("proof.values._Subgame.expected_payoffs: And turned | if weight and *",),
    "Nobody asks what is paid where a subgame begins.": ("proof.values._read_subgame: 0 * 1 | worth = *",),
    "Plans that secure both bounds have them in order, if play ends.": (
        "proof.values.check_secret_game: never | if part.lower_bound > part.upper_bound:",
    ),
}
PATTERNS = [pattern for patterns in REASONS.values() for pattern in patterns]
OF_THE_SCRIPT: dict[str, tuple[str, ...]] = {
    "A limit of memory, far from anything that a file of the suite could hold.": (
        ": * | export const MAX_FILE_BYTES = *",
        ": * | const [TEXT, VALUES] = *",
        ": * | const [DENSEST, DEEPEST, MOST] = *",
        ": * | const LONGEST = *",
        "parseHex: * | ensure(value.length <= LONGEST, *",
        "unpackedBytes: * | ensure(file.length <= MAX_FILE_BYTES, *",
        "unpackedBytes: * | ensure((length += value.length) <= most, *",
        "length: * | for (let length = 0; ;) {",
        "parseRecord: * | ensure(bytes.length <= MAX_FILE_BYTES, *",
        "constructor: * | ensure(this.states * this.copies * this.seats <= VALUES, *",
        "checkCertificate: * | for (let end = text.indexOf(10); *",
        "checkCertificate: never | if (error instanceof RangeError)*",
    ),
    "Lists that stand deeper would fill the stack, which is refused as well.": (
        "parseRecord: || only left | if (error instanceof CertificateError || *",
    ),
    "Whatever begins with one of these bytes alone is no text either.": (
        "unpackedBytes: || * | if (file[0] !== 0x1f *",
    ),
    "Chances are weights over their sum, whatever their unit.": ("common: 1n + 1 | const common = rows.reduce(*",),
    "What comes after refuses the same files.": (
        "constructor: 1 - 1 | this.seats = requireWhole(*",
        "constructor: 1 - 1 | this.states = requireWhole(*",
    ),
    "Any number out of range stands for none.": ("seat: 0 - 1 | const seat = *",),
    "Any number below 0 stands for the end.": (
        "entry: * | const entry = target < 0 *",
        "readLeaf: 1 + 1 | after: typeof paid *",
    ),
    "A common denominator that is a multiple of the least serves as well.": (
        "expectedPayoffAfter: * | if (bottom % own) {",
        "factor: / to * | const factor = own / greatestCommonDivisor(bottom, own);",
        "expectedPayoffAfter: never | later += own === bottom *",
        "expectedPayoffAfter: 1n + 1 | let [now, later, bottom] = *",
        "plus: never | const plus = *",
        "bottom: 1n + 1 | let bottom = 1n;",
        "toCommonDenominator: / to * | for (const *",
    ),
    "A row that is played alone is itself, whatever its share.": ("played: always | const played = *",),
    "The farthest counts, and none is nearer than 0.": (
        "end: 0 - 1 | const end = *",
        "worst: 0 - 1 | const worst = *",
    ),
    "Node refuses this by itself. Not every browser does.": (
        "unpackedBytes: left out | ensure(told === text.length, *",
    ),
    "Node 24, which runs the suite, says by itself whether it was asked for this file.": (
        "asked: * | const asked = *",
    ),
    "Of numbers that are the same, either is the least.": ("leastReachableTotal: < to <= | total[*",),
    "Nobody asks for a third seat.": ("sides: * | const sides = *",),
    "Only the sign of the number is asked for.": ("out: 1n + 1 | const out = *",),
    "Plans that secure both bounds have them in order, if play ends.": (
        "checkPlans: left out | ensure(isAtMost(part.low, part.high), *",
    ),
    "It tells how far the work has come.": ("checkCertificate: * | if (line % 200 === 0) onProgress(line, *",),
}
PATTERNS_OF_THE_SCRIPT = [pattern for patterns in OF_THE_SCRIPT.values() for pattern in patterns]


def pattern_of(name: str, patterns: Sequence[str] = PATTERNS) -> str:
    """The pattern by which a change is listed; empty where it is not."""
    return next((each for each in patterns if re.fullmatch(".*".join(map(re.escape, each.split("*"))), name)), "")
