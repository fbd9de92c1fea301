// Shortcuts of a single key: each presses the element that names it, or moves through the rows of the table.

/// Handles single keys, which can be turned off: a screen reader or dictation may send them.
export function prepareKeys() {
  const keys = document.getElementById("use-keys");
  if (!keys) return;
  keys.checked = localStorage.getItem("keys") !== "off";
  keys.addEventListener("change", () => localStorage.setItem("keys", keys.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
    if (key === "j" || key === "k") return moveRow(key === "j" ? 1 : -1, event);
    const element = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!element) return;
    event.preventDefault();
    if (element.matches("input, select, summary")) element.focus();
    if (!element.matches("input, select")) element.click();
  });
}

function moveRow(step, event) {
  const links = [...document.querySelectorAll("#dispatch-rows a")], index = links.indexOf(document.activeElement);
  const next = links[index < 0 ? 0 : Math.min(Math.max(index + step, 0), links.length - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
