// The page of operations: the stream of decisions and the controls of the waterfall.
import { Timeline } from "./timeline.js";
import { Waterfall } from "./waterfall.js";

// The maximum number of decisions; the oldest are removed.
const decisionLimit = 20000;
const element = (id) => document.getElementById(id);

const decisions = [];
let lanes = [];
// The number of decisions shown; null for all of them, live.
let shownCount = null;
let timeline = new Timeline();
const waterfall = new Waterfall(element("operations"));

for (const id of ["controls", "waterfall"]) element(id).hidden = false;
element("decisions").hidden = true;

function applyUpdate(update) {
  lanes = update.lanes;
  // The program was restarted.
  if (update.decisions[0]?.time < decisions.at(-1)?.time) {
    decisions.length = 0;
    showFirst(null);
  }
  // Decisions before the page opened do not count as missing.
  if (update.missing > 0 && decisions.length) {
    element("missing").hidden = false;
    element("missing").textContent = element("operations").dataset.missing.replace("{count}", update.missing);
  }
  decisions.push(...update.decisions);
  const surplus = decisions.length - decisionLimit;
  if (surplus > 0) {
    decisions.splice(0, surplus);
    if (shownCount !== null) shownCount = Math.max(0, shownCount - surplus);
  }
  if (shownCount === null) for (const decision of update.decisions) timeline.add(decision);
  if (update.decisions.length) element("empty")?.remove();
  draw();
}

// Shows the waterfall after the first `count` decisions; null shows its current state.
function showFirst(count) {
  shownCount = count === null ? null : Math.max(0, Math.min(count, decisions.length));
  timeline = new Timeline();
  for (const decision of shownCount === null ? decisions : decisions.slice(0, shownCount)) timeline.add(decision);
  draw();
}

let isDrawScheduled = false;
function draw() {
  if (isDrawScheduled) return;
  isDrawScheduled = true;
  requestAnimationFrame(() => {
    isDrawScheduled = false;
    const isLive = shownCount === null;
    const [pause, position] = [element("pause"), element("position")];
    pause.textContent = isLive ? pause.dataset.pause : pause.dataset.live;
    position.max = decisions.length;
    position.value = isLive ? decisions.length : shownCount;
    element("position-text").textContent = `${isLive ? decisions.length : shownCount} / ${decisions.length}`;
    waterfall.draw(timeline, isLive ? lanes : null, element("filter").value.trim().toLowerCase());
  });
}

element("controls").addEventListener("submit", (event) => event.preventDefault());
element("pause").addEventListener("click", () => showFirst(shownCount === null ? decisions.length : null));
element("step-back").addEventListener("click", () => showFirst((shownCount ?? decisions.length) - 1));
element("step-forward").addEventListener("click", () => showFirst((shownCount ?? decisions.length) + 1));
element("position").addEventListener("input", (event) => showFirst(Number(event.target.value)));
element("filter").addEventListener("input", draw);
waterfall.onSelection = draw;

let stream = null;
function connect() {
  stream?.close();
  const last = decisions.at(-1)?.number ?? -1;
  stream = new EventSource(`/operations/events?after=${last}`);
  stream.onmessage = (event) => applyUpdate(JSON.parse(event.data));
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { stream?.close(); stream = null; } else connect();
});
connect();
draw();
