// One calm line: offline, being refreshed, an error of the list, or all well. It never moves a row.
export function showStatus() {
  const line = document.getElementById("status");
  const host = line.closest("[data-status]") ?? line;
  const text = line.lastElementChild;
  let away = false, busy = host.dataset.status === "busy", error = host.dataset.status === "error" && text.textContent;

  function show() {
    const state = away ? "offline" : busy ? "busy" : error ? "error" : "ready";
    host.dataset.status = state;
    set(text, line.dataset[state] ?? (error || ""));
  }

  return {
    offline(is) { away = is; show(); },
    busy(is) { busy = is; show(); },
    list(news) {
      ({ busy, error } = news);
      if (news.count !== undefined) set(document.getElementById("heading"), news.title);
      document.getElementById("list").ariaBusy = busy;
      document.getElementById("empty").hidden = news.count !== 0 || busy;
      show();
    },
  };
}

// A screen reader speaks a text that is set, changed or not.
function set(element, text) { if (element.textContent !== text) element.textContent = text; }
