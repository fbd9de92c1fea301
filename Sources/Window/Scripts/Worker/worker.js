// The worker between pages and program: it answers while the program is away.
import { begin, keep, keepShell, kept, unknown } from "./kept.js";
import { inTime, isWrite, sendAll, waiting, write } from "./writes.js";

const unreachable = [502, 503, 504]; // what a proxy says of a program that is away

/// Begins to work; `shell` names the assets that pages need.
export function serve(shell) {
  const on = (name, act) => addEventListener(name, (event) => event.waitUntil(act(event)));
  on("install", (event) => {
    // Streams and posts do not even wake the worker, where browsers can be told so.
    event.addRoutes?.({ condition: { urlPattern: { pathname: "/windows*" } }, source: "network" });
    return Promise.all([keepShell(shell), skipWaiting()]);
  });
  on("activate", () => Promise.all([registration.navigationPreload?.enable(), clients.claim()]));
  on("message", ({ data, source }) => take(data, source));
  on("sync", sendAll);
  addEventListener("fetch", answer);
}

/// What is not answered goes its way as if there were no worker.
function answer(event) {
  const { request } = event, { method, mode, destination } = request, { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.headers.has("range")) return;
  if (isWrite(method, pathname)) event.respondWith(write(event));
  if (method !== "GET") return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (mode === "navigate") event.respondWith(freshest(event, unknown));
  else if (destination === "image" || destination === "manifest") event.respondWith(freshest(event, Response.error));
}

const asset = async (request) => await caches.match(request) ?? fetch(request);

/// What the program says; what is kept while it is away or slow, if anything is.
async function freshest(event, otherwise) {
  const reply = load(event).catch(() => {});
  event.waitUntil(reply);
  const soon = await inTime(reply);
  if (soon && !unreachable.includes(soon.status)) return soon;
  return await kept(event.request) ?? await reply ?? otherwise();
}

const load = async (event) => await event.preloadResponse ?? fetch(event.request);

/// A page says that it is there, how it looks, or that writes may be sent.
async function take({ seen, page }, source) {
  if (page) return keep(page);
  if (seen) {
    await begin(seen);
    const left = await waiting();
    if (left.length) source.postMessage({ waiting: left });
  }
  await sendAll().catch(() => {});
}
