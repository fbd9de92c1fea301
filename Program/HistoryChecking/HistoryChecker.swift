import OrderLifecycle

/// A checker of recorded histories against the invariants of the life of an order.
///
/// It believes only the requests and responses of clients, and the histories that were read after quiet.
package struct HistoryChecker {
    /// The maximum delay in milliseconds after which a server ends expired leases.
    private static let leaseExpiryDelay: Int64 = 60_000

    /// Returns the violations, those with the fewest records first.
    package static func violations(in records: [HistoryRecord]) -> [Violation] {
        Dictionary(grouping: records, by: \.order).sorted { $0.key < $1.key }
            .flatMap { OrderHistoryChecker(order: $0.key, records: $0.value, leaseExpiryDelay: leaseExpiryDelay).violations() }
            .sorted { $0.records.count < $1.records.count }
    }
}

/// A checker of the records of one order.
private struct OrderHistoryChecker {
    let order: Int
    let records: [HistoryRecord]
    let leaseExpiryDelay: Int64

    /// A command of a client: its requests and responses with one key.
    struct Command {
        var invocations: [HistoryRecord] = []
        var responses: [HistoryRecord] = []

        var invocation: HistoryRecord? { invocations.first }
        /// The responses that end the command.
        var finalResponses: [HistoryRecord] { responses.filter { $0.outcome != .refused || $0.isFinal == true } }
        var all: [HistoryRecord] { (invocations + responses).sorted { $0.time < $1.time } }
    }

    private var end: HistoryRecord? { records.last { $0.kind == .history } }
    private var events: [OrderEvent] { end?.history ?? [] }

    private var commands: [Command] {
        var commands: [[String]: Command] = [:]
        for record in records where record.kind == .invoke || record.kind == .response {
            // The order of a new order's request is not known yet; a key with another action is another command.
            guard let key = record.key, let action = record.action, action != .create else { continue }
            let name = [record.client, key, action.rawValue]
            if record.kind == .invoke {
                commands[name, default: Command()].invocations.append(record)
            } else {
                commands[name, default: Command()].responses.append(record)
            }
        }
        return commands.sorted { $0.key.joined() < $1.key.joined() }.map(\.value)
    }

    func violations() -> [Violation] {
        let commands = commands
        let ofCommands = commands.flatMap { violations(of: $0) }
        guard end != nil else { return ofCommands + readViolations }
        return ofCommands + pathViolations + holderViolations + eventViolations(commands) + orderViolations(commands)
            + confirmationViolations(commands) + proofViolations + leaseViolations + feedViolations + readViolations
    }

    private func violation(_ invariant: Violation.Invariant, _ text: String, _ records: [HistoryRecord?]) -> Violation {
        Violation(invariant: invariant, order: order, text: text, records: records.compactMap(\.self))
    }

    // MARK: - Responses

    /// Checks that all responses to a key are equal, and that accepted and reported commands are in the history.
    private func violations(of command: Command) -> [Violation] {
        let responses = command.finalResponses
        guard let first = responses.first else { return [] }
        if let other = responses.first(where: { $0.outcome != first.outcome || $0.events != first.events }) {
            return [violation(.exactlyOnce, "one key has two verdicts", [command.invocation, first, other])]
        }
        guard let end else { return [] }
        if first.outcome == .reported {
            return isReported(command) ? [] : [violation(.exactlyOnce, "a report is not in the history", [command.invocation, first, end])]
        }
        guard first.outcome == .accepted else { return [] }
        for number in first.events ?? [] {
            guard let event = events.first(where: { $0.number == number }) else {
                return [violation(.exactlyOnce, "event \(number) of an accepted command is missing", [command.invocation, first, end])]
            }
            if let problem = problem(of: event, command) { return [problem] }
        }
        return []
    }

    private func isReported(_ command: Command) -> Bool {
        guard let invocation = command.invocation, let reports = end?.reports else { return false }
        return reports.contains {
            $0.actor.rawValue == invocation.client && $0.action == invocation.action && $0.fence == invocation.fence
                && (invocation.proofs ?? []).allSatisfy($0.proofs.contains)
        }
    }

