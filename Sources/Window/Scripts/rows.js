// Rows {id, index, version, state, html}, and the elements that show them.
const kept = 2_000; // on either side of the viewport
const still = matchMedia("(prefers-reduced-motion: reduce)");

/// `column` and `top`, in px, tell where a row lies; `prepare` finishes an element before it is shown.
export function openRows(list, blank, column, top, prepare) {
  const rows = list.rows = new Map(), places = new Map(), shown = new Map();

  function drop(index) {
    places.delete(rows.get(index)?.id);
    rows.delete(index);
  }

  function keep(first, last) {
    for (const index of rows.keys()) if (index < first || index > last) drop(index);
  }

  /// What was loaded stays until it is loaded anew.
  function put(row) {
    const was = places.get(row.id), old = rows.get(was);
    if (old && (old.version >= row.version || old.state === "loaded" && row.state !== "loaded")) row = { ...old, index: row.index };
    drop(was);
    drop(row.index);
    rows.set(row.index, row);
    places.set(row.id, row.index);
  }

  function place(element, index, size) {
    element.style.transform = `translateY(${top(index)}px)`;
    // An open end would reach farther.
    element.style.gridColumn = `${column(index)} / ${column(index) + 1}`;
    element.dataset.index = index;
    element.ariaPosInSet = index + 1;
    element.ariaSetSize = size;
    element.classList.toggle("odd", index % 2);
    head(element, index);
  }

  /// Sorted by price, the first row of each currency has its name above it.
  function head(element, index) {
    const [before, currency] = [index - 1, index].map((at) => rows.get(at)?.html.match(/ data-currency="([^"]*)"/)?.[1]);
    const isFirst = currency && (!index || before !== undefined && before !== currency);
    if (isFirst && list.dataset.sort.startsWith("price")) element.dataset.heading = element.dataset.currency;
    else delete element.dataset.heading;
  }

  return {
    shown,
    put,
    at: (index) => rows.get(index),
    place: (id) => places.get(id),
    keepNear: (first, last) => keep(first - kept, last + kept),
    placeAll(size) { for (const [index, element] of shown) place(element, index, size); },

    /// Another window counts versions anew.
    renew() { for (const row of rows.values()) row.version = -1; },

    clear(low, high) {
      for (const [index, element] of shown) {
        if (index >= low && index <= high || focused(element)) continue;
        element.remove();
        shown.delete(index);
      }
    },

    /// Returns whether there was news.
    update(index, size) {
      const row = rows.get(index), old = shown.get(index);
      if (old && old.row?.html === row?.html) return false;
      const element = row ? parse(row.html) : blank.cloneNode(true), next = shown.get(index + 1);
      prepare?.(element);
      if (old) {
        replace(old, element);
      } else {
        // Tab and screen readers follow the order of the document.
        const later = Math.min(...[...shown.keys()].filter((other) => other > index));
        list.insertBefore(element, shown.get(later) ?? null);
      }
      shown.set(index, element);
      element.row = row;
      place(element, index, size);
      if (next) head(next, index + 1);
      return true;
    },

    /// Another order: first…last move. A focused element without a row stays, unseen.
    move(first, last, by, placed = []) {
      keep(first, last);
      const left = [...rows.values()], elements = [...shown];
      for (const map of [rows, places, shown]) map.clear();
      for (const row of left) put({ ...row, index: row.index + by });
      placed.forEach(put);
      for (const [index, element] of elements) {
        const to = element.row ? places.get(element.row.id) : index + by;
        if (to >= 0 && !shown.has(to)) shown.set(to, element);
        else if (focused(element)) shown.set(-1, element);
        else element.remove();
      }
      const sorted = [...shown].sort(([a], [b]) => a - b).map(([, element]) => element);
      const fixed = sorted.findIndex(focused);
      list.append(...sorted.slice(fixed + 1));
      sorted[fixed]?.before(...sorted.slice(0, fixed));
    },

    spots({ first, last }, scrolled) {
      const seen = [...shown].filter(([index, { row }]) => row && index >= first && index <= last);
      return new Map(seen.map(([index, { id }]) => [id, top(index) - scrolled]));
    },

    slide(before, after) {
      for (const [id, to] of still.matches ? [] : after) {
        const by = before.get(id) - to;
        if (Math.abs(by) > 1) document.getElementById(id).animate({ translate: [`0 ${by}px`, "0"] }, { duration: 250, easing: "ease" });
      }
    },
  };
}

const focused = (element) => element.contains(document.activeElement);
const mould = document.createElement("template");

function parse(html) {
  mould.innerHTML = html;
  return mould.content.firstElementChild;
}

function replace(old, element) {
  const held = parts(old).indexOf(document.activeElement);
  if (old.innerHTML !== element.innerHTML) element.classList.add("arrived");
  old.replaceWith(element);
  if (held >= 0) (parts(element)[held] ?? element).focus({ preventScroll: true });
}

export const parts = (element) => [element, ...element.querySelectorAll("a, button, [tabindex]")];
