// @ts-check
/** The section of a game's page that checks certificates. Everything else is loaded only when somebody opens it. */

/** @typedef {[name: string, file: string, bytes: number]} Known a certificate beside the page */
/** @typedef {import("./worker.mjs").Said} Said */

/** Fill the section with its controls. @param {HTMLElement} sectionElement */
async function openSection(sectionElement) {
  const { makeElement } = await import("../runtime/words/view.mjs");
  const { MAX_FILE_BYTES } = await import("./check.mjs");
  const { unprovenAssumptionsText, checkedText, provenTexts, sizeText, valueText } = await import("./words.mjs");
  const { rules, certificates } = JSON.parse(sectionElement.dataset.odProof ?? "");
  /** @type {Worker | null} */
  let worker = null;

  const option = (/** @type {Known} */ [name, file, bytes]) =>
    makeElement("option", { value: file }, `${name} (${sizeText(bytes)})`);
  const pick = makeElement("select", { "aria-label": "Setting" }, ...certificates.map(option));
  const start = makeElement(
    "button",
    { class: "md-button", type: "button", onclick: () => checkPublishedFile() },
    "Check this proof here",
  );
  const stop = makeElement(
    "button",
    { class: "md-button", type: "button", onclick: () => showResult("Stopped.") },
    "Stop",
  );
  const own = makeElement("input", { type: "file", accept: ".gz,.jsonl", onchange: () => checkOwnFile(own.files[0]) });
  const bar = makeElement("progress", { "aria-label": "Checked so far" });
  const said = makeElement("div", { class: "od-answer", role: "status" });

  /** End the check and show these parts. @param {...Node | string} parts */
  function showResult(...parts) {
    worker?.terminate();
    worker = null;
    start.disabled = own.disabled = false;
    own.value = "";
    said.replaceChildren(...parts);
  }

  /** A paragraph that is an alert. @param {string} text */
  const alert = (text) => makeElement("p", { role: "alert" }, text);

  /** Show that something goes on, with a progress bar and a button that stops it. @param {string} text */
  function showProgress(text) {
    bar.removeAttribute("value");
    said.replaceChildren(makeElement("p", {}, text), makeElement("p", {}, bar), makeElement("p", {}, stop));
    start.disabled = own.disabled = true;
  }

  async function checkPublishedFile() {
    const file = pick.value;
    showProgress("Loading the certificate.");
    try {
      const answer = await fetch(new URL(file, location.href));
      if (!answer.ok) throw new Error(`${answer.status}`);
      check(await answer.arrayBuffer(), file, new URL(file, location.href).href);
    } catch {
      showResult(
        alert("The certificate could not be loaded. It needs the network, unless it was kept for use without one."),
      );
    }
  }

  /** Check a file of the reader. @param {File | undefined} file */
  async function checkOwnFile(file) {
    if (!file) return;
    showProgress(`Reading ${file.name}.`);
    if (file.size > MAX_FILE_BYTES)
      return showResult(alert("This file is larger than 64 MiB. Check it with oddsmith certify --values."));
    try {
      check(await file.arrayBuffer(), file.name, "");
    } catch {
      showResult(alert("This file could not be read."));
    }
  }

  /** Check a certificate in a worker, and show the result. @param {ArrayBuffer} bytes @param {string} name @param
   * {string} address where the file can be had */
  function check(bytes, name, address) {
    if (!globalThis.isSecureContext)
      return showResult(alert("Browsers check only what comes by https or from this machine. Use the commands below."));
    const begun = performance.now();
    showProgress(`Checking ${name}.`);
    worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    worker.onerror = () => showResult(alert("The checker could not be started in this browser."));
    worker.onmessage = (/** @type {MessageEvent<Said>} */ { data }) => {
      if ("of" in data) [bar.max, bar.value] = [data.of, data.done];
      else if ("proof" in data) showResult(...proofElements(data.proof, (performance.now() - begun) / 1000, address));
      else if ("refused" in data) showResult(...refusalElements(data.refused, name));
      else showResult(alert(`The check broke off, so it proves nothing: ${data.failed}`));
    };
    worker.postMessage(bytes);
  }

  /** What a certificate proves, as elements. @param {import("./check.mjs").Proof} proof @param {number} seconds @param
   * {string} address */
  function proofElements(proof, seconds, address) {
    const { header, values } = proof;
    const seats = values.map((bounds, seat) => makeElement("li", {}, `Seat ${seat + 1} gets ${valueText(bounds)}.`));
    const about = `${header.ruleset.id}, ${header.objective.replaceAll("_", " ")}:`;
    const keep = address
      ? [makeElement("p", {}, makeElement("a", { href: address, download: "" }, "Keep the certificate"))]
      : [];
    return [
      makeElement("p", {}, makeElement("strong", {}, "The table proves its values.")),
      makeElement("p", {}, checkedText(proof, seconds)),
      makeElement("p", {}, about),
      makeElement("ul", {}, ...seats),
      makeElement("p", {}, provenTexts(proof).join(" ")),
      makeElement("p", {}, unprovenAssumptionsText(proof, rules)),
      ...keep,
    ];
  }

  /** Why a certificate is refused, as elements. @param {string} why @param {string} name of the file */
  function refusalElements(why, name) {
    return [
      makeElement("p", { role: "alert" }, makeElement("strong", {}, `${name} is refused: it proves nothing.`)),
      makeElement("p", {}, `The reason: ${why} The number is that of the check on the page about certificates.`),
    ];
  }

  const setting = makeElement(
    "p",
    {},
    makeElement("label", { class: "od-pick" }, makeElement("span", {}, "Setting"), pick),
  );
  const file = makeElement(
    "p",
    {},
    makeElement("label", { class: "od-pick" }, makeElement("span", {}, "A file of your own"), own),
  );
  sectionElement.replaceChildren(...(certificates.length ? [setting, makeElement("p", {}, start)] : []), file, said);
  sectionElement.addEventListener("dragover", (event) => event.preventDefault());
  sectionElement.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!worker) void checkOwnFile(event.dataTransfer?.files[0]);
  });
  // The setting that a reader opened last on the page is the one that is offered.
  const offer = (/** @type {Element} */ { attributes }) => {
    const slug = `${attributes.getNamedItem("data-od-setting")?.value}.jsonl.gz`;
    if (certificates.some((/** @type {Known} */ [, file]) => file === slug)) pick.value = slug;
  };
  for (const details of document.querySelectorAll("details[data-od-setting]"))
    details.addEventListener("toggle", () => details.hasAttribute("open") && !worker && offer(details));
  sectionElement.dataset.odReady = "open";
}

for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.od-proof"))) {
  const root = /** @type {HTMLElement} */ (details.querySelector("[data-od-proof]"));
  const load = () =>
    openSection(root).catch(() => (root.textContent = "The check could not be loaded. Load this page again."));
  details.addEventListener("toggle", load, { once: true });
  if (details.open) void load();
}
