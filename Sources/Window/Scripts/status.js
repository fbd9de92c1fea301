// One calm line: offline, busy, how old the list is.
export function showStatus() {
  const part = (name) => document.getElementById(name);
  const line = part("status"), host = line.closest("[data-status]");
  const skeletons = part("skeletons"), began = host.dataset.status;
  let since = +line.dataset.kept, loading = began === "loading", busy = loading || began === "busy", at = part("list")?.dataset.at, note = !busy && line.textContent;

  function show() {
    const state = host.dataset.status = since ? "offline" : loading ? "loading" : busy ? "busy" : "ready", when = since || at || 0;
    const text = line.dataset[state]?.replace("{time}", () => time(+when));
    set(line.lastElementChild, state === "ready" && (note || !when) ? note : text);
  }

  // The first time that is written costs a phone a tenth of a second: the rows come first.
  if (since) show(); else (window.requestIdleCallback ?? setTimeout)(show);
  return {
    offline(is) { since = is && (since || Date.now()); show(); },
    list(news) {
      ({ busy, at, note } = news);
      loading = busy && !news.count && !at;
      // A page that the worker kept has none left.
      if (loading || news.count === undefined) skeletons?.toggleAttribute("hidden", !loading); else skeletons?.remove();
      part("list").ariaBusy = busy;
      if (news.count !== undefined) {
        set(part("heading"), news.title);
        document.title = news.title;
      }
      set(part("empty"), news.empty);
      set(part("error"), news.error);
      set(part("why"), news.why);
      if (news.fresh) set(part("fresh"), news.fresh);
      show();
    },
  };
}

const formats = new Map(); // by their date style

function time(at) {
  const date = new Date(at), dateStyle = date.toDateString() === new Date().toDateString() ? undefined : "short";
  if (!formats.has(dateStyle)) {
    formats.set(dateStyle, new Intl.DateTimeFormat(document.documentElement.lang + "-u-nu-latn", { timeStyle: "short", dateStyle }));
  }
  return formats.get(dateStyle).format(date);
}

// A screen reader speaks what is set, changed or not.
function set(element, text) { if (element.textContent !== (text ?? "")) element.textContent = text; }
