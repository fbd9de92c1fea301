// The list: a spacer as tall as all its rows, and the few near the eye placed on it. `origin` is the index at its
// top: 0, but in a list too long for one spacer, or while a scroll must not be disturbed.
import { knownRows } from "./rows.js";

const tallest = 16_000_000;
const mostRows = 500;
const perFrame = 10;
const screensAhead = 2;
const { ceil, floor, max, min } = Math;

export function openList(list) {
  const bar = document.getElementById("bar");
  const blank = document.getElementById("blank").content.firstElementChild;
  const rows = knownRows(), shown = new Map();
  let { list: id, count, from: origin } = list.dataset;
  let height, frame, seen, down = true, resting = true, timer;
  count = +count;
  origin = +origin;

  function measure() {
    const probe = blank.cloneNode(true);
    list.append(probe);
    height = probe.getBoundingClientRect().height;
    probe.remove();
  }

  /// What is in view: the first row with its fraction, how many fit, the first and last index.
  function view() {
    const top = max(0, scrollY / height + origin);
    const size = (innerHeight - bar.offsetHeight) / height;
    const last = max(0, min(count, ceil(top + size)) - 1);
    return { top, size, last, first: min(floor(top), last) };
  }

  /// Brings a row to the top of the view. If it is there already, scroll and rows move together, unseen.
  function show(top) {
    origin = bestOrigin(top);
    placeAll();
    scrollTo({ top: (top - origin) * height, behavior: "instant" });
    draw();
  }

  function bestOrigin(top) {
    const room = floor(tallest / height);
    const farFromEnds = min(top - origin, origin + room - top) > room / 8;
    return count > room && origin >= 0 && farFromEnds ? origin : max(0, min(floor(top - room / 2), count - room));
  }

  function placeAll() {
    list.style.height = `${min(floor(tallest / height), count - origin) * height}px`;
    for (const [index, row] of shown) place(row, index);
  }

  function place(row, index) {
    row.style.transform = `translateY(${(index - origin) * height}px)`;
    row.dataset.index = index;
    row.ariaPosInSet = index + 1;
    row.ariaSetSize = count;
    row.classList.toggle("odd", index % 2);
  }

  /// One frame's work: rows far away go, missing ones come, those in view first.
  function draw() {
    frame = 0;
    if (scrollY !== seen) down = !(scrollY < seen);
    seen = scrollY;
    const { first, last } = view();
    const screen = min(last - first + 1, floor(mostRows / (screensAhead + 2)));
    const low = max(0, first - screen * (down ? 1 : screensAhead));
    const high = min(count - 1, last + screen * (down ? screensAhead : 1));
    for (const [index, row] of shown) {
      if (index >= low && index <= high || index < count && row.contains(document.activeElement)) continue;
      row.remove();
      shown.delete(index);
    }
    let budget = perFrame;
    for (let index = first; index <= high && budget; index++) budget -= update(index);
    for (let index = first - 1; index >= low && budget; index--) budget -= update(index);
    if (!budget) soon();
    if (!resting) face.whenMoved();
  }

  function soon() { frame ||= requestAnimationFrame(draw); }

  /// Brings what is known of a row onto the screen; returns whether there was anything to do.
  function update(index) {
    const row = rows.at(index), old = shown.get(index);
    if (old && old.row === row) return false;
    const next = row ? parse(row.html) : blank.cloneNode(true);
    if (old) {
      morph(old, next);
    } else {
      // Tab and screen readers follow the order of the document.
      const later = min(...[...shown.keys()].filter((other) => other > index));
      list.insertBefore(next, shown.get(later) ?? null);
      shown.set(index, next);
    }
    shown.get(index).row = row;
    place(shown.get(index), index);
    return true;
  }

  // A sort or filter starts at its top; after a refresh the eye stays on its row.
  function reorder(anchor) {
    const { first, last } = view();
    const by = anchor ? anchor.index - (rows.place(anchor.row) ?? anchor.index) : 0;
    rows.move(first, last, by);
    const moved = [...shown];
    shown.clear();
    for (const [index, row] of moved) shown.set(index + by, row);
    origin += by;
    if (!anchor) show(0);
  }

  function settle() {
    resting = true;
    const { top } = view();
    if (bestOrigin(top) !== origin) show(top);
    face.whenResting();
  }

  function resize() {
    const { top } = view(), before = height;
    measure();
    if (height !== before) show(top);
    soon();
    face.whenResting();
  }

  const face = {
    get id() { return id; },
    get count() { return count; },
    view, show,
    keepNear: rows.keepNear,
    whenMoved() {}, whenResting() {},

    described() {
      const { first, last } = view();
      return { first, last, row: rows.at(first)?.id };
    },

    /// The list as it now is; another id is another order.
    become(news) {
      count = news.count;
      if (news.list !== id) reorder(news.anchor);
      id = news.list;
      placeAll();
      if (resting) settle();
      soon();
    },

    take(news) {
      if (news.list !== id) return;
      news.rows.forEach(rows.put);
      soon();
    },

    renew() {
      rows.renew();
      id = undefined;
    },

    focus(index) {
      index = max(0, min(count - 1, index));
      const { top, size } = view();
      if (index < top) show(index); else if (index + 1 > top + size) show(index + 1 - size);
      update(index);
      shown.get(index).focus({ preventScroll: true });
    },
  };

  // The rows that came with the page stay where they are, from now on by placement.
  measure();
  for (const row of list.children) {
    const { id, index, version, state } = row.dataset;
    row.row = { id, index: +index, version: +version, state, html: row.outerHTML };
    rows.put(row.row);
    shown.set(+index, row);
  }
  list.classList.add("live");
  placeAll();
  draw();

  addEventListener("scroll", () => {
    resting = false;
    soon();
    if ("onscrollend" in window) return;
    clearTimeout(timer);
    timer = setTimeout(settle, 150);
  }, { passive: true });
  addEventListener("scrollend", settle);
  addEventListener("resize", resize);
  new ResizeObserver(resize).observe(bar);
  return face;
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/// Makes a row look like another without replacing it, so that focus stays.
function morph(row, next) {
  const focused = row.contains(document.activeElement);
  for (const { name } of [...row.attributes]) if (name !== "style" && !next.hasAttribute(name)) row.removeAttribute(name);
  for (const { name, value } of next.attributes) row.setAttribute(name, value);
  row.replaceChildren(...next.childNodes);
  row.classList.add("arrived");
  if (focused) row.focus({ preventScroll: true });
}
