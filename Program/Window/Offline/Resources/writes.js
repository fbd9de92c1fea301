// The writes of this browser, stored on disk until they are answered. Pages and the worker use the same store; idempotency keys prevent repeated
// effects. A write of an order names its person, and is sent only as that person; the others, of favourites, belong to nobody.
//
// {id, url, method, headers, body} and of an order {group, person, order, step, at, sendAfter, proofs: [{digest, kind, type, bytes}]}; `isSending` once an
// attempt may have reached the server, `waitsForSignIn` after the last found somebody else signed in, and `refusal`, the final problem, until the
// reader has seen it; `resentAt` after a write that was given up is sent again.
import { uploadProof } from "./proofs.js";
import { pause, timeLimit } from "./time-limits.js";
import { copiedWrites, copyWrite, removeCopy } from "./write-copies.js";

const writePatterns = [["PUT", /^\/deliveries\/[^/]+\/favourite$/]];
const maxWrites = 1_000;
const maxBodyLength = 4_096; // characters
const attemptTimeout = 10_000; // ms
const retryableStatuses = [401, 408, 425, 429]; // no refusals
const waiters = new Map(); // by id
const responseTimeout = 3_000; // ms
const maxUndoTime = 15_000; // ms
const maxAge = 14 * 24 * 3_600_000; // ms; the server knows the key of a write for longer
let database, isWritten = async () => true;

/// Resolves to the first result, or to nothing after the timeout.
export const withTimeout = (...promises) => Promise.race([...promises, pause(responseTimeout)]);

export const isWrite = (method, path) => writePatterns.some(([name, pattern]) => method === name && pattern.test(path));

/// Stores a write before it is sent. Returns the program's response, or 202 for a stored write.
export async function queueWrite(event) {
  const { request } = event, { url, method } = request, original = request.clone();
  const body = await request.text(), headers = [...request.headers];
  const id = body.length <= maxBodyLength && await addWrite({ url, method, headers, body }).catch(() => {});
  if (!id) return fetch(original);
  const answered = new Promise((resolve) => waiters.set(id, resolve)), sent = sendPendingWrites().catch(() => {});
  event.waitUntil(sent);
  const response = await withTimeout(answered, sent);
  return response ?? new Response('{"kept":true}', { status: 202, headers: { "Content-Type": "application/json" } });
}

/// Stores a write, and returns its id once it is on disk. Rejects if there is no room.
export async function addWrite(write) {
  const id = await inTransaction("readwrite", async (store) => {
    if (await result(store.count()) >= maxWrites) throw new Error("There are too many writes.");
    return result(store.add(write));
  });
  if (write.order) copyWrite(write).catch(() => {});
  return id;
}

/// Sends a write that cannot be stored, once. Returns the response.
export async function sendUnstored(write) {
  const earlier = await storedWrites().catch(() => []);
  if (earlier.some(({ group, refusal }) => group === write.group && (!refusal || refusal.type === "not-sent"))) throw new Error("An earlier step of the order waits.");
  return attempt(write);
}

/// Removes a write unless it can be sent already or a later step of its order depends on it, and returns whether it is removed.
export async function undoWrite(id) {
  const removed = await inTransaction("readwrite", async (store) => {
    const writes = await result(store.getAll()), write = writes.find((other) => other.id === id);
    if (!write || write.isSending || write.sendAfter <= Date.now() || hasLaterStep(write, writes)) return undefined;
    await result(store.delete(id));
    return write;
  });
  if (removed) await removeCopy(removed);
  return removed !== undefined;
}

const hasLaterStep = ({ id, group }, writes) => writes.some((other) => other.id > id && other.group === group && !other.refusal);

/// Removes a refused write that the reader has seen.
export async function dismissWrite(id) {
  const write = (await storedWrites()).find((other) => other.id === id);
  await inTransaction("readwrite", (store) => result(store.delete(id)));
  if (write) await removeCopy(write);
}

