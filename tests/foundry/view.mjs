// A table in play, in the module's windows and cards: what it shows and what can be done there.

import {
  choices,
  click,
  created,
  gone,
  grave,
  job,
  page,
  play,
  reload,
  rolls,
  show,
  tabTo,
  textOf,
  textsOf,
  toDecision,
  until,
  wide,
} from "./driver.mjs";

/** A choice that was to be seen long enough to be read. */
const READ = ".od-choices:not([data-unread]) [data-od=choice]";

/** Waits for a move of the player, or the end of the game; says whether there is a move. */
const canMove = async () => {
  const next = await until((read) => {
    const tables = Object.values(window.probe.world.settings.get("tables").tables);
    if (tables.some(({ phase }) => phase === "over")) return "over";
    return document.querySelector(`${read}:not([aria-disabled=true])`) && "move";
  }, READ);
  return (await next.jsonValue()) === "move";
};

await show({
  /** A game master makes a table and plays it to its end without a mouse. */
  async keyboard() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const dialog = { serious: await grave(), text: await textOf("form"), wide: await wide() };
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-new.png"), fullPage: true });
    await tabTo("[data-od=create]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("[id^=tavern-table]");
    await until(() => document.querySelector(".od-turn")?.innerText);
    await page.waitForSelector(READ);
    await tabTo(READ);
    await page.keyboard.press("Enter");
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    await play();
    return {
      dialog,
      focus: await page.evaluate(() => document.activeElement.innerText),
      turn: await textOf(".od-turn"),
      lines: (await textsOf(".od-log li")).length,
      cards: await textsOf("#chat li"),
    };
  },
  /** A game master lays a quick game and plays it to its end with one finger. */
  async touch() {
    await page.evaluate(() => window.probe.module.api.open());
    await (await page.waitForSelector("#tavern-hall [data-od='quick pig']")).tap();
    await page.waitForSelector("[id^=tavern-table] .od-board");
    while (await canMove()) {
      await (await page.$(READ)).tap();
    }
    await until(() => [...document.querySelectorAll(".od-choices button")].some((one) => one.innerText === "Rematch"));
    return { turn: await textOf(".od-turn"), lines: (await textsOf(".od-log li")).length };
  },
  /** All that people read of a game: the list, the form of a new table, the table while it is played, and the chat. */
  async everyWord() {
    const read = [];
    const look = async (/** @type {string} */ part) => read.push(await textOf(part));
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    await look("#tavern-new");
    await page.evaluate(() => window.probe.module.api.open());
    const game = `#tavern-hall [data-od='quick ${job.game}']`;
    await page.waitForSelector(game);
    await look("#tavern-hall");
    await page.click(game);
    await toDecision();
    await page.click("summary[data-od=advice]");
    await page.waitForSelector(".od-advice .od-say");
    await page.click("summary[data-od=tools]");
    await look("[id^=tavern-table]");
    while (await canMove()) {
      await page.click(READ);
      await look("[id^=tavern-table]");
    }
    await until(() => document.querySelectorAll(".od-choices button:not([data-od=choice])").length);
    await look("[id^=tavern-table]");
    await look("#chat");
    return { read };
  },
  /** What a table shows in the middle of a game, with advice open. */
  async middle() {
    await created(job.game ?? "pig", job.seats ?? ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.click("summary[data-od=advice]");
    await page.waitForSelector(".od-advice .od-say");
    await page.click("summary[data-od=tools]");
    return {
      advice: await textOf(".od-advice"),
      dice: await page.evaluate(() => document.querySelectorAll("#chat .od-turn-story svg.od-die").length),
      blocks: await page.evaluate(() => {
        const { me, world } = window.probe;
        const turns = [...world.messages.values()].filter(({ rolls }) => rolls.length);
        for (const message of turns) {
          message.content = ""; // as of a version before this one
          me.hook("updateChatMessage", me.message(message));
        }
        return [turns.length, document.querySelectorAll("#chat .dice-roll").length];
      }),
      choices: await choices(),
      tools: await textOf(".od-keeper"),
      title: await textOf(".window-title"),
    };
  },

  /** Payments that went wrong are told to the game master. */
  async unpaid() {
    await created("pig", ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.evaluate(() => {
      const world = window.probe.world.settings.get("tables");
      const [record] = Object.values(world.tables);
      const payment = { key: "pay 0 0", seat: 0, user: "gm", actor: null, amount: 9 };
      const states = ["refused", "unsure", "done", "refused", "done"]; // the fourth was made good by the fifth
      record.chips.payments = states.map((state, i) => ({ ...payment, key: `pay 0 ${Math.min(i, 3)}`, state }));
      record.chips.payments.push({ ...payment, key: "stake 9", amount: -9, state: "refused" }); // nobody lost anything
      window.probe.me.hook("userConnected");
    });
    const found = await page.waitForFunction(
      () => {
        const notes = [...document.querySelectorAll(".od-tools [role=note]")].map((one) => one.textContent);
        return notes.length ? notes : null;
      },
      { timeout: 5000 },
    );
    return { unpaid: await found.jsonValue() };
  },

  /** Cards that a player forges stay what he wrote; a game master's tell of a table that is gone. */
  async forged() {
    await page.evaluate(async () => {
      const { ann, gm } = window.probe.clients;
      const flags = (card) => ({
        tavern: {
          card,
          table: "gone",
          rev: 1,
          transcript: { payoffs: { gold: ["9", "1"] }, names: ["Ann", "Keeper"] },
        },
      });
      for (const card of ["end", "invitation"])
        await ann.globals.ChatMessage.create({ content: "Forged", flags: flags(card) });
      await gm.globals.ChatMessage.create({ content: "Played", flags: flags("end") });
    });
    await until(() => document.querySelector("#chat li:nth-child(3) .oddsmith-card p"));
    return { cards: await textsOf("#chat li") };
  },

  /** The game master opens the world once more: this window only looks on. */
  async elsewhere() {
    await created("pig", ["gm", "npc"], { stake: 0 });
    await toDecision();
    await page.evaluate(() => {
      const newer = window.probe.world.client("gm", 4);
      newer.globals.game.socket.emit("module.tavern", { v: 1, t: "newer" }, { recipients: ["gm"] });
    });
    await until(() => !document.querySelector(".od-banner").hidden);
    const found = { banner: await textOf(".od-banner"), choices: await choices(), tools: await textOf(".od-keeper") };
    await page.evaluate(() => window.game.oddsmith.modules.get("tavern").face.openHall());
    await click("Decide here", "#tavern-hall");
    await until(() => document.querySelector("[id^=tavern-table] .od-banner").hidden);
    await until(() => !document.querySelector("#tavern-hall .od-banner"));
    return { ...found, here: await choices() };
  },

  /** A player joins by the card in the chat; the game master has the table started. */
  async joins() {
    await created("pig", ["ann", "npc"], { advice: job.advice });
    await click("Join", "#chat");
    await until(() => document.querySelector(".od-seats")?.innerText.includes("sits at the table"));
    const lobby = await textOf(".od-window");
    await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all()[0].id }));
    await until(() => document.querySelector(".od-board"));
    await toDecision();
    return {
      lobby,
      choices: await choices(),
      turn: await textOf(".od-turn"),
      text: await textOf(".od-window"),
      forged: await page.evaluate(() => window.probe.world.denied),
    };
  },

  /** A table was opened while a player was away; he logs in, joins by the card, and loads the page again in play. */
  async late() {
    await gone("ann", true);
    await created("pig", ["ann", "npc"]);
    await reload();
    await until(() => document.querySelector("#chat .oddsmith-card p"));
    const invited = await textsOf("#chat li button");
    await click("Join", "#chat");
    await until(() => document.querySelector(".od-seats")?.innerText.includes("sits at the table"));
    await page.evaluate(() => window.keeper.send("start", { table: window.keeper.all()[0].id }));
    await until(() => document.querySelector(".od-board"));
    await toDecision();
    await reload();
    await until(() => document.querySelector("#chat .od-turn-story svg.od-die"));
    await page.evaluate(() => window.probe.drawLog()); // as where the log is moved to a window of its own
    await until(() => document.querySelector("#chat .od-turn-story svg.od-die"));
    return { invited, again: await textsOf("#chat li button"), cards: await textsOf("#chat .oddsmith-card") };
  },

  /** The chat stays at its end, whatever its cards say later, unless somebody reads further up. */
  async atTheEnd() {
    await page.evaluate(() => window.probe.world.settings.set("pause", 0));
    await created("piglet", ["npc", "npc"], { stake: 0, advice: "gm" });
    const filled = () => [...document.querySelectorAll("#chat li button")].some((one) => one.innerText === "Rematch");
    const left = () => {
      const { scrollHeight, scrollTop, clientHeight } = document.querySelector("#log");
      return { below: scrollHeight - scrollTop - clientHeight, hidden: scrollHeight - clientHeight };
    };
    await until(filled);
    const end = await page.evaluate(left);
    await page.evaluate(() => (document.querySelector("#log").scrollTop = 0));
    await page.evaluate(() => window.probe.me.hook("userConnected")); // cards are filled anew
    await until(filled);
    return { end, read: await page.evaluate(left) };
  },

  /** A game ended; the game master loads the page again, and the end still offers a rematch. */
  async reloadsAtTheEnd() {
    await page.evaluate(() => window.probe.world.settings.set("pause", 0));
    await created("piglet", ["npc", "npc"], { stake: 0, advice: "gm" });
    const ended = () => [...document.querySelectorAll("#chat li button")].some((one) => one.innerText === "Rematch");
    await until(ended);
    await reload();
    await until(ended);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll(".chat-message")].map((one) => one.querySelectorAll(".oddsmith-card").length),
    );
    await click("Rematch", "#chat");
    await until((before) => document.querySelectorAll(".chat-message").length > before, shown.length); // its invitation
    return { shown };
  },

  /** Somebody looks on: the board and the story, and nothing to press. */
  async looksOn() {
    await created("pig", ["npc", "npc"]);
    await click("Open the table", "#chat");
    await until(() => document.querySelectorAll(".od-log li").length > 3);
    await click("Rules");
    const opened = await page.evaluate(() => window.probe.opened);
    return {
      opened,
      buttons: await textsOf("[id^=tavern-table] .window-content button"),
      board: await textOf(".od-board"),
    };
  },

  /** No game master: the table waits, and one can practise meanwhile. */
  async practice() {
    await created("pig", ["ann", "npc"]);
    await click("Open the table", "#chat");
    await gone("gm", true);
    await until(() => !document.querySelector(".od-banner")?.hidden);
    const banner = await textOf(".od-banner");
    const before = await page.evaluate(() => JSON.stringify([...window.probe.world.settings]));
    await click("Practise alone");
    for (let i = 0; i < 300 && (await choices()).length; i++) {
      await page.evaluate(() => document.querySelector(".od-choices [data-od=choice]").click());
      await new Promise((done) => setTimeout(done, 15));
    }
    const result = {
      banner,
      running: await textOf(".od-banner"),
      turn: await textOf(".od-turn"),
      lines: (await textsOf(".od-log li")).length,
    };
    const same = before === (await page.evaluate(() => JSON.stringify([...window.probe.world.settings])));
    await gone("gm", false);
    await until(() => document.querySelector(".od-banner").hidden);
    return { ...result, same, back: await textOf(".od-window") };
  },

  /** Undo, hand over, transcript, close and rematch, by the game master. */
  async tools() {
    await created("pig", ["gm", "ann"]);
    await page.click("summary[data-od=tools]");
    const lobby = await textOf(".od-seats");
    await page.evaluate(() => document.querySelector("[data-od='hand 1']").click());
    await until(() => document.querySelector(".od-seats")?.innerText.includes("Non-player"));
    await click("Start the game");
    await toDecision();
    const before = (await textsOf(".od-log li")).length;
    await click("Undo the last move");
    await until((lines) => document.querySelectorAll(".od-log li").length < lines, before);
    const after = (await textsOf(".od-log li")).length;
    await click("Save the transcript");
    await until(() => window.probe.saved.length);
    const saved = await page.evaluate(() => window.probe.saved[0]);
    await click("Close the table");
    await until(() => document.querySelector(".od-turn").innerText.includes("broken off"));
    const broken = await textOf(".od-turn");
    await click("Rematch");
    await until(
      () =>
        document.querySelectorAll("[id^=tavern-table]").length &&
        [...document.querySelectorAll("button")].some((one) => one.innerText === "Go to the rematch"),
    );
    const old = await page.evaluate(() => document.querySelector("[id^=tavern-table]").id);
    await click("Go to the rematch");
    await until((id) => {
      const windows = [...document.querySelectorAll("[id^=tavern-table]")];
      return windows.length === 1 && windows[0].id !== id;
    }, old);
    return { lobby, before, after, saved, broken };
  },

  /** The module was renewed, and a table has other rules than it: what can still be done there, from which list. */
  async otherRules() {
    await created("pig", ["gm", "npc"]);
    await toDecision();
    await page.evaluate(() => {
      const { settings } = window.probe.world;
      const world = structuredClone(settings.get("tables"));
      for (const record of Object.values(world.tables)) record.rules = "0".repeat(64);
      settings.set("tables", world);
    });
    await reload();
    await page.evaluate(() => window.probe.module.api.open());
    await page.waitForSelector("#tavern-hall [data-od^=close]");
    const listed = await textsOf("#tavern-hall li button");
    const medal = await page.evaluate(
      () => getComputedStyle(document.querySelector("#tavern-hall li"), "::before").content,
    );
    await click("Open", "#tavern-hall");
    await until(() => document.querySelector("[id^=tavern-table] .od-turn")?.innerText);
    const shown = [
      await textOf("[id^=tavern-table] .od-turn"),
      ...(await textsOf("[id^=tavern-table] .od-window button")),
    ];
    const cards = await textsOf("#chat .oddsmith-card");
    await click("Close the table", job.within);
    await until(() => Object.values(window.probe.world.settings.get("tables").tables)[0].phase === "over");
    const { chips } = await page.evaluate(() => Object.values(window.probe.world.settings.get("tables").tables)[0]);
    await click("Close the table", job.within);
    await until(() => document.querySelector("[id^=tavern-table] .od-turn").innerText.includes("has been closed"));
    return {
      listed,
      medal,
      shown,
      cards,
      paid: chips.payments.map(({ amount }) => amount),
      list: await textOf("#tavern-hall"),
    };
  },

  /** A window is detached into a document of its own, and drawn anew there. */
  async detached() {
    await created("pig", ["gm", "npc"]);
    await toDecision();
    await page.evaluate(() => {
      const { contentDocument } = document.body.appendChild(document.createElement("iframe"));
      contentDocument.body.append(document.querySelector("[id^=tavern-table]"));
      window.probe.DialogV2.documents.push(contentDocument);
      window.detached = contentDocument;
      for (let i = 0; i < 2; i++) window.probe.me.hook("userConnected");
    });
    await until(() => window.detached.adoptedStyleSheets.length);
    await new Promise((done) => setTimeout(done, 100));
    const found = await page.evaluate(() => {
      const [here, there] = [document, window.detached].map((one) => one.adoptedStyleSheets.length);
      const { borderTopWidth } = window.detached.defaultView.getComputedStyle(
        window.detached.querySelector(".od-felt"),
      );
      document.querySelector("iframe").remove();
      return { sheets: [here, there], border: borderTopWidth };
    });
    return found;
  },

  /** Enter is pressed before new choices can be read, and held down until the next ones are there. */
  async hasty() {
    await created("pig", ["gm", "npc"]);
    await toDecision();
    await page.waitForSelector(READ);
    const pressed = () => page.evaluate(() => window.pressed);
    await page.evaluate(() => {
      window.pressed = 0; // what came through to the buttons
      document.addEventListener("click", () => (window.pressed += 1));
      document.querySelector(".od-window > .od-choices").dataset.unread = ""; // as if they were new
      [...document.querySelectorAll(".od-choices [data-od=choice]")].at(-1).focus();
    });
    await page.keyboard.press("Enter");
    const early = await pressed();
    await page.click(".od-choices [data-od=choice]");
    const clicked = await pressed();
    const lines = (await textsOf(".od-log li")).length;
    await page.evaluate(() => {
      const choices = document.querySelector(".od-window > .od-choices");
      delete choices.dataset.unread;
      window.marked = false;
      const see = () => (window.marked ||= choices.dataset.unread !== undefined);
      new MutationObserver(see).observe(choices, { attributeFilter: ["data-unread"] });
    });
    await page.evaluate(() => [...document.querySelectorAll(".od-choices [data-od=choice]")].at(-1).focus());
    await page.keyboard.down("Enter");
    await until((before) => document.querySelectorAll(".od-log li").length > before, lines);
    await until(() => window.marked);
    await page.waitForSelector(READ);
    await page.evaluate(() => document.querySelector(".od-choices [data-od=choice]").focus());
    await page.keyboard.down("Enter"); // held
    return { early, clicked, held: await pressed() };
  },

  /** How the board names what is so, and what is not. */
  async flags() {
    return page.evaluate(async () => {
      const { drawVariable } = await import("/modules/tavern/scripts/runtime/words/pieces.mjs");
      const board = document.querySelector("main").appendChild(document.createElement("div"));
      board.className = "od-board";
      const drawn = [true, false].map((value) => {
        const line = {
          kind: "flag",
          label: "the dragon is full",
          members: [{ of: "", value }],
          values: value ? "yes" : "no",
        };
        const place = board.appendChild(document.createElement("dl"));
        place.className = "od-board-common";
        place.append(drawVariable(null, line, new Map(), ""));
        const { textDecorationLine } = getComputedStyle(place.querySelector("dt"));
        return [place.innerText.trim(), place.querySelector("[role=img]").ariaLabel, textDecorationLine];
      });
      board.remove();
      return { drawn };
    });
  },

  /** What somebody can do to another player names that player. */
  async names() {
    await created("hot-purse", ["gm", "gm", "gm"], { stake: 0 });
    await until(() => {
      const now = [...document.querySelectorAll(".od-window > .od-choices [data-od=choice]")];
      if (now.at(-1)?.innerText !== "Shrug") now[0]?.click();
      return now.at(-1)?.innerText === "Shrug";
    });
    const named = await choices();
    await click(named[0]);
    await until(() => [...document.querySelectorAll(".od-log li")].some((one) => one.innerText.includes(": Rob")));
    return { choices: named, told: (await textsOf(".od-log li")).filter((line) => line.includes(": Rob")) };
  },

  /** A window that is opened while dice roll does not tell them either; one that is opened later asks about none. */
  async opensLate() {
    await rolls();
    await created("pig", ["gm", "npc"]);
    await click("Roll", "[id^=tavern-table]");
    await until(() => Object.values(window.probe.world.settings.get("tables").tables)[0].log.length > 0);
    const again = async () => {
      await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
      await page.evaluate(() => window.probe.module.api.open());
      await new Promise((done) => setTimeout(done, 200));
    };
    await again();
    const during = (await textsOf(".od-log li")).length;
    await page.evaluate(() => window.land());
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    const asked = await page.evaluate(() => window.probe.me.waitedFor);
    await again();
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    return { during, asks: (await page.evaluate(() => window.probe.me.waitedFor)) - asked };
  },

  /** Whoever has a picture is seen beside his name, in the lobby and in play. */
  async portraits() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    await page.click("[data-od=create]");
    const pictures = (place) =>
      page.evaluate(
        (where) =>
          [...document.querySelectorAll(`${where} > li`)].map((one) => [
            one.querySelectorAll("img[alt='']").length,
            one.querySelector("strong").innerText,
          ]),
        place,
      );
    await page.waitForSelector("[id^=tavern-table] .od-seats img");
    const lobby = await pictures("[id^=tavern-table] .od-seats");
    await click("Join", "[id^=tavern-table]");
    await click("Start the game");
    await page.waitForSelector(".od-board-seats img");
    const faces = await page.$$eval(".od-board-seats img", (all) =>
      all.map((one) => one.getBoundingClientRect().width),
    );
    return { lobby, play: await pictures(".od-board-seats"), faces };
  },

  /** The window does not tell what dice show that still roll. */
  async rolling() {
    await rolls();
    await created("pig", ["gm", "npc"]);
    await click("Roll", "[id^=tavern-table]");
    await until(() => Object.values(window.probe.world.settings.get("tables").tables)[0].log.length > 0);
    await new Promise((done) => setTimeout(done, 200));
    const during = [(await textsOf(".od-log li")).length, (await textsOf("#chat .od-turn-story li")).length];
    await page.evaluate(() => window.land());
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    return { during };
  },

  /** Everything that the module's own tests in Foundry would say. */
  async selfTest() {
    return { checked: await page.evaluate(() => window.probe.module.api.selfTest()) };
  },
});
