import JSONWriting
import OrderLifecycle
import OrderStorage
import Synchronization

/// Changes that were read together, as events of the streams. Events that many streams have in common are encoded once.
final class ChangeBatch: Sendable {
    let changes: [OrderChange]
    private let dispatcherEvents = SharedEvents()
    private let unconcernedEvents = SharedEvents()

    init(_ changes: [OrderChange]) {
        self.changes = changes
    }

    /// Returns the events after a position that a person may see.
    func events(for person: Person, after position: ChangePosition) -> String {
        let isDispatcher = person.role == .dispatcher
        let shared = isDispatcher ? dispatcherEvents : unconcernedEvents
        let events = shared.events {
            changes.map { change in
                let document = isDispatcher ? ChangeDocument(forDispatcher: change) : ChangeDocument(forUnconcerned: change)
                return document.map { Self.event($0, at: change.position) } ?? ""
            }
        }
        var text = ""
        for (change, event) in zip(changes, events) where position.isBefore(change.position) {
            if isDispatcher || !change.concerns(person.id) {
                text += event
            } else if let document = ChangeDocument(change, forCourier: person.id) {
                text += Self.event(document, at: change.position)
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

/// The events of a batch for many people; empty for a change that they may not see.
private final class SharedEvents: Sendable {
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
