// Scenes with the module that tells odds (test_odds.py).

import { job, page, reload, show, textOf, textsOf, until } from "./driver.mjs";

const CARD = ".oddsmith-oddsmith-odds-card";

/** What somebody's messages show, and whom they are for. */
const messages = () =>
  page.evaluate(() =>
    [...window.probe.world.messages.values()].map(({ author, whisper, content }) => [author.id, whisper, content]),
  );

/** Type a line of chat, and say who took it. */
const say = (text) => page.evaluate((line) => window.probe.me.say(line), text);

/** Cards are there, and filled. */
const cards = async (count = 1) => {
  await until(
    (query, wanted) => {
      const found = [...document.querySelectorAll(query)];
      return found.length >= wanted && found.every((one) => one.childElementCount);
    },
    CARD,
    count,
  );
  return textsOf(CARD);
};

/** A message with rolls, of which each is terms.mjs's word for its terms, what it came to, and its formula.
 * `content`: what a system shows of it. */
const posted = (by, rolls, more = {}) =>
  page.evaluate(
    async (author, list, { inline, ...data }) => {
      const words = await import("/tests/foundry/terms.mjs");
      const made = list.map(([terms, total, formula]) => {
        // eslint-disable-next-line no-new-func -- a test's own words
        const read = new Function(...Object.keys(words), `return [${terms}]`);
        return words.roll(read(...Object.values(words)), total, formula);
      });
      const { ChatMessage } = window.probe.clients[author].globals;
      const said = inline
        ? { content: inline.replace("ROLL", escape(JSON.stringify(made[0]))), rolls: [] }
        : { rolls: made };
      return (await ChatMessage.create({ author, flags: {}, ...said, ...data })).id;
    },
    by,
    rolls,
    more,
  );

/** Whether the entry is offered for a message. */
const offered = (id) =>
  page.evaluate((message) => {
    const { entry } = window.probe;
    return (entry.condition ?? entry.visible)(document.querySelector(`#chat [data-message-id="${message}"]`));
  }, id);

/** Choose the entry, whether it is offered or not. */
const chosen = (id) =>
  page.evaluate((message) => {
    const { entry } = window.probe;
    const line = document.querySelector(`#chat [data-message-id="${message}"]`);
    if (entry.onClick) entry.onClick(new Event("click"), line);
    else entry.callback(line);
  }, id);

const noted = () => until(() => window.probe.notes.length > 0);
const settled = () => new Promise((done) => setTimeout(done, 400));
const HIDDEN = {
  blind: { whisper: ["gm"], blind: true },
  private: { whisper: ["gm"] },
  without: { content: "<p>A blow</p>" },
  covered: {
    content: '<div class="dice-formula">1d20 + 5</div><h4 class="dice-total" style="display: none">17</h4>',
  },
  faint: { content: '<div class="dice-formula">1d20 + 5</div><h4 class="dice-total" style="opacity: 0">17</h4>' },
  dice: { content: '<div class="dice-formula">1d20 + 17</div><div class="dice-tooltip">17</div>' },
};
const D20 = ['die(1, 20), sign("+"), number(5)', 17, "1d20 + 5"];

await show({
  async command() {
    const taken = await say(job.text);
    const [card] = await cards();
    return { taken, card, messages: await messages() };
  },
  async same() {
    return page.evaluate(async (questions) => {
      const at = "/modules/oddsmith-odds/scripts";
      const { OddsAnswers } = await import(`${at}/odds/answers.mjs`);
      const { answerQuestion: answer } = await import(`${at}/rolls/answer.mjs`);
      const answers = new OddsAnswers();
      const wrong = [];
      for (const question of questions) {
        const [told, wanted] = [await answers.answerTo(question), await answer(question, { dialect: "foundry" })];
        if (JSON.stringify(told.found) !== JSON.stringify(wanted)) wrong.push(question);
      }
      return { wrong };
    }, job.questions);
  },
  async fraction() {
    await say("/odds 4d6kh3 >= 14");
    await cards();
    const shown = () => textOf(".od-figure");
    const title = await page.$eval(".od-figure", (one) => one.title);
    const before = await shown();
    await page.click(".od-figure");
    const touched = await shown();
    await page.click(".od-figure");
    return { title, seen: [before, touched, await shown()] };
  },
  async rolled() {
    const id = await posted("gm", job.rolls ?? [D20], job.more);
    const may = await offered(id);
    await chosen(id);
    const shown = await cards();
    return {
      may,
      cards: shown,
      messages: (await messages()).slice(1),
      bars: (await page.$$(".od-bars i.od-here")).length,
    };
  },
  async hidden() {
    const may = {};
    for (const [name, more] of Object.entries(HIDDEN)) {
      const by = name === "blind" ? "ann" : "gm";
      const id = await posted(by, [D20], more);
      may[name] = await offered(id);
      await chosen(id);
    }
    const asked = Object.values(may).filter(Boolean).length;
    if (asked) await cards(asked);
    await settled();
    return { may, cards: (await textsOf(CARD)).length };
  },
  async formula() {
    const id = await posted("gm", [D20], { content: '<h4 class="dice-total">17</h4>' });
    const may = await offered(id);
    await chosen(id);
    await noted();
    return { may, cards: (await textsOf(CARD)).length };
  },
  async forbidden() {
    await say("/odds 2d6");
    await noted();
    const id = await posted("gm", [D20]);
    const may = await offered(id);
    await chosen(id);
    await settled();
    return { may, messages: (await messages()).length };
  },
  async shares() {
    await say("/odds 2d6 >= 9");
    await cards();
    const buttons = await textsOf(`${CARD} > button:not(.od-figure)`);
    await page.evaluate((query) => [...document.querySelectorAll(query)].at(-1)?.click(), `${CARD} > button`);
    if (buttons.length) await cards(2);
    return { buttons, messages: await messages() };
  },
  async forged() {
    await page.evaluate(() => {
      const flags = { "oddsmith-odds": { asked: [{ question: "2d6" }] } };
      const { ChatMessage } = window.probe.clients.ann.globals;
      for (const more of [{ flags }, { flags: { "oddsmith-odds": { asked: [{ question: 7 }] } } }])
        void ChatMessage.create({ author: "ann", whisper: [], rolls: [], content: "Ha", ...more });
    });
    await settled();
    return { cards: (await textsOf(CARD)).length };
  },
  async reloads() {
    await say("/odds 4d6kh3 >= 14");
    const before = await cards();
    await reload();
    return { before, after: await cards() };
  },
});
