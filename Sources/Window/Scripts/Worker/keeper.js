// The page's side of the worker: hands over how the page looks when it rests and when it is left.
import { portrait } from "./portrait.js";

const rest = 1_000; // ms without a change
const again = 10_000; // ms between attempts at what has to wait
const sizeLimit = 1_000_000; // characters

const { serviceWorker } = navigator, { lang: language } = document.documentElement;
const version = import.meta.url.split("/").at(-2);
const screen = document.querySelector("[data-window]"), host = document.querySelector("[data-status]");
let registration, timer, retry;

const tell = (message) => registration?.active?.postMessage(message);
const send = () => tell({});
const whenIdle = window.requestIdleCallback ?? ((act) => act());

/// What is shown offline is kept already, and what failed erases nothing.
function keep() {
  clearTimeout(timer);
  const hasSomething = screen.dataset.state === "loaded" || screen.querySelector("[data-state=loaded]") || document.getElementById("empty")?.textContent;
  if (host.dataset.status === "offline" || !hasSomething || !registration?.active) return;
  const page = { ...portrait(), address: location.href, language, version };
  if (page.html.length <= sizeLimit) tell({ page });
}

function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => whenIdle(keep, { timeout: rest }), rest);
}

/// The document tells which writes wait, and which was taken or refused.
function hear({ data: detail }) {
  clearTimeout(retry);
  if (detail.waiting?.length) retry = setTimeout(send, again);
  document.dispatchEvent(new CustomEvent("writes", { detail }));
}

/// The page that stands in for another becomes that one.
async function reload() {
  const reply = await fetch("/health").catch(() => {});
  if (reply?.ok) location.reload(); else setTimeout(reload, again);
}

async function begin() {
  registration = await serviceWorker.register("/worker.js", { type: "module" }).catch(() => {});
  introduce();
}

function introduce() {
  tell({ seen: { language, version } });
  if (screen) changed();
}

function follow() {
  new MutationObserver(changed).observe(screen, { childList: true, subtree: true, attributeFilter: ["aria-pressed", "data-state"] });
  new MutationObserver(send).observe(host, { attributeFilter: ["data-status"] });
  document.addEventListener("visibilitychange", () => document.hidden ? keep() : send());
  addEventListener("pagehide", keep);
}

if (serviceWorker) {
  addEventListener("load", begin);
  addEventListener("online", send);
  serviceWorker.addEventListener("message", hear);
  serviceWorker.addEventListener("controllerchange", introduce);
  if (screen) follow();
  if (document.body.matches(".screen-offline")) reload();
}
