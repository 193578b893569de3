// @ts-check
/** Elements of cards. Texts are only ever set as text. */

/** Make an element. @template {keyof HTMLElementTagNameMap} N
 * @param {N} name @param {Record<string, string>} attributes @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[N]} */
export function makeElement(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Make a button. @param {string} text @param {() => void} onClick */
export function makeButton(text, onClick) {
  const made = makeElement("button", { type: "button" }, text);
  made.addEventListener("click", onClick);
  return made;
}
