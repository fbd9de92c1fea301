// The photos of a sol: a list in columns, its controls, and the transitions to and from a photo.
import { handleForms, handleKeys, handlePullToRefresh } from "./actions.js";
import { connect } from "./connection.js";
import { createListController } from "./list.js";
import { reportViewport } from "./reporting.js";
import { createStatusLine } from "./status.js";

const list = document.getElementById("list"), controls = document.getElementById("list-controls");
const view = createListController(list), status = createStatusLine();
let pendingControls;
const sessionRequest = () => ({ screen: "photos", ...controls.dataset, ...view.viewport() });

const { post, start } = connect(list.dataset.window, status, sessionRequest, {
  list(update) { view.applyList(update); status.applyList(update); updateControls(update.choice); },
  onConnect() { viewportReporter.resend(); },
  rows: view.applyRows,
  onSessionReplaced: view.resetVersions,
});
const viewportReporter = reportViewport(view, (action, report) => post(action, { ...report, columns: view.viewport().columns }));

/// Replaces the controls, unless they have the focus or unsent input.
function updateControls(html) {
  pendingControls = html ?? pendingControls;
  const hasUnsentInput = [...controls.querySelectorAll("input")].some(({ value, defaultValue }) => value !== defaultValue);
  if (pendingControls === undefined || hasUnsentInput || controls.matches(":focus-within")) return;
  const replacement = controls.cloneNode();
  replacement.innerHTML = pendingControls;
  // Equal content retains its scroll position.
  if (replacement.innerHTML.trim() !== controls.innerHTML.trim()) controls.replaceChildren(...replacement.childNodes);
  pendingControls = undefined;
}

/// Moves the focus between cells with the arrow keys, mirrored in right-to-left pages.
function handleArrowKeys(event) {
  const cell = event.target.closest?.(".cell"), { columns } = view.viewport();
  const forward = document.dir === "rtl" ? -1 : 1;
  const by = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns }[event.key];
  const to = +cell?.dataset.index + by, { count } = view.viewport();
  if (!(to >= 0 && to < count) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  view.focus(to);
}

/// Names the picture of the photo that is opened or closed, for the transition of its cell.
function nameTransitionPicture(transition, url) {
  const path = url && new URL(url).pathname;
  const picture = transition && [...list.querySelectorAll("a")].find((link) => link.pathname === path)?.querySelector("img");
  if (!picture) return;
  picture.style.viewTransitionName = "photo";
  const end = () => { picture.style.viewTransitionName = ""; };
  transition.finished.then(end, end);
}

addEventListener("pageswap", ({ viewTransition, activation }) => nameTransitionPicture(viewTransition, activation?.entry.url));
addEventListener("pagereveal", ({ viewTransition }) => nameTransitionPicture(viewTransition, window.navigation?.activation?.from?.url));
document.addEventListener("keydown", handleArrowKeys);
controls.addEventListener("focusout", () => setTimeout(updateControls));
handleForms(post);
handleKeys(view);
handlePullToRefresh();
start();
