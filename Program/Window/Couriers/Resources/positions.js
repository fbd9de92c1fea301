// The position of a courier: shared only while an order is held and the switch is on, in batches.
import { texts } from "./messages.js";
import { setText } from "./status.js";

const batchInterval = 60_000, maxBatch = 100; // ms, positions
const heldStates = ["claimed", "pickedUp", "arrived", "returning"];
const key = "share-position";
const person = document.querySelector("[data-person]").dataset.person;
let watch, timer, hasPosition = false, batch = [];

/// Shows the switch, and begins or ends sharing.
export function sharePosition() {
  const input = document.getElementById("share-position"), work = document.getElementById("work");
  if (!input) return;
  if (!navigator.geolocation || !isSecureContext) {
    input.closest("p").hidden = true;
    return;
  }
  const isHeld = heldStates.includes(work.dataset.standing);
  input.closest("p").hidden = !isHeld;
  input.checked = localStorage.getItem(key) === person;
  input.onchange = () => {
    if (input.checked) localStorage.setItem(key, person); else localStorage.removeItem(key);
    sharePosition();
  };
  const isShared = isHeld && input.checked;
  if (isShared) begin(); else end();
  showWhetherShared();
}

/// Shows that positions are shared once there is one: the browser may refuse them.
function showWhetherShared() { setText(document.getElementById("position-note"), hasPosition ? texts.shared : ""); }

function begin() {
  watch ??= navigator.geolocation.watchPosition(({ coords: { latitude, longitude, accuracy }, timestamp }) => {
    batch = [...batch, { at: new Date(timestamp).toISOString(), latitude, longitude, accuracy }].slice(-maxBatch);
    // The first position is sent at once.
    timer ??= setTimeout(send, 0);
    hasPosition = true;
    showWhetherShared();
  }, () => {
    hasPosition = false;
    showWhetherShared();
  });
}

async function send() {
  timer = watch === undefined ? undefined : setTimeout(send, batchInterval);
  const positions = batch;
  if (!positions.length) return;
  const headers = { "Content-Type": "application/json", "Lading-Person": person, "Lading-Client-Time": new Date().toISOString() };
  const response = await fetch("/positions", { method: "POST", headers, body: JSON.stringify({ positions }) }).catch(() => {});
  // Refused positions are not sent again: the order may be over.
  if (response && response.status < 500) batch = batch.filter((position) => !positions.includes(position));
}

function end() {
  if (watch !== undefined) navigator.geolocation.clearWatch(watch);
  watch = undefined;
  hasPosition = false;
  timer = clearTimeout(timer);
  batch = [];
}
