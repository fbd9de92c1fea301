// Rows {id, index, version, state, html}, and the elements that show them.
const retainedDistance = 2_000; // rows on either side of the viewport
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/// Creates a renderer. `column` and `top`, in px, return the position of a row; `prepareRow` completes an element before it is shown.
export function createRowRenderer(list, skeleton, column, top, prepareRow) {
  const rows = list.rows = new Map(), indexByID = new Map(), shown = new Map();

  function removeRow(index) {
    indexByID.delete(rows.get(index)?.id);
    rows.delete(index);
  }

  function evictRowsOutside(first, last) {
    for (const index of rows.keys()) if (index < first || index > last) removeRow(index);
  }

  /// Stores a row. Loaded content is retained until newer content has loaded.
  function put(row) {
    const oldIndex = indexByID.get(row.id), old = rows.get(oldIndex);
    if (old && (old.version >= row.version || old.state === "loaded" && row.state !== "loaded")) row = { ...old, index: row.index };
    removeRow(oldIndex);
    removeRow(row.index);
    rows.set(row.index, row);
    indexByID.set(row.id, row.index);
  }

  function positionElement(element, index, size) {
    element.style.transform = `translateY(${top(index)}px)`;
    // An open end would extend to the edge of the grid.
    element.style.gridColumn = `${column(index)} / ${column(index) + 1}`;
    element.dataset.index = index;
    element.setAttribute("aria-posinset", index + 1);
    element.setAttribute("aria-setsize", size);
    element.classList.toggle("odd", index % 2);
    updateHeading(element, index);
  }

  /// Shows the currency above its first row in a list sorted by price.
  function updateHeading(element, index) {
    const [before, currency] = [index - 1, index].map((at) => rows.get(at)?.html.match(/ data-currency="([^"]*)"/)?.[1]);
    const isFirst = currency && (!index || before !== undefined && before !== currency);
    if (isFirst && list.dataset.sort.startsWith("price")) element.dataset.heading = element.dataset.currency;
    else delete element.dataset.heading;
  }

  return {
    shown,
    put,
    at: (index) => rows.get(index),
    indexOf: (id) => indexByID.get(id),
    evictDistantRows: (first, last) => evictRowsOutside(first - retainedDistance, last + retainedDistance),
    positionAll(size) { for (const [index, element] of shown) positionElement(element, index, size); },

    /// Resets the versions: another session counts its own.
    resetVersions() { for (const row of rows.values()) row.version = -1; },

    removeElementsOutside(low, high) {
      for (const [index, element] of shown) {
        if (index >= low && index <= high || hasFocus(element)) continue;
        element.remove();
        shown.delete(index);
      }
    },

    /// Renders a row that has changed. Returns whether it has.
    update(index, size) {
      const row = rows.get(index), old = shown.get(index);
      if (old && old.row?.html === row?.html) return false;
      // A press on an element that is replaced before its release is no click.
      if (old?.matches(":active")) return false;
      const element = row ? parse(row.html) : skeleton.cloneNode(true), next = shown.get(index + 1);
      prepareRow?.(element);
      if (old) {
        replace(old, element);
      } else {
        // Tab and screen readers follow the order of the document.
        const nextIndex = Math.min(...[...shown.keys()].filter((other) => other > index));
        list.insertBefore(element, shown.get(nextIndex) ?? null);
      }
      shown.set(index, element);
      element.row = row;
      positionElement(element, index, size);
      if (next) updateHeading(next, index + 1);
      return true;
    },

    /// Moves the rows first…last to another order. A focused element without a row stays, invisible.
    move(first, last, by, updatedRows = []) {
      evictRowsOutside(first, last);
      const remaining = [...rows.values()], elements = [...shown];
      for (const map of [rows, indexByID, shown]) map.clear();
      for (const row of remaining) put({ ...row, index: row.index + by });
      updatedRows.forEach(put);
      for (const [index, element] of elements) {
        const to = element.row ? indexByID.get(element.row.id) : index + by;
        if (to >= 0 && !shown.has(to)) shown.set(to, element);
        else if (hasFocus(element)) shown.set(-1, element);
        else element.remove();
      }
      const sorted = [...shown].sort(([a], [b]) => a - b).map(([, element]) => element);
      const focusedPosition = sorted.findIndex(hasFocus);
      list.append(...sorted.slice(focusedPosition + 1));
      sorted[focusedPosition]?.before(...sorted.slice(0, focusedPosition));
    },

    positions({ first, last }, scrollPosition) {
      const visible = [...shown].filter(([index, { row }]) => row && index >= first && index <= last);
      return new Map(visible.map(([index, { id }]) => [id, top(index) - scrollPosition]));
    },

    animateMoves(before, after) {
      for (const [id, to] of reducedMotion.matches ? [] : after) {
        const by = before.get(id) - to;
        if (Math.abs(by) > 1) document.getElementById(id).animate({ translate: [`0 ${by}px`, "0"] }, { duration: 250, easing: "ease" });
      }
    },
  };
}

const hasFocus = (element) => element.contains(document.activeElement);
const rowTemplate = document.createElement("template");

function parse(html) {
  rowTemplate.innerHTML = html;
  return rowTemplate.content.firstElementChild;
}

function replace(old, element) {
  const focusedIndex = focusableParts(old).indexOf(document.activeElement);
  if (old.innerHTML !== element.innerHTML) element.classList.add("fade-in");
  old.replaceWith(element);
  if (focusedIndex >= 0) (focusableParts(element)[focusedIndex] ?? element).focus({ preventScroll: true });
}

export const focusableParts = (element) => [element, ...element.querySelectorAll("a, button, summary, [tabindex]")];
