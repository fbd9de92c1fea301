// The photos of a sol: the list of all lists, in columns, and the way to one photo and back.
import { answerForms, answerKeys, answerPull } from "./actions.js";
import { connect } from "./connection.js";
import { openList } from "./list.js";
import { followReader } from "./reader.js";
import { showStatus } from "./status.js";

const list = document.getElementById("list"), choice = document.getElementById("arrange");
const view = openList(list), status = showStatus();
let arrangement;
const describe = () => ({ screen: "photos", ...choice.dataset, ...view.view() });

const { post, start } = connect(list.dataset.window, status, describe, {
  list(news) { view.become(news); status.list(news); rearrange(news.choice); },
  opened() { reader.again(); },
  rows: view.take,
  renewed: view.renew,
});
const reader = followReader(view, (action, report) => post(action, { ...report, columns: view.view().columns }));

/// Where somebody is, or has written what is not sent yet, nothing is exchanged.
function rearrange(html) {
  arrangement = html ?? arrangement;
  const isWritten = [...choice.querySelectorAll("input")].some(({ value, defaultValue }) => value !== defaultValue);
  if (arrangement === undefined || isWritten || choice.matches(":focus-within")) return;
  const fresh = choice.cloneNode();
  fresh.innerHTML = arrangement;
  // What is the same keeps where it was scrolled to.
  if (fresh.innerHTML.trim() !== choice.innerHTML.trim()) choice.replaceChildren(...fresh.childNodes);
  arrangement = undefined;
}

/// Arrows go from cell to cell; where lines begin on the right, so do they.
function answerArrows(event) {
  const cell = event.target.closest?.(".cell"), { columns } = view.view();
  const aside = document.dir === "rtl" ? -1 : 1;
  const by = { ArrowRight: aside, ArrowLeft: -aside, ArrowDown: columns, ArrowUp: -columns }[event.key];
  const to = +cell?.dataset.index + by, { count } = view.view();
  if (!(to >= 0 && to < count) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  view.focus(to);
}

/// The cell of the photo that is left for, or come back from, becomes it, and the other way round.
function join(transition, url) {
  const path = url && new URL(url).pathname;
  const picture = transition && [...list.querySelectorAll("a")].find((link) => link.pathname === path)?.querySelector("img");
  if (!picture) return;
  picture.style.viewTransitionName = "photo";
  const end = () => { picture.style.viewTransitionName = ""; };
  transition.finished.then(end, end);
}

addEventListener("pageswap", ({ viewTransition, activation }) => join(viewTransition, activation?.entry.url));
addEventListener("pagereveal", ({ viewTransition }) => join(viewTransition, window.navigation?.activation?.from?.url));
document.addEventListener("keydown", answerArrows);
choice.addEventListener("focusout", () => setTimeout(rearrange));
answerForms(post);
answerKeys(view);
answerPull();
start();
