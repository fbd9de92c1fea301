// The line to the window: one event stream while the page is seen, and posts.
const noteAfter = 3_000;
const silence = 20_000; // the server beats every 15 s
const longestWait = 30_000;
const held = 10_000; // the server holds the window of a page that has not connected for 15 s, unless others need its room

export function connect(window, status, describe, handlers) {
  let source, last, asking, again, note, heardAt, known = window && performance.getEntriesByType("navigation")[0]?.type !== "back_forward", failures = 0;

  async function open() {
    clearTimeout(again);
    if (source || asking || document.hidden) return;
    note ??= setTimeout(status.offline, noteAfter, true);
    if (known && performance.now() < held || await ask()) listen(); else later();
  }

  /// Makes sure that there is a window.
  async function ask() {
    asking = true;
    const reply = await send("/windows", { window, ...describe() });
    const found = reply?.ok && await reply.json().catch(() => {});
    asking = false;
    if (reply?.status === 404) location.reload();
    // Another language was chosen.
    if (found?.language && found.language !== document.documentElement.lang) location.reload();
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
      note = clearTimeout(note);
      status.offline(false);
      handlers.opened();
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

  function listenAnew() {
    if (!source || Date.now() - heardAt < silence) return;
    drop();
    open();
  }

  function lost() {
    drop();
    if (!document.hidden) later();
  }

  function later() {
    clearTimeout(again);
    again = setTimeout(open, Math.min(longestWait, 500 * 2 ** failures++) * (0.5 + Math.random() / 2));
  }

  function drop() { source = source?.close(); }

  function close() {
    drop();
    note = clearTimeout(note);
    clearTimeout(again);
  }

  /// Resolves to whether it arrived.
  async function post(action, body) {
    const reply = await send(`/windows/${window}/${action}`, body);
    if (!reply || reply.status === 410) lost(); else if (!source) open();
    return reply?.ok;
  }

  function start() {
    document.addEventListener("visibilitychange", () => document.hidden ? close() : open());
    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    addEventListener("online", open);
    setInterval(listenAnew, 1_000);
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
