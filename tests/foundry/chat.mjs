// What the tabletop makes of a message: of its text, and of its rolls.

/** What the tabletop shows of a message: where its content has no elements, a block for each roll, with a total.
 * @param {{content: string, rolls: {formula: string, total: number}[]}} message */
export const shownContent = ({ content, rolls }) =>
  rolls.length && !/<[a-z]/i.test(content)
    ? rolls
        .map(
          ({ formula, total }) =>
            `<div class="dice-roll"><div class="dice-result"><div class="dice-formula">${formula}</div>` +
            `<h4 class="dice-total">${total}</h4></div></div>`,
        )
        .join("")
    : content;

/** What becomes of marks in the text of a message, between its tags: rolls, links to documents and to the web. */
export const enriched = (content) =>
  content
    .split(/(<[^>]*>)/)
    .map((part, place) =>
      place % 2
        ? part
        : part
            .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
            .replace(/\[\[.*?\]{2,3}/g, '<a class="inline-roll">3</a>')
            .replace(/@\w+\[[^\]]+\](\{[^}]+\})?/g, '<a class="content-link"></a>')
            .replace(/https?:\/\/\S+/g, '<a class="hyperlink"></a>'),
    )
    .join("");
