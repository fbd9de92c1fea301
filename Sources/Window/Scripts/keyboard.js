// The keys of a feed: Page Up and Down go from row to row, Control with Home and End to the ends, Enter opens.
export function answerKeys(list) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.shiftKey || target.closest("input, textarea, select")) return;
    const row = target.closest(".row");
    const to = event.ctrlKey || event.metaKey
      ? { Home: 0, End: list.count - 1 }[key]
      : +row?.dataset.index + { PageDown: 1, PageUp: -1 }[key];
    if (to >= 0 && list.count) {
      event.preventDefault();
      list.focus(to);
    } else if (key === "Enter" && target === row) {
      row.querySelector("a, button")?.click();
    }
  });
}
