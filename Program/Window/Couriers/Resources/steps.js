// The steps of an order: stored in this browser, shown at once, and sent by the worker or, where there is none, by the page.
import { addWrite, dismissWrite, resendWrite, sendPendingWrites, sendUnstored, storedWrites, undoWrite, withTimeout } from "./writes.js";
import { updateUndisturbed } from "./entries.js";
import { showMessage, texts } from "./messages.js";
import { photoOf, preparePhotos } from "./photos-of-proofs.js";
import { prepareSignature, signatureOf } from "./signatures.js";
import { setText } from "./status.js";
import { updateTimes } from "./times.js";

const undoTime = 10_000; // ms
const doubleTapTime = 1_000; // ms within which the same step again is a double tap
const maxAttempts = 3;
const statesAfter = { "pick-up": "pickedUp", arrive: "arrived", deliver: "delivered", return: "returned", release: "left" };
const person = document.querySelector("[data-person]").dataset.person;
const work = () => document.getElementById("work");
const stepsBeingStored = new Set();
let timer, knownWrites = [], unstored, isSendingUnstored = false;

/// Stores the step of a form, and shows it. A double tap is one step.
export async function enqueueStep(form) {
  const name = `${form.dataset.order} ${form.dataset.step}`;
  if (stepsBeingStored.has(name)) return;
  stepsBeingStored.add(name);
  const isAccepted = await storeStep(form);
  setTimeout(() => stepsBeingStored.delete(name), isAccepted ? doubleTapTime : 0);
}

/// Returns whether the step was stored or accepted.
async function storeStep(form) {
  const { step } = form.dataset, { fence } = work().dataset, at = new Date().toISOString();
  let proofs = [];
  try { if (step === "deliver") proofs = await proofsOf(form); } catch { return showMessage(texts.proofUnreadable); }
  if (step === "deliver" && !proofs.length) return showMessage(texts.proofMissing);
  const write = withEarlierKey(writeOf(form, at, fence, proofs));
  navigator.storage?.persist?.();
  try { await addWrite(write); } catch {
    return await sendAtOnce(write);
  }
  if (write === unstored) unstored = undefined;
  await withTimeout(registerSync().catch(() => {}));
  // Without background sync only an open page sends.
  showMessage("sync" in (window.ServiceWorkerRegistration?.prototype ?? {}) ? texts.stored : texts.storedUntilOpened);
  await showSteps();
  requestSend();
  setTimeout(requestSend, undoTime + 100);
  return true;
}

function writeOf(form, at, fence, proofs) {
  const { step, order } = form.dataset;
  return {
    group: `${person} ${order}`, title: document.querySelector("h1").textContent, person, order, step, at, sendAfter: Date.now() + undoTime, proofs,
    url: new URL(form.action).pathname, method: "POST", body: JSON.stringify({ at, ...bodyOf(form, proofs) }),
    headers: {
      "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID(), "If-Match": `"${fence}"`, "Lading-Person": person,
    },
  };
}

/// Returns the same step if it was sent before without being stored, and not answered: with another key it would take effect twice.
const withEarlierKey = (write) => unstored && contentOf(unstored) === contentOf(write) ? unstored : write;

/// Sends a step that could not be stored: there is no room, or the browser stores nothing in a private window. Returns whether it was accepted.
async function sendAtOnce(write) {
  if (isSendingUnstored) return;
  // It may reach the server: if it is stored later, it cannot be undone.
  unstored = { ...write, isSending: true, attempts: work().dataset.attempts };
  isSendingUnstored = true;
  showMessage(texts.waiting);
  const response = await sendUnstored(write).catch(() => {}), refusal = response && !response.ok && await response.json().catch(() => {});
  isSendingUnstored = false;
  if (response?.ok || refusal?.final) unstored = undefined;
  if (response?.ok) showMessage(JSON.parse(texts.steps)[write.step]);
  else if (refusal?.final) showMessage(outcomeOf({ refusal }));
  else showMessage(response?.status === 401 ? texts.notStoredSignIn : texts.notStored);
  return response?.ok;
}

/// Returns what two equal steps of one state of an order have in common.
function contentOf({ group, step, headers, body, attempts = work().dataset.attempts }) {
  return JSON.stringify([group, step, headers["If-Match"], attempts, { ...JSON.parse(body), at: undefined }]);
}

function bodyOf(form, proofs) {
  switch (form.dataset.step) {
    case "pick-up": return { missingItems: [...form.elements].filter(({ name, checked }) => name === "item" && !checked).map(({ value }) => value) };
    case "attempt": return { reason: form.elements.reason.value };
    case "deliver": return { proofs: proofs.map(({ digest }) => digest) };
    default: return {};
  }
}

/// Returns the proofs that were entered, with their digests.
async function proofsOf(form) {
  const typed = ["signature", "pin", "note"].map((kind) => [kind, form.elements[kind]?.value.trim()]).filter(([, text]) => text);
  // After the fields, which a newer version of the page may replace while the photo is made smaller.
  const [photo, signature] = await Promise.all([photoOf(form), signatureOf(form)]);
  const drawn = [["photo", photo], ["signature", signature]].filter(([, blob]) => blob);
  const entries = [...drawn, ...typed.map(([kind, text]) => [kind, new Blob([text], { type: "text/plain" })])];
  return Promise.all(entries.map(async ([kind, blob]) => {
    const bytes = await blob.arrayBuffer();
    return { kind, type: blob.type, bytes, digest: await digestOf(bytes) };
  }));
}

