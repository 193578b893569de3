// Answers, one JSON a line, what one table without a server does.
//
// played: a game with people in all seats, who choose by chance. After each act, how many actions the log got, how many
// are left to the same seat, and how many the seat had where taking the act back leads. paced: when each move of a log
// that has grown is shown, in milliseconds.

import { readFileSync } from "node:fs";

import { Game } from "../../site/runtime/rules/game.mjs";
import { SystemRandom } from "../../site/runtime/rules/random.mjs";
import { Rules } from "../../site/runtime/rules/rules.mjs";
import { extendLog, makeFreeSeats, logBeforeLastAct, positionAfterLog } from "../../site/runtime/table/round.mjs";
import { MovePacer } from "../../site/runtime/words/pace.mjs";

const JOBS = {
  played: async ({ bundle, seats, parameters, most }) => {
    const game = new Game(bundle, seats, parameters);
    const ready = { game, rules: new Rules(game) };
    const [people, dice] = [makeFreeSeats(seats), new SystemRandom()];
    const acts = [];
    let log = [];
    while (acts.length < most) {
      const { state, actions } = positionAfterLog(ready, log);
      if (!state.phase) break;
      const { log: longer, broken } = await extendLog(
        ready,
        people,
        [],
        log,
        dice,
        actions ? dice.below(actions.length) : null,
      );
      if (broken) break;
      const after = positionAfterLog(ready, longer);
      const same = after.state.phase && after.state.mover === state.mover;
      acts.push({
        own: actions?.length ?? null,
        added: longer.slice(log.length).map((entry) => "choose" in entry),
        left: same ? (after.actions?.length ?? null) : null,
        back: logBeforeLastAct(ready, people, longer, null).length === log.length,
        led: log.at(-1)?.seat === state.mover + 1,
      });
      log = longer;
    }
    return acts;
  },
  paced: ({ log, people, from, calm }) => {
    const seats = [0, 1].map((seat) => ({ kind: people.includes(seat) ? "user" : "npc" }));
    globalThis.document = new EventTarget();
    globalThis.matchMedia = () => ({ matches: calm });
    const waits = [];
    globalThis.setTimeout = (go, pause) => void waits.push([go, pause]);
    const pace = new MovePacer(() => {});
    pace.showMoves(log, seats, from);
    const shown = [[pace.shown, 0]];
    while (waits.length) {
      const [go, pause] = waits.shift();
      go();
      shown.push([pace.shown, pause]);
    }
    return shown;
  },
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const job = JSON.parse(line);
  console.log(JSON.stringify(await JOBS[job.job](job)));
}
