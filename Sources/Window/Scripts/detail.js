// One row, its map, the way back.
import { parts } from "./rows.js";

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
