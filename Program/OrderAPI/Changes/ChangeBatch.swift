import JSONWriting
import OrderLifecycle
import OrderStorage
import Synchronization

/// Changes that were read together, as events of the streams. Each document is encoded once for all people who see it.
final class ChangeBatch: Sendable {
    /// A batch without changes, which shows a client that its connection is alive.
    static let heartbeat = ChangeBatch([])

    let changes: [OrderChange]
    private let fullEvents = EncodedEvents()
    private let summaryEvents = EncodedEvents()

    init(_ changes: [OrderChange]) {
        self.changes = changes
    }

    /// Returns the events after a position that a person may see.
    func events(for person: Person, after position: ChangePosition) -> String {
        let isDispatcher = person.role == .dispatcher
        lazy var full = fullEvents.events { changes.map { Self.event(ChangeDocument(full: $0), at: $0.position) } }
        lazy var summaries = summaryEvents.events { changes.map { Self.event(ChangeDocument(summary: $0), at: $0.position) } }
        var text = ""
        for (index, change) in changes.enumerated() where position.isBefore(change.position) {
            switch isDispatcher ? .full : change.visibility(for: person.id) {
            case .full: text += full[index]
            case .summary: text += summaries[index]
            case .hidden: break
            }
        }
        return text
    }

    private static func event(_ document: ChangeDocument, at position: ChangePosition) -> String {
        var json = JSONWriter(.unicode)
        json.object { document.write(to: &$0) }
        return "event: change\nid: \(position.text)\ndata: \(json.text)\n\n"
    }
}

/// The events of a batch, encoded at the first use.
private final class EncodedEvents: Sendable {
    private let encoded = Mutex<[String]?>(nil)

    func events(_ encode: () -> [String]) -> [String] {
        encoded.withLock { encoded in
            if let encoded { return encoded }
            let events = encode()
            encoded = events
            return events
        }
    }
}
