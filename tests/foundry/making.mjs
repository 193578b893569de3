// How tables come about: the ways in, a new table, and the advisor for any position.

import {
  choices,
  click,
  created,
  gone,
  grave,
  job,
  page,
  show,
  tabTo,
  textOf,
  textsOf,
  toDecision,
  until,
  wide,
} from "./driver.mjs";

/** What runs out of the form of a new table, and lists of ways to play that are too narrow for one of them. */
function misplaced() {
  const content = document.querySelector("#tavern-new .window-content");
  const room = getComputedStyle(content);
  const { left, right } = content.getBoundingClientRect();
  const [from, to] = [left + parseFloat(room.paddingLeft) - 1, right - parseFloat(room.paddingRight) + 1];
  const out = [...content.querySelectorAll(":not(option, optgroup)")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < from || box.right > to;
  });
  const cut = [...content.querySelectorAll("[data-od^=how], [data-od=money], [data-od=house]")].filter((one) => {
    const whole = one.cloneNode(true);
    Object.assign(whole.style, { position: "absolute", width: "max-content", maxWidth: "none" });
    one.after(whole);
    const { offsetWidth } = whole;
    whole.remove();
    return offsetWidth > one.offsetWidth;
  });
  return [...out, ...cut].map((one) => one.outerHTML.slice(0, 80));
}

