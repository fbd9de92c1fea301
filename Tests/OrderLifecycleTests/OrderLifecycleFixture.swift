import OrderLifecycle
import Testing

let (mina, jonas, ada) = (PersonID(rawValue: "mina"), PersonID(rawValue: "jonas"), PersonID(rawValue: "ada"))
let start = Timestamp(milliseconds: 1_700_000_000_000)
let photo = ProofDigest(rawValue: String(repeating: "a1", count: 32))!

/// An order that is sent commands, with the verdict of each.
struct OrderUnderTest {
    private(set) var order = OrderLifecycle()
    private(set) var events: [OrderEvent] = []
    private(set) var now = start
    var storedProofs: Set<ProofDigest> = [photo]

    init() {
        guard case .accepted(let events) = order.creation(by: sender(ada, .dispatcher), at: now) else { return }
        add(events)
    }

    /// An order in a state, claimed by Mina where a claim precedes it.
    init(in state: OrderState) {
        self.init()
        let path: [OrderCommand] =
            switch state {
            case .open: []
            case .claimed: [.claim]
            case .pickedUp: [.claim, .pickUp(first, missing: [])]
            case .arrived: [.claim, .pickUp(first, missing: []), .arrive(first)]
            case .returning: [.claim, .pickUp(first, missing: []), .cancel]
            case .returned: [.claim, .pickUp(first, missing: []), .cancel, .return(first)]
            case .delivered: [.claim, .pickUp(first, missing: []), .arrive(first), .deliver(first, proofs: [photo])]
            case .cancelled: [.claim, .cancel]
            }
        for command in path { send(command, by: command == .cancel ? ada : mina) }
    }

    mutating func advance(by duration: Duration) { now = now + duration }

    @discardableResult
    mutating func send(_ command: OrderCommand, by person: PersonID?, actionTime: Timestamp? = nil) -> OrderVerdict {
        let sender = OrderLifecycle.Sender(person, role: command.action.role, actionTime: actionTime ?? now)
        let verdict = order.verdict(on: command, from: sender, at: now) { storedProofs.contains($0) }
        if case .accepted(let events) = verdict { add(events) }
        return verdict
    }

    mutating func beginEpoch(at floor: Fence) { order.beginEpoch(at: floor) }

    mutating func renewLease(of person: PersonID) -> Bool { order.renewLease(of: person, at: now) }

    private mutating func add(_ added: [OrderEvent]) {
        events += added
        for event in added { order.apply(event) }
    }

    private func sender(_ person: PersonID, _ role: Role) -> OrderLifecycle.Sender {
        OrderLifecycle.Sender(person, role: role, actionTime: now)
    }
}

/// The fence of the first claim of an order.
let first = Fence.initial.next

extension OrderVerdict {
    var events: [OrderEvent] { if case .accepted(let events) = self { events } else { [] } }
    var report: OrderReport? { if case .reported(let report) = self { report } else { nil } }
    var rejection: OrderRejection? { if case .refused(let rejection) = self { rejection } else { nil } }
}
