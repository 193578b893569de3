// @ts-check
/** The chat: a command, an entry in the menu of rolls, and cards with answers. */

import { OddsAnswers } from "./answers.mjs";
import { cardContent, plainCardLines } from "./card.mjs";
import { makeButton, makeElement } from "./elements.mjs";
import { questionFromFormula, FormulaError, hasDice } from "./formula.mjs";
import { mayShowToAll, mayUserAsk, mayUserShowToAll, isFormulaVisible, isTotalVisible } from "./sight.mjs";
import { ID, moduleTextKey, localizedText, foundryGame } from "./words.mjs";

/** @typedef {{question: string, total?: number, refused?: string}} Asked `total`: of a roll; `refused`: why there is
 * no answer */
/** @typedef {{asked: Asked[], of?: string}} Flags what a card is about; `of`: the message whose rolls these are */

const COMMAND = /^\s*\/odds(?:\s+([^]*))?$/i;
/** The class of what a card says without this module. */
const PLAIN = "oddsmith-plain";
const MAX_QUESTIONS = 8; // questions of a card
const LONGEST = 2000; // characters of a question

/** The chat of this screen. */
export class OddsChat {
  answers = new OddsAnswers();

  /** Listen to messages and their menus from now on, because Foundry draws the chat before the world is ready. */
  startListening() {
    Hooks.on("renderChatMessageHTML", (message, line) => this.addCard(message, line));
    const menus = /** @type {any} */ (Hooks); // no types know the menu of a message
    menus.on("getChatMessageContextOptions", (/** @type {unknown} */ _log, /** @type {object[]} */ entries) => {
      entries.push(this.#menuEntry());
    });
    Hooks.on("chatMessage", (_log, text) => this.#takeCommand(COMMAND.exec(chatLineText(text))));
  }

  /** Do what needs the world: register the command from generation 14 on, and fill cards that were drawn before. */
  onWorldReady() {
    const { CHAT_COMMANDS: known } = /** @type {any} */ (foundry.applications).sidebar.tabs.ChatLog; // no types of 13
    const fn = (/** @type {string} */ _name, /** @type {RegExpMatchArray} */ said) => this.#takeCommand(said);
    if (known) known[ID] = { rgx: COMMAND, fn };
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-message-id]"))) {
      const message = foundryGame().messages.get(line.dataset.messageId ?? "");
      if (message) this.addCard(message, line);
    }
  }

  /** Answer a line of chat that is our command. Return whether it is left to others.
   * @param {RegExpMatchArray | null} commandMatch */
  #takeCommand(commandMatch) {
    if (commandMatch) void this.ask((commandMatch[1] ?? "").trim()).catch(showError);
    return !commandMatch;
  }

  /** Answer a question for the person at this screen. @param {string} question */
  async ask(question) {
    if (!mayUserAsk()) return void ui.notifications.warn(localizedText("ODDSMITH.Odds.OnlyGM"));
    if (!question) return void ui.notifications.info(localizedText("ODDSMITH.Odds.Usage"));
    await this.#postCard({ asked: [{ question: question.replace(/\s+/g, " ").slice(0, LONGEST) }] }, [
      foundryGame().userId,
    ]);
  }

  /** The entry in the menu of a message. Generation 14 has other names for its parts. */
  #menuEntry() {
    const label = moduleTextKey("ODDSMITH.Odds.Entry");
    const visible = (/** @type {HTMLElement} */ element) => this.#askableRolls(element).length > 0;
    const act = (/** @type {HTMLElement} */ element) => void this.#postOddsOf(element).catch(showError);
    return Number(/** @type {any} */ (foundryGame()).release?.generation ?? 13) < 14
      ? { name: label, icon: '<i class="fa-solid fa-chart-column"></i>', condition: visible, callback: act }
      : {
          label,
          icon: "fa-solid fa-chart-column",
          visible,
          onClick: (/** @type {unknown} */ _event, /** @type {HTMLElement} */ element) => act(element),
        };
  }

  /** The rolls of a message whose odds this person may ask for. @param {HTMLElement} element */
  #askableRolls(element) {
    const { message, line } = messageOf(element);
    if (!message || !line || !mayUserAsk() || validCardFlags(message)) return [];
    return rollsOfMessage(message, line).filter((roll) => hasDice(roll) && isTotalVisible(message, line, roll.total));
  }

  /** Post the odds of a message's rolls. @param {HTMLElement} element */
  async #postOddsOf(element) {
    const { message, line } = messageOf(element);
    const rolls = this.#askableRolls(element).slice(0, MAX_QUESTIONS);
    /** @type {Asked[]} */
    const asked = [];
    let hidden = 0;
    for (const roll of rolls) {
      const each = questionFromRoll(roll);
      if (each.refused || (line && (await isFormulaVisible(line, each.question, this.answers)))) asked.push(each);
      else hidden += 1;
    }
    if (hidden) ui.notifications.warn(localizedText("ODDSMITH.Odds.HiddenFormula"));
    if (asked.length) await this.#postCard({ asked, of: message?.id ?? "" }, [foundryGame().userId]);
  }

  /** Post a card. @param {Flags} flags @param {string[]} recipientIds to whom; to everybody where it is empty */
  async #postCard(flags, recipientIds) {
    const lines = [];
    for (const { question, total = null, refused } of flags.asked)
      lines.push(
        ...(refused ? [question, refused] : plainCardLines(question, await this.answers.answerTo(question), total)),
      );
    const content = lines
      .map((text) => `<p class="${PLAIN}">${escapeFoundryMarks(foundry.utils.escapeHTML(text))}</p>`)
      .join("");
    /** @type {any} */
    const data = {
      author: foundryGame().userId,
      speaker: {},
      rolls: [],
      whisper: recipientIds,
      content,
      flags: { [ID]: flags },
    };
    await ChatMessage.create(data);
  }

  /** Add the card to a message that has one. @param {FoundryMessage} message @param {HTMLElement} messageElement */
  addCard(message, messageElement) {
    const flags = validCardFlags(message);
    const shown = !(/** @type {any} */ (message).whisper?.length);
    if (!flags || (shown && !mayShowToAll(message.author))) return;
    const card = makeElement("div", { class: `oddsmith-card oddsmith-${ID}-card` });
    for (const old of messageElement.querySelectorAll(`.${PLAIN}, .oddsmith-${ID}-card`)) old.remove();
    (messageElement.querySelector(".message-content") ?? messageElement).prepend(card);
    void this.#fillCard(card, flags, shown).catch(showError);
  }

  /** Fill a card with its answers. @param {HTMLElement} card @param {Flags} flags @param {boolean} isPublic to
   * everybody already */
  async #fillCard(card, flags, isPublic) {
    /** @type {Node[]} */
    const content = [];
    for (const { question, total = null, refused } of flags.asked)
      content.push(
        ...(refused
          ? cardContent(question, { wrong: { message: refused, hint: "", at: -1 } }, total)
          : cardContent(question, await this.answers.answerTo(question), total)),
      );
    if (!isPublic && mayUserShowToAll() && this.#canShowToAll(flags))
      content.push(
        makeButton(localizedText("ODDSMITH.Odds.Show"), () => void this.#postCard(flags, []).catch(showError)),
      );
    card.replaceChildren(...content);
  }

  /** Whether a card about a roll may be shown to everybody: all can see that roll. @param {Flags} flags */
  #canShowToAll({ of }) {
    if (of === undefined || foundryGame().user.isGM) return true;
    const message = /** @type {any} */ (foundryGame().messages.get(of));
    return Boolean(message) && !message.whisper?.length && !message.blind;
  }
}

