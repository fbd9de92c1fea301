// Favourite marks: shown at once, told to the window, and taken back where they are refused.
const wishes = new Map(); // what the reader chose, by id, until the window has it
const notice = document.getElementById("notice");
const lines = new Set(); // what the notice says
const shownFor = 8_000, shownAtMost = 3;
let toldNumber = 0, timer;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches(".favourite")) return;
  event.preventDefault();
  choose(form, form.lastElementChild.ariaPressed !== "true");
});

async function choose(form, favourite) {
  const { id } = form.dataset, wish = { favourite, at: new Date().toISOString() };
  wishes.set(id, wish);
  show();
  const reply = await put(form.action, wish);
  if (wishes.get(id)?.at !== wish.at) return;
  // A worker answers 202 while the program cannot be reached: it keeps the mark, and so does the page.
  if (reply?.status === 202) return say(notice.dataset.kept);
  wishes.delete(id);
  mark(id, reply?.answer?.favourite ?? !favourite);
  if (!reply?.ok) say(failure(id, favourite));
}

/// What waits in the worker is shown as well, and what became of it.
document.addEventListener("writes", ({ detail: { waiting = [], written } }) => {
  for (const { url, body } of waiting) wishes.set(idIn(url), JSON.parse(body));
  show();
  if (!written) return;
  const id = idIn(written.url), { favourite, at } = JSON.parse(written.body), wish = wishes.get(id);
  if (wish?.at !== at) return;
  wishes.delete(id);
  if (written.status < 400) return;
  mark(id, !favourite);
  say(failure(id, favourite));
});

const idIn = (address) => decodeURIComponent(new URL(address).pathname.split("/").at(-2));

/// Says once what became of marks that had been taken; every event repeats the last notices.
export function tellNotices(notices) {
  for (const { number, row, favourite, text } of notices ?? []) {
    if (number <= toldNumber) continue;
    toldNumber = number;
    wishes.delete(row);
    mark(row, favourite);
    say(text);
  }
}

/// Rows that come, and those that come back, show what was chosen, whatever they were made with.
function show() { for (const [id, { favourite }] of wishes) mark(id, favourite); }

function mark(id, favourite) {
  for (const form of document.querySelectorAll(".favourite")) if (form.dataset.id === id) form.lastElementChild.ariaPressed = favourite;
}

/// That a delivery could not be marked, or its mark not be removed.
function failure(id, favourite) {
  const form = [...document.querySelectorAll(".favourite")].find((form) => form.dataset.id === id);
  const title = form?.closest(".row, .detail")?.querySelector("h1, h2")?.textContent ?? id;
  return (favourite ? notice.dataset.failed : notice.dataset.unmarkFailed).replace("{title}", () => title);
}

/// Adds a line to the notice, which shows the last lines until none has come for a while.
function say(text) {
  clearTimeout(timer);
  lines.delete(text);
  lines.add(text);
  const shown = [...lines].slice(-shownAtMost), more = lines.size - shown.length;
  if (more) shown.push(notice.dataset.more.replace("{count}", more));
  notice.textContent = shown.join("\n");
  timer = setTimeout(() => { lines.clear(); notice.textContent = ""; }, shownFor);
}

const put = (action, body) => fetch(action, {
  method: "PUT",
  headers: { "Content-Type": "application/json", "Idempotency-Key": `"${key()}"` },
  body: JSON.stringify(body),
  signal: AbortSignal.timeout(10_000),
}).then(async (reply) => ({ ok: reply.ok, status: reply.status, answer: await reply.json().catch(() => {}) })).catch(() => {});

/// On plain http a browser makes no UUIDs.
function key() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

new MutationObserver(show).observe(document.getElementById("list") ?? document.getElementById("detail"), { childList: true });
