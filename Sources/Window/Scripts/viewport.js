// Where the reader is: told to the window, and kept in the address.
const apart = 100;

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
    if (count && first !== from()) remember({ from: first });
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
    const arrived = await post("viewport", { seq: ++seq, ...report, landing });
    busy = false;
    if (!arrived) return;
    told = text;
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
