import OrderLifecycle
import OrderSimulation

/// The documents of the API, as the simulation reads and writes them.
enum Wire {
    struct Page: Decodable {
        let orders: [Order]
        /// The cursor of the next page; nil at the end.
        let next: String?
    }

    struct Order: Decodable {
        let id: Int
        let state: String
        let fence: Int
        let version: String
        let holder: Holder?
        let leaseEnd: String?
        let deadline: String?
        let openReports: Int

        struct Holder: Decodable { let id: String }

        /// The second number of the version.
        var eventCount: Int { version.split(separator: ".").last.flatMap { Int($0) } ?? 0 }
    }

    struct Verdict: Decodable {
        let order: Int?
        let events: [Int]?
        let fence: Int?
    }

    struct Problem: Decodable {
        let type: String
        let final: Bool
    }

    struct ChangePage: Decodable {
        let changes: [Change]
        let position: String

        struct Change: Decodable {
            let order: Int
            let event: Event?
        }
    }

    struct History: Decodable {
        /// The numbers of earlier events and reports that are not in the document; nil from a server that omits none.
        var omittedEvents: Int?
        var omittedReports: Int?
        let events: [Event]
        let reports: [Report]
        let proofs: [Proof]

        struct Proof: Decodable { let digest: String }
    }

    struct Event: Decodable {
        let number: Int
        let action: String
        let state: String
        let fence: Int
        let holder: String?
        let actor: String?
        let actionTime: String
        let acceptanceTime: String
        let missingItems: [String]
        let reason: String?
        let proofs: [String]

        var event: OrderEvent? {
            guard let action = OrderAction(rawValue: action), let state = OrderState(rawValue: state),
                let actionTime = Timestamp(text: actionTime), let acceptanceTime = Timestamp(text: acceptanceTime)
            else { return nil }
            return OrderEvent(
                number: number, action: action, state: state, fence: Fence(rawValue: fence), holder: holder.map(PersonID.init(rawValue:)),
                actor: actor.map(PersonID.init(rawValue:)), actionTime: actionTime, acceptanceTime: acceptanceTime,
                missingItems: missingItems, reason: reason.flatMap(AttemptReason.init(rawValue:)),
                proofs: proofs.compactMap(ProofDigest.init(rawValue:)))
        }
    }

    struct Report: Decodable {
        let number: Int
        let settled: Bool?
        let action: String
        let actor: String
        let fence: Int
        let cause: String
        let actionTime: String
        let acceptanceTime: String
        let proofs: [String]

        var report: OrderReport? {
            guard let action = OrderAction(rawValue: action), let cause = OrderReport.Cause(rawValue: cause),
                let actionTime = Timestamp(text: actionTime), let acceptanceTime = Timestamp(text: acceptanceTime)
            else { return nil }
            return OrderReport(
                action: action, actor: PersonID(rawValue: actor), fence: Fence(rawValue: fence), cause: cause, actionTime: actionTime,
                acceptanceTime: acceptanceTime, proofs: proofs.compactMap(ProofDigest.init(rawValue:)))
        }
    }

    /// The body of a command.
    struct Command: Encodable {
        struct Destination: Encodable {
            let address: String
            let latitude: Double
            let longitude: Double
        }

        var at: String?
        var missingItems: [String]?
        var reason: String?
        var proofs: [String]?
        var courier: String?
        var state: String?
        var report: Int?
        var title: String?
        var price: String?
        var currency: String?
        var destination: Destination?

        init(_ request: SimulatedRequest) {
            switch request.content {
            case .create(let title):
                (self.title, price, currency) = (title, "20.00", "EUR")
                destination = Destination(address: "1 Quay Street", latitude: 40.7, longitude: -73.9)
            case .reassign(let person): courier = person.rawValue
            case .correct(let state): self.state = state.rawValue
            case .accept(let report): self.report = report
            default:
                at = request.actionTime.text
                missingItems = request.missingItems.isEmpty ? nil : request.missingItems
                reason = request.reason?.rawValue
                proofs = request.proofs.isEmpty ? nil : request.proofs.map(\.rawValue)
            }
        }
    }
}

extension SimulatedRequest {
    /// The path of a command.
    var path: String {
        switch content {
        case .create: "orders"
        case .reassign: "orders/\(order)/reassign"
        case .correct: "orders/\(order)/correct"
        case .accept: "orders/\(order)/accept"
        case .command(.pickUp): "orders/\(order)/pick-up"
        case .command(let action): "orders/\(order)/\(action.rawValue)"
        case .list, .upload, .read, .attention: "orders"
        }
    }
}
