// Draws lanes and flights, and the story of the flight that was chosen.

// How much time the board shows, in milliseconds, and how many flights of a lane.
const span = 10000;
const flightLimit = 40;

const make = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// Names of operations are in no language: they keep their direction wherever they stand.
const isolated = (text) => make("bdi", "", text);
const seconds = new Intl.NumberFormat(document.documentElement.lang + "-u-nu-latn", {
  style: "unit", unit: "second", minimumFractionDigits: 3, maximumFractionDigits: 3,
});

// Lanes to servers come first: most of the waiting is there.
const rank = (name) => `${name.startsWith("net:") ? 0 : 1}${name}`;
const byRank = (left, right) => rank(left).localeCompare(rank(right));

// The part of an address in which flights of a lane differ: without the server, which the lane names, and the folder that all have in common.
const server = /\bhttps?:\/\/[^/\s]+/;
function shorten(names) {
  const paths = names.filter((name) => server.test(name)).map((name) => name.replace(server, ""));
  let folder = paths[0]?.slice(0, paths[0].lastIndexOf("/") + 1);
  while (folder && !paths.every((path) => path.startsWith(folder))) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return names.map((name) => server.test(name) ? name.replace(server, "").slice(folder.length) || name : name);
}

export class Board {
  onChoice = () => {};
  #root;
  #lanes = new Map();
  #chosen = null;

  constructor(root) {
    this.#root = root;
  }

  draw(timeline, statuses, filter) {
    const [from, to] = this.#window(timeline);
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
    this.#drawStory(timeline);
  }

  #window(timeline) {
    const to = Math.max(timeline.end, (timeline.start ?? 0) + 1);
    return [Math.max(timeline.start ?? 0, to - span), to];
  }

  #lane(name) {
    if (this.#lanes.has(name)) return this.#lanes.get(name);
    const lane = { section: make("section", "lane"), status: make("p"), slots: make("div", "slots"), list: make("ol", "flights"), rows: new Map() };
    lane.slots.setAttribute("aria-hidden", "true");
    const title = make("h2", "", name);
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
      const isKept = index >= status.width - status.reserved;
      return make("i", `${index < status.running ? "busy" : ""} ${isKept ? "kept" : ""}`.trim());
    }));
    const latest = flights.slice(-flightLimit);
    const ids = new Set(latest.map((flight) => flight.id));
    for (const [id, row] of lane.rows) if (!ids.has(id)) { row.item.remove(); lane.rows.delete(id); }
    const labels = shorten(latest.map((flight) => flight.name));
    latest.forEach((flight, index) => this.#drawFlight(lane, flight, labels[index], from, to));
  }

  #drawFlight(lane, flight, label, from, to) {
    let row = lane.rows.get(flight.id);
    if (!row) {
      row = { item: make("li"), button: make("button", "flight"), name: make("span", "name"), track: make("span", "track") };
      row.button.type = "button";
      row.name.dir = "auto";
      row.button.append(row.name, row.track);
      row.button.addEventListener("click", () => { this.#chosen = flight.id; this.onChoice(); });
      row.item.append(row.button);
      lane.list.append(row.item);
      lane.rows.set(flight.id, row);
    }
    row.name.textContent = flight.joined ? `${label} ×${flight.joined + 1}` : label;
    row.name.title = flight.name;
    row.name.classList.toggle("more", flight.joined > 0);
    row.button.setAttribute("aria-current", String(this.#chosen === flight.id));
    if (flight.outcome) row.button.dataset.end = flight.outcome; else delete row.button.dataset.end;
    const percent = (time) => `${Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100))}%`;
    const spans = flight.spans.filter((span) => (span.end ?? to) >= from);
    while (row.track.children.length > spans.length) row.track.lastChild.remove();
    spans.forEach((span, index) => {
      const bar = row.track.children[index] ?? row.track.appendChild(make("i"));
      bar.className = span.kind;
      bar.style.insetInlineStart = percent(span.begin);
      bar.style.insetInlineEnd = `calc(100% - ${percent(span.end ?? to)})`;
    });
  }

  #drawStory(timeline) {
    const flight = timeline.flights.get(this.#chosen);
    document.getElementById("story-hint").hidden = Boolean(flight);
    const title = document.getElementById("story-title");
    title.dataset.text ??= title.textContent;
    title.textContent = flight ? flight.name : title.dataset.text;
    const word = (outcome) => document.querySelector(`#outcomes [data-outcome="${outcome}"]`)?.textContent ?? outcome;
    const law = (number) => document.querySelector(`#laws [data-law="${number}"]`)?.textContent ?? "";
    const story = document.getElementById("story");
    const items = (flight?.story ?? []).map((decision) => {
      const item = make("li");
      item.dataset.outcome = decision.outcome;
      const other = decision.operation === flight.name ? [] : [isolated(decision.operation), " "];
      item.append(isolated(seconds.format((decision.time - flight.begin) / 1000)), ": ", ...other, word(decision.outcome));
      const texts = this.#root.dataset, number = decision.viewer.match(/\d+/)?.[0];
      const viewer = number ? texts.viewer.replace("{number}", number) : texts.nobody;
      const details = [`${texts[decision.urgency]} ${decision.distance}`, viewer, decision.parent && `→ ${decision.parent}`].filter(Boolean);
      const line = make("small");
      line.append(...details.flatMap((detail, index) => index ? [" · ", isolated(detail)] : [isolated(detail)]));
      item.append(line, make("small", "", `${decision.law}. ${law(decision.law)}`));
      return item;
    });
    story.replaceChildren(...items);
  }
}
