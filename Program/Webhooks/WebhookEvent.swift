import HTTPTypes
import JSONWriting
import LadingOutbox
import OrderAPI
import OrderLifecycle
import OrderStorage

/// An event of the webhook: a change of an order, or the start of the feed.
struct WebhookEvent {
    private enum Content {
        case change(OrderChange, externalID: String?)
        case start(ChangePosition, at: Timestamp)
    }

    /// The text before the position in the id of a start.
    private static let startPrefix = "start-"
    /// The text before the order in a subject.
    private static let orderPrefix = "orders/"

    private let content: Content

    init(_ change: OrderChange, externalID: String?) {
        content = .change(change, externalID: externalID)
    }

    /// Creates an event which says that events follow from a position, and that the orders must be read for what was before it.
    init(startingAt position: ChangePosition, at time: Timestamp) {
        content = .start(position, at: time)
    }

    /// The id by which a receiver finds repeated events.
    var id: String {
        switch content {
        case .change(let change, _): change.position.text
        case .start(let position, _): Self.startPrefix + position.text
        }
    }

    /// Returns the position in the change feed of an event with an id; nil for another text.
    static func position(ofID id: String) -> ChangePosition? {
        ChangePosition(text: id.hasPrefix(startPrefix) ? id.dropFirst(startPrefix.count) : id[...])
    }

    /// The subject for the outbox: events of one order never overtake each other.
    var subject: String {
        switch content {
        case .change(let change, _): "\(Self.orderPrefix)\(change.order)"
        case .start: "feed"
        }
    }

    /// Returns the order of a subject; nil for that of a start.
    static func order(ofSubject subject: String) -> Int? {
        subject.hasPrefix(orderPrefix) ? Int(subject.dropFirst(orderPrefix.count)) : nil
    }

    /// The time of the change by the server's clock.
    var time: Timestamp {
        switch content {
        case .change(let change, _): change.acceptanceTime
        case .start(_, let time): time
        }
    }

    /// The name of the kind, by which receivers filter.
    private var type: String {
        switch content {
        case .change(let change, _):
            switch change.content {
            case .event(let event): "order.\(event.action.rawValue)"
            case .report: "order.report"
            }
        case .start: "feed.start"
        }
    }

    var body: [UInt8] {
        var json = JSONWriter(.unicode)
        json.object { json in
            json.field("type", type)
            json.field("timestamp", time.text)
            json.field("data", object: writeData)
        }
        return Array(json.text.utf8)
    }

    private func writeData(to json: inout JSONWriter) {
        switch content {
        case .change(let change, let externalID):
            change.write(to: &json)
            json.field("externalId", externalID)
        case .start(let position, _): json.field("position", position.text)
        }
    }
}

extension OrderChange {
    fileprivate var acceptanceTime: Timestamp {
        switch content {
        case .event(let event): event.acceptanceTime
        case .report(_, let report): report.acceptanceTime
        }
    }
}
