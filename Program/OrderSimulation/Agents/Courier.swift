import Digests
package import HistoryChecking
package import OrderLifecycle
import SeededNumbers

/// A simulated courier, who takes orders, carries them out, loses the network and keeps a clock that is wrong.
package struct Courier: Agent {
    /// An action that is scheduled for a time.
    private struct ScheduledAction {
        let action: OrderAction
        let time: Timestamp
    }

    package let person: PersonID
    package var records: [HistoryRecord] = []
    private var random: SplitMix64
    private let clockError: Int64
    private var keyCount = 0
    /// The confirmed actions that have no verdict yet, in their order.
    private var outbox: [SimulatedRequest] = []
    /// The proofs that are uploaded before the delivery.
    private var uploads: [ProofDigest: [UInt8]] = [:]
    private var openOrders: [Int] = []
    private var claim: SimulatedRequest?
    private var delivery: (order: Int, fence: Fence)?
    private var schedule: [ScheduledAction] = []
    private var attempts = 0
    private var offlineEnd: Timestamp?
    private var nextDelivery: Timestamp
    private var wantsRead: Int?
    /// The time before which nothing is sent again after a lost response.
    private var retryTime: Timestamp

    package init(_ person: PersonID, seed: UInt64, number: Int, start: Timestamp) {
        self.person = person
        random = SplitMix64(seed: seed, stream: number + 1)
        clockError = Int64(random.integer(in: 0...7_200_000)) - 3_600_000
        nextDelivery = start + random.seconds(0...600)
        retryTime = start
    }

    package mutating func step(at now: Timestamp, isEnding: Bool) -> AgentStep {
        confirmDueActions(at: now, isEnding: isEnding)
        if let end = offlineEnd, now < end, !isEnding { return .wait(until: min(end, schedule.first?.time ?? end)) }
        offlineEnd = nil
        if now < retryTime { return .wait(until: retryTime) }
        if let request = nextRequest(at: now, isEnding: isEnding) {
            record(.invoke, request, at: now)
            return .send(request)
        }
        if isEnding { return .finished }
        if random.isTrue(percent: 4) { offlineEnd = now + random.seconds(300...5_400) }
        return .wait(until: schedule.first?.time ?? max(nextDelivery, now + .seconds(30)))
    }

    private mutating func nextRequest(at now: Timestamp, isEnding: Bool) -> SimulatedRequest? {
        if let first = outbox.first {
            if let digest = first.proofs.first(where: { uploads[$0] != nil }), let bytes = uploads[digest] {
                return request(.upload(proof: bytes), order: first.order, at: now)
            }
            return first
        }
        if let claim { return claim }
        if let order = wantsRead { return request(.read, order: order, at: now) }
        guard !isEnding, delivery == nil, now >= nextDelivery else { return nil }
        guard let order = random.randomElement(of: openOrders) else { return request(.list, at: now) }
        claim = command(.claim, order: order, fence: nil, at: now)
        return claim
    }

    // MARK: - Requests

    private func request(_ content: SimulatedRequest.Content, order: Int = 0, at now: Timestamp) -> SimulatedRequest {
        var request = SimulatedRequest(content, by: person, at: Timestamp(milliseconds: now.milliseconds + clockError))
        request.order = order
        request.clockError = clockError
        return request
    }

    private mutating func command(_ action: OrderAction, order: Int, fence: Fence?, at now: Timestamp) -> SimulatedRequest {
        keyCount += 1
        var request = request(.command(action), order: order, at: now)
        request.key = "\(person.rawValue)-\(keyCount)"
        request.fence = fence
        return request
    }

    // MARK: - Actions

    /// Confirms the scheduled actions whose time has come: they are shown as done, and wait for their verdict.
    private mutating func confirmDueActions(at now: Timestamp, isEnding: Bool) {
        while let next = schedule.first, let delivery, next.time <= now || isEnding {
            schedule.removeFirst()
            guard !isEnding || next.time <= now else { return schedule.removeAll() }
            var request = command(next.action, order: delivery.order, fence: delivery.fence, at: next.time)
            addParameters(to: &request)
            outbox.append(request)
            if next.action != .claim { record(.confirm, request, at: now) }
            scheduleFollowing(next.action, at: next.time)
        }
    }

    private mutating func addParameters(to request: inout SimulatedRequest) {
        switch request.content {
        case .command(.claim): request.fence = nil
        case .command(.pickUp) where random.isTrue(percent: 20): request.missingItems = ["\(random.integer(in: 0...29))"]
        case .command(.attempt): request.reason = random.randomElement(of: AttemptReason.allCases)
        case .command(.deliver):
            let bytes = Array("A photo of order \(request.order), \(request.key)".utf8)
            guard let digest = ProofDigest(rawValue: SHA256.hash(data: bytes).hexString) else { return }
            uploads[digest] = bytes
            request.proofs = [digest]
        default: break
        }
    }

    /// Schedules the actions of a courier after a claim.
    private mutating func scheduleDelivery(at now: Timestamp) {
        attempts = 0
        switch random.integer(in: 0...99) {
        case ..<6: schedule = [ScheduledAction(action: .release, time: now + random.seconds(60...600))]
        // The shop is slow: the courier confirms the claim before the lease ends.
        case ..<14:
            schedule = [
                ScheduledAction(action: .claim, time: now + .seconds(20 * 60)),
                ScheduledAction(action: .pickUp, time: now + random.seconds(35 * 60...45 * 60)),
            ]
        // The courier forgets, and picks up after the lease has ended.
        case ..<22: schedule = [ScheduledAction(action: .pickUp, time: now + random.seconds(32 * 60...60 * 60))]
        case ..<25: endDelivery(at: now)
        default: schedule = [ScheduledAction(action: .pickUp, time: now + random.seconds(60...1_200))]
        }
    }

    private mutating func scheduleFollowing(_ action: OrderAction, at time: Timestamp) {
        switch action {
        case .pickUp: schedule.append(ScheduledAction(action: .arrive, time: time + random.seconds(300...1_800)))
        case .arrive:
            schedule.append(
                ScheduledAction(action: random.isTrue(percent: 70) ? .deliver : .attempt, time: time + random.seconds(30...600)))
        case .attempt:
            attempts += 1
            let next: OrderAction = attempts < LifecycleLimits().attempts ? .arrive : .return
            schedule.append(ScheduledAction(action: next, time: time + random.seconds(300...3_600)))
        case .deliver, .return, .release: endDelivery(at: time)
        default: break
        }
    }

    private mutating func endDelivery(at time: Timestamp) {
        (delivery, schedule) = (nil, [])
        nextDelivery = time + random.seconds(30...900)
    }

    // MARK: - Responses

    package mutating func receive(_ response: SimulatedResponse, to request: SimulatedRequest, at now: Timestamp) {
        guard response != .lost else {
            retryTime = now + random.seconds(1...30)
            return
        }
        record(.response, request, at: now, response: response)
        switch request.content {
        case .list:
            if case .orders(let orders) = response { openOrders = orders }
            if openOrders.isEmpty { nextDelivery = now + random.seconds(60...300) }
        case .upload(let bytes):
            // A refused upload is not repeated; the delivery then shows what is missing.
            uploads = uploads.filter { $0.value != bytes }
        case .read: receiveRead(response, request, at: now)
        case .command(.claim) where request == claim: receiveClaim(response, request, at: now)
        default: receiveVerdict(response, request, at: now)
        }
    }

    private mutating func receiveClaim(_ response: SimulatedResponse, _ request: SimulatedRequest, at now: Timestamp) {
        claim = nil
        openOrders.removeAll { $0 == request.order }
        guard case .accepted(_, _, let fence, _) = response else { return }
        delivery = (request.order, fence)
        scheduleDelivery(at: now)
        wantsRead = request.order
        // A program with a mistake sends the key of the claim with another request.
        if random.isTrue(percent: 5) {
            var reused = self.request(.command(.release), order: request.order, at: now)
            (reused.key, reused.fence) = (request.key, fence)
            outbox.append(reused)
        }
    }

    private mutating func receiveVerdict(_ response: SimulatedResponse, _ request: SimulatedRequest, at now: Timestamp) {
        if case .refused(isFinal: false, _) = response {
            retryTime = now + random.seconds(1...30)
            return
        }
        outbox.removeAll { $0 == request }
        guard request.order == delivery?.order else { return }
        switch response {
        case .reported where request.action == .deliver || request.action == .attempt:
            // The order is to be returned: the courier brings the goods back.
            schedule = [ScheduledAction(action: .return, time: now + random.seconds(300...1_800))]
        case .reported: endDelivery(at: now)
        case .refused where request.action != .release || request.key.isEmpty: endDelivery(at: now)
        default: if random.isTrue(percent: 20) { wantsRead = request.order }
        }
    }

    private mutating func receiveRead(_ response: SimulatedResponse, _ request: SimulatedRequest, at now: Timestamp) {
        wantsRead = nil
        guard case .read(let count, let fence) = response else { return }
        var record = HistoryRecord(.read, time: now.milliseconds, client: person.rawValue, order: request.order)
        (record.eventCount, record.currentFence) = (count, fence)
        records.append(record)
    }
}
