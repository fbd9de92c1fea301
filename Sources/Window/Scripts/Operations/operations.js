// The page of operations: the stream of decisions, and what it makes of them.
import { Timeline } from "./timeline.js";
import { Board } from "./waterfall.js";

// The most decisions kept; the oldest go.
const decisionLimit = 20000;
const element = (id) => document.getElementById(id);

const kept = [];
let lanes = [];
// How many of the decisions kept are shown; null for all of them, as they come.
let shown = null;
let timeline = new Timeline();
const board = new Board(element("operations"));

for (const id of ["controls", "board"]) element(id).hidden = false;
element("decisions").hidden = true;

function take(news) {
  lanes = news.lanes;
  // The program has been started anew.
  if (news.decisions[0]?.time < kept.at(-1)?.time) {
    kept.length = 0;
    show(null);
  }
  // Decisions before the page opened do not count as missing.
  if (news.missing > 0 && kept.length) {
    element("missing").hidden = false;
    element("missing").textContent = element("operations").dataset.missing.replace("{count}", news.missing);
  }
  kept.push(...news.decisions);
  const surplus = kept.length - decisionLimit;
  if (surplus > 0) {
    kept.splice(0, surplus);
    if (shown !== null) shown = Math.max(0, shown - surplus);
  }
  if (shown === null) for (const decision of news.decisions) timeline.add(decision);
  if (news.decisions.length) element("empty")?.remove();
  draw();
}

// Shows the board as it was after so many decisions; null shows it as it is.
function show(count) {
  shown = count === null ? null : Math.max(0, Math.min(count, kept.length));
  timeline = new Timeline();
  for (const decision of shown === null ? kept : kept.slice(0, shown)) timeline.add(decision);
  draw();
}

let isDrawing = false;
function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    const isLive = shown === null;
    const [pause, position] = [element("pause"), element("position")];
    pause.textContent = isLive ? pause.dataset.pause : pause.dataset.live;
    position.max = kept.length;
    position.value = isLive ? kept.length : shown;
    element("now").textContent = `${isLive ? kept.length : shown} / ${kept.length}`;
    board.draw(timeline, isLive ? lanes : null, element("filter").value.trim().toLowerCase());
  });
}

element("controls").addEventListener("submit", (event) => event.preventDefault());
element("pause").addEventListener("click", () => show(shown === null ? kept.length : null));
element("back").addEventListener("click", () => show((shown ?? kept.length) - 1));
element("on").addEventListener("click", () => show((shown ?? kept.length) + 1));
element("position").addEventListener("input", (event) => show(Number(event.target.value)));
element("filter").addEventListener("input", draw);
board.onChoice = draw;

let stream = null;
function connect() {
  stream?.close();
  const last = kept.at(-1)?.number ?? -1;
  stream = new EventSource(`/operations/events?after=${last}`);
  stream.onmessage = (event) => take(JSON.parse(event.data));
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { stream?.close(); stream = null; } else connect();
});
connect();
draw();
