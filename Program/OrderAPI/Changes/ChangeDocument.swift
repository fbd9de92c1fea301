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
    init(full change: OrderChange) {
        self.change = change
        content =
            switch change.content {
            case .report(let number, let report): .report(number: number, report)
            case .event(let event): .event(event)
            }
    }

    /// Creates the document that says only whether the order is open.
    init(summary change: OrderChange) {
        self.change = change
        if case .event(let event) = change.content, event.state == .open { content = .opened } else { content = .left }
    }

    /// Returns nil for a change that the person may not see.
    init?(_ change: OrderChange, for person: Person) {
        switch change.visibility(for: person) {
        case .full: self.init(full: change)
        case .summary: self.init(summary: change)
        case .hidden: return nil
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

extension OrderChange {
    /// The part of a change that a person may see.
    enum Visibility {
        case full
        /// Whether the order is open.
        case summary
        case hidden
    }

    /// Returns the part of the change that a person may see: a dispatcher all, a courier all of the own orders and of others whether they are open.
    func visibility(for person: Person) -> Visibility {
        if person.role == .dispatcher { return .full }
        let courier = person.id
        return switch content {
        case .report(_, let report): previousHolder == courier || report.actor == courier ? .full : .hidden
        case .event(let event) where event.holder == courier: .full
        case .event(let event): previousHolder == courier || event.state == .open || wasOpen ? .summary : .hidden
        }
    }

    /// The couriers who may see other parts of the change than the rest.
    var couriers: [PersonID] {
        switch content {
        case .report(_, let report): [previousHolder, report.actor].compactMap(\.self)
        case .event(let event): [previousHolder, event.holder].compactMap(\.self)
        }
    }
}
