// A snapshot of the page: HTML from which the page can be restored.
const topRowCount = 50; // rows at the top of a list
const surroundingRowCount = 100; // rows on either side of the reader

/// Returns the HTML without changes that scripts make again, in a document that loads no pictures.
export function snapshotPage() {
  const copy = document.implementation.createHTMLDocument().importNode(document.documentElement, true);
  const each = (selector, act) => copy.querySelectorAll(selector).forEach(act);
  each("#status", ({ dataset }) => { dataset.storedAt = Date.now(); });
  each("[data-window]", ({ dataset }) => { dataset.window = dataset.list = ""; });
  each("#list", (list) => { list.innerHTML = loadedRows(); });
  each(".status-text, #notice, #new-rows, #pending-query", (text) => text.replaceChildren());
  each("[data-write]", (step) => step.remove());
  each(".signature, .proof-preview", (element) => {
    element.hidden = true;
    element.removeAttribute("src");
  });
  each("#list-controls input", (input) => {
    input.setAttribute("value", input.value);
    input.toggleAttribute("checked", input.checked);
  });
  each("[style], [data-busy], .live, .fade-in", (element) => {
    for (const name of ["style", "data-busy"]) element.removeAttribute(name);
    element.classList.remove("live", "fade-in");
  });
  return { html: `<!doctype html>${copy.outerHTML}`, pictures: pictureURLs() };
}

/// Returns the rows at the top and around the reader.
function loadedRows() {
  const { rows } = document.getElementById("list"), from = new URL(location).searchParams.get("from");
  return [...rows.values()]
    .filter(({ index, state }) => state === "loaded" && (index < topRowCount || Math.abs(index - from) < surroundingRowCount))
    .sort((a, b) => a.index - b.index)
    .map(({ index, html }) => html.replace(/data-index="\d*"/, `data-index="${index}"`))
    .join("");
}

/// Returns the URLs of loaded pictures.
const pictureURLs = () => [
  ...[...document.images].filter(({ naturalWidth }) => naturalWidth).map(({ currentSrc }) => currentSrc),
  ...[...document.querySelectorAll("image:not([data-awaited])")].map(({ href }) => new URL(href.baseVal, location).href),
];
