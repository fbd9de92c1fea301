// The pages of dispatchers: kept current by the change feed, and used by keyboard.
import { handlers } from "./app.js";
import { keepEntries } from "./entries.js";
import { focusableParts } from "./rows.js";
import { prepareKeys } from "./shortcuts.js";
import { updateTimes } from "./times.js";

const main = document.getElementById("detail"), { detail: showDetail, onSessionReplaced } = handlers;
let shownVersion = +main.dataset.version;

prepareKeys();
if (main.dataset.screen === "dispatch") {
  sessionStorage.setItem("dispatch-query", location.search);
  document.querySelector("#scopes [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
} else {
  // Also after a decision, which leaves the order in the history twice.
  document.querySelector("[data-back]").search = sessionStorage.getItem("dispatch-query") ?? "";
}
document.addEventListener("change", ({ target }) => target.closest("#dispatch-search select")?.form.querySelector("button").click());
handlers.onSessionReplaced = () => {
  shownVersion = -1;
  onSessionReplaced();
};
handlers.detail = (update) => keepEntries(main, () => main.dataset.screen === "dispatch" ? showTable(update) : showDetail(update));

/// Shows a newer version of the table. What has not changed stays as it is, with the focus in it.
function showTable({ version, html }) {
  if (version <= shownVersion) return;
  shownVersion = version;
  const next = document.createElement("template");
  next.innerHTML = html;
  const focused = document.activeElement;
  replaceChanged(main, next.content);
  // A row that was moved has lost the focus.
  if (focused.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  updateTimes(main);
}

/// Makes the elements of a container those of another one; elements of the same id are replaced only where they differ.
function replaceChanged(container, next) {
  const known = new Map([...container.children].filter(({ id }) => id).map((element) => [element.id, element]));
  const elements = [...next.children].map((element, index) => {
    const old = element.id ? known.get(element.id) : container.children[index];
    if (old?.id !== element.id || old.tagName !== element.tagName) return element;
    if (html(old) === html(element)) return old;
    if (!element.querySelector("[id]")) return replace(old, element);
    replaceChanged(old, element);
    return old;
  });
  const isChanged = elements.length !== container.children.length || elements.some((element, index) => container.children[index] !== element);
  if (isChanged) container.replaceChildren(...elements);
}

/// Replaces an element, and focuses the same part of the new one.
function replace(old, element) {
  const focused = focusableParts(old).indexOf(document.activeElement);
  old.replaceWith(element);
  focusableParts(element)[focused]?.focus({ preventScroll: true });
  return element;
}

/// Returns the markup of an element without what depends on the reader's clock.
function html(element) {
  const copy = element.cloneNode(true);
  for (const time of copy.querySelectorAll("time")) time.replaceChildren();
  return copy.outerHTML;
}
