// The elements of rows. An element goes where its row goes.
const still = matchMedia("(prefers-reduced-motion: reduce)");
const focused = (element) => element.contains(document.activeElement);

/// `top` tells where a row lies in the list, in pixels.
export function openStage(list, blank, top) {
  const shown = new Map();

  function place(element, index, count) {
    element.style.transform = `translateY(${top(index)}px)`;
    element.dataset.index = index;
    element.ariaPosInSet = index + 1;
    element.ariaSetSize = count;
    element.classList.toggle("odd", index % 2);
  }

  return {
    shown,

    placeAll(count) { for (const [index, element] of shown) place(element, index, count); },

    /// Removes what is neither in between nor focused.
    keep(low, high) {
      for (const [index, element] of shown) {
        if (index >= low && index <= high || focused(element)) continue;
        element.remove();
        shown.delete(index);
      }
    },

    /// Shows what is known of a row; returns whether that was news.
    update(index, row, count) {
      const old = shown.get(index);
      if (old && old.row?.html === row?.html) return false;
      const element = row ? parse(row.html) : blank.cloneNode(true);
      if (old) {
        replace(old, element);
      } else {
        // Tab and screen readers follow the order of the document.
        const later = Math.min(...[...shown.keys()].filter((other) => other > index));
        list.insertBefore(element, shown.get(later) ?? null);
      }
      shown.set(index, element);
      element.row = row;
      place(element, index, count);
      return true;
    },

    /// Brings elements to where their rows are. A focused one stays, unseen, while nobody knows where that is.
    regroup(placeOf, by) {
      const all = [...shown];
      shown.clear();
      for (const [index, element] of all) {
        const to = element.row ? placeOf(element.row.id) : index + by;
        if (to >= 0 && !shown.has(to)) shown.set(to, element);
        else if (focused(element)) shown.set(-1, element);
        else element.remove();
      }
      const rows = [...shown].sort(([a], [b]) => a - b).map(([, element]) => element);
      const fixed = rows.findIndex(focused);
      list.append(...rows.slice(fixed + 1));
      rows[fixed]?.before(...rows.slice(0, fixed));
    },

    /// Where elements are on the screen.
    spots({ first, last }) {
      const seen = [...shown].filter(([index, { id }]) => id && index >= first && index <= last);
      return new Map(seen.map(([index, element]) => [element.id, top(index) - scrollY]));
    },

    slide(before, after) {
      for (const [id, to] of still.matches ? [] : after) {
        const by = before.get(id) - to;
        if (Math.abs(by) > 1) document.getElementById(id).animate({ translate: [`0 ${by}px`, "0"] }, { duration: 250, easing: "ease" });
      }
    },
  };
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

function replace(old, element) {
  const hadFocus = focused(old);
  if (old.innerHTML !== element.innerHTML) element.classList.add("arrived");
  old.replaceWith(element);
  if (hadFocus) element.focus({ preventScroll: true });
}
