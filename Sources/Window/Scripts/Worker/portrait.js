// A page as it looks now, as HTML that it can begin with another time.
const first = 50; // rows at the top of a list
const around = 100; // rows on either side of the reader

/// Without what scripts have placed: they do so again. Pictures of a copy elsewhere are not loaded.
export function portrait() {
  const copy = document.implementation.createHTMLDocument().importNode(document.documentElement, true);
  const each = (selector, act) => copy.querySelectorAll(selector).forEach(act);
  each("#status", ({ dataset }) => { dataset.kept = Date.now(); });
  each("[data-window]", ({ dataset }) => { dataset.window = dataset.list = ""; });
  each("#list", (list) => { list.innerHTML = loadedRows(); });
  each(".status-text, #fresh, #later", (text) => text.replaceChildren());
  each("#arrange input", (input) => {
    input.setAttribute("value", input.value);
    input.toggleAttribute("checked", input.checked);
  });
  each("[style], [data-busy], .live, .arrived", (element) => {
    for (const name of ["style", "data-busy"]) element.removeAttribute(name);
    element.classList.remove("live", "arrived");
  });
  return { html: `<!doctype html>${copy.outerHTML}`, pictures: pictures() };
}

/// Those at the top and around the reader.
function loadedRows() {
  const { rows } = document.getElementById("list"), from = new URL(location).searchParams.get("from");
  return [...rows.values()]
    .filter(({ index, state }) => state === "loaded" && (index < first || Math.abs(index - from) < around))
    .sort((a, b) => a.index - b.index)
    .map(({ index, html }) => html.replace(/data-index="\d*"/, `data-index="${index}"`))
    .join("");
}

/// The addresses of those that have arrived.
const pictures = () => [
  ...[...document.images].filter(({ naturalWidth }) => naturalWidth).map(({ currentSrc }) => currentSrc),
  ...[...document.querySelectorAll("image:not([data-awaited])")].map(({ href }) => new URL(href.baseVal, location).href),
];
