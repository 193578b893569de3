// @ts-check
/** A chart as a file of its own, with its colours, its title, and where it comes from. */

import { makeSvgElement } from "./elements.mjs";

const LOOK = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];
const [EDGE, HEAD, FOOT] = [28, 84, 30];
const SHARP = 2; // pixels of a photograph for one of the drawing

/** The text of an SVG file with a chart, its title and its colours. @param {HTMLElement} styleSource where the page's
 * style is that of the chart @param {SVGElement} chartSvg
 * @param {string} title @param {string} description @returns {string} */
export function svgFileText(styleSource, chartSvg, title, description) {
  const holder = document.createElement("div");
  holder.className = "od-plot od-aside-picture";
  holder.append(chartSvg);
  styleSource.after(holder);
  const ink = getComputedStyle(styleSource).color;
  const ground = getComputedStyle(document.body).backgroundColor;
  const all = [...chartSvg.querySelectorAll("*")];
  // All are looked at before any loses its class, from which others have their colours.
  const looks = all.map((element) => {
    const style = getComputedStyle(element);
    const pattern = element.getAttribute("fill")?.startsWith("url");
    return LOOK.filter((name) => !(pattern && name === "fill")).map((name) => [name, style.getPropertyValue(name)]);
  });
  for (const [place, element] of all.entries()) {
    for (const [name, value] of looks[place]) element.setAttribute(name, value);
    element.removeAttribute("class");
  }
  holder.remove();
  const [wide, high] = [Number(chartSvg.getAttribute("width")), Number(chartSvg.getAttribute("height"))];
  const [width, height] = [wide + 2 * EDGE, high + HEAD + FOOT];
  const line = (/** @type {number} */ y, /** @type {string} */ size, /** @type {string} */ text) =>
    makeSvgElement(
      "text",
      { x: EDGE, y, "font-size": size, "font-family": "Georgia, serif", fill: ink },
      text.length > 95 ? `${text.slice(0, 94)}…` : text,
    );
  for (const [name, value] of Object.entries({ x: EDGE, y: HEAD, width: wide, height: high }))
    chartSvg.setAttribute(name, String(value));
  const sheet = makeSvgElement(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height },
    makeSvgElement("rect", { width, height, fill: ground }),
    line(36, "24", title),
    line(64, "18", description),
    chartSvg,
    makeSvgElement(
      "text",
      {
        x: width - EDGE,
        y: height - 10,
        "font-size": "12",
        "font-family": "sans-serif",
        "text-anchor": "end",
        fill: ink,
      },
      "exact odds by Oddsmith",
    ),
  );
  return new XMLSerializer().serializeToString(sheet);
}

/** Render an SVG file as a PNG image. @param {string} svgText of the SVG file @returns {Promise<Blob>} */
export async function renderAsPng(svgText) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * SHARP, image.height * SHARP];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((give, fail) => canvas.toBlob((blob) => (blob ? give(blob) : fail(new Error("no picture")))));
}
