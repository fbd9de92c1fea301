package import OrderLifecycle

/// The changes that a command makes to an order, for every kind of store.
///
/// A store loads a `StoredOrder`, asks for the decision, and writes it in the same transaction.
package struct OrderDecision: Sendable {
    package let verdict: StoredVerdict
    /// The order after the command.
    package private(set) var order: OrderLifecycle
    package private(set) var events: [OrderEvent] = []
    package private(set) var report: OrderReport?
    /// The new content; nil if it is unchanged.
    package private(set) var content: OrderContent?
    /// The number of the last report that a dispatcher's decision settles, with all before it; nil if it settles none.
    ///
    /// An accepted report leaves later ones open: the delivery after an accepted pick-up is accepted too.
    package private(set) var lastSettledReport: Int?
    /// Whether the lease of the order was renewed.
    package private(set) var isLeaseRenewed = false

    private init(_ outcome: StoredVerdict.Outcome, id: Int?, _ order: OrderLifecycle, at now: Timestamp) {
        verdict = StoredVerdict(
            outcome, order: id, state: order.state, version: OrderVersion(fence: order.fence, eventCount: order.eventCount),
            acceptanceTime: now)
        self.order = order
    }
}

/// An order as it is loaded for a command.
package struct StoredOrder: Sendable {
    package let id: Int
    package let lifecycle: OrderLifecycle
    /// The reports by number, from 1.
    package let reports: [OrderReport]
    /// The numbers of the reports that a dispatcher's decision has settled.
    package let settledReports: Set<Int>
    /// The proofs on which the sender may rely.
    package let proofs: Set<ProofDigest>

    package init(
        id: Int, lifecycle: OrderLifecycle, reports: [OrderReport] = [], settledReports: Set<Int> = [], proofs: Set<ProofDigest> = []
    ) {
        self.id = id
        self.lifecycle = lifecycle
        self.reports = reports
        self.settledReports = settledReports
        self.proofs = proofs
    }

    /// Decides a command.
    package func decision(on command: OrderStoreCommand, at now: Timestamp) -> OrderDecision {
        switch command.change {
        case .create(let content, _): decision(on: lifecycle.creation(by: command.sender, at: now), content, at: now)
        case .edit(_, let content, let version):
            if let version, version != self.version {
                OrderDecision(.changed(current: self.version), id, lifecycle, at: now)
            } else {
                decision(on: verdict(on: .edit, command, now), content, at: now)
            }
        case .lifecycle(_, let order): decision(on: verdict(on: order, command, now), nil, renewingFor: command.sender, at: now)
        case .accept(_, let number):
            if number < 1 || number > reports.count {
                OrderDecision(.reportUnknown, id, lifecycle, at: now)
            } else if settledReports.contains(number) {
                OrderDecision(.changed(current: version), id, lifecycle, at: now)
            } else {
                decision(on: verdict(on: .accept(reports[number - 1]), command, now), nil, accepting: number, at: now)
            }
        }
    }

    private var version: OrderVersion { OrderVersion(fence: lifecycle.fence, eventCount: lifecycle.eventCount) }

    private func verdict(on order: OrderCommand, _ command: OrderStoreCommand, _ now: Timestamp) -> OrderVerdict {
        lifecycle.verdict(on: order, from: command.sender, at: now) { proofs.contains($0) }
    }

    private func decision(
        on verdict: OrderVerdict, _ content: OrderContent?, renewingFor sender: OrderLifecycle.Sender? = nil, accepting number: Int? = nil,
        at now: Timestamp
    ) -> OrderDecision {
        switch verdict {
        case .accepted(let events):
            OrderDecision(
                accepted: events, content, to: self, renewingFor: events.isEmpty ? sender?.person : nil, accepting: number, at: now)
        case .reported(let report): decision(on: report, at: now)
        case .refused(let rejection): OrderDecision(.refused(rejection), id, lifecycle, at: now)
        }
    }

    /// Stores a report, unless it repeats one that is not settled, or too many of its person are not.
    private func decision(on report: OrderReport, at now: Timestamp) -> OrderDecision {
        let unsettled = zip(1..., reports).filter { number, other in other.actor == report.actor && !settledReports.contains(number) }
        if let (number, other) = unsettled.first(where: { _, other in report.isRepetition(of: other) }) {
            return OrderDecision(.reported(number: number, other.cause), id, lifecycle, at: now)
        }
        guard unsettled.count < OrderReport.limitPerPerson else { return OrderDecision(.refused(.tooManyReports), id, lifecycle, at: now) }
        return OrderDecision(reported: report, number: reports.count + 1, id, lifecycle, at: now)
    }
}

extension OrderDecision {
    fileprivate init(_ outcome: StoredVerdict.Outcome, _ id: Int, _ order: OrderLifecycle, at now: Timestamp) {
        self.init(outcome, id: id, order, at: now)
    }

    fileprivate init(
        accepted events: [OrderEvent], _ content: OrderContent?, to stored: StoredOrder, renewingFor person: PersonID?,
        accepting number: Int?, at now: Timestamp
    ) {
        var order = stored.lifecycle
        for event in events { order.apply(event) }
        let isRenewed = person.map { order.renewLease(of: $0, at: now) } ?? false
        self.init(.accepted(events: events.map(\.number)), id: stored.id, order, at: now)
        self.events = events
        self.content = events.isEmpty ? nil : content
        let isSettling = events.contains { $0.action.role == .dispatcher && $0.action != .edit && $0.action != .create }
        lastSettledReport = isSettling ? number ?? stored.reports.count : nil
        isLeaseRenewed = isRenewed
    }

    fileprivate init(reported report: OrderReport, number: Int, _ id: Int, _ order: OrderLifecycle, at now: Timestamp) {
        self.init(.reported(number: number, report.cause), id: id, order, at: now)
        self.report = report
    }
}