await show({
  /** What is open already comes forward, about the game that is asked for. */
  async twice() {
    for (const game of ["pig", "hostile"]) {
      await page.evaluate((id) => window.probe.module.api.advise(id), game);
      await page.evaluate(() => window.probe.module.api.open());
      await until(
        (id) =>
          document.querySelector("#tavern-advisor [data-od=game]")?.value === id &&
          document.querySelector("#tavern-hall"),
        game,
      );
    }
    await page.evaluate(() => document.querySelector("#tavern-hall .header-control").click());
    await page.evaluate(() => window.probe.module.api.open());
    await until(() => document.querySelector("#tavern-hall"));
    return { windows: await page.evaluate(() => [...document.querySelectorAll(".application")].map(({ id }) => id)) };
  },

  /** Every way to play can be read in the form as wide as the window is, and nothing runs out of it. */
  async fits() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const games = await page.evaluate(() =>
      [...document.querySelector("[data-od=game]").options].map((one) => one.value),
    ); // "hostile" has a name of a way to play that is wider than a phone
    const found = [];
    for (const game of games.filter((one) => one !== "hostile").reverse()) {
      await page.evaluate(() => (document.querySelector("#tavern-new form").id = "before"));
      await page.select("[data-od=game]", game);
      await page.waitForSelector("form:not(#before) [data-od^=how]"); // it is drawn anew
      found.push(...(await page.evaluate(misplaced)));
    }
    const width = await page.evaluate(() => document.querySelector("#tavern-new").offsetWidth);
    const odds = () => textsOf("#tavern-new .od-odds");
    const before = await odds();
    await page.select("[data-od='how 1']", "1");
    return { found, width, before, after: await odds() };
  },

  /** A player makes a table: the first seat is his, and a non-player has no name of his making. */
  async guest() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const seats = await page.evaluate(() =>
      [...document.querySelectorAll("[data-od^=who]")].map((one) => one.selectedOptions[0].text),
    );
    await page.select("[data-od='who 1']", "choose");
    await page.waitForSelector("[data-od='how 1']");
    return { seats, names: (await textsOf("form [data-od^=name]")).length };
  },

  /** Any actor sits down as a non-player, for a coin of the table and a purse of the house; the skill says how it
   * plays. */
  async actors() {
    await page.evaluate(
      (values, people) => {
        const set = (key, value) => window.probe.world.settings.set(key, value);
        for (const [key, value] of Object.entries(values)) set(key, value);
        const actor = (name, skill) =>
          window.probe.world.actor(
            name,
            [],
            { skill, currency: { gp: 50, sp: 50 } },
            { img: "/tests/foundry/face.svg" },
          );
        for (const [name, skill] of people) actor(name, skill);
      },
      job.settings,
      job.actors,
    );
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const redrawn = async (selector, value) => {
      await page.evaluate(() => (document.querySelector("#tavern-new form").id = "before"));
      await page.select(selector, value);
      await page.waitForSelector("form:not(#before) [data-od=create]");
    };
    const groups = await page.evaluate(() =>
      [...document.querySelectorAll("[data-od='who 1'] optgroup option")].map(({ text }) => text),
    );
    const strengths = [];
    for (const name of groups) {
      await redrawn("[data-od='who 1']", `actor Actor.${name.toLowerCase()}`);
      strengths.push([
        name,
        await page.evaluate(() => document.querySelector("[data-od='how 1']").selectedOptions[0].text),
        (await textOf("[data-od='how 1'] ~ .od-odds")).split(" · ")[0],
      ]);
    }
    await redrawn("[data-od=money]", job.money);
    await redrawn("[data-od='who 0']", "user gm");
    const stake = await textOf("[data-od=stake]").then(() => textsOf("form label"));
    await page.select("[data-od=house]", job.house);
    const dialog = { serious: await grave(), wide: await wide(), out: await page.evaluate(misplaced) };
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-new.png"), fullPage: true });
    await page.evaluate(() => {
      const stakes = document.querySelector("[data-od=stake]");
      stakes.value = "5";
      stakes.dispatchEvent(new Event("input"));
      window.probe.clients.gm.user.character = { uuid: "Actor.zora" };
    });
    await page.click("[data-od=create]");
    await page.waitForSelector("[id^=tavern-table] .od-board");
    const [record] = await page.evaluate(() => Object.values(window.probe.world.settings.get("tables").tables));
    return {
      groups,
      strengths,
      stake,
      dialog,
      seats: record.seats,
      chips: record.chips,
      facts: (await textOf(".od-facts")).replaceAll(/\s+/g, " "),
    };
  },

  /** The buttons around a token: the table of its actor, or a new one. */
  async token() {
    await page.evaluate(() => {
      const hud = document.createElement("form");
      hud.innerHTML = '<div class="col right"></div>';
      document.querySelector("main").append(hud);
      window.press = (actor) => {
        for (let drawn = 0; drawn < 2; drawn++) window.probe.me.hook("renderTokenHUD", { document: { actor } }, hud);
        const buttons = [...hud.querySelectorAll("button")];
        for (const one of buttons) one.click();
        hud.firstChild.replaceChildren();
        return buttons.map(({ ariaLabel }) => ariaLabel);
      };
    });
    const windows = () => page.evaluate(() => [...document.querySelectorAll(".application")].map(({ id }) => id));
    const [hero, other] = [{ uuid: "Actor.hero" }, { uuid: "Actor.other" }];
    const buttons = await page.evaluate((actor) => window.press(actor), hero);
    await page.waitForSelector("#tavern-new form [data-od=create]");
    await page.click("[data-od=create]");
    await page.waitForSelector("[id^=tavern-table]");
    await until(() => !document.querySelector("#tavern-new"));
    await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    await page.evaluate((actor) => window.press(actor), hero);
    await page.waitForSelector("[id^=tavern-table]");
    const sitting = await windows();
    await page.evaluate(() => document.querySelector("[id^=tavern-table] .header-control").click());
    await page.evaluate((actor) => window.press(actor), other);
    await page.waitForSelector("#tavern-new form");
    return { buttons, sitting, other: await windows() };
  },

  /** An actor is dragged onto a seat. */
  async dragged() {
    await page.evaluate(() => window.probe.world.actor("Zora", []));
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    await page.evaluate(
      (uuids) => {
        for (const uuid of uuids) {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/plain", uuid);
          document
            .querySelector("[data-od='who 1']")
            .closest(".od-place")
            .dispatchEvent(new DragEvent("drop", { dataTransfer }));
        }
      },
      ["nonsense", '{"type": "Item", "uuid": "Item.sword"}', '{"type": "Actor", "uuid": "Actor.zora"}'],
    );
    await until(() => document.querySelector("[data-od='who 1']").value === "actor Actor.zora");
    return {};
  },

  /** Selected tokens get the seats; the game master plays for a player who is away. */
  async tokens() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const dialog = await page.evaluate(() =>
      [...document.querySelectorAll("[data-od^=who]")].map((one) => one.selectedOptions[0].text),
    );
    await page.click("[data-od=create]");
    await click("Join", "[id^=tavern-table]");
    await click("Start the game");
    await page.click("summary[data-od=tools]");
    await click("Roll", ".od-tools");
    await until(() => document.querySelectorAll(".od-log li").length > 0);
    const seats = await page.evaluate(() => Object.values(window.probe.world.settings.get("tables").tables)[0].seats);
    return {
      dialog,
      seats: seats.map(({ kind, user, actor, name }) => ({ kind, user, actor, name })),
      own: await choices(),
    };
  },

  /** A size that nobody solved: chosen by its values, played without advice and odds. */
  async size() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const set = async (name, value) => {
      const control = await page.waitForSelector(`[data-od='${name}']`);
      await control.evaluate((one, given) => {
        if (one.type === "checkbox") one.checked = given;
        else one.value = String(given);
        one.dispatchEvent(new Event("change"));
      }, value);
      await until((one) => !one.isConnected, control); // it is drawn afresh
    };
    for (const [name, value] of [
      ["game", job.game],
      ["setting", "="],
    ])
      await set(name, value);
    const controls = await page.evaluate(() =>
      [...document.querySelectorAll(".od-fields:first-child label span")].map((one) => one.innerText),
    );
    await set("variant", job.variant);
    const filled = await page.evaluate(() =>
      [...document.querySelectorAll("[data-od=seats], [data-od^='value ']")].map((one) =>
        one.type === "checkbox" ? one.checked : (one.selectedOptions?.[0].text ?? one.value),
      ),
    );
    for (const [name, value] of Object.entries(job.values)) await set(name, value);
    const dialog = {
      text: await textOf("form"),
      serious: await grave(),
      wide: await wide(),
      advice: Boolean(await page.$("[data-od=advice]")),
      variant: await page.evaluate(() => document.querySelector("[data-od=variant]").selectedOptions[0].text),
      seats: (await textsOf(".od-place")).length,
      typed: await page.evaluate(() => document.querySelector("[data-od='value target']").value),
    };
    if (job.shot) await page.screenshot({ path: job.shot.replace(".png", "-new.png"), fullPage: true });
    await click("Open the table", "form");
    await page.waitForSelector("[id^=tavern-table]");
    await toDecision();
    const record = await page.evaluate(() => Object.values(window.probe.world.settings.get("tables").tables)[0]);
    return {
      controls,
      filled,
      dialog,
      setting: record.setting,
      advises: record.advice,
      facts: (await textOf(".od-facts")).replaceAll(/\s+/g, " "),
      advice: await textOf(".od-advice"),
    };
  },

  /** Stakes go by something else than advice and odds: said before and at the table. */
  async goals() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const before = await textOf("form");
    await page.select("[data-od=game]", "hot-purse");
    await until(() => document.querySelector("form").innerText.includes("pays in"));
    const dialog = await textOf("form");
    await page.evaluate(() => (document.querySelector("[data-od=stake]").value = ""));
    await page.type("[data-od=stake]", "5");
    await page.click("[data-od=create]");
    await page.waitForSelector("[id^=tavern-table]");
    return { before, dialog, facts: (await textOf(".od-facts")).replaceAll(/\s+/g, " ") };
  },

  /** A button that rests while a table is made keeps focus, and Enter makes one table; what has changed since is not
   * made. */
  async creating() {
    await page.evaluate(() => {
      window.probe.module.api.create();
      const { create } = window.probe.clients.gm.globals.ChatMessage;
      window.ChatMessage.create = (data) => new Promise((done) => (window.go = () => done(create(data)))); // slow
    });
    await tabTo("form [data-od=create]");
    await page.keyboard.press("Enter");
    await until(() => window.go && document.activeElement.ariaDisabled === "true");
    await page.keyboard.press("Enter");
    const focus = await page.evaluate(() => document.activeElement.dataset.od);
    await page.evaluate(() => window.go());
    await page.waitForSelector("[id^=tavern-table]");
    return {
      focus,
      tables: await page.evaluate(() => Object.keys(window.probe.world.settings.get("tables").tables).length),
    };
  },

  /** Enter in a field that was just changed does not make the table that the window showed before. */
  async hasty() {
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    await page.select("[data-od=setting]", "=");
    await page.waitForSelector("[data-od='value target']");
    await page.evaluate(() => {
      const target = document.querySelector("[data-od='value target']");
      target.value = "40";
      target.dispatchEvent(new Event("change"));
      target.form.requestSubmit();
    });
    await until(() => document.querySelector("form").innerText.includes("was not solved"));
    const before = await page.evaluate(() => window.probe.world.settings.get("tables") ?? null);
    await click("Open the table", "form");
    await page.waitForSelector("[id^=tavern-table]");
    return {
      before,
      settings: await page.evaluate(() =>
        Object.values(window.probe.world.settings.get("tables").tables).map(({ setting }) => setting),
      ),
    };
  },

  /** While a new table is thought about, players come and tokens are selected; what was chosen stays. */
  async guests() {
    await gone("ann", true);
    await page.evaluate(() => window.probe.module.api.create());
    await page.waitForSelector("form [data-od=create]");
    const listed = () =>
      page.evaluate(() => [...document.querySelector("[data-od='who 1']").options].map(({ text }) => text));
    const seated = () =>
      page.evaluate(() => [...document.querySelectorAll("[data-od^=who]")].map((one) => one.selectedOptions[0].text));
    const before = [await listed(), await seated()];
    await page.type("[data-od='name 1']", "Old Meg");
    await gone("ann", false);
    await until(() =>
      [...document.querySelector("[data-od='who 1']").options].some(({ text }) => text.startsWith("Ann")),
    );
    const name = await page.evaluate(() => document.querySelector("[data-od='name 1']").value);
    const arrived = [await listed(), await seated()];
    await page.evaluate(() => {
      const { probe } = window;
      window.canvas.tokens.controlled = [
        probe.token("Pixie", probe.world.actor("Pixie")),
        probe.token("Troll", probe.world.actor("Troll")),
      ];
      probe.me.hook("controlToken");
    });
    await until(() => [...document.querySelector("[data-od='who 1']").options].some(({ text }) => text === "Pixie"));
    const selected = await seated();
    await page.evaluate(() => window.probe.module.api.create());
    await until(() => document.querySelector("[data-od='who 0']").selectedOptions[0].text === "Pixie");
    const again = await seated();
    await page.evaluate(() => {
      window.canvas.tokens.controlled = [];
      window.probe.me.hook("controlToken");
    });
    await new Promise((done) => setTimeout(done, 100));
    return { before, arrived, name, selected, again, after: await seated() };
  },

  /** Every way in opens a window. */
  async doors() {
    const open = async (name, act) => {
      await act();
      await until(() => document.querySelector(".application"));
      const id = await page.evaluate(() => document.querySelector(".application").id);
      await page.evaluate(() => document.querySelector(".application .header-control").click());
      await until(() => !document.querySelector(".application"));
      found.push([name, id]);
    };
    const found = [];
    await open("scene", () =>
      page.evaluate(() => {
        const controls = { tokens: { tools: { select: {} } } };
        window.probe.me.hook("getSceneControlButtons", controls);
        controls.tokens.tools.tavern.onChange(new Event("x"), true);
      }),
    );
    await open("chat", () => page.evaluate(() => window.probe.me.say("/oddsmith new")));
    await open("key", () => page.evaluate(() => window.probe.bindings.get("open").onDown()));
    await open("menu", () => page.evaluate(() => new (window.probe.menus.get("open").type)().render(true)));
    for (const word of ["open", "new", "advice pig"])
      await open(word, () =>
        page.evaluate(async (mark) => {
          const [{ pattern, enricher }] = window.CONFIG.TextEditor.enrichers;
          const [match] = `See @Oddsmith[${mark}].`.matchAll(pattern);
          const button = await enricher(match, { relativeTo: { pack: "tavern.rules" } });
          const journal = document.createElement("div");
          journal.innerHTML = button.outerHTML; // journals keep the text of a button and not the button itself
          document.body.append(journal);
          journal.firstChild.click();
          journal.remove();
        }, word),
      );
    await open("advise", () => page.evaluate(() => window.probe.module.api.advise("pig")));
    const foreign = await page.evaluate(async () => {
      const [{ pattern, enricher }] = window.CONFIG.TextEditor.enrichers;
      const [match] = "@Oddsmith[open]".matchAll(pattern);
      return enricher(match, { relativeTo: { pack: "another.rules" } });
    });
    const nobody = await page.evaluate(() => window.probe.me.hooks.get("getSceneControlButtons")[0]({}));
    return {
      found,
      foreign,
      nobody: nobody ?? null,
      unbound: await page.evaluate(() => window.probe.bindings.get("open").editable),
    };
  },

  /** "Open" about a game: its table, or where it has none a new one of it; of several, the list. */
  async laid() {
    const opens = async (mark) => {
      await page.evaluate(async (text) => {
        const [{ pattern, enricher }] = window.CONFIG.TextEditor.enrichers;
        const button = await enricher([...`@Oddsmith[${text}]`.matchAll(pattern)][0], {
          relativeTo: { pack: "tavern.rules" },
        });
        document.querySelector("main").append(button);
        button.click();
        button.remove();
      }, mark);
      await page.waitForSelector(".application .od-window > *");
      const found = await page.evaluate(() =>
        [...document.querySelectorAll(".application")].map(({ id }) => [
          id.replace(/-table-.*/, "-table"),
          document.querySelector("[data-od=game]")?.value ?? "",
        ]),
      );
      await page.evaluate(() =>
        document.querySelectorAll(".application .header-control").forEach((one) => one.click()),
      );
      return found;
    };
    const found = [await opens("open hostile"), await opens("open")];
    await created("pig", ["gm", "npc"], { stake: 0 });
    await page.evaluate(() => document.querySelectorAll(".application .header-control").forEach((one) => one.click()));
    for (const mark of ["open pig", "open hostile", "open"]) found.push(await opens(mark));
    await created("pig", ["gm", "npc"], { stake: 0 });
    await page.evaluate(() => document.querySelectorAll(".application .header-control").forEach((one) => one.click()));
    found.push(await opens("open pig"));
    return { found };
  },

  /** The advisor in a position in which nobody has a choice. */
  async onlyOne() {
    await page.evaluate(() => window.probe.module.api.advise("piglet"));
    await page.waitForSelector(".od-answer p");
    await page.evaluate(() => {
      for (const input of document.querySelectorAll("#tavern-advisor input")) {
        const name = input.closest("label").innerText;
        input.value = /stash/i.test(name) ? "2" : /your/i.test(name) ? "1" : "0"; // three win
        for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
      }
    });
    return { text: await textOf(".od-answer") };
  },

  /** The advisor for any position, and how a tie is told. */
  async advisor() {
    await page.evaluate(() => window.probe.module.api.advise("pig"));
    await page.waitForSelector(".od-answer .od-say");
    const text = await textOf(".od-answer");
    const tie = await page.evaluate(async () => {
      const { adviceElements, adviceAt } = await import("/modules/tavern/scripts/runtime/words/advice.mjs");
      const { foundryHost } = await import("/modules/tavern/scripts/foundry/world/host.mjs");
      const { moduleGameLibrary } = await import("/modules/tavern/scripts/foundry/world/games.mjs");
      const library = moduleGameLibrary(foundryHost("tavern").load);
      const ready = await library.openSetting("pig", (await library.playFile("pig")).settings[0].slug);
      let step = ready.rules.start();
      while (ready.rules.actorKind(step) === "roll" || ready.policy.best(step) === null) {
        const { Random } = await import("/modules/tavern/scripts/runtime/rules/random.mjs");
        const dice = new Random(3);
        step =
          ready.rules.actorKind(step) === "roll"
            ? ready.rules.resolve(
                step,
                ready.rules.rollWith(step, (one) => dice.rollOrDraw(one)),
              ).state
            : ready.rules.choose(step, ready.rules.actions(step)[0]).state;
      }
      const equal = {
        places: 5,
        actionValues: () => [
          { action: 0, value: 50000, loss: 0 },
          { action: 1, value: 50000, loss: 0 },
        ],
      };
      return adviceElements(adviceAt({ ...ready, values: equal }, step)).map((one) => one.textContent);
    });
    return { text, tie };
  },
});
