// Search and sort: what the reader chooses is posted, and kept in the address.
import { remember } from "./viewport.js";

const pause = 150; // ms after the last letter
const patience = 1_000; // ms to find out where the reader is

export function arrange(post) {
  const form = document.getElementById("arrange"), { search } = form.elements;
  let sort = form.elements.sort.value || null, near = history.state, timer;
  // What the page came with; the reader may have been quicker than this script.
  let told = JSON.stringify({ search: search.defaultValue, sort: form.querySelector("[checked]")?.value ?? null, near: null });

  const described = () => ({ search: search.value.trim(), sort, near: sort === "nearest" ? near : null });

  async function tell() {
    clearTimeout(timer);
    const wish = described(), text = JSON.stringify(wish);
    if (text === told) return;
    told = text;
    remember({ ...wish, near: 0, from: 0 }, wish.near);
    if (!await post("arrange", wish) && told === text) told = undefined;
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(tell, wait);
  }

  function located({ coords }) {
    near = coords ? [coords.latitude, coords.longitude] : null;
    tell();
  }

  /// A radio button that is on goes off. Only who wants the nearest first is asked where they are.
  function choose(radio) {
    radio.checked = radio.value !== sort;
    sort = radio.checked ? radio.value : null;
    later(sort === "nearest" ? patience : 0);
    if (sort === "nearest") navigator.geolocation?.getCurrentPosition(located, located, { maximumAge: 60_000 });
  }

  form.addEventListener("input", ({ target }) => target === search && later(pause));
  form.addEventListener("click", ({ target }) => target.type === "radio" && choose(target));
  // By itself the space bar only switches on.
  form.addEventListener("keyup", (event) => {
    if (event.key !== " " || !event.target.checked) return;
    event.preventDefault();
    choose(event.target);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search.blur();
    tell();
  });
  return { described, tell };
}
