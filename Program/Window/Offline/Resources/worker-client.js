// The page's side of the worker: sends snapshots of the page when it is idle and when the reader leaves it. Where no worker runs, as in private windows
// of some browsers, the page sends the pending writes itself.
import { snapshotPage } from "./snapshot.js";

const settleDelay = 1_000; // ms without a change
const retryDelay = 10_000; // ms
const maxSnapshotLength = 1_000_000; // characters

const { serviceWorker } = navigator, { lang: language } = document.documentElement;
const version = import.meta.url.split("/").slice(-2)[0];
const pageElement = document.querySelector("[data-window]"), statusHost = document.querySelector("[data-status]");
let registration, snapshotTimer, retryTimer, waiting = [], hasWorker = serviceWorker !== undefined;

const postToWorker = (message) => registration?.active?.postMessage(message);
const whenIdle = window.requestIdleCallback ?? ((act) => act());

/// Sends a snapshot. A page shown offline is stored already, and one that failed replaces nothing.
function sendSnapshot() {
  clearTimeout(snapshotTimer);
  const hasContent = pageElement.dataset.state === "loaded" || pageElement.querySelector("[data-state=loaded]") || document.getElementById("empty")?.textContent;
  if (statusHost.dataset.status === "offline" || !hasContent || !registration?.active) return;
  const page = { ...snapshotPage(), address: location.href, language, version };
  if (page.html.length <= maxSnapshotLength) postToWorker({ page });
}

function scheduleSnapshot() {
  clearTimeout(snapshotTimer);
  snapshotTimer = setTimeout(() => whenIdle(sendSnapshot, { timeout: settleDelay }), settleDelay);
}

/// Requests that pending writes are sent.
async function requestSend() {
  if (hasWorker) return postToWorker({});
  // The script is needed only in a browser that has stored a write.
  const databases = await indexedDB.databases?.().catch(() => {});
  if (databases && !databases.some(({ name }) => name === "lading")) return;
  const { sendPendingWrites } = await import("./writes.js");
  await sendPendingWrites().catch(() => {});
}

/// Dispatches an event with the writes that are pending or completed, as a page does that sends them.
function handleMessage({ data: detail }) { document.dispatchEvent(new CustomEvent("writes", { detail })); }

/// Repeats the writes that are pending.
function handleWrites({ detail }) {
  clearTimeout(retryTimer);
  waiting = detail.waiting ?? waiting.filter(({ id }) => id !== detail.written?.id);
  // A worker that sends for some minutes is ended by the browser, without a report.
  if (waiting.length) retryTimer = setTimeout(requestSend, retryDelay);
}

/// Replaces the offline page by the requested one when the program is reachable.
async function reload() {
  const response = await fetch("/health").catch(() => {});
  if (response?.ok) location.reload(); else setTimeout(reload, retryDelay);
}

async function registerWorker() {
  // Rejects in private windows of some browsers, and where a worker cannot be a module.
  registration = await serviceWorker?.register("/worker.js", { type: "module" }).catch(() => {});
  hasWorker = registration !== undefined;
  announcePage();
}

function announcePage() {
  if (!hasWorker) requestSend();
  postToWorker({ seen: { language, version } });
  if (pageElement) scheduleSnapshot();
}

function observePage() {
  new MutationObserver(scheduleSnapshot).observe(pageElement, { childList: true, subtree: true, attributeFilter: ["aria-pressed", "data-state"] });
  new MutationObserver(() => { requestSend(); scheduleSnapshot(); }).observe(statusHost, { attributeFilter: ["data-status"] });
  document.addEventListener("visibilitychange", () => document.hidden ? sendSnapshot() : requestSend());
  addEventListener("pagehide", sendSnapshot);
}

/// Asks before somebody signs out whose writes are waiting.
function confirmSignOut(event) {
  const { warning, person } = event.target.dataset;
  if (warning && waiting.some((write) => write.person === person) && !confirm(warning)) event.preventDefault();
}

// Insecure pages store no writes.
if (isSecureContext) {
  addEventListener("submit", confirmSignOut);
  addEventListener("load", registerWorker);
  addEventListener("online", requestSend);
  document.addEventListener("writes", handleWrites);
  serviceWorker?.addEventListener("message", handleMessage);
  serviceWorker?.addEventListener("controllerchange", announcePage);
  if (pageElement) observePage();
  if (document.body.matches(".screen-offline")) reload();
}
