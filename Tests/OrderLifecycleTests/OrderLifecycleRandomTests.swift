import LadingTesting
import Testing
@testable import OrderLifecycle

/// Random commands of three people, with invariants checked after each.
@Suite struct OrderLifecycleRandomTests {
    @Test func `No sequence of commands breaks an invariant`() {
        var random = SeededRandom(for: "Commands of orders")
        for _ in 0..<500 {
            var order = OrderUnderTest()
            var reports: [OrderReport] = []
            for _ in 0..<60 {
                order.advance(by: .seconds(Int.random(in: 0...600, using: &random)))
                order.storedProofs = Bool.random(using: &random) ? [photo] : []
                let before = order.order
                let command = self.command(for: before, reports: reports, using: &random)
                let verdict = order.send(command, by: person(for: command, using: &random))

                if case .reported(let report) = verdict { reports.append(report) }
                check(before, verdict, order, "\(command)")
            }
            #expect(OrderLifecycle(events: order.events).eventCount == order.order.eventCount)
        }
    }

    private func check(_ before: OrderLifecycle, _ verdict: OrderVerdict, _ after: OrderUnderTest, _ comment: Comment) {
        var state = before.state
        var fence = before.fence
        for event in verdict.events {
            #expect(OrderTransition.allows(event.action, from: state, to: event.state), comment)
            #expect(event.action.incrementsFence ? event.fence > fence : event.fence == fence, comment)
            #expect(!event.state.hasHolder || event.holder != nil, comment)
            #expect(event.state != .open || event.holder == nil, comment)
            (state, fence) = (event.state, event.fence)
        }
        if verdict.events.isEmpty { #expect(after.order == before, comment) }
        #expect(after.order.state != .delivered || !after.order.proofs.isEmpty, comment)
        #expect(after.events.map(\.number) == Array(1...after.events.count), comment)
        #expect((after.order.state == .claimed) == (after.order.leaseEnd != nil), comment)
    }

    private func command(for order: OrderLifecycle, reports: [OrderReport], using random: inout SeededRandom) -> OrderCommand {
        let fence = Fence(rawValue: max(0, order.fence.rawValue - Int.random(in: -1...2, using: &random)))
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return .claim
        case 2: return .release(fence)
        case 3, 4: return .pickUp(fence, missing: [])
        case 5, 6: return .arrive(fence)
        case 7: return .attempt(fence, .other)
        case 8: return .return(fence)
        case 9, 10: return .deliver(fence, proofs: [photo])
        case 11: return .cancel
        case 12: return .reassign(to: jonas)
        case 13: return .correct(to: OrderState.allCases.randomElement(using: &random)!, holder: mina)
        case 14: return .edit
        default: return reports.randomElement(using: &random).map(OrderCommand.accept) ?? .expire
        }
    }

    private func person(for command: OrderCommand, using random: inout SeededRandom) -> PersonID? {
        switch command.action.role {
        case .courier: Bool.random(using: &random) ? mina : jonas
        case .dispatcher: ada
        case .server: nil
        }
    }
}
