// @ts-check
/** The sentences that all hosts share, and how a host translates them. The words of a ruleset are data, in its play
 * file. */

/** By key; a name in braces is put in. The generator of Foundry modules reads the text between the outer braces as
 * JSON. */
// JSON has its keys in quotes and no comma at the end, so the layout of the formatter would not do.
// prettier-ignore
export const ENGLISH = {
  "you": "you",
  "other": "the other player",
  "next": "the next player",
  "previous": "the previous player",
  "later": "the player {number} seats on",
  "player": "player {number}",
  "sided": "{name} ({side})",
  "youAre": "You are the",
  "namesake": "{name} (seat {number})",
  "yours": "your {thing}",
  "theirs": "{name}’s {thing}",
  "inUnits": "{thing} ({unit})",
  "oneOf": "{thing}: {item}",

  "yes": "yes",
  "no": "no",
  "none": "none",
  "noDice": "no dice",
  "covered": "covered",
  "coveredThrow": "{name}: a roll that stays covered.",
  "coveredDraw": "{name}: a draw that stays covered.",
  "coveredChoice": "{name}: a choice that stays covered.",
  "passTo": "Pass the screen to {name}. Nobody else may look now.",
  "look": "I am {name}: show what I see",
  "drawForMe": "Draw for me",
  "drawn": "drawn",
  "howOften": "How often",
  "brings": "Brings",
  "never": "never",
  "planLeft": "Best play would not have come here, so it names no chances. What each action brings is against best play.",
  "planMet": "Best play of the others would not have come here, so there is no number for what an action brings.",
  "planNowhere": "Best play of neither side would have come here, so nothing can be said of what is best.",
  "touchDice": "{name}: touch the dice for “{part}”.",
  "copied": "Copied",
  "copyByHand": "Copy the marked text",
  "point": ".",
  "comma": ",",

  "chose": "{name}: {what}.",
  "youChose": "You: {what}.",
  "rolled": "{name} rolls {fell}.",
  "rolledThen": "{name} rolls {fell}: {story}.",
  "youRolled": "You roll {fell}.",
  "youRolledThen": "You roll {fell}: {story}.",
  "drew": "{name} draws {fell}.",
  "drewThen": "{name} draws {fell}: {story}.",
  "youDrew": "You draw {fell}.",
  "youDrewThen": "You draw {fell}: {story}.",

  "toMove": "{name} – to move",
  "out": "{name} (out)",
  "terms": "What these words mean",
  "sounds": "Sounds",

  "roll": "Roll",
  "draw": "Draw",
  "guest": "Player {number} ({play})",
  "yourTurn": "Your turn: {phase}.",
  "turnOf": "It is {name}’s turn.",
  "follows": "Nothing to decide: {what}.",

  "wins": "{name} wins.",
  "shareWin": "{names} share the win.",
  "paid": "{name} {paid}",
  "result": "{objective}: {each}.",
  "gameOver": "The game is over. {result}",
  "stuck": "The rules do not go on from here at this size. The game ends without a result.",

  "adviceBest": "Best:",
  "adviceTie": "Equally good:",
  "adviceOnly": "Only {what} is possible.",
  "adviceUnknown": "Best play never comes to this position, so there is no advice for it.",
  "adviceTooLarge": "This is best play. What each action is worth is left out, because the game has too many positions.",
  "adviceProven": "Proven. Each number is rounded once, at its last digit.",

  "range": "{name} ({min} to {max})",
  "unsolved": "This setting was not solved, so it has no odds and no advice. The program plays a non-player in a way that the rules name, or at random.",
  "unsolvedDice": "This setting was not solved, so it has no odds.",
  "adviceElsewhere": "With secrets, everybody plays a seat of their own. The advice is on the game’s page.",

  "action": "Action",
  "worth": "Worth from here",
  "costs": "Costs",
  "best": "best",
  "least": "under {amount}",
  "ranking": "What the actions are worth",
  "percent": "{number}\u00a0%",
  "points": "{number} percentage points",
  "amount": "{number} {unit}",

  "faces": "faces, with spaces",
  "isOut": "Out: {name}",

  "onePlayer": "One player",
  "players": "{number} players",
  "rules": "{players}: {rules}",
  "for": "for “{objective}”",

  "playsBest": "Best play",
  "playsAlong": "Plays along",
  "playsSteadily": "Best play, {top} of {bottom} times",
  "playsAnything": "Any legal action",
  "playsFor": "{play}: {odds}",
  "toWin": "{amount} to win, {grade}",
  "chance": "{amount}, {grade}",
  "mean": "{amount} on average, {grade}",
  "andPot": "{odds}; {amount} of the pot, {grade}",
  "under": "under {amount}",
  "over": "over {amount}",
  "exact": "exact",
  "proven": "proven"
};

/** @typedef {keyof typeof ENGLISH} Key */
/** @typedef {Record<string, string | number>} Data what goes into the places in braces */

/** Remove full stops that follow another end mark, which inserted text may bring.
 * @param {string} text */
export function withoutDoubleStops(text) {
  return text.replace(/([?!…]|\.{3}|(?<!\.)\.)\.(?=$|[\s)”’"])/g, "$1");
}

/** Fill the places in braces with data. @param {string} text @param {Data} [data] */
export function fillIn(text, data = {}) {
  return withoutDoubleStops(text.replace(/\{(\w+)\}/g, (_, name) => String(data[name])));
}

/** @param {Key} key @param {Data} data @returns {string} */
let englishSentence = (key, data) => fillIn(ENGLISH[key], data);

/** The sentence of a key in the language of the host, with data filled in. @param {Key} key @param {Data} [data] */
export function sentenceText(key, data = {}) {
  return withoutDoubleStops(englishSentence(key, data));
}

/** Set the function that translates all sentences from now on. @param {(key: Key, data: Data) => string} translate */
export function setTranslation(translate) {
  englishSentence = translate;
}

/** A name of a ruleset with spaces for underscores and hyphens. @param {string} name */
export function readableName(name) {
  return name.replace(/[_-]/g, " ");
}

/** A text with a capital letter first. @param {string} text */
export function capitalized(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A whole number with separators, such as 10,000. @param {number} number */
export function groupDigits(number) {
  return String(number)
    .replace(/^-/, "−")
    .replace(/\B(?=(\d{3})+$)/g, sentenceText("comma"));
}

/** A decimal number with its unit: percent for a share or a chance, else the unit of the setting.
 * @param {string} numberText @param {{share: boolean, chance?: boolean, unit: string}} setting
 * @param {"percent" | "points"} [percentStyle] */
export function measuredText(numberText, { share, chance, unit }, percentStyle = "percent") {
  const digits = numberText.replace("-", "−").replace(".", sentenceText("point"));
  const size = share || chance ? sentenceText(percentStyle, { number: digits }) : digits;
  return share || !unit || (percentStyle === "points" && chance)
    ? size
    : sentenceText("amount", { number: size, unit });
}
