/// The events of one page in order, of which the last are kept so that a stream that broke can go on where it ended.
///
/// A synchronous value, bounded in events and in bytes.
struct EventLog {
    struct Event: Sendable {
        let id: Int
        /// The lines of the event stream, blank line included.
        let text: String
    }

    /// What a reader is to be sent.
    enum Continuation {
        case events([Event])
        /// The events after the reader's last are not kept any more: it needs everything anew.
        case gap
    }

    static let eventLimit = 256
    static let byteLimit = 2 << 20

    private var events: [Event] = []
    private var bytes = 0
    private(set) var lastID = 0

    /// Adds an event of this name, whose data has no line break.
    mutating func append(_ name: String, data: String) {
        lastID += 1
        let event = Event(id: lastID, text: "id: \(lastID)\nevent: \(name)\ndata: \(data)\n\n")
        events.append(event)
        bytes += event.text.utf8.count
        var excess = 0
        while events.count - excess > Self.eventLimit || (bytes > Self.byteLimit && events.count - excess > 1) {
            bytes -= events[excess].text.utf8.count
            excess += 1
        }
        events.removeFirst(excess)
    }

    /// The events after one that a reader has.
    func events(after id: Int) -> Continuation {
        guard 0...lastID ~= id else { return .gap }
        let missing = lastID - id
        return missing <= events.count ? .events(events.suffix(missing)) : .gap
    }
}
