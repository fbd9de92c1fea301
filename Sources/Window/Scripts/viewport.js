// Tells the window what is in view: one report at a time, ten a second, and always a last one at rest.
const apart = 100;

export function reportViewport(list, post) {
  let seq = 0, busy, timer, told, then;

  const now = () => ({ time: performance.now(), top: list.view().top });

  function moved() {
    if (timer) return;
    then = now();
    timer = setTimeout(send, apart);
  }

  function rested() {
    clearTimeout(timer);
    then = timer = undefined;
    send();
  }

  async function send() {
    const { first, last, top } = list.view();
    const speed = timer ? (top - then.top) / (performance.now() - then.time) * 1000 : 0;
    timer = 0;
    if (busy || document.hidden || !list.id) return;
    const report = { list: list.id, first, last, rowsPerSecond: Math.round(speed * 10) / 10 };
    const text = JSON.stringify(report);
    if (text === told) return;
    busy = true;
    const arrived = await post("viewport", { seq: ++seq, ...report });
    busy = false;
    if (!arrived) return;
    told = text;
    list.keepNear(first, last);
    moved();
  }

  /// The line is there again: what was reported before may not have arrived.
  function again() {
    told = undefined;
    moved();
  }

  return { moved, rested, again };
}
