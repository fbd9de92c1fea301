// A virtualized list: the rows near the viewport, on a spacer as tall as the list or a segment of it. `segmentStart` is the first grid row.
import { createRowRenderer } from "./rows.js";

const maxSpacerHeight = 16_000_000, maxRows = 500, screensAhead = 4;
const rowsPerFrame = 10, offscreenRowsPerFrame = 4; // rows rendered in a frame; fewer outside the viewport, for fast responses to input
const frameBudget = 8; // ms for rendering rows in a frame
const scrollEndDelay = 100; // ms without a scroll event
const { ceil, floor, max, min } = Math;

export function createListController(list, prepareRow) {
  const [bar, controls, bottom, template] = ["bar", "list-controls", "bottom-bar", "row-skeleton"].map((id) => document.getElementById(id));
  const skeleton = template.content.firstElementChild;
  const rows = createRowRenderer(list, skeleton, (index) => index % columns + 1, (index) => (gridRow(index) - segmentStart) * rowHeight, prepareRow);
  let { list: id, size, from: segmentStart } = list.dataset, count = +list.dataset.count;
  let columns, rowHeight, leadingHeight, availableHeight, frame, drawnPosition, isScrollingDown = true, isAtRest = true, hasNewRowsAbove, scrollEndTimer;
  // The last scroll position; reading `scrollY` forces a layout.
  let scrollPosition = 0;

  const gridRow = (index) => floor(index / columns);
  const gridRowCount = () => ceil(count / columns);

  /// Measures the columns, the height of a row, and the space above the list and for its rows.
  function measure() {
    columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const probe = skeleton.cloneNode(true);
    list.append(probe);
    rowHeight = probe.getBoundingClientRect().height;
    probe.remove();
    leadingHeight = list.offsetTop - bar.offsetHeight;
    availableHeight = innerHeight - bar.offsetHeight - bottom.offsetHeight;
    scrollPosition = scrollY;
  }

  /// Returns the first grid row, the number of those that fit, and the first and last index.
  function viewport() {
    const top = max(0, max(0, scrollPosition - leadingHeight) / rowHeight + segmentStart);
    const size = (availableHeight - max(0, leadingHeight - scrollPosition)) / rowHeight;
    const last = max(0, min(count, ceil(top + size) * columns) - 1);
    const first = min(floor(top) * columns, last);
    return { id, count, columns, top, size, first, last, row: rows.at(first)?.id };
  }

  /// Scrolls a grid row to the top, in another segment if needed; a row at the top does not move.
  function showFrom(top) {
    hasNewRowsAbove = false;
    segmentStart = bestSegmentStart(top);
    layOut();
    scrollToGridRow(top);
    draw();
  }

  function scrollToGridRow(top) {
    const to = top && leadingHeight + (top - segmentStart) * rowHeight;
    // A list at the top stays there.
    if (!to && !scrollPosition) return;
    scrollTo({ top: to, behavior: "instant" });
    scrollPosition = to && scrollY;
  }

  function jumpTo(top) {
    showFrom(max(0, min(top, gridRowCount() - 1)));
    controller.onScrollEnd(viewport().first);
  }

  function bestSegmentStart(top) {
    const most = floor(maxSpacerHeight / rowHeight);
    const farFromEnds = min(top - segmentStart, segmentStart + most - top) > most / 8;
    return gridRowCount() > most && segmentStart >= 0 && farFromEnds ? segmentStart : max(0, min(floor(top - most / 2), gridRowCount() - most));
  }

  function layOut() {
    list.style.height = `${min(floor(maxSpacerHeight / rowHeight), gridRowCount() - segmentStart) * rowHeight}px`;
    Object.assign(list.dataset, { count, size });
    list.setAttribute("role", count ? "feed" : "region"); // a feed must contain articles
    rows.positionAll(size);
  }

  /// Removes distant rows and renders missing ones, those in view first.
  function draw() {
    frame = 0;
    if (scrollPosition !== drawnPosition) isScrollingDown = !(scrollPosition < drawnPosition);
    drawnPosition = scrollPosition;
    const { first, last } = viewport();
    const screen = min(last - first + 1, floor(maxRows / (screensAhead + 2)));
    const low = max(0, segmentStart * columns, first - screen * (isScrollingDown ? 1 : screensAhead));
    const high = min(count - 1, last + screen * (isScrollingDown ? screensAhead : 1));
    rows.removeElementsOutside(low, high);
    // Skeletons are rendered for one screen only.
    const shouldRender = (index) => rows.at(index) || index >= first - screen && index <= last + screen;
    if (!fill({ first, last: min(last, high), low, high }, shouldRender)) scheduleDraw();
    if (!isAtRest) controller.onScroll();
  }

  /// Renders rows within the budget of a frame. Returns whether all are rendered.
  function fill({ first, last, low, high }, shouldRender) {
    const until = performance.now() + frameBudget;
    let budget = rowsPerFrame;
    const update = (index) => {
      if (!shouldRender(index) || !rows.update(index, size)) return;
      budget = performance.now() < until ? budget - 1 : 0;
    };
    for (let index = first; index <= last && budget; index++) update(index);
    if (isAtRest) budget = min(budget, offscreenRowsPerFrame);
    for (let index = last + 1; index <= high && budget; index++) update(index);
    for (let index = first - 1; index >= low && budget; index--) update(index);
    return budget > 0;
  }

  function scheduleDraw() { frame ||= requestAnimationFrame(draw); }

  // Applies another order. A search or sort starts at the top; a refresh retains the position of the anchor row.
  function reorder(update) {
    const { anchor } = update, before = viewport(), positions = rows.positions(before, scrollPosition), { row, index = 0 } = anchor ?? {};
    const by = row ? index - (rows.indexOf(row) ?? index) : 0;
    rows.move(before.first, anchor ? before.last : -1, by, update.rows);
    ({ list: id, count, size = count } = update);
    segmentStart += gridRow(before.first + by) - gridRow(before.first);
    hasNewRowsAbove ||= by > 0 && scrollPosition < leadingHeight;
    layOut();
    if (row || anchor && !isAtRest) draw(); else jumpTo(gridRow(index));
    if (!isAtRest) return;
    rows.animateMoves(positions, rows.positions(viewport(), scrollPosition));
    handleScrollEnd();
  }

  function handleScrollEnd() {
    isAtRest = true;
    const { top } = viewport();
    // New rows stay hidden above until the reader leaves the top or presses their button.
    if (bestSegmentStart(top) !== segmentStart && !(hasNewRowsAbove && scrollPosition < leadingHeight)) showFrom(top);
    controller.onScrollEnd();
  }

  function handleResize() {
    const { first, top } = viewport(), before = rowHeight + leadingHeight + columns;
    measure();
    if (rowHeight + leadingHeight + columns !== before) showFrom(gridRow(first) + top % 1);
    scheduleDraw();
    controller.onScrollEnd();
  }

  const controller = {
    viewport,
    show: (index) => jumpTo(gridRow(index)),
    evictDistantRows: rows.evictDistantRows,
    onScroll() {}, onScrollEnd() {},

    applyList(update) {
      if (update.count === undefined) return;
      if (update.list !== id) return reorder(update);
      ({ count, size = count } = update);
      layOut();
      controller.applyRows(update);
      if (isAtRest) controller.onScrollEnd();
    },

    applyRows(update) {
      if (update.list !== id) return;
      update.rows?.forEach(rows.put);
      scheduleDraw();
    },

    resetVersions() {
      rows.resetVersions();
      id = undefined;
    },

    focus(index) {
      if (!count) return;
      index = max(0, min(count - 1, index));
      const { top, size: fit } = viewport(), at = gridRow(index);
      if (at < top) jumpTo(at); else if (at + 1 > top + fit) jumpTo(at + 1 - fit);
      rows.update(index, size);
      rows.shown.get(index).focus({ preventScroll: true });
    },
  };

  measure();
  segmentStart = gridRow(segmentStart);
  for (const row of list.children) {
    const { id, index, version, state } = row.dataset;
    row.row = { id, index: +index, version: +version, state, html: row.outerHTML };
    rows.put(row.row);
    rows.shown.set(+index, row);
  }
  list.classList.add("live");
  layOut();
  draw();

  addEventListener("scroll", () => {
    scrollPosition = scrollY;
    isAtRest = false;
    scheduleDraw();
  }, { passive: true });
  addEventListener("onscrollend" in window ? "scrollend" : "scroll", () => {
    clearTimeout(scrollEndTimer);
    scrollEndTimer = setTimeout(handleScrollEnd, scrollEndDelay);
  });
  addEventListener("resize", handleResize);
  // A row that is pressed was not rendered.
  for (const name of ["pointerup", "pointercancel", "keyup"]) addEventListener(name, scheduleDraw);
  const sizes = new ResizeObserver(handleResize);
  for (const element of [bar, controls, bottom]) sizes.observe(element);
  return controller;
}
