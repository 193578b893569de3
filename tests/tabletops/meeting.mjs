// Scenes at a table by link about how people come together and what their browsers do for the dice: by camera, by
// keyboard, with browsers that cheat. They are played by link.mjs.

import {
  all,
  answered,
  arrived,
  ended,
  dice,
  filmed,
  invited,
  job,
  joined,
  kept,
  keyed,
  laid,
  looked,
  master,
  pasted,
  person,
  picture,
  play,
  shows,
  sits,
  table,
  text,
  touch,
  unfold,
  until,
  value,
} from "./people.mjs";

export const meeting = {
  /** One invitation for two guests; a third comes too late; one opens it again, and then an invitation of her own. */
  async together() {
    const gm = await master();
    const [ann, ben, eve] = [await person(5), await person(7), await person(9)];
    await laid(gm);
    const link = await invited(gm);
    const told = async (one) => (await text(one, "#od-people")).replace(/\s+/g, " ");
    const found = { link: link.length, steps: await text(gm, ".od-card p") };
    await picture(gm, "together");
    await arrived(ann, link);
    await touch(ann, "Join");
    found.noName = await text(ann, ".od-alert");
    await picture(ann, "no-name");
    await looked(ann);
    await ann.type("#od-people input", "Ann");
    await touch(ann, "Join");
    await ann.waitForSelector(".od-card input");
    const answer = await value(ann, ".od-card input");
    await pasted(gm, answer);
    await shows(ann, "You are at the table of Game master, as Ann.");
    await touch(ann, "Sit down");
    await sits(gm, "Ann");
    found.left = await text(gm, ".od-card [role=status]");
    await pasted(gm, answer);
    found.twice = await text(gm, "#od-people .od-alert");
    const late = await answered(eve, link, "Eve");
    await pasted(gm, await answered(ben, link, "Ben"));
    await shows(ben, "You are at the table of Game master, as Ben.");
    found.cards = (await all(gm, ".od-card")).length;
    await invited(gm); // there is a place to paste an answer again
    await pasted(gm, late);
    found.late = await text(gm, "#od-people .od-alert");
    await arrived(ann, link);
    found.again = await told(ann);
    await picture(ann, "again");
    await pasted(gm, await answered(ann, link, "", "Come back"));
    found.full = await text(gm, "#od-people .od-alert");
    await touch(gm, "Withdraw");
    await touch(gm, "Invite again");
    await gm.waitForSelector(".od-card input");
    const own = await value(gm, ".od-card input");
    found.own = own.length;
    await pasted(gm, await answered(ann, own, ""));
    await shows(ann, "You are at the table of Game master, as Ann.");
    found.seats = (await kept(gm)).seats.map(({ name }) => name);
    await arrived(ann, own);
    found.used = await told(ann);
    found.boxes = await all(ann, "#od-people button");
    await picture(ann, "used-up");
    await looked(ann, gm);
    return found;
  },

  /** Three guests answer one invitation before anybody is let in; who answered last comes in first. */
  async waiting() {
    const gm = await master();
    const [ann, ben, eve] = [await person(5), await person(7), await person(9)];
    await laid(gm);
    const link = await invited(gm);
    const first = await answered(ann, link, "Ann");
    await answered(eve, link, "Eve");
    await pasted(gm, await answered(ben, link, "Ben"));
    await shows(ben, "You are at the table of Game master, as Ben.");
    await pasted(gm, first);
    await shows(ann, "You are at the table of Game master, as Ann.");
    return { here: await text(gm, "#od-people p"), eve: await text(eve, "#od-people p") };
  },

  /** Two people who only scan, by a camera that sees what the other's page shows; a third who has none. */
  async scans() {
    const films = ["gm", "ann"].map((name) => `${job.folder}/${name}.y4m`);
    const gm = await master({ width: 1100, height: 900 }, films[0]);
    const ann = await person(5, undefined, films[1]);
    const ben = await person(7);
    await laid(gm);
    await invited(gm);
    await filmed(gm, films[1]);
    const loaded = [];
    for (const page of [gm, ann, ben])
      page.on("request", (request) => request.url().endsWith("/decode.js") && loaded.push(request.url()));
    await ann.goto(table);
    await ann.waitForSelector("#od-table[data-ready]");
    await unfold(ann, "Join somebody else’s table");
    const before = loaded.length;
    await touch(ann, "Scan with the camera");
    await ann.waitForSelector("#od-people input[autocomplete=nickname][required]");
    await ann.type("#od-people input", "Ann");
    await touch(ann, "Join");
    await ann.waitForSelector(".od-card input");
    await filmed(gm, films[0]); // the game master sees his own invitation first, which is no answer
    await touch(gm, "Scan with the camera");
    await shows(gm, "The camera sees another code");
    await picture(gm, "scanning");
    await touch(gm, "Turn the camera off");
    await filmed(ann, films[0]);
    await touch(gm, "Scan with the camera");
    await shows(ann, "You are at the table of Game master, as Ann.");
    const off = await until(gm, () => [...document.querySelectorAll("video")].every(({ srcObject }) => !srcObject));
    await ben.goto(table);
    await ben.waitForSelector("#od-table[data-ready]");
    await unfold(ben, "Join somebody else’s table");
    await touch(ben, "Scan with the camera");
    await shows(ben, "There is no camera that this page can use.");
    await picture(ben, "no-camera");
    await looked(ben);
    await ben.type("#od-people details textarea", await invited(gm));
    await touch(ben, "Join");
    await ben.waitForSelector("#od-people input[autocomplete=nickname][required]");
    // A browser that reads codes by itself is asked, and nothing is loaded for it.
    const own = await person(9, undefined, films[1]);
    await own.evaluateOnNewDocument(() => {
      window.BarcodeDetector = class {
        static getSupportedFormats = async () => ["qr_code"];
        detect = async () => [{ rawValue: "https://elsewhere.example/#join=A&stun=x" }];
      };
    });
    own.on("request", (request) => request.url().endsWith("/decode.js") && loaded.push("own"));
    await own.goto(table);
    await own.waitForSelector("#od-table[data-ready]");
    await unfold(own, "Join somebody else’s table");
    await touch(own, "Scan with the camera");
    await shows(own, "This is no invitation and no answer.");
    return { before, loaded: [...new Set(loaded)], off: Boolean(off), at: own.url() };
  },

  /** A player whose browser promises a number and keeps it; then a game master whose browser rolls what it likes. */
  async chosen() {
    const gm = await master();
    const [ann, eve] = [await person(5), await person(7)];
    await laid(gm);
    for (const [one, name] of [
      [ann, "Ann"],
      [eve, "Eve"],
    ]) {
      await joined(gm, one, name);
      await touch(one, "Sit down");
      await sits(gm, name);
    }
    await touch(gm, "Begin");
    await shows(gm, "Your turn");
    await shows(gm, "Roll");
    await gm.evaluate(async () => {
      const { PATIENCE } = await import("/assets/link/dice/rounds.mjs");
      PATIENCE.number = 300; // milliseconds until the page says for whom a roll waits
    });
    await eve.evaluate(async () => {
      const { DiceWitness } = await import("/assets/link/dice/witness.mjs");
      const { answerMessage } = DiceWitness.prototype;
      DiceWitness.prototype.answerMessage = async function (message) {
        const answer = await answerMessage.call(this, message);
        return message.t === "list" ? null : answer;
      };
    });
    const before = await kept(gm);
    await touch(gm, "Roll");
    const told = [];
    for (const one of [gm, ann]) {
      await shows(one, "The roll waits for the number of Eve");
      told.push(one === gm ? await text(gm, "#od-people p:nth-of-type(2)") : await dice(ann));
    }
    // The roll goes on, and the table takes what does not concern it, and only that.
    await touch(gm, "Roll");
    await unfold(gm, "Your name, and players in other networks");
    await gm.$eval("#od-people details input", (name) => {
      name.value = "Keeper";
      name.dispatchEvent(new Event("change"));
    });
    await shows(ann, "Keeper");
    const goesOn = { log: (await kept(gm)).log === before.log, told: await dice(ann) };
    await picture(gm, "waits");
    await picture(ann, "waits-guest");
    await looked(gm, ann);
    await unfold(gm, "At this table");
    await touch(gm, "Give", 2);
    await until(gm, () => JSON.parse(localStorage.getItem("oddsmith/link/table")).seats[2].kind === "npc");
    await until(ann, () => !document.querySelector("main").innerText.includes("The roll waits"));
    await play(gm, [gm, ann, eve], (moves) => moves > 2);
    const sound = await all(ann, "#od-people .od-alert");
    const [made, seen] = [await text(gm, "#od-people p:nth-of-type(2)"), await dice(ann)];
    const left = await dice(eve);
    await gm.evaluate(async () => {
      const { HostTable } = await import("/assets/link/host.mjs");
      const { Random } = await import("/assets/runtime/rules/random.mjs");
      HostTable.prototype.roll = async (kept, log, place, play, add) => add(await play(new Random(1)));
    });
    await play(gm, [gm, ann, eve], (moves) => moves > 2);
    const alerts = [];
    for (const one of [ann, eve]) {
      await shows(one, "Do not trust this table");
      alerts.push(await text(one, "#od-people .od-alert"));
    }
    await picture(ann, "chosen");
    await looked(ann);
    return { told, goesOn, sound, made, seen, left, alerts };
  },

  /** Two people who play a whole game, and come together for it, without a mouse. */
  async keyed() {
    const [gm, ann] = [await master({ width: 1100, height: 900 }), await person(5, { width: 1100, height: 900 })];
    await until(gm, () => document.querySelectorAll("#od-table label:nth-of-type(2) option").length > 0);
    await gm.select("#od-table label:nth-of-type(2) select", job.size);
    await keyed(gm, "Open the table");
    await shows(gm, "Seats are still free");
    await keyed(gm, "Invite players");
    await gm.waitForSelector(".od-card input");
    await ann.goto(await value(gm, ".od-card input"));
    await ann.waitForSelector("#od-table[data-ready]");
    await keyed(ann, "", "Ann"); // the first field
    await ann.waitForSelector(".od-card input");
    await keyed(gm, "", await value(ann, ".od-card input"), "textarea");
    await keyed(gm, "Let the player in");
    await shows(ann, "You are at the table of");
    await keyed(ann, "Sit down");
    await sits(gm, "Ann");
    await keyed(gm, "At this table");
    await keyed(gm, "", "", "[data-od='hand 2']");
    await until(gm, () => document.querySelector("[data-od=choice]")?.innerText === "Begin");
    await keyed(gm, "Begin");
    await shows(gm, "Your turn");
    await play(
      gm,
      [gm, ann],
      () => false,
      (mover) => keyed(mover, "", "", "[data-od=choice], [data-od^='for ']"),
    );
    return ended(gm, [gm, ann]);
  },
};
