// Uses two of our modules in one world, in headless Chromium on tests/foundry/page.html, and cards, purses and windows
// of their own.
//
// The page has the module "tavern" (pig); this adds "harbour" (piglet, craps).

import { job, page, show, textsOf, until } from "./driver.mjs";

await page.evaluate(async () => {
  const { me, world, menus, texts } = window.probe;
  Object.assign(texts, await (await fetch("/modules/harbour/lang/en.json")).json());
  texts["ODDSMITH.harbour.New.Title"] = "New harbour table"; // as another version may have it
  const module = { active: true, title: "Harbour games" };
  for (const all of [world.modules, window.game.modules]) all.set("harbour", module);
  document.head.append(
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/modules/harbour/styles/module.css" }),
  );
  const before = me.hooks; // only the new module is begun
  me.hooks = new Map();
  window.game.settings.registerMenu = (id, name, menu) => menus.set(`${id} ${name}`, menu);
  await import("/modules/harbour/scripts/foundry/main.mjs");
  me.hook("init");
  me.hook("ready");
  while (!module.api) await new Promise((done) => setTimeout(done, 5));
  for (const [name, heard] of me.hooks) before.set(name, [...(before.get(name) ?? []), ...heard]);
  me.hooks = before;
  window.harbour = module.api;
  window.tavern = window.probe.module.api;
  window.tables = (id) =>
    Object.values(world.settings.get(id === "tavern" ? "tables" : "harbour.tables")?.tables ?? {});
});

/** When nothing is being loaded any more: what opens first brings its scripts, which take long on a busy machine. */
const later = () => page.waitForNetworkIdle({ idleTime: 100 });
const windows = () =>
  page.evaluate(() =>
    [...document.querySelectorAll(".application")].map(
      (one) => `${one.id}: ${one.querySelector(".window-title").textContent}`,
    ),
  );
/** What opens, and is closed again. */
const opens = async (act, ...given) => {
  await page.evaluate(act, ...given);
  await later();
  const found = await windows();
  await page.evaluate(() => document.querySelectorAll(".application .header-control").forEach((one) => one.click()));
  return found;
};
/** What becomes of a line in the chat, and what opens: a command always opens something. */
const answered = async (text) => {
  const became = await page.evaluate((line) => window.probe.me.say(line), text);
  if (became === "command") await page.waitForSelector(".application", { timeout: 20_000 }).catch(() => {});
  return [became, await opens(() => {})];
};
/** A table of Piglet between the game master and a non-player, Ann or whoever joins; its id. */
const piglet = (stake, seats) =>
  page.evaluate(
    async (amount, places) => {
      const book = await (await fetch("/modules/harbour/games/piglet/play.json")).json();
      const { slug } = book.settings.find((one) => one.seats === 2);
      const seat = (user) => ({
        kind: user === "npc" ? "npc" : "user",
        user: user === "npc" || user === "free" ? null : user,
        actor: null,
        name: window.probe.hostile,
        skill: 0,
      });
      await window.harbour.create({
        game: "piglet",
        setting: slug,
        stake: amount,
        advice: "gm",
        seats: places.map(seat),
      });
      return window.tables("harbour").at(-1).id;
    },
    stake,
    seats,
  );
