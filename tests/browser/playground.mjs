// Changes games in headless Chromium, and says what the page shows.
//
//   node tests/browser/playground.mjs '{"base": "http://127.0.0.1:8000/", "steps": [["open", "game=piglet"]]}'
//
// steps, one after the other: ["open", hash]: the page at an address, once it is read; ["replace", old, new]: types in
// the place of the first `old`; ["write", text]: in the place of all; ["type", text]: at the end, without waiting for
// an answer; ["key", name]: presses a key; ["play"]: opens the table and begins a game; ["press", words]: a button;
// ["begin", words]: with the template that begins with them;
// ["take", words]: a button that gives a file, whose name and bytes come back; ["agree"]: to load what solving takes;
// ["reload"]; ["close"]: the tab at once, in whatever it does, and a new one with the same address; ["keep"]: a worker
// keeps what is loaded from now on; ["offline"]: no network; ["solve"]: solves, until all is known; ["solving", "stop"
// or "reload"]: does that in the midst of it; ["forge", number]: from now on the certificate is that of `forged`, in
// base64. After each step comes what is shown. without: a name that this browser does not have. shot: where a picture
// goes.

import { writeFileSync } from "node:fs";

import { launch } from "./chromium.mjs";
import { axe, errors, foreign, job, watch } from "../tabletops/watched.mjs";

const browser = await launch();
let page = await opened();
/** A tab. What somebody takes away stays in it, because a browser in tests saves nothing. */
async function opened() {
  const tab = await browser.newPage();
  await watch(tab, job.viewport ?? { width: 1280, height: 900 }, 3);
  if (job.without) await tab.evaluateOnNewDocument((name) => delete window[name], job.without);
  await tab.evaluateOnNewDocument(() => {
    const address = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => address((window.odBlob = blob));
    HTMLAnchorElement.prototype.click = function () {
      window.odTaken = { name: this.download, blob: window.odBlob };
    };
  });
  return tab;
}
const settled = () =>
  page.waitForFunction(
    () => {
      const { odBusy, odLooking, odPython } = document.body.dataset;
      return odBusy === "false" && odLooking !== "true" && odPython !== "starting";
    },
    { timeout: 120_000 },
  );
/** The page reads a text a moment after the last key. */
const read = async () => {
  await new Promise((later) => setTimeout(later, 400));
  await settled();
};
const shown = () =>
  page.evaluate(() => {
    const text = (id) => document.querySelector(id)?.innerText.trim() ?? null;
    return {
      title: document.title,
      status: text("#od-status"),
      told: text("#od-told"),
      text: document.querySelector("textarea").value,
      problems: text("#od-problems"),
      marks: document.querySelectorAll(".od-mark").length,
      odd: document.querySelectorAll(".od-mark.od-odd").length,
      templates: document.querySelector("#od-templates").checkVisibility()
        ? [...document.querySelectorAll("#od-templates button")].map((one) => one.innerText)
        : [],
      offers: document.querySelector(".od-offers").hidden
        ? []
        : [...document.querySelectorAll(".od-offers code")].map((one) => one.textContent),
      rules: text("#od-rules > div"),
      changes: [...document.querySelectorAll("#od-changes tr:is(.od-was, .od-now)")].map((one) => one.textContent),
      said: text("#od-solve [role=status], #od-solve [role=alert]"),
      consent: text("#od-solve .od-consent"),
      solved: text("#od-solve .od-answer"),
      charts: document.querySelectorAll("#od-solve figure").length,
      old: document.querySelector("#od-solve .od-answer")?.matches(".od-old"),
      frames: document.querySelectorAll("iframe").length,
      module: [...document.querySelectorAll("#od-tools button")].find((one) => /Foundry/.test(one.innerText))
        ?.innerText,
    };
  });
const press = (words) =>
  page.evaluate(
    (wanted) => [...document.querySelectorAll("button")].find((one) => one.innerText === wanted).click(),
    words,
  );
