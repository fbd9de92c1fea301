// The page of a photo: zoom and drag, contrast and sharpness, saving, preloading of neighbours.
import { handleGestures } from "./map.js";

const maxScale = 16; // times the fitted size
const fastLinkSpeed = 500_000; // bytes per second, from which neighbours are preloaded
const noticeDuration = 4_000;
const { max, min } = Math;

const [main, stage, picture, preview, adjustments, sharpenKernel, errorPanel, save, saveDialog, notice] =
  ["photo", "stage", "picture", "preview", "adjustments", "sharpen-kernel", "photo-error", "save", "save-dialog", "notice"].map((id) => document.getElementById(id));
let scale = 1, x = 0, y = 0, noticeTimer, retryTimer, hasLoadedMeanwhile;

// Zoom and drag

function applyTransform() {
  const [wide, high] = [stage.clientWidth, stage.clientHeight].map((side) => (scale - 1) * side / 2);
  x = max(-wide, min(wide, x));
  y = max(-high, min(high, y));
  picture.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  stage.classList.toggle("zoomed", scale > 1);
}

function pan(right, down) {
  x += right;
  y += down;
  applyTransform();
}

/// Zooms around a point, given by its offset from the centre.
function zoom(levels, right = 0, down = 0) {
  const before = scale;
  scale = max(1, min(maxScale, scale * 2 ** levels));
  x = right - (right - x) * scale / before;
  y = down - (down - y) * scale / before;
  applyTransform();
}

function toggleZoom({ clientX, clientY }) {
  const { x: left, y: top, width, height } = stage.getBoundingClientRect();
  zoom(scale > 1 ? -Math.log2(scale) : 1.5, clientX - left - width / 2, clientY - top - height / 2);
}

// Contrast and sharpness

function applyAdjustments() {
  const { contrast, sharpness } = adjustments.elements, by = sharpness.value / 50;
  sharpenKernel.setAttribute("kernelMatrix", `0 ${-by} 0 ${-by} ${1 + 4 * by} ${-by} 0 ${-by} 0`);
  picture.style.filter = `${by ? "url(#sharpen)" : ""} contrast(${contrast.value}%)`;
}

function reset() {
  scale = 1;
  x = y = 0;
  applyTransform();
  setTimeout(applyAdjustments); // after the fields are reset
}

// Loading

function handleLoad() {
  stage.setAttribute("aria-busy", false);
  preview?.remove();
  errorPanel.hidden = true;
  (window.requestIdleCallback ?? setTimeout)(preloadNeighbours);
}

/// Shows the error, which only a separate request for the photo reports.
async function handleError() {
  stage.setAttribute("aria-busy", false);
  errorPanel.hidden = false;
  const response = await fetch(picture.src, { headers: { Accept: "text/html" } }).catch(() => {});
  const page = response && !response.ok && new DOMParser().parseFromString(await response.text(), "text/html");
  for (const [id, part] of [["reason", "main > p"], ["error-details", "main > details > p"]]) {
    document.getElementById(id).textContent = page ? page.querySelector(part)?.textContent ?? "" : "";
  }
  // The photo is retried when its server requests so, and once if it has loaded meanwhile.
  const retryDelay = response?.ok && !hasLoadedMeanwhile ? "0" : response?.headers.get("Retry-After");
  hasLoadedMeanwhile = response?.ok;
  clearTimeout(retryTimer);
  if (retryDelay) retryTimer = setTimeout(reloadPicture, retryDelay * 1_000);
}

function retryNow() {
  errorPanel.hidden = true;
  stage.setAttribute("aria-busy", true);
  reloadPicture();
}

function reloadPicture() {
  clearTimeout(retryTimer);
  const address = new URL(picture.src);
  // The same URL would return the cached result.
  address.searchParams.set("again", Date.now());
  picture.src = address;
}

/// Preloads the neighbours over a link that has proven fast, unless the reader saves data.
function preloadNeighbours() {
  const { saveData, effectiveType = "4g" } = navigator.connection ?? {};
  const [timing] = performance.getEntriesByName(picture.currentSrc);
  const isFast = timing && (!timing.transferSize || timing.transferSize / timing.duration * 1_000 > fastLinkSpeed);
  if (saveData || effectiveType !== "4g" || !isFast) return;
  for (const address of main.dataset.neighbours.split(" ").filter(Boolean)) new Image().src = address;
}

// Saving

function confirmSave(event) {
  if (saveDialog.returnValue === "save") {
    saveDialog.returnValue = "";
    return;
  }
  event.preventDefault();
  saveDialog.showModal();
}

function handleDialogClose() {
  if (saveDialog.returnValue !== "save") return;
  save.click();
  clearTimeout(noticeTimer);
  notice.textContent = notice.dataset.saved;
  noticeTimer = setTimeout(() => { notice.textContent = ""; }, noticeDuration);
}

// A step back in the history restores the scroll position of the grid.
document.querySelector("[data-back]").addEventListener("click", (event) => {
  const isFromGrid = document.referrer.split("?")[0] === event.currentTarget.href.split("?")[0];
  // A new tab has no history.
  if (!isFromGrid || history.length < 2 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
});

adjustments.hidden = false;
adjustments.addEventListener("input", applyAdjustments);
adjustments.addEventListener("reset", reset);
picture.addEventListener("load", handleLoad);
picture.addEventListener("error", handleError);
document.getElementById("retry").addEventListener("click", retryNow);
// The stage captures every pointer that it receives, which would disable the button.
errorPanel.addEventListener("pointerdown", (event) => event.stopPropagation());
save.addEventListener("click", confirmSave);
saveDialog.addEventListener("close", handleDialogClose);
stage.addEventListener("dblclick", toggleZoom);
new ResizeObserver(applyTransform).observe(stage);
handleGestures(stage, pan, zoom);
if (picture.complete) (picture.naturalWidth ? handleLoad : handleError)(); else stage.setAttribute("aria-busy", true);
