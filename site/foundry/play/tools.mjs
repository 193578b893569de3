// @ts-check
/** What stands below a table: the tools of a game master, and apart from them a button with which a player gives up. */

import { opponentsOf } from "../../runtime/table/opponents.mjs";
import { button, selectControl } from "../../runtime/words/controls.mjs";
import { opponentText } from "../../runtime/words/sentences.mjs";
import { makeElement } from "../../runtime/words/view.mjs";
import { makeSettlement, settlementTexts } from "../money/settlement.mjs";
import { isSealed } from "../tables/sealing.mjs";
import { localizedText } from "../world/words.mjs";

/** @typedef {import("../tables/tables.mjs").Position} Position */
/** @typedef {import("../tables/tables.mjs").Rights} Rights */
/** @typedef {import("../world/shapes.mjs").TableRecord} TableRecord */
/** @typedef {import("../world/shapes.mjs").Seat} Seat */
/** @typedef {import("../world/shapes.mjs").Host} Host */
/** @typedef {import("./table.mjs").TableWindow} TableWindow */
/** @typedef {(sendRequest: () => Promise<void>) => Promise<void>} Run makes a request and shows why it failed */

/** Whether the person in a seat is not connected. @param {Host} host @param {Seat} seat */
export function isAbsent(host, { user }) {
  return user !== null && !host.users().some(({ id, active }) => id === user && active);
}

/** What an older window of the authority says, with a button that decides in it. @param {TableWindow["desk"]["tables"]}
 * tables @returns {HTMLElement[]} */
export function elsewhereParts(tables) {
  const decide = button(localizedText("ODDSMITH.DecideHere"), () => tables.decideHere());
  return [makeElement("p", {}, localizedText("ODDSMITH.refused.elsewhere")), decide];
}

/** The sections below a table for this user. @param {TableWindow} tableWindow @param {TableRecord} record
 * @param {Position} position @param {Rights} rights
 * @returns {HTMLElement[]} */
export function toolSections(tableWindow, record, position, rights) {
  const own = rights.yield.map((place) => giveUpButton(tableWindow, record, place));
  const parts = own.length ? [makeElement("div", { class: "od-choices od-give-up" }, ...own)] : [];
  return rights.manage || rights.close ? [managerSection(tableWindow, record, position, rights), ...parts] : parts;
}

/** A button with which a player gives up a seat. @param {TableWindow} tableWindow @param {TableRecord} record
 * @param {number} seat */
function giveUpButton(tableWindow, record, seat) {
  const [title, { name }] = [localizedText("ODDSMITH.Tools.GiveUp"), record.seats[seat]];
  const text = record.stake ? localizedText("ODDSMITH.Tools.GiveUpStake") : localizedText("ODDSMITH.Tools.GiveUpSure");
  const body = { table: record.id, rev: record.rev, seat: seat };
  const ask = () => confirmThenAsk(runOf(tableWindow), title, text, () => tableWindow.desk.tables.send("yield", body));
  return button(title, () => void ask(), { "data-od": `yield ${seat}`, "aria-label": `${title}: ${name}` });
}

/** The tools of the game master, or of the player who opened the table. @param {TableWindow} tableWindow
 * @param {TableRecord} record @param {Position} position @param {Rights} rights */
function managerSection(tableWindow, record, position, rights) {
  const { seats, phase } = record;
  const body = makeElement("div", { class: "od-tools" });
  const mover = phase === "play" && position.state.phase ? seats[position.state.mover] : null;
  if (mover && rights.direct && rights.act && mover.kind === "user" && mover.user !== game.user.id) {
    const text = localizedText("ODDSMITH.Tools.PlayFor", { name: mover.name });
    const moves = [...tableWindow.moveButtons(record, position), standInButton(tableWindow)];
    body.append(
      makeElement(
        "div",
        { role: "group", "aria-label": text, class: "od-choices" },
        makeElement("span", {}, text),
        ...moves,
      ),
    );
  }
  body.append(...unsettledNotes(tableWindow, record, rights));
  const handed =
    rights.direct && phase !== "over" ? [...seats.keys()].filter((place) => seats[place].kind === "user") : [];
  body.append(...handed.map((place) => handOverControls(tableWindow, record, position, place)));
  body.append(...(rights.manage ? showToControls(tableWindow, record) : []));
  const { desk } = tableWindow;
  body.append(
    makeElement(
      "div",
      { class: "od-choices" },
      rights.direct && record.log.length ? tableWindow.requestButton("ODDSMITH.Tools.Undo", "undo") : null,
      isSealed(record) && phase !== "over"
        ? null
        : button(localizedText("ODDSMITH.Tools.Transcript"), () =>
            tableWindow.runRequest(() => desk.saveTranscript(record.id)),
          ),
      rights.close
        ? button(localizedText("ODDSMITH.Tools.Close"), () => void confirmClosing(desk, record, runOf(tableWindow)))
        : null,
    ),
  );
  const remember = () => (tableWindow.toolsOpen = details.open);
  const summary = makeElement("summary", { "data-od": "tools" }, localizedText("ODDSMITH.Tools.Title"));
  const details = makeElement("details", { open: tableWindow.toolsOpen, ontoggle: remember }, summary, body);
  return details;
}

