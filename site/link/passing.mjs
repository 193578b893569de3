// @ts-check
/** A panel with a link for others: a QR code to scan, a button to copy it, and one to share it. */

import { button, copyButton } from "../runtime/words/controls.mjs";
import { makeElement } from "../runtime/words/view.mjs";
import { localizedText } from "./words.mjs";

const SVG = "http://www.w3.org/2000/svg";

/** The address of this page with some parameters behind `#`. @param {Record<string, string>} fragment */
export function pageAddress(fragment) {
  const given = Object.entries(fragment).filter(([, value]) => value);
  return `${location.origin}${location.pathname}#${new URLSearchParams(given)}`;
}

/** A panel with a link for others. @param {string} title @param {string} description @param {string} link
 * @param {...(Node | null)} controls controls */
export function sharePanel(title, description, link, ...controls) {
  const field = makeElement("input", {
    readOnly: true,
    value: link,
    "aria-label": title,
    onfocus: () => field.select(),
  });
  const copy = copyButton(localizedText("copy"), () => link);
  const share =
    "share" in navigator
      ? button(localizedText("share"), () => navigator.share({ title, url: link }).catch(() => {}))
      : null;
  const picture = makeElement("div", { class: "od-picture" });
  import("../vendor/index.js").then(({ encodeQR }) =>
    picture.append(drawQrCode(encodeQR(link, "raw", { ecc: "low", border: 4 }))),
  );
  return makeElement(
    "section",
    { class: "od-card", "aria-label": title, tabIndex: -1 },
    makeElement("h3", {}, title),
    makeElement("p", {}, description),
    picture,
    field,
    makeElement("div", { class: "od-choices" }, copy, share, ...controls),
    makeElement("p", { class: "od-note", role: "status", hidden: true }),
  );
}

/** Draw a QR code, dark on white even on a dark page, because not every camera reads the opposite.
 * @param {boolean[][]} modules */
function drawQrCode(modules) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  const dark = modules.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])));
  path.setAttribute("d", dark.join(""));
  svg.setAttribute("viewBox", `0 0 ${modules.length} ${modules.length}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", localizedText("picture"));
  svg.setAttribute("shape-rendering", "crispEdges");
  svg.append(path);
  return svg;
}
