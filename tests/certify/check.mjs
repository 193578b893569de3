// Checks certificates with the checker in JavaScript: a path of one on each line of standard input, as JSON, beginning
// with that of the checker; on standard output, for each certificate, what the checker says.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [checker, ...files] = readFileSync(0, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const { checkCertificate: check, CertificateError } = await import(pathToFileURL(checker));

/** @param {bigint} one @param {bigint} other */
const divisor = (one, other) => (other ? divisor(other, one % other) : one < 0n ? -one : one);
const text = ([top, bottom]) => {
  const common = divisor(top, bottom);
  return bottom === common ? `${top / common}` : `${top / common}/${bottom / common}`;
};

for (const path of files) {
  try {
    const { header, states, ...proof } = await check(new Uint8Array(readFileSync(path)));
    const proves = { ...proof, values: proof.values.map((bounds) => bounds.map(text)) };
    console.log(JSON.stringify({ refused: false, says: "", states: states === header.states, proves }));
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    console.log(JSON.stringify({ refused: true, says: error.message }));
  }
}