/** A button that lets a non-player make one move for the seat to move. @param {TableWindow} tableWindow */
export function standInButton(tableWindow) {
  return tableWindow.requestButton("ODDSMITH.Tools.Stand", "stand", {}, "stand");
}

/** Notes on payments that a person must look after: refused by somebody's purse, or begun by a game master who left.
 * @param {TableWindow} tableWindow @param {TableRecord} record @param {Rights} rights */
function unsettledNotes(tableWindow, record, rights) {
  const { open } = settlementTexts(
    rights.manage ? makeSettlement(tableWindow.desk.tables.host, record, "back", []) : null,
  );
  return open.map((text) => makeElement("p", { role: "note" }, text));
}

/** Controls that give a seat to a non-player. @param {TableWindow} tableWindow @param {TableRecord} record
 * @param {Position} position @param {number} seat */
function handOverControls(tableWindow, record, { loadedGame }, seat) {
  const { tables } = tableWindow.desk;
  const text = localizedText("ODDSMITH.Tools.HandTo", {
    name: record.seats[seat].name || localizedText("ODDSMITH.Lobby.Free"),
  });
  const begun = record.phase !== "lobby";
  const options = opponentsOf(loadedGame.setting).map(
    (one, i) => /** @type {const} */ ([String(i), opponentText(loadedGame.setting, one, seat, begun)]),
  );
  const select = selectControl(options, "0", () => {}, { "aria-label": text });
  const give = () =>
    tables.send("hand", { table: record.id, rev: record.rev, seat: seat, skill: Number(select.value) });
  const hand = button(localizedText("ODDSMITH.Tools.Hand"), () => tableWindow.runRequest(give), {
    "data-od": `hand ${seat}`,
  });
  return makeElement("div", { class: "od-hand" }, makeElement("span", {}, text), select, hand);
}

/** Controls that open the table on the screens of other users. @param {TableWindow} tableWindow @param {TableRecord}
 * record */
function showToControls(tableWindow, record) {
  const { tables } = tableWindow.desk;
  const others = tables.host.users().filter(({ id, active }) => active && id !== game.user.id);
  if (!others.length) return [];
  const text = localizedText("ODDSMITH.Tools.ShowTo");
  const people = others.map(({ id, name }) => /** @type {const} */ ([id, name]));
  const select = selectControl([["", localizedText("ODDSMITH.Tools.Everybody")], ...people], "", () => {}, {
    "aria-label": text,
  });
  const chosen = () => others.flatMap(({ id }) => (!select.value || select.value === id ? id : []));
  const show = button(localizedText("ODDSMITH.Tools.Show"), () => tables.showTo(record.id, chosen()), {
    "data-od": "show",
  });
  return [makeElement("div", { class: "od-hand" }, makeElement("span", {}, text), select, show)];
}

/** How a window makes a request. @param {TableWindow} tableWindow @returns {Run} */
const runOf = (tableWindow) => (sendRequest) => tableWindow.runRequest(sendRequest);

/** Close a table after the user has confirmed it. @param {Pick<TableWindow["desk"], "tables">} desk
 * @param {TableRecord} record @param {Run} run */
export function confirmClosing({ tables }, record, run) {
  const text =
    record.phase === "over" ? localizedText("ODDSMITH.Tools.CloseOver") : localizedText("ODDSMITH.Tools.CloseRunning");
  const close = () => tables.send("close", { table: record.id, rev: record.rev });
  return confirmThenAsk(run, localizedText("ODDSMITH.Tools.Close"), text, close);
}

/** Make a request that cannot be undone, after the user has confirmed it. @param {Run} run @param {string} title
 * @param {string} text without marks of HTML @param {() => Promise<void>} sendRequest */
async function confirmThenAsk(run, title, text, sendRequest) {
  const options = { window: { title }, content: `<p>${text}</p>`, rejectClose: false };
  if (await foundry.applications.api.DialogV2.confirm(options)) await run(sendRequest);
}
