// Writes, kept on disk until they are answered. A key lets each take effect once.
const patterns = [["PUT", /^\/deliveries\/[^/]+\/favourite$/]];
const limit = 200;
const sizeLimit = 4_096; // characters of a body
const longest = 10_000; // ms for one attempt
const notNow = [408, 425, 429]; // no refusals
const askers = new Map(); // by id
const patience = 3_000; // ms
let database;

/// The first result within the patience of a reader.
export const inTime = (...promises) => Promise.race([...promises, new Promise((resolve) => setTimeout(resolve, patience))]);

export const isWrite = (method, path) => patterns.some(([name, pattern]) => method === name && pattern.test(path));

/// Keeps a write before it is sent. Answers what the program says, or that the write is kept.
export async function write(event) {
  const { request } = event, { url, method } = request, untouched = request.clone();
  const body = await request.text(), headers = [...request.headers];
  const hasRoom = body.length <= sizeLimit && (await waiting().catch(() => {}))?.length < limit;
  const id = hasRoom && await within("readwrite", (store) => store.add({ url, method, headers, body })).catch(() => {});
  if (!id) return fetch(untouched);
  const answered = new Promise((resolve) => askers.set(id, resolve)), sent = sendAll().catch(() => {});
  event.waitUntil(sent);
  const reply = await inTime(answered, sent);
  return reply ?? Response.json({ kept: true }, { status: 202 });
}

/// What was not yet sent, oldest first.
export const waiting = () => within("readonly", (store) => store.getAll());

/// Sends what waits, in order; rejects when something is left. What is held up holds up its address only.
export const sendAll = () => navigator.locks.request("writes", async () => {
  const held = new Set();
  for (const write of await waiting()) {
    if (held.has(write.url)) continue;
    const reply = await fetch(write.url, { ...write, signal: AbortSignal.timeout(longest) }).catch(() => {});
    if (!reply) break;
    if (reply.status >= 500 || notNow.includes(reply.status)) held.add(write.url);
    else await settle(write, reply);
  }
  const left = await waiting();
  if (!left.length) return;
  await tell({ waiting: left });
  await registration.sync?.register("writes");
  throw new Error("Not all was sent.");
});

/// The program has taken or refused a write.
async function settle(write, reply) {
  const answer = await reply.clone().text();
  await within("readwrite", (store) => store.delete(write.id));
  askers.get(write.id)?.(reply);
  askers.delete(write.id);
  await tell({ written: { ...write, status: reply.status, answer } });
}

async function tell(news) {
  for (const client of await clients.matchAll()) client.postMessage(news);
}

/// One transaction; resolves when it is on disk.
async function within(mode, act) {
  const transaction = (await (database ??= open())).transaction("writes", mode, { durability: "strict" });
  const request = act(transaction.objectStore("writes"));
  await until(transaction, "oncomplete", "onabort");
  return request.result;
}

async function open() {
  const request = indexedDB.open("lading");
  request.onupgradeneeded = () => request.result.createObjectStore("writes", { keyPath: "id", autoIncrement: true });
  await until(request, "onsuccess", "onerror");
  return request.result;
}

const until = (target, good, bad) => new Promise((resolve, reject) => Object.assign(target, { [good]: resolve, [bad]: reject }));
