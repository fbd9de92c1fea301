// The connection to the session of a page: an event stream while the page is visible, and posts.
import { timeLimit } from "./time-limits.js";

const offlineStatusDelay = 3_000;
const heartbeatTimeout = 20_000; // the server sends an event every 15 s
const maxReconnectDelay = 30_000;
const stableTime = 5_000; // ms after which an open stream works, although no event came
const unconnectedSessionLifetime = 10_000; // the server retains a session without a stream for 15 s, unless it needs the room

export function connect(sessionID, status, sessionRequest, handlers) {
  let source, lastEventID, isRequestingSession, reconnectTimer, offlineTimer, stableTimer, lastEventTime, isShortLived = false, isSessionKnown = sessionID && performance.getEntriesByType("navigation")[0]?.type !== "back_forward", failures = 0;

  async function open() {
    clearTimeout(reconnectTimer);
    if (source || isRequestingSession || document.hidden) return;
    offlineTimer ??= setTimeout(status.setOffline, offlineStatusDelay, true);
    if (isSessionKnown && performance.now() < unconnectedSessionLifetime || await requestSession()) openStream(); else scheduleReconnect();
  }

  /// Requests a session, and returns it.
  async function requestSession() {
    isRequestingSession = true;
    const response = await send("/windows", { window: sessionID, ...sessionRequest() });
    const session = response?.ok && await response.json().catch(() => {});
    isRequestingSession = false;
    if ([401, 404].includes(response?.status)) location.reload();
    // The language has changed.
    if (session?.language && session.language !== document.documentElement.lang) location.reload();
    if (session && session.window !== sessionID) {
      sessionID = session.window;
      lastEventID = undefined;
      handlers.onSessionReplaced();
    }
    return session;
  }

  function openStream() {
    if (source || document.hidden) return;
    isSessionKnown = false;
    source = new EventSource(`/windows/${sessionID}/events${lastEventID ? `?after=${lastEventID}` : ""}`);
    source.onopen = () => {
      isShortLived = true;
      stableTimer = setTimeout(recordSuccess, stableTime);
      offlineTimer = clearTimeout(offlineTimer);
      status.setOffline(false);
      handlers.onConnect();
    };
    source.onerror = handleDisconnect;
    lastEventTime = Date.now();
    source.addEventListener("beat", recordEvent);
    for (const name in handlers) {
      source.addEventListener(name, (event) => {
        recordEvent();
        lastEventID = event.lastEventId;
        handlers[name](JSON.parse(event.data));
      });
    }
  }

  function recordEvent() {
    recordSuccess();
    lastEventTime = Date.now();
  }

  /// Resets the delay of reconnects. A proxy may open streams and close them at once: that is no success.
  function recordSuccess() {
    failures = 0;
    isShortLived = false;
  }

  function reopenStaleStream() {
    if (!source || Date.now() - lastEventTime < heartbeatTimeout) return;
    closeStream();
    open();
  }

  function handleDisconnect() {
    closeStream();
    if (!document.hidden) scheduleReconnect();
  }

  function scheduleReconnect() {
    clearTimeout(reconnectTimer);
    reconnectTimer = setTimeout(open, Math.min(maxReconnectDelay, 500 * 2 ** failures++) * (0.5 + Math.random() / 2));
  }

  function closeStream() {
    clearTimeout(stableTimer);
    source = source?.close();
  }

  function disconnect() {
    closeStream();
    offlineTimer = clearTimeout(offlineTimer);
    clearTimeout(reconnectTimer);
  }

  /// Resolves to whether the server accepted the post.
  async function post(action, body) {
    const response = await send(`/windows/${sessionID}/${action}`, body);
    if (!response || response.status === 410) handleDisconnect(); else if (!source && !isShortLived) open();
    return response?.ok;
  }

  function start() {
    document.addEventListener("visibilitychange", () => document.hidden ? disconnect() : open());
    addEventListener("pagehide", disconnect);
    addEventListener("pageshow", open);
    addEventListener("online", open);
    setInterval(reopenStaleStream, 1_000);
    open();
  }

  return { post, start };
}

const send = (path, body) => fetch(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
  signal: timeLimit(10_000),
}).catch(() => {});