    /// Returns the difference between an event and its command.
    private func problem(of event: OrderEvent, _ command: Command) -> Violation? {
        guard let invocation = command.invocation, let response = command.finalResponses.first else { return nil }
        // A claim of an order whose lease is over contains the expiry.
        if event.action == .expire, event.actor == nil { return nil }
        let records = [invocation, response, end]
        guard event.actor?.rawValue == invocation.client, event.action == invocation.action else {
            return violation(.exactlyOnce, "event \(event.number) is not the accepted action", records)
        }
        if event.action.role == .courier, event.action != .claim, event.action != .release, let fence = invocation.fence,
            event.fence != fence
        {
            return violation(.staleFence, "an action with fence \(fence.rawValue) was accepted at fence \(event.fence.rawValue)", records)
        }
        return nil
    }

    // MARK: - The history

    /// Checks that the events are a path of the graph with contiguous numbers and correct fences.
    private var pathViolations: [Violation] {
        var (state, fence) = (OrderState?.none, Fence.initial)
        for (index, event) in events.enumerated() {
            guard event.number == index + 1 else { return [violation(.path, "event \(index + 1) is missing", [end])] }
            guard OrderTransition.allows(event.action, from: state, to: event.state) else {
                let from = state?.rawValue ?? "nothing"
                return [
                    violation(
                        .path, "event \(event.number) leads from \(from) to \(event.state.rawValue) by \(event.action.rawValue)", [end])
                ]
            }
            // After an epoch that was lost, fences continue at a higher one.
            guard event.action.incrementsFence ? event.fence > fence : event.fence >= fence else {
                return [violation(.path, "event \(event.number) has fence \(event.fence.rawValue) after \(fence.rawValue)", [end])]
            }
            (state, fence) = (event.state, event.fence)
        }
        if let last = end?.state, last != state { return [violation(.path, "the state is not that of the last event", [end])] }
        return []
    }

    /// Checks that each fence has one holder, and that steps are the holder's.
    private var holderViolations: [Violation] {
        var holders: [Fence: PersonID] = [:]
        for event in events {
            guard let holder = event.holder else { continue }
            if let other = holders[event.fence], other != holder {
                return [violation(.oneHolder, "fence \(event.fence.rawValue) has two holders", [end])]
            }
            holders[event.fence] = holder
            if event.action.role == .courier, event.action != .release, event.actor != holder {
                return [violation(.oneHolder, "event \(event.number) is not by the holder", [end])]
            }
        }
        return []
    }

    /// Checks that each event belongs to one command, and each command to its events.
    private func eventViolations(_ commands: [Command]) -> [Violation] {
        var owners: [Int: Command] = [:]
        for command in commands {
            for number in command.finalResponses.first?.events ?? [] {
                if let other = owners[number] {
                    return [violation(.exactlyOnce, "event \(number) was answered to two commands", other.all + command.all)]
                }
                owners[number] = command
            }
        }
        // Commands without a response may have one event each.
        var incomplete = commands.filter(\.finalResponses.isEmpty)
        for event in events where owners[event.number] == nil && event.action != .expire && event.action != .create {
            let index = incomplete.firstIndex {
                $0.invocation?.client == event.actor?.rawValue && $0.invocation?.action == event.action
            }
            guard let index else {
                let same = commands.filter { $0.invocation?.client == event.actor?.rawValue && $0.invocation?.action == event.action }
                return [violation(.exactlyOnce, "event \(event.number) was requested by nobody, or twice", same.flatMap(\.all) + [end])]
            }
            incomplete.remove(at: index)
        }
        return []
    }

    /// Checks that a command that began after the response to another one comes after it.
    private func orderViolations(_ commands: [Command]) -> [Violation] {
        let accepted = commands.compactMap { command -> (start: Int64, end: Int64, numbers: [Int], command: Command)? in
            guard let response = command.finalResponses.first, response.outcome == .accepted, let numbers = response.events,
                !numbers.isEmpty,
                let start = command.invocations.map(\.time).min()
            else { return nil }
            return (start, response.time, numbers, command)
        }
        for first in accepted {
            for second in accepted where first.end < second.start && (first.numbers.max() ?? 0) > (second.numbers.min() ?? 0) {
                return [violation(.oneHolder, "a later command has an earlier event", first.command.all + second.command.all)]
            }
        }
        return pickUpViolations(commands)
    }

