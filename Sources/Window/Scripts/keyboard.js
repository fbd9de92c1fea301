// The keys of a feed: Page Up and Down for a row, Home and End for the ends (Control takes the focus along), Enter to open.
export function answerKeys(list) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.shiftKey || target.closest("input")) return;
    const row = target.closest(".row"), command = event.ctrlKey || event.metaKey;
    const end = { Home: 0, End: list.count - 1 }[key];
    const to = end ?? (command ? -1 : +row?.dataset.index + { PageDown: 1, PageUp: -1 }[key]);
    if (to >= 0) {
      event.preventDefault();
      if (command || end === undefined) list.focus(to); else list.show(to);
    } else if (key === "Enter" && target === row) {
      row.querySelector("a, button")?.click();
    }
  });
}
