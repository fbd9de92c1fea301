// The page's side of the worker: sends snapshots of the page when it is idle and when the reader leaves it. Where no worker runs, as in private windows
// of some browsers, the page sends the pending writes itself.
import { snapshotPage } from "./snapshot.js";
import { timeLimit } from "./time-limits.js";

const settleDelay = 1_000; // ms without a change
const retryDelay = 10_000; // ms
const healthTimeout = 10_000; // ms
const activationTimeout = 1_000; // ms
const maxActivationAttempts = 5;
const maxSnapshotLength = 1_000_000; // characters

const { serviceWorker } = navigator, { lang: language } = document.documentElement;
const version = import.meta.url.split("/").slice(-2)[0];
const pageElement = document.querySelector("[data-window]"), statusHost = document.querySelector("[data-status]");
let registration, snapshotTimer, retryTimer, waiting = [], canRegister = serviceWorker !== undefined, replacement, writesURL = "./writes.js";

/// Whether somebody has signed out since the page was opened, which may be that of this person.
const isOutdated = () => localStorage.getItem("signed-out") > performance.timeOrigin;

/// Posts a message to the active worker; while another one replaces it, afterwards, if it still applies then.
async function postToWorker(message, applies = () => true) {
  await replacement;
  if (applies()) registration?.active?.postMessage(message);
}

const whenIdle = window.requestIdleCallback ?? ((act) => act());

/// Sends a snapshot. A page shown offline is stored already, and one that failed replaces nothing.
function sendSnapshot() {
  clearTimeout(snapshotTimer);
  const hasContent = pageElement.dataset.state === "loaded" || pageElement.querySelector("[data-state=loaded]") || document.getElementById("empty")?.textContent;
  if (statusHost.dataset.status === "offline" || !hasContent || !registration?.active || isOutdated()) return;
  const page = { ...snapshotPage(), address: location.href, language, version };
  if (page.html.length <= maxSnapshotLength) postToWorker({ page }, () => !isOutdated());
}

function scheduleSnapshot() {
  clearTimeout(snapshotTimer);
  snapshotTimer = setTimeout(() => whenIdle(sendSnapshot, { timeout: settleDelay }), settleDelay);
}

/// Requests that pending writes are sent: by the worker, or by the page while none is active. A worker may fail to be installed.
async function requestSend() {
  if (registration ? registration.active : canRegister) return postToWorker({});
  try { await sendWrites(); } catch {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(requestSend, retryDelay);
  }
}

/// Sends the pending writes; rejects if some remain.
async function sendWrites() {
  // The script is needed only in a browser that has stored a write.
  const databases = await indexedDB.databases?.().catch(() => {});
  if (databases && !databases.some(({ name }) => name === "lading")) return;
  const { pendingWrites, sendPendingWrites } = await import(writesURL).catch((error) => {
    // Browsers may repeat the failure of an address until the page is loaded again.
    writesURL = `./writes.js?again=${Date.now()}`;
    throw error;
  });
  const hadWaiting = waiting.length > 0;
  waiting = (await pendingWrites()).map(({ id, person }) => ({ id, person }));
  await sendPendingWrites();
  // Another page may have sent them.
  if (hadWaiting) handleMessage({ data: { waiting: [] } });
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
  const response = await fetch("/health", { signal: timeLimit(healthTimeout) }).catch(() => {});
  if (response?.ok) location.reload(); else setTimeout(reload, retryDelay);
}

async function registerWorker() {
  registration = await serviceWorker?.getRegistration().catch(() => {});
  // Rejects in private windows of some browsers, and where a worker cannot be a module; waits for an update that is being installed.
  registration = await serviceWorker?.register("/worker.js", { type: "module" }).catch(() => registration);
  registration?.addEventListener("updatefound", watchUpdate);
  canRegister = registration !== undefined;
  if (registration?.waiting) replacement = activate(registration.waiting);
  announcePage();
}

/// Activates a newer worker once it is installed.
function watchUpdate() {
  const worker = registration.installing;
  worker?.addEventListener("statechange", () => { if (worker.state === "installed") replacement = activate(worker); });
}

/// Requests that an installed worker replaces the active one. A message that the active one receives while it is stopped restarts it, and Chromium then
/// does not replace it: the request is repeated.
async function activate(worker) {
  for (let attempt = 0; worker.state === "installed" && attempt < maxActivationAttempts; attempt++) {
    worker.postMessage({ activate: true });
    await new Promise((resolve) => {
      worker.addEventListener("statechange", resolve, { once: true });
      setTimeout(resolve, activationTimeout);
    });
  }
}

function announcePage() {
  if (!registration?.active) requestSend();
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

// A page that the browser has kept was not notified of what happened meanwhile.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  if (isOutdated()) location.reload(); else if (isSecureContext) announcePage();
});

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
