// Taking an order: the claim is repeated with one key until it is answered, for a minute; then its verdict is asked for.
import { showMessage, texts } from "./messages.js";

const retryTime = 60_000, maxDelay = 8_000; // ms
const claims = new Map(); // order → {standing, text, shownIn}
const person = document.querySelector("[data-person]").dataset.person;

/// Takes the order of a form.
export async function takeOrder(form) {
  const { order } = form.dataset, key = form.elements.key.value, end = Date.now() + retryTime;
  if (claims.get(order)?.standing === "taking") return;
  show(order, "taking", texts.taking);
  let outcome;
  for (let delay = 1_000; !outcome && Date.now() < end; delay = Math.min(2 * delay, maxDelay)) {
    outcome = await request(form.action, { method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key }, body: "{}" });
    if (!outcome) await new Promise((resolve) => setTimeout(resolve, delay));
  }
  // The answer may have been lost: the server knows whether the claim was accepted.
  outcome ??= await request(`/verdicts/${encodeURIComponent(key)}`, {});
  if (!outcome) {
    // The claim may have been accepted: another attempt has the same key.
    show(order, "open", texts.unreachable);
  } else if (outcome.ok) {
    enableSteps(order, outcome.body.fence);
    show(order, "claimed", texts.yours);
    navigator.serviceWorker?.controller?.postMessage({ fetch: [`/orders/${order}`, "/my-orders"] });
  } else {
    show(order, "left", refusal(outcome.body));
  }
}

/// Enables the steps on the page of an order, which carry the fence of the claim.
function enableSteps(order, fence) {
  const work = document.querySelector(`#work[data-order="${order}"]`);
  if (work) Object.assign(work.dataset, { fence, serverStanding: "claimed" });
}

/// Returns a final answer; nothing if the request should be repeated.
async function request(url, options) {
  const headers = { ...options.headers, "Lading-Person": person };
  const response = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(10_000) }).catch(() => {});
  const body = await response?.json().catch(() => {});
  if (response?.status === 401) location.reload();
  return response && (response.ok || body?.final) ? { ok: response.ok, body } : undefined;
}

function refusal({ type, holder, at }) {
  if (type?.endsWith(":taken") && holder?.name) {
    const time = new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return texts.taken.replace("{name}", () => holder.name).replace("{time}", () => time);
  }
  return texts.takenBySomebody;
}

function show(order, standing, text) {
  claims.set(order, { standing, text, shownIn: elementOf(order) });
  showClaims();
  if (standing !== "taking") showMessage(text);
}

const elementOf = (order) => document.getElementById(`row-${order}`) ?? document.querySelector(`#work[data-order="${order}"]`);

/// Shows the claims in all rows, also in those that are rendered later.
export function showClaims() {
  for (const [order, { standing, text, shownIn }] of claims) {
    const element = elementOf(order), shownText = element?.querySelector(".standing-text, #order-state");
    if (!element || element.dataset.standing === standing && shownText.textContent === text) continue;
    // The server shows it as open again, in a newer row.
    if (element !== shownIn && element.dataset.standing === "open" && standing !== "taking") {
      claims.delete(order);
      continue;
    }
    element.dataset.standing = standing;
    shownText.textContent = text;
    const button = element.querySelector("[data-step=claim] button");
    if (button) button.disabled = standing === "taking";
    // On its page the steps of an own order determine what is shown.
    if (element.id === "work" && standing === "claimed") claims.delete(order);
  }
}
