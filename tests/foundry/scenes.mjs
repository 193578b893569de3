// Plays every scene with a folder of games (books.py) and prints one JSON a line: its name, what went wrong or null,
// and transcripts for Python to verify.

for (const file of [
  "./security.mjs",
  "./dice.mjs",
  "./attacks.mjs",
  "./opening.mjs",
  "./money.mjs",
  "./coins.mjs",
  "./houses.mjs",
  "./versions.mjs",
  "./currencies.mjs",
  "./plays.mjs",
  "./absent.mjs",
  "./purses.mjs",
  "./sizes.mjs",
  "./breaks.mjs",
  "./cards.mjs",
  "./screens.mjs",
  "./secrets.mjs",
])
  for (const [name, scene] of Object.entries(await import(file))) {
    let [error, transcripts] = [null, []];
    try {
      transcripts = (await scene()) ?? [];
    } catch (reason) {
      error = reason.stack;
    }
    console.log(JSON.stringify({ name, error, transcripts }));
  }
