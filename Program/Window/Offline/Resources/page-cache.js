// Caches of the worker: the assets and fixed pages of each version, other pages, pictures.
import { timeLimit } from "./time-limits.js";

const version = import.meta.url.split("/").slice(-2)[0];
const fixedPages = ["/", "/offline", "/manifest.webmanifest"];
const shellLimit = 2; // this version, and the previous one for pages that name its assets
const pageLimit = 40;
const pictureLimit = 300;
const maxPictureSize = 262_144; // bytes
const fetchTimeout = 10_000; // ms
const installTimeout = 120_000; // ms
const updateInterval = 60_000; // ms
let updateTime = -Infinity;

const openShell = () => caches.open(`shell-${version}`);
const cacheNames = async (start) => (await caches.keys()).filter((name) => name.startsWith(start));

/// Returns the version of the program that has rendered a page or a manifest.
const versionOf = (text) => /"\/assets\/([^/"]+)\//.exec(text)?.[1];

/// Returns whether the assets of a shell are stored: the offline page follows them.
const isComplete = async (shell) => shell !== undefined && await caches.match("/offline", { cacheName: shell }) !== undefined;

/// Stores the assets and pages of this version, all or nothing.
export async function storeShell(assets) {
  const signal = timeLimit(installTimeout);
  await (await openShell()).addAll(assets.map((name) => new Request(`/assets/${version}/${name}`, { signal })));
  await makeShellNewest();
  await storeFixedPages();
}

/// Creates the cache of this version again if it is older than another one, as after a rollback: caches are in the order of their creation.
async function makeShellNewest() {
  const name = `shell-${version}`, shell = await openShell();
  if ((await cacheNames("shell-")).at(-1) === name) return;
  const entries = await Promise.all((await shell.keys()).map(async (request) => [request, await shell.match(request)]));
  await caches.delete(name);
  const newest = await openShell();
  const isLast = ([{ url }]) => new URL(url).pathname === "/offline";
  entries.sort((one, other) => isLast(one) - isLast(other));
  for (const [request, response] of entries) await newest.put(request, response);
}

/// Stores the fixed pages in the language that the browser requests. Rejects if a program of another version answers: this shell lacks its assets.
async function storeFixedPages() {
  for (const path of fixedPages) {
    const response = await fetch(path, { signal: timeLimit(fetchTimeout) }), headers = new Headers(response.headers), text = await response.text();
    if (!response.ok || versionOf(text) !== version) throw response.status;
    // A response with `Vary: *` cannot be stored; the body is decompressed.
    for (const name of ["vary", "content-length", "content-encoding"]) headers.delete(name);
    await (await openShell()).put(path, new Response(text, { headers }));
    await caches.open(`pages-${headers.get("content-language")}`);
  }
}

/// Deletes the caches of older versions and other languages.
export async function deleteOutdatedCaches(page) {
  const own = `pages-${page.language}`;
  if (!await caches.has(own)) await storeFixedPages();
  if (!await caches.has(own)) return;
  const shells = await cacheNames("shell-"), areComplete = await Promise.all(shells.map(isComplete));
  const retained = [`shell-${version}`, ...shells.filter((_, index) => areComplete[index]).slice(-shellLimit)];
  // The newest may belong to a worker that is being installed.
  const old = page.version === version ? shells.slice(0, -1).filter((name) => !retained.includes(name)) : [];
  const foreign = (await cacheNames("pages-")).filter((name) => name !== own);
  for (const name of [...old, ...foreign]) await caches.delete(name);
}

/// Stores a page and its pictures, unless another language was chosen. A page of a newer program is shown once the shell of that program is complete;
/// until then it replaces a page that can be shown only if that one is outdated.
export async function storePage(page, isEarlierOutdated = false) {
  const name = `pages-${page.language}`, shell = `shell-${page.version}`, { href, pathname } = cacheURL(page.address);
  if (!await caches.has(name)) return;
  if (!await isComplete(shell)) {
    updateWorker();
    const stored = await caches.match(pathname, { cacheName: name });
    if (!isEarlierOutdated && await isComplete(stored?.headers.get("shell"))) return;
  }
  const { headers } = await offlineResponse();
  headers.set("shell", shell);
  headers.set("address", href);
  await putBounded(name, pageLimit, pathname, new Response(page.html, { headers }));
  for (const picture of page.pictures) await storePicture(picture).catch(() => {});
}

/// Requests the worker of a newer program, at most once in a minute: its installation may fail each time.
function updateWorker() {
  if (Date.now() - updateTime < updateInterval) return;
  updateTime = Date.now();
  registration.update().catch(() => {});
}

/// Deletes the pages of the person who has signed out.
export async function erasePages() {
  for (const name of await cacheNames("pages-")) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) await cache.delete(request);
  }
  // The start page names who is signed in.
  for (const name of await cacheNames("shell-")) await (await caches.open(name)).delete("/");
  await storeFixedPages().catch(() => {});
}

/// Fetches pages that were not opened yet or have changed, and stores them where there is room. Returns whether the program has responded to all.
export async function fetchPages(paths) {
  for (const path of paths) {
    const [response, html] = await fetchPage(path).catch(() => []), language = response?.headers.get("content-language");
    if (!response || response.status >= 500) return false;
    // A page that needs somebody to sign in redirects.
    const page = { html, address: new URL(path, location).href, language, version: versionOf(html), pictures: [] };
    if (response.ok && !response.redirected) await storePage(page, true).catch(() => {});
  }
  return true;
}

/// Returns the response with a page, and its HTML. Writes are sent only after it.
async function fetchPage(path) {
  const response = await fetch(`${path}?offline=1`, { headers: { Accept: "text/html" }, signal: timeLimit(fetchTimeout) });
  return [response, await response.text()];
}

async function storePicture(address) {
  if (await caches.match(address)) return;
  const response = await fetch(address, { cache: "force-cache" });
  // Proofs of deliveries are not stored.
  if (response.headers.get("cache-control")?.includes("no-store")) return;
  if (response.status === 200 && response.headers.get("content-length") <= maxPictureSize) await putBounded("pictures", pictureLimit, address, response);
}

/// Stores a response, and evicts the oldest ones above the limit.
async function putBounded(name, limit, address, response) {
  const cache = await caches.open(name);
  await cache.put(address, response);
  for (const request of (await cache.keys()).slice(0, -limit)) await cache.delete(request);
}

/// Returns the stored response to a request. A list redirects to the query that was stored last.
export async function cachedResponse({ url, mode }) {
  if (mode !== "navigate") return caches.match(url);
  const { pathname, href } = cacheURL(url), page = await (await openShell()).match(pathname) ?? await caches.match(pathname);
  const address = page?.headers.get("address");
  if (!address) return page;
  if (await isComplete(page.headers.get("shell"))) return address === href ? page : Response.redirect(address);
}

/// Returns the URL of a page without its fragment and scroll position.
function cacheURL(address) {
  const url = new URL(address);
  url.hash = "";
  url.searchParams.delete("from");
  return url;
}

/// Returns the offline page.
export async function offlineResponse() {
  const { body, headers } = await (await openShell()).match("/offline") ?? await caches.match("/offline");
  return new Response(body, { status: 503, headers });
}
