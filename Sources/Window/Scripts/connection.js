// The page's line to its window: one event stream while the page is seen, and posts.
const noteAfter = 3_000;
const silence = 40_000; // the server beats every 15 s
const asleep = 15_000; // after such a sleep no stream is trusted
const look = 5_000;
const longestWait = 30_000;

export function connect(window, status, describe, handlers) {
  let source, last, asking, again, note, heardAt, lookedAt = Date.now(), known = true, failures = 0;

  async function open() {
    clearTimeout(again);
    if (source || asking || document.hidden) return;
    missed();
    if (known || await ask()) listen(); else later();
  }

  /// Makes sure that a window is there, this one or a new one.
  async function ask() {
    asking = true;
    const reply = await send("/windows", { window, ...describe() });
    const found = reply?.ok && await reply.json().catch(() => {});
    asking = false;
    if (found && found.window !== window) {
      window = found.window;
      last = undefined;
      handlers.renewed();
    }
    return found;
  }

  function listen() {
    if (source || document.hidden) return;
    known = false;
    source = new EventSource(`/windows/${window}/events${last ? `?after=${last}` : ""}`);
    source.onopen = () => {
      failures = 0;
      hush();
      status.offline(false);
      handlers.opened?.();
    };
    source.onerror = lost;
    heard();
    source.addEventListener("beat", heard);
    for (const name in handlers) {
      source.addEventListener(name, (event) => {
        heard();
        last = event.lastEventId;
        handlers[name](JSON.parse(event.data));
      });
    }
  }

  function heard() { heardAt = Date.now(); }

  function lost() {
    drop();
    if (document.hidden) return;
    missed();
    later();
  }

  function missed() { note ??= setTimeout(status.offline, noteAfter, true); }

  function hush() { note = clearTimeout(note); }

  function later() {
    clearTimeout(again);
    again = setTimeout(open, Math.min(longestWait, 500 * 2 ** failures++) * (0.5 + Math.random() / 2));
  }

  function drop() { source = source?.close(); }

  function close() {
    drop();
    hush();
    clearTimeout(again);
  }

  /// A clock that has jumped tells of a sleep.
  function wake() {
    const now = Date.now(), slept = now - lookedAt > look + asleep;
    lookedAt = now;
    if (!slept && now - heardAt < silence) return;
    drop();
    open();
  }

  /// Resolves to whether it arrived.
  async function post(action, body) {
    const reply = await send(`/windows/${window}/${action}`, body);
    if (!reply || reply.status === 410) lost();
    return reply?.ok;
  }

  function start() {
    document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    addEventListener("online", open);
    setInterval(wake, look);
    open();
  }

  return { post, start };
}

const send = (path, body) => fetch(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal: AbortSignal.timeout(10_000),
}).catch(() => {});
