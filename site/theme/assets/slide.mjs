// Shows the map of best play for any value of a third variable: a slider, by finger or arrow keys, chooses the value.
// The maps are fetched when it is first moved. Without this script there are the little maps and the tables.

const SVG = "http://www.w3.org/2000/svg";
const NEVER = 100; // added to an option where best play never gets

/** The stretches of one column in which one option is best: from `low` to before `below`, the `option`, and whether
 * best play `never` gets there. */
function* optionStretches(column) {
  for (let at = 0; at + 2 < column.length; at += 2) {
    const [low, code, below] = column.slice(at, at + 3);
    if (code >= 0) yield { low, below, option: code % NEVER, never: code >= NEVER };
  }
}

/** A map with a slider for a third variable. */
class SlidingMap {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector("svg");
    this.words = figure.querySelector("figcaption p");
    this.title = this.svg.querySelector("title");
    this.values = figure.dataset.odValues.split(" ");
    this.slider = document.createElement("input");
    this.label = document.createElement("label");
    this.shown = document.createElement("output");
    Object.assign(this.slider, { type: "range", min: "0", max: String(this.values.length - 1), step: "1" });
    this.slider.value = figure.dataset.odAt;
    this.slider.setAttribute("aria-label", figure.dataset.odName); // the label is that of the output, which comes first
    this.label.className = "od-slider";
    this.label.append(`${figure.dataset.odName} `, this.shown, this.slider);
    this.svg.before(this.label);
    this.words.setAttribute("role", "status");
    this.showSliderValue();
    this.slider.addEventListener("input", () => this.showChosenMap());
    figure.hidden = false;
  }

  /** Show the value at which the slider stands. */
  showSliderValue() {
    const value = this.values[Number(this.slider.value)];
    this.shown.textContent = value;
    this.slider.setAttribute("aria-valuetext", value);
  }

  /** Load all maps once. Resolves to null if that fails. */
  loadMaps() {
    this.loading ??= fetch(new URL(this.figure.dataset.odSlides, location.href))
      .then((answer) => (answer.ok ? answer.json() : null))
      .catch(() => null);
    return this.loading;
  }

  /** Show the map at which the slider stands. */
  async showChosenMap() {
    this.showSliderValue();
    const maps = await this.loadMaps();
    if (maps) this.drawMap(maps, maps.slides[Number(this.slider.value)]);
    else this.words.textContent = "The other maps could not be loaded. The tables say what is best.";
  }

  /** Draw one of the maps in place of the one that is shown. */
  drawMap(maps, sliderIndex) {
    const { x, y, width, height } = (this.frame ??= this.svg.querySelector(".od-box").getBBox());
    const wide = width / sliderIndex.columns.length;
    const high = height / (maps.below - maps.low);
    const outlines = new Map();
    const never = new Set();
    sliderIndex.columns.forEach((column, place) => {
      for (const { low, below, option, never: missed } of optionStretches(column)) {
        const [left, top] = [x + place * wide, y + height - (below - maps.low) * high];
        const path = `M${left} ${top}h${wide}v${(below - low) * high}h${-wide}z`;
        outlines.set(option, (outlines.get(option) ?? "") + path);
        for (let row = low; missed && row < below; row += 1) never.add(`${place} ${row - maps.low}`);
      }
    });
    for (const old of this.svg.querySelectorAll(".od-f0, .od-f1, .od-f2, .od-f3, .od-hatch")) old.remove();
    const shapes = [...outlines].map(([option, path]) => [path, `od-f${option % 4}`]);
    if (never.size) shapes.push([this.strokePath(never, maps.apart, { x, base: y + height, wide, high }), "od-hatch"]);
    for (const [path, classes] of shapes) {
      const shape = document.createElementNS(SVG, "path");
      shape.setAttribute("d", path);
      shape.setAttribute("class", classes);
      this.svg.querySelector(".od-box").before(shape);
    }
    this.words.textContent = this.title.textContent = sliderIndex.words;
  }

  /** The path of slanting strokes over the cells that best play never reaches. */
  strokePath(neverReachedCells, strokeDistance, { x, base, wide, high }) {
    let path = "";
    for (const cell of neverReachedCells) {
      const [across, up] = cell.split(" ").map(Number);
      if ((across - up) % strokeDistance || neverReachedCells.has(`${across - 1} ${up - 1}`)) continue;
      let end = 1;
      while (neverReachedCells.has(`${across + end} ${up + end}`)) end += 1;
      path += `M${x + across * wide} ${base - up * high}l${end * wide} ${-end * high}`;
    }
    return path;
  }
}

for (const figure of document.querySelectorAll("figure[data-od-slides]")) new SlidingMap(figure);
