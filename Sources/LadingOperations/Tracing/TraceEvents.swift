import JSONWriting

/// A converter of decisions to trace events, which the trace viewers of Chrome and Perfetto open.
///
/// Each lane is a process of the trace and each flight a track in it, with waiting time, running time and further decisions. The text is a JSON
/// array without its closing bracket, which the format allows: it can be appended to, and a truncated file is readable. Format: "Trace Event
/// Format", JSON array, nestable asynchronous events.
///
/// ```swift
/// var events = TraceEvents()
/// file.write(TraceEvents.opening)
/// file.write(events.text(of: queue.trace()))
/// ```
public struct TraceEvents: Sendable {
    /// The first characters of a trace file.
    public static let opening = "["

    private struct Track {
        let lane: Int
        let name: String
        /// The number of waiters that have not completed.
        var waiterCount = 1
        var isRunning = false
    }

    private var lanes: [Lane: Int] = [:]
    private var tracks: [UInt64: Track] = [:]
    private var isFirst = true
    /// The number of the next decision.
    public private(set) var nextNumber = 0

    public init() {}

    /// Returns the events of decisions that were not converted before; the decisions are in the order of their numbers.
    public mutating func text(of decisions: [TracedDecision]) -> String {
        var text = ""
        for decision in decisions where decision.number >= nextNumber {
            if decision.number > nextNumber {
                add(
                    #"{"ph":"i","s":"g","name":"\#(decision.number - nextNumber) decisions are missing","pid":0,"tid":0,"ts":\#(decision.microseconds)}"#,
                    &text)
            }
            nextNumber = decision.number + 1
            append(decision, &text)
        }
        return text
    }

    private mutating func append(_ decision: TracedDecision, _ text: inout String) {
        guard let flight = decision.flight else { return appendInstant(decision, &text) }
        switch decision.outcome {
        case .queued:
            let lane = lane(of: decision, &text)
            tracks[flight] = Track(lane: lane, name: decision.operation)
            event("b", decision.operation, decision, &text)
        case .joined:
            tracks[flight]?.waiterCount += 1
            event("n", "joined", decision, &text)
        case .started:
            tracks[flight]?.isRunning = true
            event("b", "running", decision, &text)
        case .awaitingRetry:
            stopRunning(decision, &text)
            event("n", decision.outcome.rawValue, decision, &text)
        case .checking, .paused, .excluded, .interrupted, .cacheHit:
            event("n", decision.outcome.rawValue, decision, &text)
        case .succeeded, .failed, .cancelled, .dependencyFailed, .expired:
            event("n", decision.outcome.rawValue, decision, &text)
            tracks[flight]?.waiterCount -= 1
            guard let track = tracks[flight], track.waiterCount == 0 else { return }
            stopRunning(decision, &text)
            event("e", track.name, decision, &text)
            tracks[flight] = nil
        }
    }

    /// Appends an instant event of a lane, for decisions without a flight.
    private mutating func appendInstant(_ decision: TracedDecision, _ text: inout String) {
        let lane = lane(of: decision, &text)
        add(
            #"{"ph":"i","s":"p","name":\#(decision.operation.jsonString(.unicode)),"pid":\#(lane),"tid":0,"ts":\#(decision.microseconds),"#
                + #""args":\#(details(of: decision))}"#, &text)
    }

    private mutating func stopRunning(_ decision: TracedDecision, _ text: inout String) {
        guard let flight = decision.flight, tracks[flight]?.isRunning == true else { return }
        tracks[flight]?.isRunning = false
        event("e", "running", decision, &text)
    }

    private mutating func event(_ phase: String, _ name: String, _ decision: TracedDecision, _ text: inout String) {
        guard let flight = decision.flight, let track = tracks[flight] else { return }
        add(
            #"{"ph":"\#(phase)","cat":"flight","id":\#(flight),"name":\#(name.jsonString(.unicode)),"pid":\#(track.lane),"tid":0,"#
                + #""ts":\#(decision.microseconds),"args":\#(details(of: decision))}"#, &text)
    }

    private func details(of decision: TracedDecision) -> String {
        let parent = decision.parent.map { #","parent":\#($0.jsonString(.unicode))"# } ?? ""
        return #"{"operation":\#(decision.operation.jsonString(.unicode)),"for":"\#(decision.consumer)","#
            + #""priority":"\#(decision.priority.urgency) \#(decision.priority.distance)","reason":\#(decision.reason.rawValue)\#(parent)}"#
    }

    /// Returns the process number of a lane, whose name is written on first use.
    private mutating func lane(of decision: TracedDecision, _ text: inout String) -> Int {
        if let known = lanes[decision.lane] { return known }
        let number = lanes.count + 1
        lanes[decision.lane] = number
        let name = decision.lane.name.jsonString(.unicode)
        add(#"{"ph":"M","name":"process_name","pid":\#(number),"tid":0,"args":{"name":\#(name)}}"#, &text)
        return number
    }

    private mutating func add(_ event: String, _ text: inout String) {
        text += isFirst ? "\n" : ",\n"
        text += event
        isFirst = false
    }
}

extension TracedDecision {
    /// The time of the decision in microseconds since the queue was created.
    fileprivate var microseconds: Int64 { time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000 }
}
