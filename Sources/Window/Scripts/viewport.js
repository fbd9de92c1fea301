// Where the reader is: the window is told, one report at a time, ten a second and a last one at rest; the address keeps it for a reload.
const apart = 100;

export function followReader(list, post) {
  const fresh = document.getElementById("fresh");
  let seq = 0, busy, timer, told, then;

  function moved() {
    // New rows wait until the reader gets to them.
    if (!list.view().first) fresh.textContent = "";
    if (timer) return;
    then = { time: performance.now(), top: list.view().top };
    timer = setTimeout(send, apart);
  }

  /// `landing` is where a jump ended.
  function rested(landing) {
    moved();
    timer = clearTimeout(timer);
    send(landing);
    const { first } = list.view();
    if (list.count && first !== from()) remember({ from: first });
  }

  async function send(landing) {
    const { first, last, top } = list.view();
    const speed = timer ? (top - then.top) / (performance.now() - then.time) * 1000 : 0;
    timer = 0;
    if (busy || document.hidden || !list.id) return;
    const report = { list: list.id, first, last, rowsPerSecond: Math.round(speed * 10) / 10 };
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

  history.scrollRestoration = "manual";
  if (from() && list.count) list.show(Math.min(from(), list.count - 1));
  fresh.addEventListener("click", () => list.focus(0));
  list.whenMoved = moved;
  list.whenResting = rested;
  rested();
  return {
    /// The line is there again: what was told before may not have arrived.
    again() {
      told = undefined;
      moved();
    },
  };
}

const from = () => +new URL(location).searchParams.get("from");

/// Writes values into the address; what is none goes.
export function remember(values, state = history.state) {
  const url = new URL(location);
  for (const name in values) {
    if (values[name]) url.searchParams.set(name, values[name]); else url.searchParams.delete(name);
  }
  history.replaceState(state, "", url);
}
