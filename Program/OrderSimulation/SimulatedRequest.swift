package import OrderLifecycle

/// A request of a simulated person to a service of orders.
package struct SimulatedRequest: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case list
        case create(title: String)
        case command(OrderAction)
        case reassign(to: PersonID)
        case correct(to: OrderState)
        case accept(report: Int)
        case upload(proof: [UInt8])
        case read
        case attention
    }

    package let person: PersonID
    package let content: Content
    /// The order; 0 for requests without one.
    package var order = 0
    /// The idempotency key of a command.
    package var key = ""
    package var fence: Fence?
    /// The time of the action by the person's clock.
    package var actionTime: Timestamp
    /// The difference of the person's clock from the server's, in milliseconds.
    package var clockError: Int64 = 0
    package var missingItems: [String] = []
    package var reason: AttemptReason?
    package var proofs: [ProofDigest] = []

    package init(_ content: Content, by person: PersonID, at actionTime: Timestamp) {
        self.content = content
        self.person = person
        self.actionTime = actionTime
    }

    /// The action of a command; nil for other requests.
    package var action: OrderAction? {
        switch content {
        case .command(let action): action
        case .create: .create
        case .reassign: .reassign
        case .correct: .correct
        case .accept: .accept
        case .list, .upload, .read, .attention: nil
        }
    }
}

/// The response of a service to a request.
package enum SimulatedResponse: Hashable, Sendable {
    case orders([Int])
    /// - Parameter reports: The open reports of each order by number.
    case attention([Int: [Int]])
    case accepted(order: Int, events: [Int], fence: Fence, eventCount: Int)
    case reported
    case refused(isFinal: Bool, reason: String)
    case read(eventCount: Int, fence: Fence)
    case stored
    /// No response arrived, or a failure after which the same request may succeed.
    case lost
}

/// A service of orders as simulated people see it.
package protocol SimulatedService: Sendable {
    func response(to request: SimulatedRequest, at now: Timestamp) async -> SimulatedResponse

    /// Returns the events of the change feed after a position, which is nil at first, and the next position.
    func changes(after position: String?) async throws -> (events: [FeedEvent], position: String)

    /// Returns the whole history of an order, and the proofs of which the bytes have their digest.
    func finalState(of order: Int, at now: Timestamp) async throws -> FinalState?
}

/// An event in the change feed.
package struct FeedEvent: Hashable, Sendable {
    package let order: Int
    package let number: Int

    package init(order: Int, number: Int) {
        self.order = order
        self.number = number
    }
}

/// An order after quiet.
package struct FinalState: Hashable, Sendable {
    package let state: OrderState
    package let holder: PersonID?
    package let leaseEnd: Timestamp?
    package let deadline: Timestamp?
    package let needsAttention: Bool
    package let events: [OrderEvent]
    package let reports: [OrderReport]
    package let proofs: [ProofDigest]

    package init(
        state: OrderState, holder: PersonID?, leaseEnd: Timestamp?, deadline: Timestamp?, needsAttention: Bool, events: [OrderEvent],
        reports: [OrderReport], proofs: [ProofDigest]
    ) {
        self.state = state
        self.holder = holder
        self.leaseEnd = leaseEnd
        self.deadline = deadline
        self.needsAttention = needsAttention
        self.events = events
        self.reports = reports
        self.proofs = proofs
    }
}
