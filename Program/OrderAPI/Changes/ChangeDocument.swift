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

    /// Creates the document for a courier; nil for a change that the courier may not see.
    init?(_ change: OrderChange, forCourier courier: PersonID) {
        switch change.content {
        case _ where !change.concerns(courier): self.init(forUnconcerned: change)
        case .event(let event) where event.holder != courier: self.init(change, event.state == .open ? .opened : .left)
        case .event, .report: self.init(forDispatcher: change)
        }
    }

    /// Creates the document for all couriers whom the change does not concern; nil if they may not see it.
    init?(forUnconcerned change: OrderChange) {
        guard case .event(let event) = change.content, event.state == .open || change.wasOpen else { return nil }
        self.init(change, event.state == .open ? .opened : .left)
    }

    /// Returns nil for a change that the person may not see.
    init?(_ change: OrderChange, for person: Person) {
        if person.role == .dispatcher { self.init(forDispatcher: change) } else { self.init(change, forCourier: person.id) }
    }

    private init(_ change: OrderChange, _ content: Content) {
        (self.change, self.content) = (change, content)
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
    /// Whether a courier has or had the order, or has made the report.
    func concerns(_ courier: PersonID) -> Bool {
        switch content {
        case .report(_, let report): previousHolder == courier || report.actor == courier
        case .event(let event): previousHolder == courier || event.holder == courier
        }
    }
}