/// Sends a write again that was given up because it was not sent in time.
export const resendWrite = (id) => update(id, { refusal: undefined, resentAt: Date.now() });

/// Returns all writes, oldest first: those that wait, and those that were refused.
export const storedWrites = () => inTransaction("readonly", (store) => result(store.getAll()));

/// Sets what is done between an accepted write and its removal; unless it resolves to true, the write is repeated with its key.
export function onAccepted(act) { isWritten = act; }

/// Resolves when no step can be undone any more.
export async function undoTimeEnd() {
  const ends = (await pendingWrites()).map(({ sendAfter = 0 }) => sendAfter - Date.now());
  await pause(Math.min(Math.max(0, ...ends), maxUndoTime));
}

/// Returns the writes that have not been completed, oldest first.
export const pendingWrites = async () => (await storedWrites()).filter(({ refusal }) => !refusal);

/// Sends the pending writes in order; rejects if some remain. A delayed write blocks its own order only, or URL.
export const sendPendingWrites = () => exclusively(async () => {
  const stored = await storedWrites(), writes = stored.filter(({ refusal }) => !refusal);
  // A step that was given up delays the later ones of its order.
  const blocked = new Set(stored.filter(({ refusal }) => refusal?.type === "not-sent").map(({ group }) => group));
  for (const write of writes) {
    const { group = write.url } = write;
    if (blocked.has(group) || blocked.has(write.person)) continue;
    // An outcome that cannot be stored, for lack of room, delays no other order.
    const outcome = await sendIfDue(write, writes).catch(() => "delayed");
    if (outcome === "unreachable") break;
    if (outcome === "otherPerson") blocked.add(write.person);
    if (outcome !== "completed") blocked.add(group);
  }
  const pending = await pendingWrites();
  if (!pending.length) return;
  await broadcast({ waiting: pending.map(withoutProofs) });
  await self.registration?.sync?.register("writes");
  throw new Error("Some writes were not sent.");
});

async function sendIfDue(write, writes) {
  if (isTooOld(write)) return giveUp(write);
  return write.sendAfter > Date.now() && !hasLaterStep(write, writes) ? "delayed" : send(write.id);
}

const isTooOld = ({ order, at, resentAt }) => order && (resentAt ?? Date.parse(at)) < Date.now() - maxAge;

/// Keeps a write with its proofs until the reader sends it again.
async function giveUp(write) {
  await update(write.id, { refusal: { type: "not-sent" } });
  await broadcast({ written: withoutProofs(write) });
  return "delayed";
}

// Without locks, on an insecure page, the keys of the writes prevent repeated effects.
const exclusively = (act) => navigator.locks ? navigator.locks.request("writes", act) : act();

/// Makes an attempt, and returns `completed`, `delayed`, `otherPerson` or `unreachable`.
async function send(id) {
  const write = await beginSending(id);
  if (!write) return "completed";
  const response = await attempt(write).catch(() => {});
  if (!response) return "unreachable";
  const { status } = response, text = await response.clone().text();
  const problem = write.order && status >= 400 && parse(text);
  if (write.order && status === 401) {
    await update(id, { waitsForSignIn: true }).catch(() => {});
    return "otherPerson";
  }
  const isFinal = write.order ? status < 400 || problem?.final === true : status < 500 && !retryableStatuses.includes(status);
  if (!isFinal || !problem && !await isWritten(write)) return "delayed";
  await completeWrite(write, response, text, problem);
  return "completed";
}

/// Marks a write as one that may have reached the server, and returns it; nothing if it was removed. Where no room is left for the mark, only a write
/// that cannot be undone any more is sent.
const beginSending = (id) => update(id, { isSending: true, waitsForSignIn: false }).catch(async (error) => {
  const write = (await storedWrites()).find((other) => other.id === id);
  if (write?.sendAfter > Date.now()) throw error;
  return write;
});

