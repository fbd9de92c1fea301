// The status line: offline, busy, or the age of the list.
export function createStatusLine() {
  const element = (name) => document.getElementById(name);
  const statusElement = element("status"), host = statusElement.closest("[data-status]");
  const skeletons = element("skeletons"), initialState = host.dataset.status;
  let offlineSince = +statusElement.dataset.storedAt, loading = initialState === "loading", busy = loading || initialState === "busy", updatedAt = element("list")?.dataset.at, note = !busy && statusElement.textContent;

  function render() {
    const state = host.dataset.status = offlineSince ? "offline" : loading ? "loading" : busy ? "busy" : "ready", shownTime = offlineSince || updatedAt || 0;
    const text = statusElement.dataset[state]?.replace("{time}", () => formatTime(+shownTime));
    setText(statusElement.lastElementChild, state === "ready" && (note || !shownTime) ? note : text);
  }

  // The first formatting of a time takes 100 ms on a phone: rows are rendered first.
  if (offlineSince) render(); else (window.requestIdleCallback ?? setTimeout)(render);
  return {
    setOffline(isOffline) { offlineSince = isOffline && (offlineSince || Date.now()); render(); },
    applyList(update) {
      ({ busy, at: updatedAt, note } = update);
      loading = busy && !update.count && !updatedAt;
      // A page stored by the worker has no skeletons.
      if (loading || update.count === undefined) skeletons?.toggleAttribute("hidden", !loading); else skeletons?.remove();
      element("list").setAttribute("aria-busy", busy);
      if (update.count !== undefined) {
        setText(element("heading"), update.title);
        document.title = update.title;
      }
      setText(element("empty"), update.empty);
      setText(element("error"), update.error);
      setText(element("error-details"), update.why);
      if (typeof update.fresh === "string") setText(element("new-rows"), update.fresh);
      render();
    },
  };
}

// As the times in rows, with 24 hours in every language.
const formatLocale = document.documentElement.lang === "en" ? "en-GB" : `${document.documentElement.lang}-u-nu-latn-hc-h23`;
const formats = new Map(); // by date style

function formatTime(milliseconds) {
  const date = new Date(milliseconds), dateStyle = date.toDateString() === new Date().toDateString() ? undefined : "medium";
  if (!formats.has(dateStyle)) formats.set(dateStyle, new Intl.DateTimeFormat(formatLocale, { timeStyle: "short", dateStyle }));
  return formats.get(dateStyle).format(date);
}

// Screen readers announce text that is set, changed or not.
export function setText(element, text) { if (element.textContent !== (text ?? "")) element.textContent = text; }
