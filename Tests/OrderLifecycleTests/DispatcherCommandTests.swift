import Testing
@testable import OrderLifecycle

/// The commands of dispatchers.
@Suite struct DispatcherCommandTests {
    @Test(arguments: [
        (OrderState.open, OrderState.cancelled), (.claimed, .cancelled), (.pickedUp, .returning), (.arrived, .returning),
    ])
    func `Cancelling ends an order, or lets its goods return`(state: OrderState, target: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.cancel, by: ada).events.map(\.state) == [target])
    }

    @Test(arguments: [OrderState.returning, .returned, .delivered, .cancelled])
    func `An order that has ended cannot be cancelled`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.cancel, by: ada).rejection == .wrongState(state))
    }

    @Test(arguments: [OrderState.claimed, .pickedUp, .arrived])
    func `Reassigning gives the order to another courier with another fence`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        let event = order.send(.reassign(to: jonas), by: ada).events.first

        #expect(event?.isHandover == (state != .claimed))
        #expect(order.order.holder == jonas)
        #expect(order.order.state == .claimed)
        #expect(order.send(.pickUp(first, missing: []), by: mina).report?.cause == .staleFence)
        #expect(order.send(.pickUp(order.order.fence, missing: []), by: jonas).events.map(\.state) == [.pickedUp])
    }

    @Test func `A delivery of the former holder is reported, and its acceptance delivers the order`() {
        var order = OrderUnderTest(in: .arrived)
        order.send(.reassign(to: jonas), by: ada)

        let report = order.send(.deliver(first, proofs: [photo]), by: mina).report
        #expect(order.order.state == .claimed)
        #expect(report?.proofs == [photo])
        guard let report else { return }

        let fence = order.order.fence
        #expect(order.send(.accept(report), by: ada).events.map(\.state) == [.delivered])
        #expect(order.order.holder == mina)
        #expect(order.order.fence > fence)
        #expect(order.order.proofs == [photo])
    }

    @Test(arguments: [OrderState.cancelled, .returning])
    func `Real actions on an order that was cancelled are reported`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.pickUp(first, missing: []), by: mina).report?.cause == (state == .cancelled ? .cancelled : .returning))
        #expect(order.send(.deliver(first, proofs: [photo]), by: mina).report != nil)
        #expect(order.send(.arrive(first), by: mina).rejection == .wrongState(state))
        #expect(order.order.state == state)
    }

    @Test(arguments: [OrderState.returning, .returned, .delivered, .cancelled])
    func `A correction leads from a final or returning state to any, with another fence`(state: OrderState) {
        for target in OrderState.allCases {
            var order = OrderUnderTest(in: state)
            guard target != .delivered || !order.order.proofs.isEmpty else { continue }
            let fence = order.order.fence

            order.send(.correct(to: target, holder: jonas), by: ada)

            #expect(order.order.state == target)
            #expect(order.order.fence > fence)
            #expect(order.order.holder == (target == .open ? nil : jonas))
        }
    }

    @Test(arguments: [OrderState.pickedUp, .arrived, .returning])
    func `A correction to a state with goods begins a new deadline`(target: OrderState) {
        for state in [OrderState.cancelled, .returning] {
            var order = OrderUnderTest(in: state)
            order.advance(by: .seconds(24 * 3600))

            order.send(.correct(to: target, holder: jonas), by: ada)

            #expect(order.order.deadline == order.now + .seconds(12 * 3600))
        }
    }

    @Test(arguments: [OrderState.open, .claimed])
    func `After a correction to a state without goods there is no deadline until the next pick-up`(target: OrderState) {
        var order = OrderUnderTest(in: .returned)
        order.advance(by: .seconds(24 * 3600))

        order.send(.correct(to: target, holder: jonas), by: ada)
        if target == .open { order.send(.claim, by: jonas) }

        #expect(order.order.state == .claimed && order.order.deadline == nil)
        order.send(.pickUp(order.order.fence, missing: []), by: jonas)
        #expect(order.order.deadline == order.now + .seconds(12 * 3600))
    }

    @Test(arguments: [OrderState.returning, .cancelled])
    func `A correction to a delivery needs a proof`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.correct(to: .delivered, holder: nil), by: ada).rejection == .proofRequired)
    }

    @Test(arguments: [OrderState.open, .claimed, .pickedUp, .arrived])
    func `A correction of another state is refused`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.correct(to: .open, holder: nil), by: ada).rejection == .wrongState(state))
    }

    @Test func `A courier who brings back the goods of an order that was corrected meanwhile reports it`() {
        var order = OrderUnderTest(in: .returning)
        order.send(.correct(to: .returning, holder: jonas), by: ada)

        #expect(order.send(.return(first), by: mina).report?.cause == .staleFence)
        #expect(order.send(.return(order.order.fence), by: jonas).events.map(\.state) == [.returned])
    }

    @Test func `An order without a holder cannot be corrected to a state that needs one`() {
        var order = OrderUnderTest()
        order.send(.cancel, by: ada)

        #expect(order.send(.correct(to: .pickedUp, holder: nil), by: ada).rejection == .holderRequired)
    }

    @Test func `After an epoch was lost a step with an old fence is reported for every courier`() {
        for person in [mina, jonas] {
            var order = OrderUnderTest(in: .claimed)
            order.beginEpoch(at: Fence(rawValue: 1_000))

            let verdict = order.send(.pickUp(first, missing: []), by: person)

            #expect(verdict.report?.cause == .staleFence)
            #expect(order.order.state == .claimed && order.order.holder == mina)
        }
    }

    @Test func `After an epoch was lost the holder goes on with the new fence, and claims get higher ones`() {
        var order = OrderUnderTest(in: .claimed)
        order.beginEpoch(at: Fence(rawValue: 1_000))
        let heldSince = order.order.heldSince

        let pickUp = order.send(.pickUp(Fence(rawValue: 1_000), missing: []), by: mina)
        order.send(.reassign(to: jonas), by: ada)

        #expect(pickUp.events.map(\.fence) == [Fence(rawValue: 1_000)])
        #expect(OrderLifecycle(events: order.events).fence == Fence(rawValue: 1_001))
        #expect(OrderLifecycle(events: order.events.dropLast()).heldSince == heldSince)
    }

    @Test func `After an epoch was lost and the lease has ended, the last holder picks up late with the new fence`() {
        let floor = Fence(rawValue: 1_000)
        var order = OrderUnderTest(in: .claimed)
        order.beginEpoch(at: floor)
        order.advance(by: .seconds(31 * 60))
        order.send(.expire, by: nil)
        order.send(.edit, by: ada)

        var replayed = OrderLifecycle(events: order.events)
        replayed.beginEpoch(at: floor)

        let sender = OrderLifecycle.Sender(mina, role: .courier, actionTime: order.now)
        let verdict = replayed.verdict(on: .pickUp(floor, missing: []), from: sender, at: order.now)
        #expect(verdict.events.map(\.state) == [.pickedUp])
    }

    @Test func `Editing keeps state, fence and lease`() {
        var order = OrderUnderTest(in: .claimed)
        let before = order.order
        order.advance(by: .seconds(60))

        order.send(.edit, by: ada)

        #expect(order.order.state == .claimed)
        #expect(order.order.fence == before.fence)
        #expect(order.order.leaseEnd == before.leaseEnd)
        #expect(order.order.holder == mina)
    }
}