    /// Checks that a late pick-up was refused only if another event than the end of the lease explains it.
    private func pickUpViolations(_ commands: [Command]) -> [Violation] {
        for command in commands where command.invocation?.action == .pickUp {
            guard let response = command.finalResponses.first, response.outcome == .refused, let fence = command.invocation?.fence,
                let client = command.invocation?.client, events.contains(where: { $0.fence == fence && $0.holder?.rawValue == client }),
                !events.contains(where: { $0.fence > fence }),
                !events.contains(where: { $0.action == .cancel || $0.action == .pickUp || $0.action == .accept || $0.action == .correct })
            else { continue }
            return [violation(.exactlyOnce, "a late pick-up was refused, although nobody else had the order", command.all + [end])]
        }
        return []
    }

    // MARK: - Confirmations, proofs, leases

    private func confirmationViolations(_ commands: [Command]) -> [Violation] {
        let confirmed = records.filter { $0.kind == .confirm }
        return confirmed.compactMap { record in
            let command = commands.first {
                $0.invocation?.client == record.client && $0.invocation?.key == record.key && $0.invocation?.action == record.action
            }
            guard let command, !command.finalResponses.isEmpty else {
                return violation(.exactlyOnce, "a confirmed action has no verdict", [record] + (command?.all ?? []) + [end])
            }
            return nil
        }
    }

    private var proofViolations: [Violation] {
        let stored = Set(records.filter { $0.kind == .proof }.flatMap { $0.proofs ?? [] })
        for event in events where event.state == .delivered && event.action != .edit {
            let proofs = event.action == .correct ? events.flatMap(\.proofs) : event.proofs
            guard proofs.isEmpty || !proofs.allSatisfy(stored.contains) else { continue }
            return [violation(.proof, "event \(event.number) delivers without a stored proof", [end])]
        }
        return []
    }

    private var leaseViolations: [Violation] {
        guard let end, let state = end.state else { return [] }
        if state == .claimed, let leaseEnd = end.leaseEnd, leaseEnd.milliseconds + leaseExpiryDelay < end.time {
            return [violation(.lease, "the order is claimed beyond its lease", [end])]
        }
        if state.hasHolder, let deadline = end.deadline, deadline.milliseconds < end.time, end.needsAttention != true {
            return [violation(.lease, "the order is past its deadline and not listed", [end])]
        }
        return earlyExpiryViolations(end)
    }

    /// Checks that no lease ended less than its duration after a sign of life that was answered.
    private func earlyExpiryViolations(_ end: HistoryRecord) -> [Violation] {
        let lease = Int64(LifecycleLimits().lease.components.seconds) * 1_000
        for event in events where event.action == .expire {
            let renewal = records.last {
                $0.kind == .response && $0.action == .claim && $0.outcome == .accepted && $0.currentFence == event.fence
                    && $0.time <= event.acceptanceTime.milliseconds
            }
            guard let renewal,
                let start = records.first(where: { $0.kind == .invoke && $0.key == renewal.key && $0.client == renewal.client }),
                event.acceptanceTime.milliseconds < start.time + lease
            else { continue }
            return [violation(.lease, "a lease ended although its holder had renewed it", [start, renewal, end])]
        }
        return []
    }

    // MARK: - Reads and the feed

    /// Checks that each reader of the feed has received all events of the order, once and in order: of an older order, those after the start.
    private var feedViolations: [Violation] {
        let isNew = records.contains { $0.kind == .response && $0.action == .create }
        for (client, changes) in Dictionary(grouping: records.filter { $0.kind == .change }, by: \.client).sorted(by: { $0.key < $1.key }) {
            let numbers = changes.flatMap { $0.events ?? [] }
            let first = isNew ? 1 : numbers.first ?? 1
            guard !events.isEmpty, first > events.count || !numbers.elementsEqual(first...events.count) else { continue }
            return [violation(.monotonicReads, "the feed of \(client) has the events \(numbers) of \(events.count)", [end])]
        }
        return []
    }

    /// Checks that a client reads no older version than it has read or caused before.
    private var readViolations: [Violation] {
        for (_, reads) in Dictionary(grouping: records.filter { $0.kind == .read }, by: \.client).sorted(by: { $0.key < $1.key }) {
            for read in reads {
                let earlier = records.last { record in
                    record.client == read.client && record.time < read.time && (version(of: record) ?? 0) > (read.eventCount ?? .max)
                }
                if let earlier { return [violation(.monotonicReads, "a client read an older version than before", [earlier, read])] }
            }
        }
        return []
    }

    private func version(of record: HistoryRecord) -> Int? {
        switch record.kind {
        case .read: record.eventCount
        case .response where record.outcome == .accepted: record.events?.max()
        default: nil
        }
    }
}
