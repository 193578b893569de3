// How somebody looks for what lies under the cups of others: with everything that a browser has, and by trying.

/** The numbers of secret rolls that somebody finds who tries all that is known against the hashes on the table. Each is
 * tried as it stands, and as the secret of a browser from which numbers are made; small numbers are tried besides. It
 * stands alone, so that it runs in a page as well.
 * @param {{scripts: string, table: {id: string, rules: string, setting: string, log: string | any[]}, texts: string[],
 * guesses: number}} job `scripts`: the address of the second engine; `texts`: all that was found in a browser */
export async function peekUnderCups({ scripts, table, texts, guesses }) {
  const from = (name) => import(`${scripts}/${name}.mjs`);
  const [{ numberCommitment, rollId, secretNumber }, { unpackLog }] = await Promise.all(
    ["sealed/numbers", "table/packed"].map(from),
  );
  const log = typeof table.log === "string" ? await unpackLog(table.log) : table.log;
  const rolls = [];
  for (const [at, { seat, promise }] of log.entries()) {
    if (promise === undefined) continue;
    if (!rolls.length || rolls.at(-1).promises.has(seat - 1)) rolls.push({ at, promises: new Map() });
    rolls.at(-1).promises.set(seat - 1, promise);
  }
  const written = [...texts, JSON.stringify(log)];
  const packed = texts.flatMap((text) => [...text.matchAll(/"log":"([\w+/=]+)"/g)].map(([, each]) => each));
  for (const one of packed) written.push(await unpackLog(one).then(JSON.stringify, () => "")); // the logs in messages
  const number = /[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const known = new Set(written.flatMap((text) => text.match(number) ?? []));
  const small = Array.from({ length: guesses }, (_, guess) => guess);
  const tried = [...small.map(String), ...small.map((guess) => guess.toString(16).padStart(64, "0"))];
  const found = [];
  for (const { at, promises } of rolls) {
    const round = await rollId(JSON.stringify([table.id, table.rules, table.setting]), log.slice(0, at), null);
    const made = [...known].flatMap((own) =>
      [...promises.keys()].flatMap((seat) => [0, 1].map((again) => secretNumber(own, round, again, seat))),
    );
    const numbers = [...known, ...tried, ...(await Promise.all(made))];
    for (const [seat, promise] of promises)
      for (const one of numbers)
        if ((await numberCommitment(round, 0, seat, one)) === promise) {
          found.push({ at, seat, number: one });
          break;
        }
  }
  return { rolls: rolls.map(({ at, promises }) => [at, [...promises.keys()].sort()]), known: known.size, found };
}
