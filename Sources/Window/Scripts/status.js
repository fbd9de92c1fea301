// One calm line: offline, being refreshed, or how old the list is.
export function showStatus() {
  const part = (name) => document.getElementById(name);
  const line = part("status"), host = line.closest("[data-status]");
  let away, busy = host.dataset.status === "busy", at = part("list")?.dataset.at, note = !busy && line.textContent;

  function show() {
    const state = host.dataset.status = away ? "offline" : busy ? "busy" : "ready";
    const text = line.dataset[state] ?? "";
    set(line.lastElementChild, state !== "ready" ? text : note || (at ? text.replace("{time}", time(+at)) : ""));
  }

  show();
  return {
    offline(is) { away = is; show(); },
    list(news) {
      ({ busy, at, note } = news);
      part("list").ariaBusy = busy;
      if (news.count !== undefined) set(part("heading"), news.title);
      set(part("empty"), news.empty);
      set(part("error"), news.error);
      if (news.fresh) set(part("fresh"), news.fresh);
      show();
    },
  };
}

function time(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short", dateStyle: isToday ? undefined : "short" }).format(at);
}

// A screen reader speaks a text that is set, changed or not.
function set(element, text) { if (element.textContent !== (text ?? "")) element.textContent = text; }
