import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage
import Synchronization

/// Changes that were read together, as events of the streams. They are encoded once for all people who see the same.
final class ChangeBatch: Sendable {
    /// A batch without changes, which shows a client that its connection is alive.
    static let heartbeat = ChangeBatch([])

    /// People who see the same parts of the changes.
    private enum Audience: Hashable {
        case dispatchers
        /// A courier whose own orders are among the changed ones.
        case courier(PersonID)
        case otherCouriers
    }

    private struct EncodedEvents {
        /// The event of each change, as far as somebody has seen it.
        var full: [ByteBuffer?]
        var summaries: [ByteBuffer?]
        /// The events of all changes.
        var all: [Audience: ByteBuffer] = [:]
    }

    let changes: [OrderChange]
    private let couriers: Set<PersonID>
    private let encoded: Mutex<EncodedEvents>

    init(_ changes: [OrderChange]) {
        self.changes = changes
        couriers = Set(changes.flatMap(\.couriers))
        let none = [ByteBuffer?](repeating: nil, count: changes.count)
        encoded = Mutex(EncodedEvents(full: none, summaries: none))
    }

    /// Returns the events after a position that a person may see.
    func events(for person: Person, after position: ChangePosition) -> ByteBuffer {
        let audience = audience(of: person)
        return encoded.withLock { encoded in
            guard let first = changes.first, position.isBefore(first.position) else {
                return encode(for: person, after: position, &encoded)
            }
            if let events = encoded.all[audience] { return events }
            let events = encode(for: person, after: position, &encoded)
            encoded.all[audience] = events
            return events
        }
    }

    private func audience(of person: Person) -> Audience {
        if person.role == .dispatcher { return .dispatchers }
        return couriers.contains(person.id) ? .courier(person.id) : .otherCouriers
    }

    private func encode(for person: Person, after position: ChangePosition, _ encoded: inout EncodedEvents) -> ByteBuffer {
        var events = ByteBuffer()
        for (index, change) in changes.enumerated() where position.isBefore(change.position) {
            switch change.visibility(for: person) {
            case .full: events.writeEvent(ChangeDocument(full: change), at: change.position, &encoded.full[index])
            case .summary: events.writeEvent(ChangeDocument(summary: change), at: change.position, &encoded.summaries[index])
            case .hidden: break
            }
        }
        return events
    }
}

extension ByteBuffer {
    /// Writes a document as an event.
    ///
    /// - Parameter encoded: The event, if it was encoded before; otherwise it is stored there.
    fileprivate mutating func writeEvent(
        _ document: @autoclosure () -> ChangeDocument, at position: ChangePosition, _ encoded: inout ByteBuffer?
    ) {
        let event = encoded ?? document().event(at: position)
        encoded = event
        writeImmutableBuffer(event)
    }
}

extension ChangeDocument {
    fileprivate func event(at position: ChangePosition) -> ByteBuffer {
        var json = JSONWriter(.unicode)
        json.object { write(to: &$0) }
        return ByteBuffer(string: "event: change\nid: \(position.text)\ndata: \(json.text)\n\n")
    }
}