/// Changes fields of a write, and returns it; nothing if it was removed.
const update = (id, fields) => inTransaction("readwrite", async (store) => {
  const write = await result(store.get(id));
  // A write contains its proofs: it is stored again only if it changes.
  if (write && Object.keys(fields).some((name) => write[name] !== fields[name])) await result(store.put({ ...write, ...fields }));
  return write;
});

/// Uploads the proofs of a write, then sends it. Returns the first response that is no success.
async function attempt(write) {
  for (const proof of write.proofs ?? []) {
    const { id } = write, response = await uploadProof(write, proof, (share) => broadcast({ progress: { id, share } }));
    if (!response.ok) return response;
  }
  const headers = write.order ? { ...write.headers, "Lading-Client-Time": new Date().toISOString() } : write.headers;
  return fetch(write.url, { method: write.method, headers, body: write.body, signal: timeLimit(attemptTimeout) });
}

/// Removes a write that the program has accepted, or keeps its refusal for the reader, and reports its outcome.
async function completeWrite(write, response, answer, problem) {
  const { id } = write, { status } = response;
  await inTransaction("readwrite", (store) => result(problem ? store.put({ ...withoutProofs(write), refusal: { ...problem, status } }) : store.delete(id)));
  if (write.order && !problem) await removeCopy(write);
  waiters.get(id)?.(response);
  waiters.delete(id);
  await broadcast({ written: { ...withoutProofs(write), status, answer } });
}

export function withoutProofs(write) {
  const copy = { ...write };
  delete copy.proofs;
  return copy;
}

function parse(text) { try { return JSON.parse(text); } catch { return undefined; } }

/// Tells all pages, from the worker or from a page.
async function broadcast(message) {
  if (!self.clients) return document.dispatchEvent(new CustomEvent("writes", { detail: message }));
  for (const client of await clients.matchAll()) client.postMessage(message);
}

/// Begins a transaction; opens the database again if the system has closed it, as iOS does in the background.
async function beginTransaction(mode) {
  const begin = async () => (await (database ??= openDatabase())).transaction("writes", mode, { durability: "strict" });
  try { return await begin(); } catch { database = undefined; }
  return begin();
}

/// Runs one transaction; resolves to the result of `act` when it is on disk.
async function inTransaction(mode, act) {
  const transaction = await beginTransaction(mode);
  const completed = eventPromise(transaction, "oncomplete", "onabort");
  completed.catch(() => {});
  try {
    const value = await act(transaction.objectStore("writes"));
    await completed;
    return value;
  } catch (error) {
    try { transaction.abort(); } catch { /* It has ended. */ }
    // The next transaction opens the database again: its connection may be lost.
    if (error?.name === "UnknownError") database = undefined;
    throw error;
  }
}

async function openDatabase() {
  const request = indexedDB.open("lading");
  let isNew = false;
  request.onupgradeneeded = () => {
    isNew = true;
    request.result.createObjectStore("writes", { keyPath: "id", autoIncrement: true });
  };
  await eventPromise(request, "onsuccess", "onerror");
  const opened = request.result;
  opened.onclose = () => { database = undefined; };
  opened.onversionchange = () => {
    opened.close();
    database = undefined;
  };
  if (isNew) await restoreCopies(opened).catch(() => {});
  return opened;
}

/// Stores the writes again of which there are copies. Their keys prevent that one takes effect twice.
async function restoreCopies(opened) {
  const writes = await copiedWrites(), transaction = opened.transaction("writes", "readwrite", { durability: "strict" });
  const completed = eventPromise(transaction, "oncomplete", "onabort");
  for (const write of writes) transaction.objectStore("writes").add(write);
  await completed;
}

const eventPromise = (target, good, bad) =>
  new Promise((resolve, reject) => Object.assign(target, { [good]: resolve, [bad]: () => reject(target.error) }));
const result = async (request) => { await eventPromise(request, "onsuccess", "onerror"); return request.result; };
