// Touches a map of best play as readers do, with a pointer and by keyboard alone, and tells what the page then says.
//
//   node tests/browser/maps.mjs http://127.0.0.1:8000/games/rogues-gambit/
//
// Standard output is a JSON object with what was said at each step.

import { launch } from "./chromium.mjs";

const MAP = "details[open] figure[data-od-map]";
const told = () => document.querySelector("details[open] .od-told")?.textContent ?? null;

const browser = await launch();
const seen = {};
try {
  const tab = await browser.newPage();
  await tab.setViewport({ width: 390, height: 844 });
  await tab.goto(process.argv[2], { waitUntil: "load" });
  seen.before = await tab.evaluate(told);
  const said = async (before) => {
    await tab.waitForFunction(
      (was) => document.querySelector("details[open] .od-told").textContent !== was,
      {},
      before,
    );
    return tab.evaluate(told);
  };
  // The middle of the second column and row from below, from the box that the picture draws for its cells.
  const cells = await tab.evaluate(async (map) => {
    const figure = document.querySelector(map);
    figure.scrollIntoView({ block: "center" });
    return (await fetch(figure.dataset.odMap)).json();
  }, MAP);
  const box = await (await tab.$(`${MAP} .od-box`)).boundingBox();
  const [wide, high] = [box.width / cells.columns.length, box.height / cells.columns[0].length];
  await tab.mouse.move(box.x + 4.5 * wide, box.y + box.height - 1.5 * high);
  seen.pointed = { at: [cells.first + 4, cells.low + 1], said: await said(seen.before) };
  await tab.keyboard.press("Tab");
  for (let pressed = 0; pressed < 200; pressed += 1) {
    if (await tab.evaluate((map) => document.activeElement === document.querySelector(`${map} svg`), MAP)) break;
    await tab.keyboard.press("Tab");
  }
  await tab.keyboard.press("ArrowRight");
  seen.right = await said(seen.pointed.said);
  await tab.keyboard.press("ArrowUp");
  seen.up = await said(seen.right);
  await tab.keyboard.down("Shift");
  await tab.keyboard.press("ArrowLeft");
  await tab.keyboard.up("Shift");
  seen.edge = await said(seen.up);
  seen.sizes = await tab.$$eval(`${MAP} .od-steps button`, (all) =>
    all.map((one) => [one.ariaLabel, Math.min(one.offsetWidth, one.offsetHeight)]),
  );
  seen.within = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await tab.click(`${MAP} .od-steps span:last-child button:first-child`);
  seen.down = await said(seen.edge);
  await tab.click(`${MAP} .od-steps span:first-child button:last-child`);
  seen.more = await said(seen.down);
  await tab.click(`${MAP} .od-steps span:first-child button:first-child`);
  seen.less = await said(seen.more);
  seen.role = await tab.$eval(`${MAP} .od-told`, (element) => element.getAttribute("role"));
  await tab.setJavaScriptEnabled(false);
  await tab.reload({ waitUntil: "load" });
  seen.without = await tab.$eval(MAP, (figure) => [
    figure.querySelector("svg").getAttribute("role"),
    figure.querySelectorAll(".od-told, .od-steps").length,
  ]);
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify({ ...seen }) + "\n");
