// @ts-check
/** Makes elements. Texts are only ever set as text, so a ruleset cannot bring in markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Make an element with properties and children. @param {string} name @param {Record<string, any>} properties
 * @param {...(Node | string | null)} children @returns {any} */
export function makeElement(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Make an element with its own styles, for hosts without our style sheet.
 * @param {string} name @param {Record<string, any>} properties @param {Partial<CSSStyleDeclaration>} style
 * @param {...(Node | string)} children @returns {HTMLElement} */
export function styledElement(name, properties, style, ...children) {
  const element = makeElement(name, properties, ...children);
  Object.assign(element.style, style);
  return element;
}

/** Make an SVG element. @param {string} name @param {Record<string, string | number>} properties
 * @param {...(Node | string)} children */
export function makeSvgElement(name, properties, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Make a picture, hidden from screen readers. @param {number[]} box left, top, width and height of the drawing
 * @param {number} size its height, in that of the text @param {...Node} drawings */
export function makeFigure([left, top, width, height], size, ...drawings) {
  const viewBox = [left, top, width, height].map((one) => Math.round(one * 10) / 10).join(" ");
  const [wide, high] = [(size * width) / height, size].map((one) => `${Math.round(one * 100) / 100}em`);
  return makeSvgElement("svg", { viewBox, width: wide, height: high, "aria-hidden": "true" }, ...drawings);
}
