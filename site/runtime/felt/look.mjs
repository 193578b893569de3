// @ts-check
/** The style sheet of tables, in one place for all hosts. It also works on pages whose security policy forbids styles
 * in markup, because a trusted script adds it. */

const SHEET = /* css */ `
.od-board, ul.od-seats {
  --od-wood: #6b4526; --od-wood-high: #a87545; --od-wood-low: #3d2614; --od-wood-line: #2c1a0c;
  --od-felt: #24523f; --od-felt-low: #12301f; --od-on-felt: #f8f2df; --od-on-felt-low: #dbe6d3;
  --od-plate: #33241a; --od-on-plate: #f7ecd6; --od-plate-line: #7a5c3d;
  --od-brass: #e2b65d; --od-brass-high: #fae3aa; --od-brass-low: #7c5720; --od-on-brass: #22150a;
  --od-full: #e2b65d; --od-groove: #0d1f18; --od-groove-line: #cdb88a; --od-tick: #12301f;
  --od-numbers: Iowan Old Style, Palatino Linotype, Palatino, Charter, Georgia, serif;
}
.od-board { container-type: inline-size; line-height: 1.3; margin: .4em 0; overflow-x: clip; padding-inline: 3px; position: relative; }
@supports (color: light-dark(#000, #fff)) {
  .od-board, ul.od-seats {
    --od-wood: light-dark(#a06c3c, #5f3d22); --od-wood-high: light-dark(#c99459, #8d6038); --od-wood-low: light-dark(#6f4522, #331f10);
    --od-felt: light-dark(#2e6650, #1f4938); --od-felt-low: light-dark(#1d4636, #0e271c);
    --od-plate: light-dark(#fbf3e0, #33241a); --od-on-plate: light-dark(#2b1a0c, #f7ecd6); --od-plate-line: light-dark(#b08d58, #7a5c3d);
  }
}
.od-board.od-board :is(ul, li, dl, dt, dd, p, strong, small, b, span) { box-sizing: border-box; float: none; }
.od-board.od-board :is(ul, li, dl, dt, dd) { border: 0; margin: 0; padding: 0; }
.od-board svg { display: block; flex: none; max-width: 100%; overflow: visible; }

.od-felt {
  background: radial-gradient(85% 75% at 50% 45%, var(--od-felt), var(--od-felt-low)) padding-box,
    repeating-linear-gradient(92deg, transparent 0 17px, rgb(0 0 0 / .12) 17px 18px, transparent 18px 29px, rgb(255 235 200 / .07) 29px 30px) border-box,
    linear-gradient(165deg, var(--od-wood-high), var(--od-wood) 42%, var(--od-wood-low)) border-box;
  border: .7em solid transparent; border-radius: 2.6em; box-shadow: 0 .2em .7em rgb(0 0 0 / .35), 0 0 0 1px var(--od-wood-line);
  box-sizing: border-box; color: var(--od-on-felt); display: grid; gap: .5em .4em; grid-template-columns: repeat(1, minmax(0, 1fr));
  isolation: isolate; margin: 1.3em auto; max-width: 46em; min-height: 11em; padding: .1em .55em; position: relative;
}
.od-felt::before {
  border: 1.5px solid var(--od-brass-low); border-radius: 2em; box-shadow: inset 0 .3em 1em rgb(0 0 0 / .5); content: ""; inset: 0; pointer-events: none; position: absolute; z-index: -1;
}
.od-far-2 { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.od-far-3 { grid-template-columns: repeat(3, minmax(0, 1fr)); }

.od-board.od-board.od-board .od-board-seats { display: contents; list-style: none; }
.od-board.od-board .od-place-at {
  align-items: center; color: var(--od-on-plate); display: flex; justify-content: center; list-style: none; margin-block-start: -1.7em; min-width: 0; order: 0; position: relative;
}
.od-board.od-board .od-near { grid-column: 1 / -1; margin-block: 0 -1.5em; order: 2; }
.od-middle { align-content: space-evenly; align-items: center; display: flex; flex-wrap: wrap; gap: .5em 1.2em; grid-column: 1 / -1; justify-content: center; min-width: 0; order: 1; padding: .4em 0 .2em; }

.od-seat {
  align-items: center; border: .17em solid var(--od-brass); border-radius: 50%; box-shadow: 0 0 0 1.5px var(--od-brass-low), 0 .15em .35em rgb(0 0 0 / .45); box-sizing: border-box; color: #fff; display: inline-flex; flex: none;
  font: 700 1.15em/1 var(--od-numbers); height: 2.1em; justify-content: center; overflow: hidden; position: relative; width: 2.1em; z-index: 1;
}
.od-seat.od-seat .od-portrait { border: 0; border-radius: 50%; height: 100%; margin: 0; object-fit: cover; width: 100%; }
/* Faces are for being known by, from across the room; letters are as well read when small. */
.od-seat:has(.od-portrait) { height: 3.2em; width: 3.2em; }
.od-plate {
  background: var(--od-plate); border: 1px solid var(--od-plate-line); border-radius: .35em .8em .8em .35em; box-shadow: 0 .15em .4em rgb(0 0 0 / .35); box-sizing: border-box;
  margin-inline-start: -.9em; max-width: 100%; min-width: 0; overflow-wrap: anywhere; padding: .25em .8em .3em 1.25em;
}
.od-plate { --od-full: #b4572c; --od-groove: transparent; --od-groove-line: currentcolor; --od-tick: var(--od-plate); }
.od-board-mover .od-plate { --od-full: #8c2f1b; --od-tick: var(--od-brass-high); }
.od-plate > strong { color: inherit; display: block; font-size: .9em; font-weight: 650; line-height: 1.2; }
.od-board.od-board .od-plate > strong small { color: inherit; font-size: .96em; font-weight: 400; opacity: 1; }
.od-plate dl { align-items: center; display: flex; flex-wrap: wrap; gap: .1em .9em; }
.od-far-3 .od-place-at:not(.od-near) { flex-direction: column; justify-content: flex-start; }
.od-far-3 .od-place-at:not(.od-near) .od-plate { border-radius: .8em; margin: -.75em 0 0; padding: .9em .5em .3em; text-align: center; width: 100%; }
.od-far-3 .od-place-at:not(.od-near) dl { justify-content: center; }
.od-board.od-board .od-far-3 .od-place-at:nth-child(n + 4):not(.od-near) { margin-block-start: .3em; }

/* Whose turn it is: the plate turns to brass, a ring is around the medal, light falls on the felt, and a candle burns. */
.od-board-mover .od-plate {
  background: linear-gradient(var(--od-brass-high), var(--od-brass) 60%); border-color: var(--od-brass-low); box-shadow: 0 0 1.4em .4em rgb(255 196 104 / .7); color: var(--od-on-brass); padding-inline-start: 1.5em;
}
.od-board-mover .od-seat { box-shadow: 0 0 0 2px var(--od-brass-low), 0 0 0 .3em var(--od-brass-high), 0 0 0 calc(.3em + 1px) var(--od-brass-low); }
.od-board-mover::before { background: radial-gradient(closest-side, rgb(255 196 104 / .45), rgb(255 196 104 / .12) 60%, transparent); content: ""; inset: -3.2em -2.5em; pointer-events: none; position: absolute; z-index: -1; }
.od-head { display: inline-flex; flex: none; position: relative; z-index: 1; }
.od-crown { left: 50%; position: absolute; top: -.75em; translate: -50%; z-index: 2; }
.od-candle { align-self: flex-end; filter: drop-shadow(0 2px 3px rgb(0 0 0 / .5)); margin-inline-start: .2em; }
.od-far-3 .od-place-at:not(.od-near) .od-candle { inset: -.9em .1em auto auto; position: absolute; }

.od-board.od-board.od-board .od-board-common { display: contents; }
.od-board.od-board .od-thing { align-items: center; display: flex; min-width: 0; }
.od-board.od-board :is(dt, dd) { color: inherit; font-size: 1em; min-width: 0; overflow-wrap: anywhere; }
.od-board.od-board dt { font-size: .86em; font-weight: 400; }
.od-board.od-board .od-plate dt { min-width: min-content; overflow-wrap: break-word; }
.od-board.od-board dd { font-weight: 700; }
.od-board-common > .od-thing { flex-direction: column-reverse; text-align: center; }
.od-plate .od-thing { gap: .35em; }
/* A seat that has nothing but coins need not say so. */
.od-board.od-board .od-plate .od-is-pile:only-child dt { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
.od-picture-of { align-items: center; display: inline-flex; flex-wrap: wrap; gap: .2em .5em; justify-content: center; max-width: 100%; }
.od-member { align-items: center; display: inline-flex; gap: .35em; }
.od-board-common > .od-is-pile:not(:has(.od-of)) .od-member { flex-direction: column; gap: .15em; }
.od-counted b { font: 700 1.25em/1 var(--od-numbers); font-variant-numeric: lining-nums tabular-nums; }
.od-board-common > .od-is-pile .od-counted b { font-size: 1.5em; }
.od-board-common > .od-is-pile :is(.od-counted) { font-weight: 400; }
.od-plate .od-counted { font-size: .9em; font-weight: 400; white-space: nowrap; }
.od-far-3 .od-place-at:not(.od-near) .od-is-pile .od-unit { display: none; }
.od-board-common > :is(.od-is-number, .od-is-word, .od-is-seat, .od-is-tally, .od-is-flag) {
  background: rgb(0 0 0 / .28); border: 1px solid var(--od-brass-low); border-radius: .5em; padding: .25em .7em;
}
.od-board.od-board .od-board-common > :is(.od-is-number, .od-is-tally) dd { font: 700 1.25em/1.1 var(--od-numbers); }
.od-board.od-board .od-board-common > .od-is-track:not(:has(.od-of)) { flex: 1 1 100%; flex-direction: row; gap: .6em; justify-content: center; }
.od-board-common > :not(.od-is-pile) { order: 1; }
.od-board-common > .od-is-dice, .od-board .od-throw { order: 2; }
.od-board-common > .od-is-flag, .od-plate .od-is-flag { flex-direction: row-reverse; gap: .35em; }
.od-not > dt { text-decoration: line-through; }
.od-chip { background: rgb(0 0 0 / .3); border: 1px solid var(--od-brass-low); border-radius: .5em; font-weight: 400; padding: 0 .45em; }
.od-chip b { font: 700 1.1em/1 var(--od-numbers); }
.od-bare { border-style: dashed; opacity: .75; }
.od-box { background: rgb(0 0 0 / .3); border: 1px solid var(--od-brass-low); border-radius: .5em; display: inline-flex; flex-direction: column; min-width: 2.1em; overflow: hidden; text-align: center; }
.od-box > span { background: var(--od-brass); color: var(--od-on-brass); font-size: .86em; line-height: 1.3; }
.od-box > b { font: 700 1.1em/1.35 var(--od-numbers); }
.od-box.od-bare > span { background: none; color: inherit; }
.od-plate .od-box { background: none; border-color: currentcolor; }
.od-plate .od-chip { background: none; border-color: currentcolor; }
.od-down { border-style: dashed; opacity: .8; text-decoration: line-through; }
.od-board .od-throw { font-size: 2.85em; justify-content: center; }
.od-board.od-board .od-board-common .od-is-dice dd { font-size: 2.85em; }
.od-board .od-throw .od-fallen, .od-is-dice .od-fallen { flex-wrap: wrap; justify-content: center; }
.od-middle .od-fallen:has(> :nth-child(4)) { font-size: .86em; }
.od-middle .od-fallen:has(> :nth-child(5)) { font-size: .7em; }
.od-middle .od-fallen:has(> :nth-child(9)) { font-size: .5em; }
.od-is-dice .od-die, .od-board .od-throw .od-die { filter: drop-shadow(0 .12em .1em rgb(0 0 0 / .45)); }
.od-is-dice .od-die:nth-child(3n + 1), .od-board .od-throw .od-die:nth-child(3n + 1) { transform: rotate(-5deg); }
.od-is-dice .od-die:nth-child(3n + 2), .od-board .od-throw .od-die:nth-child(3n + 2) { transform: rotate(3deg); }
.od-drawn { background: var(--od-brass); border: 1px solid var(--od-brass-low); border-radius: .4em; color: var(--od-on-brass); font-size: .7em; padding: .15em .8em; }
.od-track-board { flex: 1 1 100%; max-width: 100%; }
.od-track-board > svg { height: auto; margin: 0 auto; }

.od-foot { align-items: flex-start; display: flex; flex-wrap: wrap; gap: .2em 1em; justify-content: space-between; }
.od-foot.od-foot.od-foot .od-terms { background: none; border: 0; box-shadow: none; flex: 1 1 0; font-size: .86em; margin: 0; min-width: 0; padding: 0; }
.od-foot.od-foot.od-foot .od-terms > summary { background: none !important; border: 0; font-weight: 400; margin: 0; min-height: 0; padding: .45em 0; text-decoration: underline; width: fit-content; }
.od-foot.od-foot.od-foot .od-terms > summary::before, .od-foot.od-foot.od-foot .od-terms > summary::after { content: none; display: none; }
.od-foot .od-terms > p { margin: .2em 0; }
.od-foot .od-sounds { align-items: center; cursor: pointer; display: inline-flex; flex-direction: row; font-size: .86em; gap: .4em; min-height: 2.4em; }
.od-foot .od-sounds input { flex: none; height: 24px; margin: 0; min-height: 0; width: 24px; }
.od-flying { inset: -8px auto auto -12px; pointer-events: none; position: absolute; z-index: 3; }

@media (prefers-reduced-motion: no-preference) {
  .od-flame { animation: od-breathe 2.4s ease-in-out infinite; transform-box: fill-box; transform-origin: 50% 100%; }
}
@keyframes od-breathe { 50% { opacity: .92; transform: scale(.93, 1.07); } }
@media print { .od-foot .od-sounds, .od-candle { display: none; } }

@container (max-width: 360px) {
  .od-board .od-throw { font-size: 2.5em; }
  .od-board.od-board .od-board-common .od-is-dice dd { font-size: 2.5em; }
}
/* With many seats, the next one sits at the left, the last one at the right, and the others at the far side. */
@container (min-width: 430px) {
  .od-felt.od-round { border-radius: 5em; grid-template-columns: repeat(24, minmax(0, 1fr)); min-height: 18em; }
  .od-round::before { border-radius: 4.4em; }
  .od-board.od-board .od-round .od-place-at.od-place-at:not(.od-near) { grid-column: span 8; grid-row: 1; margin-block: -1.7em 0; }
  .od-board.od-board .od-round-4 .od-place-at.od-place-at:nth-child(2) { grid-column: 8 / 18; }
  .od-board.od-board .od-round-5 .od-place-at.od-place-at:nth-child(2) { grid-column: 4 / 13; }
  .od-board.od-board .od-round-5 .od-place-at.od-place-at:nth-child(3) { grid-column: 13 / 22; }
  .od-board.od-board .od-round .od-place-at.od-place-at.od-place-at:first-child, .od-board.od-board .od-round .od-place-at.od-place-at.od-place-at:nth-last-child(2) { align-self: center; grid-column: 1 / 7; grid-row: 3; margin: 0 0 0 -1.1em; }
  .od-board.od-board .od-round .od-place-at.od-place-at.od-place-at:nth-last-child(2) { grid-column: 19 / -1; margin: 0 -1.1em 0 0; }
  .od-board.od-board .od-round .od-place-at.od-near { grid-column: 1 / -1; grid-row: 5; margin-block: 0 -1.5em; }
  .od-round > .od-result { grid-column: 2 / -2; grid-row: 2; }
  .od-round > .od-middle { grid-column: 7 / 19; grid-row: 3; }
  .od-board.od-board .od-round > .od-latest { grid-row: 4; }
  .od-board .od-round .od-throw { font-size: 2.5em; }
}
@container (min-width: 34em) {
  .od-felt { font-size: 1.12em; min-height: 14em; padding-inline: 1.2em; }
  .od-middle { gap: .8em 1.8em; }
}

/* Facts about a table, a name in small capitals over each value. */
.od-facts.od-facts { align-items: end; border-block-end: 1px solid #a97a3c; display: flex; flex-wrap: wrap; gap: .25em 1.1em; list-style: none; padding: 0 0 .4em; }
.od-facts > li { line-height: 1.25; margin: 0; min-width: 0; overflow-wrap: anywhere; }
.od-facts b { display: block; }
.od-fact-name { display: block; font-variant-caps: all-small-caps; letter-spacing: .08em; }
.od-facts > :is(.od-fact-note, :has(> .od-note)) { flex: 1 1 100%; font-size: .9em; }

/* What the last move did. */
.od-board.od-board .od-latest {
  align-self: end; background: rgb(0 0 0 / .34); border: 1px solid var(--od-brass-low); border-radius: 1em; font-size: .95em; grid-column: 1 / -1; justify-self: center; line-height: 1.35; margin: 0 0 .5em; max-width: 100%; order: 1; overflow-wrap: anywhere; padding: .2em .9em; text-align: center;
}
.od-board .od-latest svg.od-die { height: 1.3em; width: 1.2em; }
.od-middle span.od-die { font-size: .5em; }
.od-felt:has(.od-place-at:only-child) > .od-middle { padding-block-start: 1em; }
.od-gain { background: #1f5b46; border: 1px solid #8fd6ae; border-radius: .6em; color: #fff6e3; font: 700 .95em/1.2 var(--od-numbers); padding: 0 .35em; white-space: nowrap; }
.od-gain.od-loss { background: #87301d; border-color: #f0a48f; }

/* How the game ended, and the winners large. */
.od-result { align-items: center; display: flex; flex-wrap: wrap; gap: .4em 1em; grid-column: 1 / -1; justify-content: center; min-width: 0; order: 1; padding-block-start: .9em; }
.od-winners { display: flex; flex-wrap: wrap; font-size: 1.9em; gap: .4em; justify-content: center; padding-block-start: .5em; }
.od-winners .od-seat { box-shadow: 0 0 0 2px var(--od-brass-low), 0 0 1.2em .4em rgb(255 196 104 / .6); }
.od-board.od-board .od-result > p { color: var(--od-on-felt); flex: 0 1 auto; font: 700 1.2em/1.3 var(--od-numbers); margin: 0; min-width: 0; overflow-wrap: anywhere; text-align: center; text-wrap: balance; }

/* Whose turn it is or how the game ended, on a band of brass that is read from across the room. */
.od-turn.od-turn:not(:empty) {
  background: linear-gradient(#fae3aa, #e2b65d 60%); border: 1px solid #7c5720; border-radius: .3em; box-shadow: 0 .1em .35em rgb(0 0 0 / .4); box-sizing: border-box; color: #22150a;
  font: 700 1.3em/1.25 Iowan Old Style, Palatino Linotype, Palatino, Charter, Georgia, serif; overflow-wrap: anywhere; padding: .3em .7em; text-align: center;
}

/* Seats that are still being taken, as plates with the medals that they will have. */
ul.od-seats.od-seats.od-seats { counter-reset: od-seat; list-style: none; }
ul.od-seats.od-seats > li {
  background: var(--od-plate); border: 1px solid var(--od-plate-line); border-radius: .35em .8em .8em .35em; color: var(--od-on-plate); counter-increment: od-seat; margin: 0; padding: .35em .7em;
}
ul.od-seats.od-seats > li .od-note { color: inherit; }
ul.od-seats > li::before {
  align-items: center; background: #a23c29; border: .17em solid var(--od-brass); border-radius: 50%; box-shadow: 0 0 0 1.5px var(--od-brass-low); box-sizing: border-box; color: #fff; content: counter(od-seat); display: inline-flex; flex: none;
  font: 700 1.1em/1 var(--od-numbers); height: 2.1em; justify-content: center; width: 2.1em;
}
ul.od-seats > li:nth-child(6n + 2)::before { background: #2f6b8f; }
ul.od-seats > li:nth-child(6n + 3)::before { background: #6c4a8e; }
ul.od-seats > li:nth-child(6n + 4)::before { background: #37703d; }
ul.od-seats > li:nth-child(6n + 5)::before { background: #8f5d0c; }
ul.od-seats > li:nth-child(6n)::before { background: #4d5560; }
`;

/** Documents that have the style sheet. @type {WeakSet<Document>} */
const styled = new WeakSet();

/** Add the style sheet to a document, once; does nothing without one. Each document needs a sheet of its own.
 * @param {Document | undefined} [page] */
export function addStyles(page = globalThis.document) {
  if (!page?.adoptedStyleSheets || styled.has(page)) return;
  styled.add(page);
  const sheet = new (page.defaultView ?? globalThis).CSSStyleSheet();
  sheet.replaceSync(SHEET);
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
}
