// What is kept: the assets and fixed pages of each version, other pages, pictures.
const version = import.meta.url.split("/").at(-2);
const fixed = ["/", "/offline", "/manifest.webmanifest"];
const shellLimit = 2; // this version, and the one before for pages that name its assets
const pageLimit = 40;
const pictureLimit = 300;
const pictureSize = 262_144; // bytes

const shell = () => caches.open(`shell-${version}`);
const named = async (start) => (await caches.keys()).filter((name) => name.startsWith(start));

/// Makes this version ready, all of it or nothing.
export async function keepShell(assets) {
  await (await shell()).addAll(assets.map((name) => `/assets/${version}/${name}`));
  await keepFixed();
}

/// In the language that the reader asks for.
async function keepFixed() {
  for (const path of fixed) {
    const reply = await fetch(path), headers = new Headers(reply.headers);
    if (!reply.ok) throw reply.status;
    // What varies with everything cannot be kept; the body is no longer compressed.
    for (const name of ["vary", "content-length", "content-encoding"]) headers.delete(name);
    await (await shell()).put(path, new Response(await reply.blob(), { headers }));
    await caches.open(`pages-${headers.get("content-language")}`);
  }
}

/// A page works: older versions have had their time, and other languages.
export async function begin(page) {
  const own = `pages-${page.language}`;
  if (!await caches.has(own)) await keepFixed();
  if (!await caches.has(own)) return;
  const old = page.version === version ? (await named("shell-")).slice(0, -shellLimit) : [];
  const foreign = (await named("pages-")).filter((name) => name !== own);
  for (const name of [...old, ...foreign]) await caches.delete(name);
}

/// Keeps a page and its pictures, unless the reader has left its language.
export async function keep(page) {
  const name = `pages-${page.language}`;
  if (!await caches.has(name)) return;
  const { headers } = await unknown();
  headers.set("shell", `shell-${page.version}`);
  headers.set("address", placeOf(page.address).href);
  await put(name, pageLimit, placeOf(page.address).pathname, new Response(page.html, { headers }));
  for (const picture of page.pictures) await keepPicture(picture);
}

async function keepPicture(address) {
  if (await caches.match(address)) return;
  const reply = await fetch(address, { cache: "force-cache" });
  if (reply.status === 200 && reply.headers.get("content-length") <= pictureSize) await put("pictures", pictureLimit, address, reply);
}

/// The oldest go.
async function put(name, limit, address, reply) {
  const cache = await caches.open(name);
  await cache.put(address, reply);
  for (const request of (await cache.keys()).slice(0, -limit)) await cache.delete(request);
}

/// What is kept for a request. A list leads to the order in which it was last seen.
export async function kept({ url, mode }) {
  if (mode !== "navigate") return caches.match(url);
  const { pathname, href } = placeOf(url), page = await (await shell()).match(pathname) ?? await caches.match(pathname);
  const address = page?.headers.get("address");
  if (!address) return page;
  if (await caches.has(page.headers.get("shell"))) return address === href ? page : Response.redirect(address);
}

/// How far a list is scrolled makes it no other.
function placeOf(address) {
  const url = new URL(address);
  url.hash = "";
  url.searchParams.delete("from");
  return url;
}

/// Says that there is nothing to show.
export async function unknown() {
  const { body, headers } = await (await shell()).match("/offline");
  return new Response(body, { status: 503, headers });
}
