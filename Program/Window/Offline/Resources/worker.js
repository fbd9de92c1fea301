// The service worker: responds from its caches while the program is unreachable.
import { cachedResponse, deleteOutdatedCaches, erasePages, fetchPages, offlineResponse, storePage, storeShell } from "./page-cache.js";
import { pause } from "./time-limits.js";
import { isWrite, onAccepted, pendingWrites, queueWrite, sendPendingWrites, undoTimeEnd, withoutProofs, withTimeout } from "./writes.js";

const unavailableStatuses = [502, 503, 504]; // from a proxy whose program is down
const longTimeout = 60_000; // ms, of a response that is not stored

/// Starts the worker; `shell` names the assets that pages need.
export function serve(shell) {
  const on = (name, act) => addEventListener(name, (event) => event.waitUntil(act(event)));
  on("install", (event) => {
    // Streams and posts bypass the worker, in browsers that support routes.
    event.addRoutes?.({ condition: { urlPattern: { pathname: "/windows*" } }, source: "network" });
    return Promise.all([storeShell(shell), skipWaiting()]);
  });
  on("activate", () => Promise.all([choosePreload(), clients.claim()]));
  on("message", ({ data, source }) => handleMessage(data, source));
  on("sync", async () => { await undoTimeEnd(); await sendPendingWrites(); });
  addEventListener("fetch", handleFetch);
  // A step is shown as waiting until the stored pages of its order contain it.
  onAccepted(({ order }) => !order || fetchPages([`/orders/${order}`, "/my-orders"]));
}

/// Enables the preload of pages, except in Firefox: there a preload that fails shows the browser's error page, whatever the worker responds.
const choosePreload = () => registration.navigationPreload?.[navigator.userAgent.includes("Firefox/") ? "disable" : "enable"]();

/// Responds to writes and to requests for assets, pages and pictures; others bypass the worker.
function handleFetch(event) {
  const { request } = event, { method, mode, destination } = request, { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.headers.has("range")) return;
  if (isWrite(method, pathname)) event.respondWith(queueWrite(event));
  if (method !== "GET") return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (mode === "navigate") event.respondWith(networkFirst(event, offlineResponse));
  else if (destination === "image" || destination === "manifest") event.respondWith(networkFirst(event, Response.error));
}

const asset = async (request) => await caches.match(request) ?? fetch(request);

/// Returns the program's response, or a stored one while the program is unreachable or slow.
async function networkFirst(event, fallback) {
  const response = networkResponse(event).catch(() => {});
  event.waitUntil(response);
  const timelyResponse = await withTimeout(response);
  if (timelyResponse && !unavailableStatuses.includes(timelyResponse.status)) return timelyResponse;
  return await cachedResponse(event.request) ?? await Promise.race([response, pause(longTimeout)]) ?? fallback();
}

const networkResponse = async (event) => await event.preloadResponse ?? fetch(event.request);

/// Handles a message of a page: its start, its snapshot, pages that will be needed offline, or a request to send writes; of a worker that waits, a
/// request to be activated.
async function handleMessage({ seen, page, fetch: paths, erase, activate }, source) {
  if (activate) return skipWaiting();
  if (page) return storePage(page);
  if (paths) return fetchPages(paths);
  if (erase) return erasePages();
  if (seen) {
    // A page that was loading while the worker was activated has none.
    await clients.claim();
    await deleteOutdatedCaches(seen).catch(() => {});
    // Also of none: a page that the browser has kept was not notified of those that were sent meanwhile.
    source.postMessage({ waiting: (await pendingWrites()).map(withoutProofs) });
  }
  await sendPendingWrites().catch(() => {});
}
