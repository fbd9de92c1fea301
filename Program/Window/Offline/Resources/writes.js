// Writes, stored on disk until they are answered. An idempotency key prevents repeated effects.
const writePatterns = [["PUT", /^\/deliveries\/[^/]+\/favourite$/]];
const maxWrites = 200;
const maxBodyLength = 4_096; // characters
const attemptTimeout = 10_000; // ms
const retryableStatuses = [408, 425, 429]; // no refusals
const waiters = new Map(); // by id
const responseTimeout = 3_000; // ms
let database;

/// Resolves to the first result, or to nothing after the timeout.
export const withTimeout = (...promises) => Promise.race([...promises, new Promise((resolve) => setTimeout(resolve, responseTimeout))]);

export const isWrite = (method, path) => writePatterns.some(([name, pattern]) => method === name && pattern.test(path));

/// Stores a write before it is sent. Returns the program's response, or 202 for a stored write.
export async function queueWrite(event) {
  const { request } = event, { url, method } = request, original = request.clone();
  const body = await request.text(), headers = [...request.headers];
  const hasRoom = body.length <= maxBodyLength && (await pendingWrites().catch(() => {}))?.length < maxWrites;
  const id = hasRoom && await inTransaction("readwrite", (store) => store.add({ url, method, headers, body })).catch(() => {});
  if (!id) return fetch(original);
  const answered = new Promise((resolve) => waiters.set(id, resolve)), sent = sendPendingWrites().catch(() => {});
  event.waitUntil(sent);
  const response = await withTimeout(answered, sent);
  return response ?? Response.json({ kept: true }, { status: 202 });
}

/// Returns the writes that have not been completed, oldest first.
export const pendingWrites = () => inTransaction("readonly", (store) => store.getAll());

/// Sends the pending writes in order; rejects if some remain. A delayed write blocks its own URL only.
export const sendPendingWrites = () => navigator.locks.request("writes", async () => {
  const blockedURLs = new Set();
  for (const write of await pendingWrites()) {
    if (blockedURLs.has(write.url)) continue;
    const response = await fetch(write.url, { ...write, signal: AbortSignal.timeout(attemptTimeout) }).catch(() => {});
    if (!response) break;
    if (response.status >= 500 || retryableStatuses.includes(response.status)) blockedURLs.add(write.url);
    else await completeWrite(write, response);
  }
  const pending = await pendingWrites();
  if (!pending.length) return;
  await broadcast({ waiting: pending });
  await registration.sync?.register("writes");
  throw new Error("Some writes were not sent.");
});

/// Removes a write that the program has accepted or refused, and reports its outcome.
async function completeWrite(write, response) {
  const responseText = await response.clone().text();
  await inTransaction("readwrite", (store) => store.delete(write.id));
  waiters.get(write.id)?.(response);
  waiters.delete(write.id);
  await broadcast({ written: { ...write, status: response.status, answer: responseText } });
}

async function broadcast(message) {
  for (const client of await clients.matchAll()) client.postMessage(message);
}

/// Runs one transaction; resolves when it is on disk.
async function inTransaction(mode, act) {
  const transaction = (await (database ??= openDatabase())).transaction("writes", mode, { durability: "strict" });
  const request = act(transaction.objectStore("writes"));
  await eventPromise(transaction, "oncomplete", "onabort");
  return request.result;
}

async function openDatabase() {
  const request = indexedDB.open("lading");
  request.onupgradeneeded = () => request.result.createObjectStore("writes", { keyPath: "id", autoIncrement: true });
  await eventPromise(request, "onsuccess", "onerror");
  return request.result;
}

const eventPromise = (target, good, bad) => new Promise((resolve, reject) => Object.assign(target, { [good]: resolve, [bad]: reject }));
