// @ts-check
/** Elements of a page. Texts are only ever set as text. */

const SVG = "http://www.w3.org/2000/svg";

/** Make an element with properties and children. @template {keyof HTMLElementTagNameMap} N
 * @param {N} name @param {Record<string, any>} [properties] @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[N]} */
export function makeElement(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Make an SVG element. @param {string} name @param {Record<string, string | number>} [properties]
 * @param {...(Node | string)} children */
export function makeSvgElement(name, properties = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
