// The page of one row: its content, its map and its back link.
import { focusableParts } from "./rows.js";

const appLaunchTimeout = 1_500; // ms

export function createDetailController(detail) {
  let shownVersion = +detail.dataset.version;
  const map = () => document.getElementById("map");

  async function activateMap() {
    const mapModule = map() && await import("./map.js"), figure = map();
    if (!figure || figure.classList.contains("live")) return;
    figure.classList.add("live");
    mapModule.activateMap(figure);
  }

  // A step back in the history restores the scroll position of the list.
  document.querySelector("[data-back]").addEventListener("click", (event) => {
    if (document.referrer.split("?")[0] !== event.currentTarget.href.split("?")[0] || history.length < 2) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.back();
  });
  openWebMapAsFallback();
  activateMap();
  return {
    resetVersions() { shownVersion = -1; },
    applyDetail({ version, state, html }) {
      if (version <= shownVersion) return;
      shownVersion = version;
      const old = map(), focusedIndex = focusableParts(detail).indexOf(document.activeElement);
      const openParts = [...detail.querySelectorAll("details[id][open]")].map(({ id }) => id);
      detail.innerHTML = html;
      for (const part of detail.querySelectorAll("details")) part.open ||= openParts.includes(part.id);
      detail.setAttribute("aria-busy", state.endsWith("ing"));
      detail.dataset.state = state;
      const next = map();
      if (next && JSON.stringify(old?.dataset) === JSON.stringify(next.dataset)) next.replaceWith(old);
      if (focusedIndex >= 0) (focusableParts(detail)[focusedIndex] ?? detail).focus({ preventScroll: true });
      activateMap();
    },
  };
}

/// Opens the web map if no app has opened a `geo:` link: a page is not notified of that, so it must have retained the focus without other input.
/// Devices of Apple open no such links, but their own map.
function openWebMapAsFallback() {
  let timer;
  const on = (names, act) => names.split(" ").forEach((name) => addEventListener(name, act));
  on("pointerdown keydown blur visibilitychange", () => clearTimeout(timer));
  on("click", (event) => {
    const address = event.target.closest("a")?.getAttribute("href") ?? "";
    if (!address.startsWith("geo:")) return;
    if (/Mac|iPhone|iPad|iPod/.test(navigator.platform)) {
      event.preventDefault();
      location = address.replace(/^geo:([^?]*).*/, "https://maps.apple.com/?daddr=$1");
      return;
    }
    const { href } = document.getElementById("web-map");
    timer = setTimeout(() => { if (document.hasFocus()) location = href; }, appLaunchTimeout);
  });
}
