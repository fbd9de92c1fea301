// One row, its map, the way back.
import { parts } from "./rows.js";

const patience = 1_500; // milliseconds until an app has opened

export function openDetail(detail) {
  let shown = +detail.dataset.version;
  const map = () => document.getElementById("map");

  async function enliven() {
    const living = map() && await import("./map.js"), figure = map();
    if (!figure || figure.classList.contains("live")) return;
    figure.classList.add("live");
    living.enliven(figure);
  }

  // The place in the list is a step back.
  document.querySelector("[data-back]").addEventListener("click", (event) => {
    if (document.referrer.split("?")[0] !== event.currentTarget.href || history.length < 2) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.back();
  });
  openMaps();
  enliven();
  return {
    renew() { shown = -1; },
    take({ version, state, html }) {
      if (version <= shown) return;
      shown = version;
      const old = map(), held = parts(detail).indexOf(document.activeElement);
      detail.innerHTML = html;
      detail.ariaBusy = state.endsWith("ing");
      detail.dataset.state = state;
      const next = map();
      if (next && JSON.stringify(old?.dataset) === JSON.stringify(next.dataset)) next.replaceWith(old);
      if (held >= 0) (parts(detail)[held] ?? detail).focus({ preventScroll: true });
      enliven();
    },
  };
}

/// A page is not notified whether an app opened a `geo:` address. If the reader is still here and idle after a while, the map on the web opens.
function openMaps() {
  let timer;
  const on = (names, act) => names.split(" ").forEach((name) => addEventListener(name, act));
  on("pointerdown keydown blur visibilitychange", () => clearTimeout(timer));
  on("click", ({ target }) => {
    if (target.closest("a")?.protocol !== "geo:") return;
    const { href } = document.getElementById("web-map");
    timer = setTimeout(() => { if (document.hasFocus()) location = href; }, patience);
  });
}