/** The message that an element belongs to. @param {HTMLElement} element */
function messageOf(element) {
  const line = /** @type {HTMLElement | null} */ (element.closest("[data-message-id]"));
  const message = foundryGame().messages.get(line?.dataset.messageId ?? "");
  return { message, line };
}

/** The rolls of a message: its own, and those in its text. @param {FoundryMessage} message @param {HTMLElement}
 * messageElement
 * @returns {FoundryRoll[]} */
function rollsOfMessage(message, messageElement) {
  const inline = [
    .../** @type {NodeListOf<HTMLElement>} */ (messageElement.querySelectorAll(".inline-roll[data-roll]")),
  ];
  const read = inline.flatMap(({ dataset }) => {
    try {
      return [/** @type {any} */ (Roll).fromJSON(unescape(dataset.roll ?? ""))];
    } catch {
      return []; // it is none that the tabletop made
    }
  });
  return [...message.rolls, ...read];
}

/** A roll as a question, or why it cannot be one. @param {FoundryRoll} roll @returns {Asked} */
function questionFromRoll(roll) {
  try {
    return { question: questionFromFormula(roll, /** @type {any} */ (foundry).dice.terms), total: roll.total };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { question: roll.formula, refused: localizedText(error.message, error.data) };
  }
}

/** What a card of ours is about; null if a message has none, or one that this module would not have made.
 * @param {FoundryMessage} message @returns {Flags | null} */
function validCardFlags(message) {
  const flags = /** @type {any} */ (message.flags)[ID];
  if (!Array.isArray(flags?.asked) || flags.asked.length > MAX_QUESTIONS) return null;
  const fits = (/** @type {any} */ each) =>
    typeof each?.question === "string" &&
    each.question.length <= LONGEST &&
    ["undefined", "number"].includes(typeof each.total) &&
    ["undefined", "string"].includes(typeof each.refused);
  return flags.asked.every(fits) ? flags : null;
}

/** The text of a line of chat: from generation 14 on the hook gets HTML. @param {string} chatLine */
function chatLineText(chatLine) {
  if (!/^\s*<p[\s>]/.test(chatLine)) return chatLine;
  const spaced = chatLine.replaceAll("</p>", "</p> ");
  return new DOMParser().parseFromString(spaced, "text/html").body.textContent ?? "";
}

/** Wrap signs in which Foundry could find marks of its own, such as a roll in two brackets.
 * @param {string} html without tags */
const escapeFoundryMarks = (html) => html.replace(/\[|:(?=\/\/)/g, "<span>$&</span>");

/** Report an error, which is a fault of ours. @param {unknown} error */
export function showError(error) {
  console.error(ID, error);
  ui.notifications.error(localizedText("ODDSMITH.Failed"));
}
