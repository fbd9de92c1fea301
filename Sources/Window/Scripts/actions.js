// Forms, keys, a pull at the top of the page.
const far = 140; // px that a finger travels

/// Forms are posts; without script they reload the page.
export function answerForms(post) {
  document.addEventListener("submit", async (event) => {
    const form = event.target, { post: action, row } = form.dataset;
    if (!action) return;
    event.preventDefault();
    form.dataset.busy = "";
    await post(action, { row });
    delete form.dataset.busy;
  });
}

/// Page Up and Down go from row to row, Control with Home and End far, Enter opens, or retries what failed.
export function answerKeys(list) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.shiftKey || target.closest("input")) return;
    const row = target.closest(".row");
    const to = event.ctrlKey || event.metaKey
      ? { Home: 0, End: list.view().count - 1 }[key]
      : +row?.dataset.index + { PageDown: 1, PageUp: -1 }[key];
    if (to >= 0) {
      event.preventDefault();
      list.focus(to);
    } else if (key === "Enter" && target === row) {
      row.querySelector(row.dataset.state === "failed" ? "button" : "a, button")?.click();
    }
  });
}

/// The compass follows the finger, and the page makes room for it.
export function answerPull() {
  const { body } = document, hint = document.querySelector(".compass-hint");
  let from, pull;

  function follow(to) {
    pull = Math.max(0, to - from || 0) / far;
    body.classList.toggle("pulling", pull);
    body.style.setProperty("--pull", Math.min(pull, 1.25));
    hint.textContent = pull < 1 ? hint.dataset.pull : hint.dataset.release;
  }

  function move({ touches: [touch, other] }) {
    if (scrollY > 0 || other) from = undefined; else from ??= touch.clientY;
    follow(touch.clientY);
  }

  function end({ type }) {
    const isFar = type === "touchend" && pull >= 1;
    body.toggleAttribute("data-pulled", isFar);
    if (isFar) document.getElementById("refresh").requestSubmit();
    follow(from = undefined);
  }

  for (const name of ["touchstart", "touchmove"]) addEventListener(name, move, { passive: true });
  for (const name of ["touchend", "touchcancel"]) addEventListener(name, end, { passive: true });
}
