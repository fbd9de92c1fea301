// What decisions come to: flights, each with the spans in which it waited and ran.

// The most flights kept that have ended.
const endedLimit = 1500;
const ends = new Set(["succeeded", "failed", "cancelled", "dependencyFailed", "expired", "known"]);
// What takes no work has no flight, and is a line of its own.
const key = (decision) => decision.flight ?? `known ${decision.number}`;

export class Timeline {
  flights = new Map();
  // The times of the first and the last decision, in milliseconds.
  start = null;
  end = 0;
  #ended = [];

  add(decision) {
    this.start ??= decision.time;
    this.end = decision.time;
    const flight = this.flights.get(key(decision)) ?? this.#begin(decision);
    flight.story.push(decision);
    const open = flight.spans.at(-1);
    switch (decision.outcome) {
      case "joined": flight.wishes += 1; flight.joined += 1; break;
      case "started": this.#turn(flight, decision.time, "ran"); break;
      case "resting": case "paused": case "excluded": case "checking":
        if (open?.kind !== "waited") this.#turn(flight, decision.time, "waited");
        break;
    }
    if (!ends.has(decision.outcome)) return;
    flight.wishes -= 1;
    if (flight.wishes > 0) return;
    flight.outcome = decision.outcome;
    flight.end = decision.time;
    if (open) open.end = decision.time;
    this.#ended.push(key(decision));
    if (this.#ended.length > endedLimit) this.flights.delete(this.#ended.shift());
  }

  #begin(decision) {
    const flight = {
      id: key(decision), name: decision.operation, lane: decision.lane, begin: decision.time, end: null, outcome: null,
      wishes: 1, joined: 0, story: [], spans: [{ kind: "waited", begin: decision.time, end: null }],
    };
    this.flights.set(flight.id, flight);
    return flight;
  }

  #turn(flight, time, kind) {
    const open = flight.spans.at(-1);
    if (open) open.end = time;
    flight.spans.push({ kind, begin: time, end: null });
  }
}
