// Forms, keys and pull to refresh.
const refreshDistance = 140; // px

/// Posts forms; without scripts they reload the page.
export function handleForms(post) {
  document.addEventListener("submit", async (event) => {
    const form = event.target, { post: action, row } = form.dataset;
    if (!action) return;
    event.preventDefault();
    form.dataset.busy = "";
    await post(action, { row });
    delete form.dataset.busy;
  });
}

/// Moves the focus by one row (Page Up, Page Down) or to an end (Control with Home, End); Enter opens a row, or retries a failed one.
export function handleKeys(list) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.shiftKey || target.closest("input")) return;
    const row = target.closest(".row");
    const to = event.ctrlKey || event.metaKey
      ? { Home: 0, End: list.viewport().count - 1 }[key]
      : +row?.dataset.index + { PageDown: 1, PageUp: -1 }[key];
    if (to >= 0) {
      event.preventDefault();
      list.focus(to);
    } else if (key === "Enter" && target === row) {
      row.querySelector(row.dataset.state === "failed" ? "button" : "a, button")?.click();
    }
  });
}

/// Moves the compass with the finger, and refreshes on release beyond the threshold.
export function handlePullToRefresh() {
  const { body } = document, hint = document.querySelector(".compass-hint");
  let startY, pull;

  function updatePull(to) {
    pull = Math.max(0, to - startY || 0) / refreshDistance;
    body.classList.toggle("pulling", pull);
    body.style.setProperty("--pull", Math.min(pull, 1.25));
    hint.textContent = pull < 1 ? hint.dataset.pull : hint.dataset.release;
  }

  function move({ touches: [touch, other] }) {
    if (scrollY > 0 || other) startY = undefined; else startY ??= touch.clientY;
    updatePull(touch.clientY);
  }

  function end({ type }) {
    const isPastThreshold = type === "touchend" && pull >= 1;
    body.toggleAttribute("data-pulled", isPastThreshold);
    if (isPastThreshold) document.querySelector("#refresh button").click();
    updatePull(startY = undefined);
  }

  for (const name of ["touchstart", "touchmove"]) addEventListener(name, move, { passive: true });
  for (const name of ["touchend", "touchcancel"]) addEventListener(name, end, { passive: true });
}
