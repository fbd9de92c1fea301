// One photo: zoom and drag, contrast and sharpness, saving; its neighbours are fetched while nothing else happens.
import { handle } from "./map.js";

const farthest = 16; // times as large as it fits
const fast = 500_000; // bytes in a second, from which on neighbours are fetched
const shownFor = 4_000;
const { max, min } = Math;

const [main, stage, picture, preview, tuning, kernel, trouble, save, saving, notice] =
  ["photo", "stage", "picture", "preview", "tuning", "kernel", "trouble", "save", "saving", "notice"].map((id) => document.getElementById(id));
let scale = 1, x = 0, y = 0, timer, retry, hasComeLate;

// Zoom and drag

function place() {
  const [wide, high] = [stage.clientWidth, stage.clientHeight].map((side) => (scale - 1) * side / 2);
  x = max(-wide, min(wide, x));
  y = max(-high, min(high, y));
  picture.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  stage.classList.toggle("zoomed", scale > 1);
}

function pan(right, down) {
  x += right;
  y += down;
  place();
}

/// What lies under a point, told from the middle, stays there.
function zoom(levels, right = 0, down = 0) {
  const before = scale;
  scale = max(1, min(farthest, scale * 2 ** levels));
  x = right - (right - x) * scale / before;
  y = down - (down - y) * scale / before;
  place();
}

function toggle({ clientX, clientY }) {
  const { x: left, y: top, width, height } = stage.getBoundingClientRect();
  zoom(scale > 1 ? -Math.log2(scale) : 1.5, clientX - left - width / 2, clientY - top - height / 2);
}

// How it looks

function tune() {
  const { contrast, sharpness } = tuning.elements, by = sharpness.value / 50;
  kernel.setAttribute("kernelMatrix", `0 ${-by} 0 ${-by} ${1 + 4 * by} ${-by} 0 ${-by} 0`);
  picture.style.filter = `${by ? "url(#sharpen)" : ""} contrast(${contrast.value}%)`;
}

function reset() {
  scale = 1;
  x = y = 0;
  place();
  setTimeout(tune); // after the fields have been set back
}

// Whether it is there

function arrived() {
  stage.ariaBusy = false;
  preview?.remove();
  trouble.hidden = true;
  (window.requestIdleCallback ?? setTimeout)(preload);
}

/// An image does not tell what kept it; the answer does.
async function failed() {
  stage.ariaBusy = false;
  trouble.hidden = false;
  const reply = await fetch(picture.src, { headers: { Accept: "text/html" } }).catch(() => {});
  const page = reply && !reply.ok && new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const [id, part] of [["reason", "main > p"], ["why", "main > details > p"]]) {
    document.getElementById(id).textContent = page ? page.querySelector(part)?.textContent ?? "" : "";
  }
  // While its server does not answer, the photo is requested again without a click; and once more if it has come meanwhile.
  const pause = reply?.ok && !hasComeLate ? "0" : reply?.headers.get("Retry-After");
  hasComeLate = reply?.ok;
  clearTimeout(retry);
  if (pause) retry = setTimeout(load, pause * 1_000);
}

function again() {
  trouble.hidden = true;
  stage.ariaBusy = true;
  load();
}

function load() {
  clearTimeout(retry);
  const address = new URL(picture.src);
  // The same address would give what it gave before.
  address.searchParams.set("again", Date.now());
  picture.src = address;
}

/// Only over a link that has shown to be fast, and not for those who save data.
function preload() {
  const { saveData, effectiveType = "4g" } = navigator.connection ?? {};
  const [took] = performance.getEntriesByName(picture.currentSrc);
  const isFast = took && (!took.transferSize || took.transferSize / took.duration * 1_000 > fast);
  if (saveData || effectiveType !== "4g" || !isFast) return;
  for (const address of main.dataset.neighbours.split(" ").filter(Boolean)) new Image().src = address;
}

// Saving

function ask(event) {
  if (saving.returnValue === "save") {
    saving.returnValue = "";
    return;
  }
  event.preventDefault();
  saving.showModal();
}

function saved() {
  if (saving.returnValue !== "save") return;
  save.click();
  clearTimeout(timer);
  notice.textContent = notice.dataset.saved;
  timer = setTimeout(() => { notice.textContent = ""; }, shownFor);
}

// The reader's place in the grid is a step back.
document.querySelector("[data-back]").addEventListener("click", (event) => {
  const came = document.referrer.split("?")[0] === event.currentTarget.href.split("?")[0];
  // A tab of its own has none before it.
  if (!came || history.length < 2 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
});

tuning.hidden = false;
tuning.addEventListener("input", tune);
tuning.addEventListener("reset", reset);
picture.addEventListener("load", arrived);
picture.addEventListener("error", failed);
document.getElementById("again").addEventListener("click", again);
// The stage takes hold of every pointer that it hears of, and the button would never be pressed.
trouble.addEventListener("pointerdown", (event) => event.stopPropagation());
save.addEventListener("click", ask);
saving.addEventListener("close", saved);
stage.addEventListener("dblclick", toggle);
new ResizeObserver(place).observe(stage);
handle(stage, pan, zoom);
if (picture.complete) (picture.naturalWidth ? arrived : failed)(); else stage.ariaBusy = true;