const play = async () => {
  // Looked at and pressed in one go: the next button may be the one for a rematch.
  const step = () => {
    if (window.tables("harbour").some(({ phase }) => phase === "over")) return true;
    document.querySelector(".od-window > .od-choices [data-od=choice]:not([aria-disabled=true])")?.click();
    return false;
  };
  while (!(await page.evaluate(step))) await new Promise((done) => setTimeout(done, 20));
  await until(() => document.querySelector("#chat > li:last-child .od-account"));
};
await show({
  /** A command for a game of one module is left by the other; buttons and windows say whose they are. */
  async commands() {
    const heard = {};
    if (job.deaf) await page.evaluate(() => window.probe.me.hooks.delete("chatMessage"));
    for (const text of [
      "/oddsmith",
      "/oddsmith new",
      "/oddsmith new piglet",
      "/oddsmith new pig",
      "/oddsmith advice Piglet",
      "/oddsmith new chess",
      "/oddsmith  purses ",
      "/oddsmithy",
      "hello",
      "hello <b>/oddsmith</b>",
    ])
      heard[text] = await answered(text);
    const tools = await page.evaluate(() => {
      const controls = { tokens: { tools: {} } };
      window.probe.me.hook("getSceneControlButtons", controls);
      return Object.entries(controls.tokens.tools).map(([id, { title }]) => `${id}: ${title}`);
    });
    const menus = await page.evaluate(() =>
      [...window.probe.menus].map(([id, { name, restricted }]) => `${id}: ${name} ${restricted}`),
    );
    const menu = await opens(() => new (window.probe.menus.get("purses").type)().render(true));
    return { heard, tools, menus, menu };
  },

  /** One list has the games and tables of both modules, a game that stands in both once; a new table is chosen from
   * all, and the game of the other module opens there. */
  async all() {
    await piglet(5, ["free", "ann"]);
    await page.evaluate(() => document.querySelector(".application .header-control").click());
    await page.evaluate(() => window.tavern.quick("pig"));
    await page.waitForSelector("[id^=tavern-table]");
    await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    const turn = await page.evaluate(() => {
      const controls = { tokens: { tools: {} } };
      window.probe.me.hook("getSceneControlButtons", controls);
      const [tool] = Object.values(controls.tokens.tools);
      tool.onChange();
      return tool.title;
    });
    await page.waitForSelector("#tavern-hall [data-od^=quick]");
    const rows = await textsOf("#tavern-hall li");
    const quick = await page.evaluate(() =>
      [...document.querySelectorAll("#tavern-hall [data-od^=quick]")].map((one) => one.dataset.od),
    );
    const title = (await textsOf("#tavern-hall .window-title"))[0];
    const again = await opens(() => window.harbour.open()); // the same list, and no second one
    await page.evaluate(() => window.tavern.newTable());
    await page.waitForSelector("#tavern-new [data-od=game]");
    const offered = await page.evaluate(() =>
      [...document.querySelector("#tavern-new [data-od=game]").options].map(({ value }) => value),
    );
    await page.select("#tavern-new [data-od=game]", "craps");
    await page.waitForSelector("#harbour-new [data-od=game]");
    const chosen = await page.evaluate(() => document.querySelector("#harbour-new [data-od=game]").value);
    await later();
    const forms = await windows();
    await page.evaluate(() => document.querySelector("#harbour-new .header-control").click());
    const token = await page.evaluate(() => {
      const hud = document.createElement("section");
      hud.innerHTML = '<div class="col right"></div>';
      window.probe.me.hook("renderTokenHUD", { document: { actor: null } }, hud);
      return [...hud.querySelectorAll("button")].map((one) => one.ariaLabel);
    });
    return { turn, rows, quick, title, again, offered, chosen, forms, token };
  },

  /** Everything that a module draws has a class of its own. */
  async classes() {
    await piglet(0, ["gm", "npc"]);
    await page.evaluate(() => window.tavern.newTable());
    const door = await page.evaluate(async () => {
      const made = await Promise.all(
        window.CONFIG.TextEditor.enrichers.map(({ pattern, enricher }) =>
          enricher([..."@Oddsmith[new piglet]".matchAll(pattern)][0], {}),
        ),
      );
      return made.map((one) => one?.className ?? null);
    });
    await later();
    const roots = await page.evaluate(() =>
      [...document.querySelectorAll(".application, .oddsmith-card")].map((one) => one.className),
    );
    return { door, roots };
  },

  /** A game with a stake to its end: what the card says. */
  async ends() {
    await piglet(5, ["gm", "npc"]);
    await play();
    await page.evaluate(() => document.querySelector("#chat > li:last-child").scrollIntoView());
    const live = (await textsOf("#chat > li")).at(-1);
    const facts = (await textsOf(".od-facts li")).map((text) => text.replaceAll(/\s+/g, " "));
    return { live, facts };
  },

  /** A table that is closed before it began: what the card says once it is gone. */
  async broken() {
    const id = await piglet(5, ["free", "ann"]);
    await page.evaluate(() => [...document.querySelectorAll("button")].find((one) => one.innerText === "Join").click());
    await until(() => window.tables("harbour")[0].seats[0].user === "gm");
    await page.evaluate(() => document.querySelector("summary[data-od=tools]").click());
    await page.evaluate(() =>
      [...document.querySelectorAll("button")].find((one) => one.innerText === "Close the table").click(),
    );
    await until(() => window.tables("harbour").length === 0);
    await until(() => document.querySelector("#chat > li:last-child .od-account"));
    return { id, cards: await textsOf("#chat > li") };
  },

  /** Focus in a card stays where it was while the card is drawn anew. */
  async focus() {
    await piglet(5, ["free", "ann"]);
    await page.evaluate(() => document.querySelector(".application .header-control").click());
    const card = () =>
      page.evaluate(
        () => `${document.activeElement.closest(".oddsmith-card") !== null} ${document.activeElement.innerText}`,
      );
    const on = (name) =>
      page.evaluate(
        (text) => [...document.querySelectorAll("#chat button")].find((one) => one.innerText === text).focus(),
        name,
      );
    const changed = () => page.evaluate(() => window.probe.me.hook("userConnected"));
    const found = [];
    for (const name of ["Join", "Open the table"]) {
      await on(name);
      const old = await page.evaluateHandle(() => document.activeElement);
      await changed();
      await until((one) => !one.isConnected, old);
      found.push(await card());
    }
    await on("Join");
    await page.keyboard.press("Enter");
    await until(() => ![...document.querySelectorAll("#chat button")].some((one) => one.innerText === "Join"));
    found.push(await card());
    return { found };
  },

  /** Cards and journals in a window of their own, which has another document. */
  async popped() {
    await piglet(5, ["free", "ann"]);
    const marked = await page.evaluate(async () => {
      const frame = Object.assign(document.createElement("iframe"), { title: "Another window" });
      document.body.append(frame);
      const other = frame.contentDocument;
      other.body.append(document.querySelector("#chat > li"));
      const sheet = document.createElement("section");
      sheet.innerHTML =
        '<button class="oddsmith-door" data-oddsmith="harbour" data-word="advice" data-game="piglet"><span>Ask</span></button>';
      document.body.append(sheet);
      window.probe.me.hook("renderApplicationV2", {}, sheet);
      window.probe.me.hook("renderApplicationV2", {}, sheet); // windows are drawn more than once
      other.body.append(sheet);
      window.other = other;
      return other.querySelector(".oddsmith-card").innerText;
    });
    await page.evaluate(() =>
      [...document.querySelectorAll("main button")].find((one) => one.innerText === "Join").click(),
    );
    await until(() => window.tables("harbour")[0].seats[0].user === "gm");
    await until((text) => window.other.querySelector(".oddsmith-card").innerText !== text, marked);
    const advisor = await opens(() => window.other.querySelector("span").click());
    return {
      marked,
      after: await page.evaluate(() => window.other.querySelector(".oddsmith-card").innerText),
      advisor,
    };
  },

  /** A game master looks at the purses and sets one, by keyboard. */
  async purses() {
    await page.evaluate(() => window.harbour.purses());
    await page.waitForSelector("#tavern-purses input"); // one window for the purse of both
    const labels = await textsOf("#tavern-purses label");
    await page.focus("[data-od='purse ann']");
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("42");
    const typing = await page.evaluateHandle(() => document.activeElement);
    await page.evaluate(() => window.probe.me.hook("userConnected")); // nothing that is shown here
    await later();
    const kept = await page.evaluate((one) => one.isConnected && one.value, typing);
    await page.keyboard.press("Enter");
    await until(() => window.probe.world.settings.get("oddsmith.chips")?.purses.ann === 42);
    await until(
      () =>
        document.querySelector("[data-od='purse ann']").value === "42" &&
        !window.probe.world.settings.get("harbour.tables"),
    );
    await until(() => document.querySelector("#chat > li"));
    const focus = await page.evaluate(() => document.activeElement.dataset.od);
    await page.evaluate(() => window.game.settings.set("tavern", "currency", "path"));
    await page.evaluate(() => document.querySelector("#tavern-purses .header-control").click());
    await page.evaluate(() => window.harbour.purses());
    await until(() => document.querySelector("#tavern-purses .od-note"));
    const invalid = await page.evaluate(() => {
      const input = document.querySelector("[data-od='purse ann']");
      input.value = "1.5";
      return input.checkValidity();
    });
    return {
      labels,
      kept,
      focus,
      invalid,
      cards: await textsOf("#chat > li"),
      note: await textsOf("#tavern-purses .od-note"),
    };
  },

  /** A stake that cannot be paid: the person at this screen reads whose purse it is and why. */
  async lacking() {
    await page.evaluate(() => window.game.settings.set("tavern", "opening", 3)); // that of the purse of both
    await page.evaluate(() =>
      window.harbour.create({ game: "craps", setting: "nothing", stake: 5, advice: "gm", seats: [] }).catch(() => {}),
    );
    const books = await page.evaluate(
      async () =>
        (await (await fetch("/modules/harbour/games/piglet/play.json")).json()).settings.find((one) => one.seats === 2)
          .slug,
    );
    const said = await page.evaluate(async (slug) => {
      const seat = (user) => ({ kind: "user", user, actor: null, name: "", skill: 0 });
      const { showError } = await import("/modules/harbour/scripts/foundry/world/words.mjs");
      await window.harbour
        .create({ game: "piglet", setting: slug, stake: 5, advice: "gm", seats: [seat("gm"), seat("ann")] })
        .catch(showError);
      return window.probe.notes.at(-1);
    }, books);
    return { said };
  },

  /** A table and a form at a size that was not solved: what lacks there, row by row. */
  async unsolved() {
    const seat = (kind) => ({ kind, user: kind === "user" ? "gm" : null, actor: null, name: "Guest", skill: 0 });
    await page.evaluate(
      (seats) =>
        window.harbour.create({ game: "piglet", setting: "=2 bend=2 target=9", stake: 0, advice: "everyone", seats }),
      [seat("user"), seat("npc")],
    );
    await page.waitForSelector("[id^=harbour-table] .od-facts li");
    await until(() => document.querySelector(".od-choices [data-od=choice]"));
    const table = (await textsOf("[id^=harbour-table] :is(li:not(.od-books), p, summary)")).filter((text) =>
      /odds|advi/i.test(text),
    );
    await page.evaluate(() => window.harbour.newTable("piglet"));
    await page.waitForSelector("#harbour-new [data-od=setting]");
    await page.select("#harbour-new [data-od=setting]", "=");
    await page.waitForSelector("#harbour-new [data-od='value target']");
    await page.evaluate(() => {
      document.querySelector("#harbour-new form").id = "before";
      const target = document.querySelector("#harbour-new [data-od='value target']");
      target.value = "9";
      target.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.waitForSelector("#harbour-new form:not(#before)");
    const form = (await textsOf("#harbour-new form p")).filter((text) => /odds|advi/i.test(text));
    return { table, form };
  },

  /** Advice where the module has no table of what actions are worth. */
  async untold() {
    return page.evaluate(async () => {
      const { adviceElements, adviceAt } = await import("/modules/tavern/scripts/runtime/words/advice.mjs");
      const { foundryHost } = await import("/modules/tavern/scripts/foundry/world/host.mjs");
      const { moduleGameLibrary } = await import("/modules/tavern/scripts/foundry/world/games.mjs");
      const { Random } = await import("/modules/tavern/scripts/runtime/rules/random.mjs");
      const library = moduleGameLibrary(foundryHost("tavern").load);
      const ready = await library.openSetting(
        "pig",
        (await library.playFile("pig")).settings.find((one) => one.values).slug,
      );
      const dice = new Random(3);
      let state = ready.rules.start();
      while (ready.rules.actorKind(state) === "roll" || ready.policy.best(state) === null)
        state =
          ready.rules.actorKind(state) === "roll"
            ? ready.rules.resolve(
                state,
                ready.rules.rollWith(state, (one) => dice.rollOrDraw(one)),
              ).state
            : ready.rules.choose(state, ready.rules.actions(state)[0]).state;
      const said = (one) =>
        adviceElements(adviceAt(one, state))
          .map(({ textContent }) => textContent)
          .join(" ");
      return { without: said({ ...ready, values: null }), beside: said(ready) };
    });
  },
});
