// Favourites: shown at once, sent to the session, and reverted if they are refused.
import { timeLimit } from "./time-limits.js";

const pendingFavourites = new Map(); // by id, until they are confirmed; `isQueued` once the worker has stored the request
const notice = document.getElementById("notice");
const messages = new Set(); // shown in the notice
const messageDuration = 8_000, maxMessages = 3;
let lastNoticeNumber = 0, timer;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches(".favourite")) return;
  event.preventDefault();
  setFavourite(form, form.lastElementChild.getAttribute("aria-pressed") !== "true");
});

async function setFavourite(form, favourite) {
  const { id } = form.dataset, request = { favourite, at: new Date().toISOString() };
  pendingFavourites.set(id, request);
  showPending();
  const response = await put(form.action, request);
  if (pendingFavourites.get(id)?.at !== request.at) return;
  // The worker responds with 202 and stores the request while the program is unreachable.
  if (response?.status === 202) {
    request.isQueued = true;
    return showMessage(notice.dataset.queued);
  }
  pendingFavourites.delete(id);
  showFavourite(id, response?.body?.favourite ?? !favourite);
  if (!response?.ok) showMessage(failureText(id, favourite));
}

/// Shows the favourites that the worker has queued, and their outcomes.
document.addEventListener("writes", ({ detail: { waiting, written } }) => {
  if (waiting) updateQueued(waiting.filter(isFavourite));
  showPending();
  if (!written || !isFavourite(written)) return;
  const id = deliveryID(written.url), { favourite, at } = JSON.parse(written.body), request = pendingFavourites.get(id);
  if (request?.at !== at) return;
  pendingFavourites.delete(id);
  if (written.status < 400) return;
  showFavourite(id, !favourite);
  showMessage(failureText(id, favourite));
});

/// Replaces the queued favourites. The page has missed the outcome of those that are not queued any more: it shows the value of the server again.
function updateQueued(writes) {
  const queued = new Map(writes.map(({ url, body }) => [deliveryID(url), { ...JSON.parse(body), isQueued: true }]));
  for (const [id, { isQueued }] of pendingFavourites) {
    if (!isQueued || queued.has(id)) continue;
    pendingFavourites.delete(id);
    const row = formsOf(id)[0]?.closest(".row")?.row;
    if (row) showFavourite(id, row.html.includes('aria-pressed="true"'));
  }
  for (const [id, request] of queued) pendingFavourites.set(id, request);
}

// The other writes are steps of orders.
const isFavourite = ({ order }) => !order;
const deliveryID = (address) => decodeURIComponent(new URL(address).pathname.split("/").at(-2));

/// Shows each notice of a refused favourite once; every event repeats the last notices.
export function showNotices(notices) {
  for (const { number, row, favourite, text } of notices ?? []) {
    if (number <= lastNoticeNumber) continue;
    lastNoticeNumber = number;
    pendingFavourites.delete(row);
    showFavourite(row, favourite);
    showMessage(text);
  }
}

/// Shows pending favourites in all rows, also in those that are rendered later.
function showPending() { for (const [id, { favourite }] of pendingFavourites) showFavourite(id, favourite); }

function showFavourite(id, favourite) { for (const form of formsOf(id)) form.lastElementChild.setAttribute("aria-pressed", favourite); }

const formsOf = (id) => [...document.querySelectorAll(".favourite")].filter((form) => form.dataset.id === id);

/// Returns the text about a favourite that could not be set or removed.
function failureText(id, favourite) {
  const title = formsOf(id)[0]?.closest(".row, .detail")?.querySelector("h1, h2")?.textContent ?? id;
  return (favourite ? notice.dataset.failed : notice.dataset.unmarkFailed).replace("{title}", () => title);
}

/// Adds a message to the notice, which shows the last ones until none has been added for a while.
function showMessage(text) {
  clearTimeout(timer);
  messages.delete(text);
  messages.add(text);
  const shown = [...messages].slice(-maxMessages), more = messages.size - shown.length;
  if (more) shown.push(notice.dataset.more.replace("{count}", more));
  notice.textContent = shown.join("\n");
  timer = setTimeout(() => { messages.clear(); notice.textContent = ""; }, messageDuration);
}

const put = (action, body) => fetch(action, {
  method: "PUT",
  headers: { "Content-Type": "application/json", "Idempotency-Key": `"${idempotencyKey()}"` },
  body: JSON.stringify(body),
  signal: timeLimit(10_000),
}).then(async (response) => ({ ok: response.ok, status: response.status, body: await response.json().catch(() => {}) })).catch(() => {});

/// Returns a random key; `randomUUID` is unavailable in insecure contexts.
function idempotencyKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

new MutationObserver(showPending).observe(document.getElementById("list") ?? document.getElementById("detail"), { childList: true });
