// Reports of the viewport and the query to the session, and their state in the URL.
const reportInterval = 100; // ms
const typingDelay = 150; // ms after the last keystroke
const locationTimeout = 1_000; // ms

export function reportViewport(list, post) {
  const newRowsButton = document.getElementById("new-rows");
  let seq = 0, isPosting, timer, lastReport, previousTop, previousTime;

  function handleScroll() {
    const { first, top } = list.viewport();
    // The new rows are in view, unless the button loads them.
    if (!first && !("refreshes" in newRowsButton.dataset)) newRowsButton.textContent = "";
    if (timer) return;
    previousTop = top;
    previousTime = performance.now();
    timer = setTimeout(sendReport, reportInterval);
  }

  /// Sends a report at once. `landing` is the index at which a jump ended.
  function handleScrollEnd(landing) {
    handleScroll();
    timer = clearTimeout(timer);
    sendReport(landing);
    const { first, count } = list.viewport();
    if (landing === undefined && count && first !== firstIndexInURL()) updateURL({ from: first });
  }

  async function sendReport(landing) {
    const { id, first, last, top } = list.viewport();
    const speed = timer ? (top - previousTop) / (performance.now() - previousTime) * 1000 : 0;
    timer = 0;
    if (isPosting || document.hidden || !id) return;
    const report = { list: id, first, last, rowsPerSecond: Math.round(speed * 10) / 10 };
    const text = JSON.stringify(report);
    if (text === lastReport) return;
    isPosting = true;
    lastReport = text;
    const isDelivered = await post("viewport", { seq: ++seq, ...report, landing });
    isPosting = false;
    if (!isDelivered) return lastReport = undefined;
    list.evictDistantRows(first, last);
    handleScroll();
  }

  function resend() {
    lastReport = undefined;
    handleScroll();
  }

  history.scrollRestoration = "manual";
  if (firstIndexInURL()) list.show(firstIndexInURL());
  newRowsButton.addEventListener("click", () => list.focus(0));
  list.onScroll = handleScroll;
  list.onScrollEnd = handleScrollEnd;
  handleScrollEnd();
  return { resend };
}

const firstIndexInURL = () => +new URL(location).searchParams.get("from");

export function updateURL(values, state = history.state) {
  const url = new URL(location);
  for (const name in values) {
    if (values[name]) url.searchParams.set(name, values[name]); else url.searchParams.delete(name);
  }
  history.replaceState(state, "", url);
}

/// Reverses a sort: swaps the value and the label of its button.
function reverseSort(radio) {
  const { dataset } = radio, label = radio.nextElementSibling.lastElementChild;
  [radio.value, dataset.turned] = [dataset.turned, radio.value];
  [label.textContent, dataset.text] = [dataset.text, label.textContent];
  radio.toggleAttribute("data-is-turned");
}

/// Creates the form of search and sort; `showDistances` receives the position of the reader.
export function createQueryForm(post, showDistances) {
  const form = document.getElementById("list-controls"), { search } = form.elements;
  let sort = form.elements.sort.value || null, position = history.state, timer;
  // The query in the HTML: the reader may have changed the form before this script runs.
  let lastPostedQuery = JSON.stringify({ search: search.defaultValue, sort: form.querySelector("[checked]")?.value ?? null, near: null });

  const progressElement = document.getElementById("search-progress"), pendingElement = document.getElementById("pending-query");
  const currentQuery = () => ({ search: search.value.trim(), sort, near: sort === "nearest" ? position : null });

  async function postQuery() {
    clearTimeout(timer);
    const query = currentQuery(), text = JSON.stringify(query);
    if (text === lastPostedQuery) return;
    lastPostedQuery = text;
    updateURL({ ...query, near: 0, from: 0 }, query.near);
    const isDelivered = await post("arrange", { ...query, at: Date.now() });
    if (lastPostedQuery !== text) return;
    pendingElement.textContent = isDelivered ? "" : pendingElement.dataset.text;
    if (!isDelivered) lastPostedQuery = undefined;
  }

  function schedulePost(delay) {
    clearTimeout(timer);
    timer = setTimeout(postQuery, delay);
  }

  function handlePosition({ coords }) {
    position = coords ? [coords.latitude, coords.longitude] : null;
    showDistances(position);
    postQuery();
  }

  /// Cycles a sort: on, reversed, off. Only sorting by distance requests the reader's position.
  function cycleSort(radio) {
    const isOn = radio.value === sort, isReversing = isOn && "turned" in radio.dataset && !("isTurned" in radio.dataset);
    for (const other of form.querySelectorAll("[data-is-turned]")) reverseSort(other);
    if (isReversing) reverseSort(radio);
    radio.checked = isReversing || !isOn;
    sort = radio.checked ? radio.value : null;
    schedulePost(sort === "nearest" ? locationTimeout : 0);
    if (sort === "nearest") navigator.geolocation?.getCurrentPosition(handlePosition, handlePosition, { maximumAge: 60_000 });
  }

  if (position) showDistances(position);
  form.addEventListener("input", ({ target }) => target === search && schedulePost(typingDelay));
  form.addEventListener("click", ({ target }) => target.type === "radio" && cycleSort(target));
  // The space bar does not clear a radio button.
  form.addEventListener("keyup", (event) => {
    if (event.key !== " " || !event.target.checked) return;
    event.preventDefault();
    cycleSort(event.target);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search.blur();
    postQuery();
  });
  progressElement.lastElementChild.addEventListener("click", ({ target }) => post("read", { all: target.dataset.all === "true" }));

  /// Shows the progress of a search, and the button that loads all orders.
  function showProgress(progress) {
    progressElement.hidden = !progress;
    if (!progress) return;
    const [bar, button] = progressElement.children, { known, total, running, text, all } = progress;
    bar.hidden = !running;
    Object.assign(bar, { value: known, max: total });
    button.textContent = text;
    button.dataset.all = all;
  }

  return { currentQuery, postQuery, showProgress };
}
