// A spacer as tall as the list, the rows near the eye on it. `origin` is its first line.
import { openRows } from "./rows.js";

const tallest = 16_000_000, mostRows = 500, screensAhead = 4;
const perFrame = 10, perFrameUnseen = 4; // rows that are made; fewer where nobody sees them, so that the next key is answered at once
const frameTime = 8; // ms in which rows are made: slow processors make fewer
const pause = 100; // ms without a scroll that count as rest
const { ceil, floor, max, min } = Math;

export function openList(list, prepare) {
  const [bar, form, bottom, template] = ["bar", "arrange", "bottom-bar", "blank"].map((id) => document.getElementById(id));
  const blank = template.content.firstElementChild;
  const rows = openRows(list, blank, (index) => index % columns + 1, (index) => (line(index) - origin) * height, prepare);
  let { list: id, size, from: origin } = list.dataset, count = +list.dataset.count;
  let columns, height, lead, room, frame, seen, down = true, resting = true, held, timer;
  // The last scroll position; reading `scrollY` forces layout.
  let scrolled = 0;

  const line = (index) => floor(index / columns);
  const lines = () => ceil(count / columns);

  /// Rows in a line, their height, what scrolls away above them, what is left of the screen.
  function measure() {
    columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const probe = blank.cloneNode(true);
    list.append(probe);
    height = probe.getBoundingClientRect().height;
    probe.remove();
    lead = list.offsetTop - bar.offsetHeight;
    room = innerHeight - bar.offsetHeight - bottom.offsetHeight;
    scrolled = scrollY;
  }

  /// The first line, how many fit, the first and last index.
  function view() {
    const top = max(0, max(0, scrolled - lead) / height + origin);
    const size = (room - max(0, lead - scrolled)) / height;
    const last = max(0, min(count, ceil(top + size) * columns) - 1);
    const first = min(floor(top) * columns, last);
    return { id, count, columns, top, size, first, last, row: rows.at(first)?.id };
  }

  /// Brings a line to the top; if it is there already, nothing seems to move.
  function show(top) {
    held = false;
    origin = bestOrigin(top);
    placeAll();
    scrollToLine(top);
    draw();
  }

  function scrollToLine(top) {
    const to = top && lead + (top - origin) * height;
    // Whoever is at the top already stays there, whatever becomes of the list.
    if (!to && !scrolled) return;
    scrollTo({ top: to, behavior: "instant" });
    scrolled = to && scrollY;
  }

  function jump(top) {
    show(max(0, min(top, lines() - 1)));
    face.whenResting(view().first);
  }

  function bestOrigin(top) {
    const most = floor(tallest / height);
    const farFromEnds = min(top - origin, origin + most - top) > most / 8;
    return lines() > most && origin >= 0 && farFromEnds ? origin : max(0, min(floor(top - most / 2), lines() - most));
  }

  function placeAll() {
    list.style.height = `${min(floor(tallest / height), lines() - origin) * height}px`;
    Object.assign(list.dataset, { count, size });
    list.role = count ? "feed" : "region"; // a feed without articles is none
    rows.placeAll(size);
  }

  /// One frame's work: rows far away go, missing ones come, those in view first.
  function draw() {
    frame = 0;
    if (scrolled !== seen) down = !(scrolled < seen);
    seen = scrolled;
    const { first, last } = view();
    const screen = min(last - first + 1, floor(mostRows / (screensAhead + 2)));
    const low = max(0, origin * columns, first - screen * (down ? 1 : screensAhead));
    const high = min(count - 1, last + screen * (down ? screensAhead : 1));
    rows.clear(low, high);
    // Skeletons reach no farther than a screen.
    const isWanted = (index) => rows.at(index) || index >= first - screen && index <= last + screen;
    if (!fill({ first, last: min(last, high), low, high }, isWanted)) soon();
    if (!resting) face.whenMoved();
  }

  /// Makes rows for as long as a frame has time. Returns whether that are all.
  function fill({ first, last, low, high }, isWanted) {
    const until = performance.now() + frameTime;
    let budget = perFrame;
    const update = (index) => {
      if (!isWanted(index) || !rows.update(index, size)) return;
      budget = performance.now() < until ? budget - 1 : 0;
    };
    for (let index = first; index <= last && budget; index++) update(index);
    if (resting) budget = min(budget, perFrameUnseen);
    for (let index = last + 1; index <= high && budget; index++) update(index);
    for (let index = first - 1; index >= low && budget; index--) update(index);
    return budget > 0;
  }

  function soon() { frame ||= requestAnimationFrame(draw); }

  // A sort or filter starts at its top; after a refresh the eye stays on its row.
  function reorder(news) {
    const { anchor } = news, before = view(), spots = rows.spots(before, scrolled), { row, index = 0 } = anchor ?? {};
    const by = row ? index - (rows.place(row) ?? index) : 0;
    rows.move(before.first, anchor ? before.last : -1, by, news.rows);
    ({ list: id, count, size = count } = news);
    origin += line(before.first + by) - line(before.first);
    held ||= by > 0 && scrolled < lead;
    placeAll();
    if (row || anchor && !resting) draw(); else jump(line(index));
    if (!resting) return;
    rows.slide(spots, rows.spots(view(), scrolled));
    settle();
  }

  function settle() {
    resting = true;
    const { top } = view();
    // New rows wait above until the reader leaves the top or presses their button.
    if (bestOrigin(top) !== origin && !(held && scrolled < lead)) show(top);
    face.whenResting();
  }

  function resize() {
    const { first, top } = view(), before = height + lead + columns;
    measure();
    if (height + lead + columns !== before) show(line(first) + top % 1);
    soon();
    face.whenResting();
  }

  const face = {
    view,
    show: (index) => jump(line(index)),
    keepNear: rows.keepNear,
    whenMoved() {}, whenResting() {},

    become(news) {
      if (news.count === undefined) return;
      if (news.list !== id) return reorder(news);
      ({ count, size = count } = news);
      placeAll();
      face.take(news);
      if (resting) face.whenResting();
    },

    take(news) {
      if (news.list !== id) return;
      news.rows?.forEach(rows.put);
      soon();
    },

    renew() {
      rows.renew();
      id = undefined;
    },

    focus(index) {
      index = max(0, min(count - 1, index));
      const { top, size: fit } = view(), at = line(index);
      if (at < top) jump(at); else if (at + 1 > top + fit) jump(at + 1 - fit);
      rows.update(index, size);
      rows.shown.get(index).focus({ preventScroll: true });
    },
  };

  measure();
  origin = line(origin);
  for (const row of list.children) {
    const { id, index, version, state } = row.dataset;
    row.row = { id, index: +index, version: +version, state, html: row.outerHTML };
    rows.put(row.row);
    rows.shown.set(+index, row);
  }
  list.classList.add("live");
  placeAll();
  draw();

  addEventListener("scroll", () => {
    scrolled = scrollY;
    resting = false;
    soon();
  }, { passive: true });
  addEventListener("onscrollend" in window ? "scrollend" : "scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(settle, pause);
  });
  addEventListener("resize", resize);
  const sizes = new ResizeObserver(resize);
  for (const element of [bar, form, bottom]) sizes.observe(element);
  return face;
}
