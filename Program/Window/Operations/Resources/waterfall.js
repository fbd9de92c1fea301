// Lanes with their flights, and the decision history of the selected flight.

// The visible duration in milliseconds, and the maximum number of flights in a lane.
const visibleDuration = 10000;
const flightLimit = 40;

const makeElement = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// Names of operations are in no language: their direction is not changed.
const isolated = (text) => makeElement("bdi", "", text);
const seconds = new Intl.NumberFormat(document.documentElement.lang + "-u-nu-latn", {
  style: "unit", unit: "second", minimumFractionDigits: 3, maximumFractionDigits: 3,
});

// Lanes to servers come first: most waits happen there.
const rank = (name) => `${name.startsWith("net:") ? 0 : 1}${name}`;
const byRank = (left, right) => rank(left).localeCompare(rank(right));

// Names without the server, which the lane names, and without the folder that all of them share.
const serverPattern = /\bhttps?:\/\/[^/\s]+/;
function shortNames(names) {
  const paths = names.filter((name) => serverPattern.test(name)).map((name) => name.replace(serverPattern, ""));
  let folder = paths[0]?.slice(0, paths[0].lastIndexOf("/") + 1);
  while (folder && !paths.every((path) => path.startsWith(folder))) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return names.map((name) => serverPattern.test(name) ? name.replace(serverPattern, "").slice(folder.length) || name : name);
}

export class Waterfall {
  onSelection = () => {};
  #root;
  #lanes = new Map();
  #selectedID = null;

  constructor(root) {
    this.#root = root;
  }

  draw(timeline, statuses, filter) {
    const [from, to] = this.#timeRange(timeline);
    const byLane = new Map();
    for (const flight of timeline.flights.values()) {
      if ((flight.end ?? Infinity) < from) continue;
      if (filter && !`${flight.name} ${flight.lane}`.toLowerCase().includes(filter)) continue;
      if (!byLane.has(flight.lane)) byLane.set(flight.lane, []);
      byLane.get(flight.lane).push(flight);
    }
    const names = [...new Set([...byLane.keys(), ...(filter ? [] : (statuses ?? []).map((status) => status.name))])].sort(byRank);
    for (const [name, lane] of this.#lanes) if (!names.includes(name)) { lane.section.remove(); this.#lanes.delete(name); }
    for (const name of names) this.#drawLane(this.#lane(name), name, byLane.get(name) ?? [], statuses, from, to);
    this.#drawHistory(timeline);
  }

  #timeRange(timeline) {
    const to = Math.max(timeline.end, (timeline.start ?? 0) + 1);
    return [Math.max(timeline.start ?? 0, to - visibleDuration), to];
  }

  #lane(name) {
    if (this.#lanes.has(name)) return this.#lanes.get(name);
    const lane = { section: makeElement("section", "lane"), status: makeElement("p"), slots: makeElement("div", "slots"), list: makeElement("ol", "flights"), rows: new Map() };
    lane.slots.setAttribute("aria-hidden", "true");
    const title = makeElement("h2", "", name);
    title.dir = "auto";
    lane.section.append(title, lane.status, lane.slots, lane.list);
    this.#lanes.set(name, lane);
    const host = document.getElementById("lanes");
    const after = [...host.children].find((other) => byRank(other.firstChild.textContent, name) > 0);
    host.insertBefore(lane.section, after ?? null);
    return lane;
  }

  #drawLane(lane, name, flights, statuses, from, to) {
    const status = statuses?.find((status) => status.name === name);
    lane.status.textContent = status ? this.#root.dataset.lane.replace(/\{(\w+)\}/g, (_, field) => status[field]) : "";
    lane.slots.replaceChildren(...Array.from({ length: Math.min(64, status?.width ?? 0) }, (_, index) => {
      const isReserved = index >= status.width - status.reserved;
      return makeElement("i", `${index < status.running ? "busy" : ""} ${isReserved ? "reserved" : ""}`.trim());
    }));
    const latest = flights.slice(-flightLimit);
    const ids = new Set(latest.map((flight) => flight.id));
    for (const [id, row] of lane.rows) if (!ids.has(id)) { row.item.remove(); lane.rows.delete(id); }
    const labels = shortNames(latest.map((flight) => flight.name));
    latest.forEach((flight, index) => this.#drawFlight(lane, flight, labels[index], from, to));
  }

  #drawFlight(lane, flight, label, from, to) {
    let row = lane.rows.get(flight.id);
    if (!row) {
      row = { item: makeElement("li"), button: makeElement("button", "flight"), name: makeElement("span", "name"), track: makeElement("span", "track") };
      row.button.type = "button";
      row.name.dir = "auto";
      row.button.append(row.name, row.track);
      row.button.addEventListener("click", () => { this.#selectedID = flight.id; this.onSelection(); });
      row.item.append(row.button);
      lane.list.append(row.item);
      lane.rows.set(flight.id, row);
    }
    row.name.textContent = flight.joined ? `${label} ×${flight.joined + 1}` : label;
    row.name.title = flight.name;
    row.name.classList.toggle("joined", flight.joined > 0);
    row.button.setAttribute("aria-current", String(this.#selectedID === flight.id));
    if (flight.outcome) row.button.dataset.end = flight.outcome; else delete row.button.dataset.end;
    const percent = (time) => `${Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100))}%`;
    const spans = flight.spans.filter((span) => (span.end ?? to) >= from);
    while (row.track.children.length > spans.length) row.track.lastChild.remove();
    spans.forEach((span, index) => {
      const bar = row.track.children[index] ?? row.track.appendChild(makeElement("i"));
      bar.className = span.kind;
      bar.style.insetInlineStart = percent(span.begin);
      bar.style.insetInlineEnd = `calc(100% - ${percent(span.end ?? to)})`;
    });
  }

  #drawHistory(timeline) {
    const flight = timeline.flights.get(this.#selectedID);
    document.getElementById("decision-history-hint").hidden = Boolean(flight);
    const title = document.getElementById("decision-history-title");
    title.dataset.text ??= title.textContent;
    title.textContent = flight ? flight.name : title.dataset.text;
    const outcomeText = (outcome) => document.querySelector(`#outcomes [data-outcome="${outcome}"]`)?.textContent ?? outcome;
    const reasonText = ({ outcome, reason }) =>
      document.querySelector(`#reasons [data-outcome="${outcome}"][data-reason="${reason}"]`)?.textContent ?? "";
    const historyElement = document.getElementById("decision-history");
    const items = (flight?.decisions ?? []).map((decision) => {
      const item = makeElement("li");
      item.dataset.outcome = decision.outcome;
      const other = decision.operation === flight.name ? [] : [isolated(decision.operation), " "];
      item.append(isolated(seconds.format((decision.time - flight.begin) / 1000)), ": ", ...other, outcomeText(decision.outcome));
      const texts = this.#root.dataset, number = decision.consumer.match(/\d+/)?.[0];
      const consumer = number ? texts.consumer.replace("{number}", number) : texts.noConsumer;
      const details = [`${texts[decision.urgency]} ${decision.distance}`, consumer, decision.parent && `→ ${decision.parent}`].filter(Boolean);
      const line = makeElement("small");
      line.append(...details.flatMap((detail, index) => index ? [" · ", isolated(detail)] : [isolated(detail)]));
      item.append(line, makeElement("small", "", reasonText(decision)));
      return item;
    });
    historyElement.replaceChildren(...items);
  }
}
