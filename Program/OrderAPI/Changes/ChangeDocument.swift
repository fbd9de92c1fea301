import JSONWriting
import OrderLifecycle
import OrderStorage

/// The part of a change that a person may see.
struct ChangeDocument {
    private enum Content {
        case event(OrderEvent)
        case report(number: Int, OrderReport)
        /// The order is open.
        case opened
        /// The order is not open any more, or not the courier's.
        case left
    }

    private let change: OrderChange
    private let content: Content

    /// Creates the document of a change with all its parts.
    init(forDispatcher change: OrderChange) {
        self.change = change
        content =
            switch change.content {
            case .report(let number, let report): .report(number: number, report)
            case .event(let event): .event(event)
            }
    }

    /// Returns nil for a change that the person may not see.
    init?(_ change: OrderChange, for person: Person) {
        self.change = change
        switch change.content {
        case .report(let number, let report):
            guard person.role == .dispatcher || change.previousHolder == person.id || report.actor == person.id else { return nil }
            content = .report(number: number, report)
        case .event(let event):
            if person.role == .dispatcher || event.holder == person.id {
                content = .event(event)
            } else if event.state == .open {
                content = .opened
            } else if change.wasOpen || change.previousHolder == person.id {
                content = .left
            } else {
                return nil
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.field("position", change.position.text)
        json.field("order", number: change.order)
        switch content {
        case .event(let event):
            json.field("kind", "event")
            json.field("event", object: { event.write(to: &$0) })
        case .report(let number, let report):
            json.field("kind", "report")
            json.field(
                "report",
                object: { json in
                    json.field("number", number: number)
                    report.write(to: &json)
                })
        case .opened: json.field("kind", "open")
        case .left: json.field("kind", "left")
        }
    }
}