const solved = async () => {
  await page.waitForFunction(() => document.querySelector("[data-od-solving]").dataset.odSolving === "false", {
    timeout: 300_000,
  });
  return { proven: await page.evaluate(() => document.querySelector("[data-od-solving]").dataset.odProven) };
};
/** The certificate that comes from the thread that solves is another one. */
const forge = () => {
  const { set, get } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
  Object.defineProperty(Worker.prototype, "onmessage", {
    get,
    set(hear) {
      set.call(this, ({ data }) => {
        if (data.part?.proof && window.odForged)
          data.part.proof = Uint8Array.from(atob(window.odForged), (c) => c.charCodeAt(0));
        hear({ data });
      });
    },
  });
};
if (job.forged) await page.evaluateOnNewDocument(forge);
const steps = {
  open: async (hash) => {
    await page.goto(`${job.base}playground/index.html#${hash}`); // the same document, from the second time on
    await settled();
    await read();
  },
  reload: async () => {
    await page.reload();
    await settled();
    await read();
  },
  replace: async (old, now) => {
    await page.evaluate((wanted) => {
      const field = document.querySelector("textarea");
      const at = field.value.indexOf(wanted);
      field.focus();
      field.setSelectionRange(at, at + wanted.length);
    }, old);
    await page.keyboard.type(now);
    await read();
  },
  keep: async () => {
    await page.evaluate(async () => {
      await navigator.serviceWorker.register("../offline.js");
      await new Promise((kept) => {
        if (navigator.serviceWorker.controller) kept();
        navigator.serviceWorker.addEventListener("controllerchange", kept);
      });
    });
  },
  offline: () => page.setOfflineMode(true),
  key: async (name) => {
    const [last, ...held] = name.split("+").reverse();
    for (const each of held) await page.keyboard.down(each);
    await page.keyboard.press(last);
    for (const each of held) await page.keyboard.up(each);
    await read();
  },
  press: async (words) => {
    await press(words);
    await read();
  },
  begin: async (words) => {
    await page.waitForSelector("#od-templates button");
    await page.evaluate(
      (wanted) =>
        [...document.querySelectorAll("#od-templates button")].find((one) => one.innerText.startsWith(wanted)).click(),
      words,
    );
    await read();
  },
  take: async (words) => {
    await steps.press(words);
    const taken = await page.waitForFunction(() => window.odTaken, { timeout: 120_000 });
    return taken.evaluate(async ({ name, blob }) => {
      delete window.odTaken;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return { name, bytes: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
    });
  },
  write: async (text) => {
    await page.evaluate((whole) => {
      document.querySelector("textarea").select();
      document.execCommand("insertText", false, whole);
    }, text);
    await read();
  },
  type: async (text) => {
    await page.evaluate(() => {
      const field = document.querySelector("textarea");
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    });
    await page.keyboard.type(text);
  },
  close: async () => {
    const address = page.url();
    await page.close();
    page = await opened();
    await page.goto(address);
    await settled();
    await read();
  },
  solve: async () => {
    await press("Solve");
    return solved();
  },
  agree: async () => {
    await press("Load them and solve");
    return solved();
  },
  solving: async (what) => {
    await press("Solve");
    if (what === "reload") return steps.reload();
    await press("Stop");
    return solved();
  },
  forge: (number) =>
    page.evaluate((forged) => {
      window.odForged = forged;
    }, job.forged[Number(number)]),
  play: async () => {
    await page.evaluate(() => (document.querySelector("#od-play").open = true));
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.waitForFunction(() => document.querySelector(".od-playing .md-button"));
    await frame.evaluate(() => document.querySelector(".od-playing .md-button").click());
    await frame.waitForSelector(".od-choices button");
    return frame.evaluate(() => ({
      seats: document.querySelector(".od-pick").innerText,
      board: document.querySelector(".od-playing").innerText,
    }));
  },
};
const told = [];
for (const [name, ...words] of job.steps) {
  const more = await steps[name](...words);
  told.push({ ...(await shown()), ...more });
}
if (job.shot) writeFileSync(job.shot, await page.screenshot({ fullPage: Boolean(job.whole) }));
const copied = await page.evaluate(() => document.querySelector("#od-tools input")?.value ?? null);
await page.evaluate(axe);
const found = await page.evaluate(() => window.axe.run());
console.log(
  JSON.stringify({
    steps: told,
    copied,
    errors,
    foreign,
    serious: found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id }) => id),
    wide: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  }),
);
await browser.close();
