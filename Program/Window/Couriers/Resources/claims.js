// Taking an order: the claim is repeated with one key until it is answered, for a minute; then its verdict is asked for.
import { showMessage, texts } from "./messages.js";
import { timeLimit } from "./time-limits.js";

const retryTime = 60_000, maxDelay = 8_000; // ms
const staleTime = 5_000; // ms in which a page may come that was read before the claim
const claims = new Map(); // order → {standing, text, shownIn, fence, end}
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
    show(order, "claimed", texts.yours, outcome.body.fence);
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
  const response = await fetch(url, { ...options, headers, signal: timeLimit(10_000) }).catch(() => {});
  const body = await response?.json().catch(() => {});
  if (response?.status === 401) location.reload();
  return response && (response.ok || body?.final) ? { ok: response.ok, body } : undefined;
}

function refusal({ type, holder, at }) {
  if (type?.endsWith(":taken") && holder?.name) {
    const time = new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return texts.taken.replace("{name}", () => holder.name).replace("{time}", () => time);
  }
  return type?.endsWith(":too-many-claims") ? texts.tooManyClaims : texts.takenByOther;
}

function show(order, standing, text, fence) {
  claims.set(order, { standing, text, shownIn: elementOf(order), fence, end: Date.now() + staleTime });
  showClaims();
  if (standing !== "taking") showMessage(text);
}

const elementOf = (order) => document.getElementById(`row-${order}`) ?? document.querySelector(`#work[data-order="${order}"]`);

/// Shows the claims in all rows, also in those that are rendered later.
export function showClaims() {
  for (const [order, claim] of claims) {
    const { standing, text, fence } = claim, element = elementOf(order), shownText = element?.querySelector(".standing-text, #order-state");
    if (!element || element.dataset.standing === standing && shownText.textContent === text) continue;
    const isOwnPage = element.id === "work" && standing === "claimed";
    // On its page the steps of an own order determine what is shown.
    if (isOwnPage && !["open", "taking"].includes(element.dataset.standing)) {
      if (Date.now() > claim.end) claims.delete(order);
      continue;
    }
    if (element !== claim.shownIn && element.dataset.standing === "open" && standing !== "taking") {
      // The server shows it as open again, in a newer row or page.
      if (!isOwnPage || Date.now() > claim.end) {
        claims.delete(order);
        continue;
      }
      enableSteps(order, fence);
      claim.shownIn = element;
    }
    element.dataset.standing = standing;
    shownText.textContent = text;
    const button = element.querySelector("[data-step=claim] button");
    if (button) button.disabled = standing === "taking";
  }
}
