// Flights built from decisions, each with the spans in which it waited and ran.

// The maximum number of flights that have ended.
const endedLimit = 1500;
const finalOutcomes = new Set(["succeeded", "failed", "cancelled", "dependencyFailed", "expired", "cacheHit"]);
// A result without work has no flight, and gets a row of its own.
const key = (decision) => decision.flight ?? `cacheHit ${decision.number}`;

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
    flight.decisions.push(decision);
    const open = flight.spans.at(-1);
    switch (decision.outcome) {
      case "joined": flight.waiters += 1; flight.joined += 1; break;
      case "started": this.#beginSpan(flight, decision.time, "ran"); break;
      case "awaitingRetry": case "paused": case "excluded": case "checking":
        if (open?.kind !== "waited") this.#beginSpan(flight, decision.time, "waited");
        break;
    }
    if (!finalOutcomes.has(decision.outcome)) return;
    flight.waiters -= 1;
    if (flight.waiters > 0) return;
    flight.outcome = decision.outcome;
    flight.end = decision.time;
    if (open) open.end = decision.time;
    this.#ended.push(key(decision));
    if (this.#ended.length > endedLimit) this.flights.delete(this.#ended.shift());
  }

  #begin(decision) {
    const flight = {
      id: key(decision), name: decision.operation, lane: decision.lane, begin: decision.time, end: null, outcome: null,
      waiters: 1, joined: 0, decisions: [], spans: [{ kind: "waited", begin: decision.time, end: null }],
    };
    this.flights.set(flight.id, flight);
    return flight;
  }

  #beginSpan(flight, time, kind) {
    const open = flight.spans.at(-1);
    if (open) open.end = time;
    flight.spans.push({ kind, begin: time, end: null });
  }
}
