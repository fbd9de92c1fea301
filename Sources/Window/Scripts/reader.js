// What the reader looks at, searches and chooses: told to the window, and kept in the address.
const apart = 100; // ms between reports
const pause = 150; // ms after the last letter
const patience = 1_000; // ms to find out where the reader is

export function followReader(list, post) {
  const fresh = document.getElementById("fresh");
  let seq = 0, busy, timer, told, before, since;

  function moved() {
    const { first, top } = list.view();
    // New rows wait until the reader gets to them.
    if (!first) fresh.textContent = "";
    if (timer) return;
    before = top;
    since = performance.now();
    timer = setTimeout(send, apart);
  }

  /// `landing` is where a jump ended.
  function rested(landing) {
    moved();
    timer = clearTimeout(timer);
    send(landing);
    const { first, count } = list.view();
    landing ?? (count && first !== from() && remember({ from: first }));
  }

  async function send(landing) {
    const { id, first, last, top } = list.view();
    const speed = timer ? (top - before) / (performance.now() - since) * 1000 : 0;
    timer = 0;
    if (busy || document.hidden || !id) return;
    const report = { list: id, first, last, rowsPerSecond: Math.round(speed * 10) / 10 };
    const text = JSON.stringify(report);
    if (text === told) return;
    busy = true;
    told = text;
    const arrived = await post("viewport", { seq: ++seq, ...report, landing });
    busy = false;
    if (!arrived) return told = undefined;
    list.keepNear(first, last);
    moved();
  }

  function again() {
    told = undefined;
    moved();
  }

  history.scrollRestoration = "manual";
  if (from()) list.show(from());
  fresh.addEventListener("click", () => list.focus(0));
  list.whenMoved = moved;
  list.whenResting = rested;
  rested();
  return { again };
}

const from = () => +new URL(location).searchParams.get("from");

export function remember(values, state = history.state) {
  const url = new URL(location);
  for (const name in values) {
    if (values[name]) url.searchParams.set(name, values[name]); else url.searchParams.delete(name);
  }
  history.replaceState(state, "", url);
}

/// The other end of a sort on the same button.
function turn(radio) {
  const { dataset } = radio, label = radio.nextElementSibling.lastElementChild;
  [radio.value, dataset.turned] = [dataset.turned, radio.value];
  [label.textContent, dataset.text] = [dataset.text, label.textContent];
  radio.toggleAttribute("data-is-turned");
}

/// Search and sort; `show` takes the position of the reader.
export function arrange(post, show) {
  const form = document.getElementById("arrange"), { search } = form.elements;
  let sort = form.elements.sort.value || null, near = history.state, timer;
  // What the page came with: the reader may be quicker.
  let told = JSON.stringify({ search: search.defaultValue, sort: form.querySelector("[checked]")?.value ?? null, near: null });

  const reading = document.getElementById("reading"), later = document.getElementById("later");
  const described = () => ({ search: search.value.trim(), sort, near: sort === "nearest" ? near : null });

  async function tell() {
    clearTimeout(timer);
    const wish = described(), text = JSON.stringify(wish);
    if (text === told) return;
    told = text;
    remember({ ...wish, near: 0, from: 0 }, wish.near);
    const arrived = await post("arrange", { ...wish, at: Date.now() });
    if (told !== text) return;
    later.textContent = arrived ? "" : later.dataset.text;
    if (!arrived) told = undefined;
  }

  function soon(wait) {
    clearTimeout(timer);
    timer = setTimeout(tell, wait);
  }

  function located({ coords }) {
    near = coords ? [coords.latitude, coords.longitude] : null;
    show(near);
    tell();
  }

  /// Cycles a sort: on, reversed, off. Only sorting by distance asks for the reader's position.
  function choose(radio) {
    const isOn = radio.value === sort, goesOn = isOn && "turned" in radio.dataset && !("isTurned" in radio.dataset);
    for (const other of form.querySelectorAll("[data-is-turned]")) turn(other);
    if (goesOn) turn(radio);
    radio.checked = goesOn || !isOn;
    sort = radio.checked ? radio.value : null;
    soon(sort === "nearest" ? patience : 0);
    if (sort === "nearest") navigator.geolocation?.getCurrentPosition(located, located, { maximumAge: 60_000 });
  }

  if (near) show(near);
  form.addEventListener("input", ({ target }) => target === search && soon(pause));
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
  reading.lastElementChild.addEventListener("click", ({ target }) => post("read", { all: target.dataset.all === "true" }));

  /// How much of the list was searched, and the button that reads all of it.
  function showReading(news) {
    reading.hidden = !news;
    if (!news) return;
    const [bar, button] = reading.children, { known, total, running, text, all } = news;
    bar.hidden = !running;
    Object.assign(bar, { value: known, max: total });
    button.textContent = text;
    button.dataset.all = all;
  }

  return { described, tell, showReading };
}
