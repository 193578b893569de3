// Makes a map of best play touchable: a finger, a mouse, arrow keys or buttons choose a cell. A line below then says
// what is best there, what it is worth, and what the next best costs. Without this script the picture and the tables
// remain.

const HOW = "Touch the map, or move over it with the arrow keys or the buttons: it says what each choice is worth.";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** A sentence about a cell of a map: its best option, and what the second best costs. */
function cellText({ odAcross, odDown }, optionMap, x, y) {
  const at = `${odAcross} ${x * optionMap.times[0]}, ${odDown} ${y * optionMap.times[1]}`;
  const cell = optionMap.columns[x - optionMap.first]?.[y - optionMap.low];
  if (!cell) return `${at}: this cannot happen.`;
  const [option, worth, played, other, costs] = cell;
  const best = optionMap.options[option];
  const told = best
    ? `${best}, worth ${worth} from here. ${other} costs ${costs}.`
    : "what is best depends on more than the map shows.";
  return `${at}: ${told}${played ? "" : " Best play never gets here."}`;
}

/** A map that says what is best in the cell that a reader touches or moves to with keys. */
class TouchableMap {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector("svg");
    this.box = figure.querySelector(".od-box");
    this.told = document.createElement("p");
    this.told.setAttribute("role", "status");
    this.told.className = "od-told";
    this.told.textContent = HOW;
    this.cursor = document.createElementNS(this.svg.namespaceURI, "rect");
    this.cursor.setAttribute("class", "od-cursor");
    this.svg.append(this.cursor);
    this.svg.after(this.told, this.stepButtons());
    // What takes arrow keys is no image: those who hear the page get its title, and each cell as it is chosen.
    this.svg.setAttribute("role", "application");
    this.svg.setAttribute("aria-label", `${this.svg.querySelector("title").textContent} ${HOW}`);
    this.svg.setAttribute("tabindex", "0");
    for (const kind of ["pointerdown", "pointermove"])
      this.svg.addEventListener(kind, (event) => this.showTouchedCell(event));
    this.svg.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** Buttons that move by one cell along each axis, because columns can be too narrow for a finger. */
  stepButtons() {
    const { odAcross, odDown } = this.figure.dataset;
    const button = (axis, sign, step) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = sign;
      made.setAttribute("aria-label", `${axis}: one ${sign === "+" ? "more" : "less"}`);
      made.addEventListener("click", () => this.moveBy(step));
      return made;
    };
    const axis = (name, less, more) => {
      const group = document.createElement("span");
      group.append(button(name, "\u2212", less), name, button(name, "+", more));
      return group;
    };
    const all = document.createElement("p");
    all.className = "od-steps";
    all.append(axis(odAcross, STEPS.ArrowLeft, STEPS.ArrowRight), axis(odDown, STEPS.ArrowDown, STEPS.ArrowUp));
    return all;
  }

  /** Load the cells once. Resolves to null if that fails. */
  loadCells() {
    this.loading ??= fetch(new URL(this.figure.dataset.odMap, location.href))
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    return this.loading;
  }

  /** Show the cell at which a pointer event happened, if there is one. */
  async showTouchedCell(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const map = await this.loadCells();
    if (!map) return this.showLoadError();
    const { left, top, wide, high } = this.cellGrid(map);
    const column = Math.floor((x - left) / wide);
    const row = map.columns[0].length - 1 - Math.floor((y - top) / high);
    if (column >= 0 && column < map.columns.length && row >= 0 && row < map.columns[0].length)
      this.showCell(map, map.first + column, map.low + row);
  }

  /** Move by an arrow key: one cell, or five with Shift. */
  handleKey(event) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    return this.moveBy(event.shiftKey ? step.map((one) => 5 * one) : step);
  }

  /** Move by a number of cells within the map; begin in its middle. */
  async moveBy([cellsRight, cellsUp]) {
    const map = await this.loadCells();
    if (!map) return this.showLoadError();
    const [x, y] = this.at
      ? [this.at[0] + cellsRight, this.at[1] + cellsUp]
      : [map.first + (map.columns.length >> 1), map.low + (map.columns[0].length >> 1)];
    const within = (value, first, count) => Math.min(Math.max(value, first), first + count - 1);
    this.showCell(map, within(x, map.first, map.columns.length), within(y, map.low, map.columns[0].length));
  }

  /** Mark a cell, and say what is best there. */
  showCell(optionMap, x, y) {
    if (this.at && this.at[0] === x && this.at[1] === y) return;
    this.at = [x, y];
    const { left, top, wide, high } = this.cellGrid(optionMap);
    const place = {
      x: left + (x - optionMap.first) * wide,
      y: top + (optionMap.columns[0].length - 1 - y + optionMap.low) * high,
    };
    for (const [name, value] of Object.entries({ ...place, width: wide, height: high }))
      this.cursor.setAttribute(name, String(value));
    this.told.textContent = cellText(this.figure.dataset, optionMap, x, y);
  }

  /** Where the cells lie in the picture: the left and top edge, and the width and height of one cell. */
  cellGrid(optionMap) {
    const { x, y, width, height } = this.box.getBBox();
    return { left: x, top: y, wide: width / optionMap.columns.length, high: height / optionMap.columns[0].length };
  }

  /** Say that the cells could not be loaded. */
  showLoadError() {
    this.told.textContent = "What each choice is worth could not be loaded. The tables say what is best.";
  }
}

for (const figure of document.querySelectorAll("figure[data-od-map]")) new TouchableMap(figure);
