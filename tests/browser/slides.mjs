// Slides through the maps of best play by keyboard alone, and tells what the page then says and draws.
//
//   node tests/browser/slides.mjs http://127.0.0.1:8000/games/pig/
//
// Standard output is a JSON object.

import { launch } from "./chromium.mjs";

const FIGURE = "details[open] figure[data-od-slides]";

/** What the picture shows in the middle of each of its cells: the class of the field there. */
const drawn = (selector) => {
  const svg = document.querySelector(`${selector} svg`);
  const { x, y, width, height } = svg.querySelector(".od-box").getBBox();
  const fields = [...svg.querySelectorAll(".od-f0, .od-f1")];
  const cells = [];
  for (let row = 0.5; row < 20; row += 1)
    for (let column = 0.5; column < 20; column += 1) {
      const point = new DOMPoint(x + (column * width) / 20, y + (row * height) / 20);
      cells.push(fields.find((field) => field.isPointInFill(point))?.getAttribute("class") ?? "");
    }
  return cells.join(" ");
};

const browser = await launch();
const seen = {};
try {
  const tab = await browser.newPage();
  const fetched = [];
  tab.on("request", (request) => fetched.push(request.url()));
  await tab.goto(process.argv[2], { waitUntil: "load" });
  seen.file = await tab.$eval(FIGURE, (figure) => figure.dataset.odSlides);
  seen.early = fetched.some((url) => url.endsWith(seen.file));
  const told = () => tab.$eval(`${FIGURE} figcaption p`, (words) => words.textContent);
  const press = async (key) => {
    const before = await told();
    await tab.focus(`${FIGURE} input`);
    await tab.keyboard.press(key);
    await tab.waitForFunction(
      (selector, was) => document.querySelector(`${selector} figcaption p`).textContent !== was,
      {},
      FIGURE,
      before,
    );
    return told();
  };
  seen.before = await told();
  seen.first = await tab.evaluate(drawn, FIGURE);
  seen.home = await press("Home");
  seen.value = await tab.$eval(`${FIGURE} input`, (slider) => slider.getAttribute("aria-valuetext"));
  seen.called = await tab.$eval(`${FIGURE} input`, (slider) => slider.getAttribute("aria-label"));
  seen.moved = await tab.evaluate(drawn, FIGURE);
  for (let step = Number(await tab.$eval(FIGURE, (figure) => figure.dataset.odAt)); step > 1; step -= 1)
    await tab.keyboard.press("ArrowRight");
  seen.back = await press("ArrowRight");
  seen.again = await tab.evaluate(drawn, FIGURE);
  seen.wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await tab.setJavaScriptEnabled(false);
  await tab.reload({ waitUntil: "load" });
  seen.without = await tab.$eval(FIGURE, (figure) => figure.checkVisibility());
} finally {
  await browser.close();
}
process.stdout.write(JSON.stringify(seen) + "\n");