async function digestOf(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/// Lets the browser send what waits also when this page is closed. The page asks for that, before it shows the step: once no page is open, a worker cannot.
const registerSync = async () => (await navigator.serviceWorker?.getRegistration())?.sync?.register("writes");

/// Asks the worker to send what waits; without a worker the page sends it.
function requestSend() {
  const worker = navigator.serviceWorker?.controller;
  if (worker) worker.postMessage({}); else sendPendingWrites().catch(() => {});
}

/// Returns the stored writes of this person, or of one order.
const ownWrites = async (order) => (await storedWrites().catch(() => [])).filter((write) => write.person === person && (!order || write.order === order));

/// Reads the steps of the order, and shows them.
export async function showSteps() {
  knownWrites = await ownWrites(work().dataset.order);
  showKnownSteps();
}

/// Shows the steps that wait and those that were refused, as they were last read, and the state after the ones that wait.
export function showKnownSteps() {
  const element = work(), writes = knownWrites;
  element.dataset.serverStanding ??= element.dataset.standing;
  const waiting = writes.filter(({ refusal }) => !refusal);
  const standing = waiting.reduce(stateAfter, element.dataset.serverStanding);
  element.dataset.standing = standing;
  setText(document.getElementById("order-state"), JSON.parse(element.dataset.states)[standing]);
  showElements(document.querySelector("#steps ol"), writes.map((write) => stepElement(write, write === waiting.at(-1))));
  preparePhotos();
  prepareSignature();
  // A step can be undone until it is sent.
  const ends = waiting.map(({ sendAfter }) => sendAfter - Date.now()).filter((left) => left > 0);
  clearTimeout(timer);
  if (ends.length) timer = setTimeout(() => updateUndisturbed("undo", showSteps), Math.min(...ends));
}

/// Shows the share of a step's proof that was sent.
export function showProgress({ id, share }) {
  const outcome = document.querySelector(`[data-write="${id}"] .outcome`);
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", numberingSystem: "latn" }).format(share);
  if (outcome) outcome.textContent = texts.sending.replace("{share}", () => percent);
}

/// Shows the steps of all orders on the list of own orders, with links: an order may have left that list.
export async function showWaitingSteps() {
  const section = document.getElementById("waiting-steps"), writes = await ownWrites();
  section.hidden = !writes.length || document.getElementById("list").dataset.screen !== "my-orders";
  showElements(section.querySelector("ul"), writes.map((write) => {
    const item = stepElement(write, false), link = document.createElement("a");
    Object.assign(link, { href: `/orders/${write.order}`, textContent: write.title });
    item.prepend(link, ": ");
    return item;
  }));
}

/// Shows the steps of this browser at the end of a list. An element that equals the new one, apart from its outcome, stays with the focus in it.
function showElements(list, elements) {
  const known = new Map([...list.querySelectorAll("[data-write]")].map((element) => [element.dataset.write, element]));
  updateTimes(list);
  const shown = elements.map((element) => {
    const old = known.get(element.dataset.write);
    if (old) setText(old.querySelector(".outcome"), element.querySelector(".outcome").textContent);
    return old?.isEqualNode(element) ? old : element;
  });
  for (const old of known.values()) if (!shown.includes(old)) old.remove();
  // An element that is inserted again, even at its place, loses the focus.
  let next = list.querySelector("[data-write]");
  for (const element of shown) if (element === next) next = next.nextElementSibling; else list.insertBefore(element, next);
}

function stateAfter(state, { step }, index, writes) {
  if (step !== "attempt") return statesAfter[step] ?? state;
  const attempts = +work().dataset.attempts + writes.slice(0, index + 1).filter((write) => write.step === step).length;
  return attempts >= maxAttempts ? "returning" : "pickedUp";
}

function outcomeOf({ refusal, waitsForSignIn, proofs }) {
  if (!refusal && waitsForSignIn) return texts.signIn;
  if (!refusal) return proofs?.some(({ kind }) => kind === "pin") ? texts.pinToCheck : texts.waiting;
  const reason = refusal.type?.split(":").at(-1);
  const outcomes = {
    "pin-wrong": texts.pinWrong, "pin-locked": texts.pinLocked, "proof-invalid": texts.proofInvalid, "too-many-reports": texts.tooManyReports,
    "not-sent": texts.notSentInTime,
  };
  return outcomes[reason] ?? texts.refused;
}

function stepElement({ id, step, at, sendAfter, isSending, refusal, waitsForSignIn, proofs }, isUndoable) {
  const item = document.createElement("li"), title = document.createElement("b"), outcome = document.createElement("span"), time = document.createElement("time");
  item.dataset.write = id;
  title.textContent = JSON.parse(texts.steps)[step];
  time.dateTime = `${at.slice(0, 16)}Z`;
  outcome.className = "outcome";
  outcome.textContent = outcomeOf({ refusal, waitsForSignIn, proofs });
  item.append(title, " ", time, " ", outcome);
  updateTimes(item);
  if (refusal?.type === "not-sent") item.append(button(texts.sendAgain, () => resend(id)));
  else if (refusal) item.append(button("×", () => dismissWrite(id), texts.dismiss));
  else if (isUndoable && sendAfter > Date.now() && !isSending) item.append(button(texts.undo, () => undo(id)));
  return item;
}

function undo(id) {
  // The same step can be made again at once.
  stepsBeingStored.clear();
  return undoWrite(id);
}

async function resend(id) {
  await resendWrite(id);
  requestSend();
}

function button(text, act, label) {
  const element = document.createElement("button");
  Object.assign(element, { type: "button", className: "button", textContent: text });
  if (label) element.setAttribute("aria-label", label);
  element.addEventListener("click", async () => {
    await act();
    if (work()) showSteps(); else showWaitingSteps();
  });
  return element;
}
