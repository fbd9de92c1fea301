import Testing
@testable import OrderLifecycle

/// The life of an order, step by step.
@Suite struct OrderLifecycleTests {
    @Test func `An order is claimed, picked up and delivered with a proof`() {
        let order = OrderUnderTest(in: .delivered)

        #expect(order.events.map(\.action) == [.create, .claim, .pickUp, .arrive, .deliver])
        #expect(order.events.map(\.number) == [1, 2, 3, 4, 5])
        #expect(order.order.proofs == [photo])
        #expect(order.order.holder == mina)
        #expect(OrderLifecycle(events: order.events) == order.order)
    }

    @Test func `A claim of a claimed order names its holder and the time`() {
        var order = OrderUnderTest(in: .claimed)
        let claimed = order.now
        order.advance(by: .seconds(60))

        #expect(order.send(.claim, by: jonas) == .refused(.taken(by: mina, since: claimed)))
        #expect(order.send(.claim, by: mina) == .accepted([]))
    }

    @Test(arguments: [OrderState.pickedUp, .arrived, .returning])
    func `An order that is carried cannot be claimed`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.claim, by: jonas) == .refused(.taken(by: mina, since: start)))
        #expect(order.send(.claim, by: mina) == .refused(.wrongState(state)))
    }

    @Test(arguments: [OrderState.returned, .delivered, .cancelled])
    func `A final order cannot be claimed`(state: OrderState) {
        var order = OrderUnderTest(in: state)

        #expect(order.send(.claim, by: jonas) == .refused(.wrongState(state)))
    }

    @Test func `A released order has another fence, and its old one is stale`() {
        var order = OrderUnderTest(in: .claimed)

        order.send(.release(first), by: mina)

        #expect(order.order.state == .open)
        #expect(order.order.holder == nil)
        #expect(order.order.fence > first)
        #expect(order.send(.arrive(first), by: mina) == .refused(.staleFence(current: order.order.fence)))
    }

    @Test func `A lease that ends opens the order without raising the fence`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(30 * 60))

        #expect(order.send(.expire, by: nil).events.map(\.action) == [.expire])
        #expect(order.order.state == .open)
        #expect(order.order.fence == first)
    }

    @Test func `A lease does not expire before its end`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(30 * 60 - 1))

        #expect(order.send(.expire, by: nil) == .accepted([]))
        #expect(order.order.state == .claimed)
    }

    @Test func `A sign of life of the holder renews the lease`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(20 * 60))

        let renewals = [order.renewLease(of: jonas), order.renewLease(of: mina)]
        order.advance(by: .seconds(20 * 60))
        let expiry = order.send(.expire, by: nil)
        order.advance(by: .seconds(10 * 60))
        let lateRenewal = order.renewLease(of: mina)

        #expect(renewals == [false, true])
        #expect(expiry == .accepted([]))
        #expect(!lateRenewal)
    }

    @Test func `The last holder picks up late while nobody else has claimed`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(31 * 60))
        order.send(.expire, by: nil)

        #expect(order.send(.pickUp(first, missing: []), by: mina).events.map(\.state) == [.pickedUp])
        #expect(order.order.holder == mina)
        #expect(order.order.fence == first)
    }

    @Test func `An edit of an order whose lease has ended names no holder, and the last one still picks it up`() {
        var order = OrderUnderTest(in: .claimed)
        let claimed = order.now
        order.advance(by: .seconds(31 * 60))
        order.send(.expire, by: nil)

        let edit = order.send(.edit, by: ada).events.first
        let pickUp = order.send(.pickUp(first, missing: []), by: mina).events.first

        #expect(edit?.state == .open && edit?.holder == nil)
        #expect(pickUp?.state == .pickedUp && pickUp?.holder == mina)
        #expect(order.order.heldSince == claimed)
        #expect(OrderLifecycle(events: order.events) == order.order)
    }

    @Test func `A late pick-up after another claim is reported`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(31 * 60))
        order.send(.expire, by: nil)
        order.send(.claim, by: jonas)

        let report = order.send(.pickUp(first, missing: ["milk"]), by: mina).report

        #expect(report?.cause == .staleFence)
        #expect(report?.missingItems == ["milk"])
        #expect(order.order.holder == jonas)
        #expect(order.order.state == .claimed)
    }

    @Test func `A claim after the end of a lease that was not swept expires it first`() {
        var order = OrderUnderTest(in: .claimed)
        order.advance(by: .seconds(31 * 60))

        let events = order.send(.claim, by: jonas).events

        #expect(events.map(\.action) == [.expire, .claim])
        #expect(events.map(\.number) == [3, 4])
        #expect(order.order.holder == jonas)
        #expect(order.order.heldSince == order.now)
    }

    @Test func `The third attempt returns the goods`() {
        var order = OrderUnderTest(in: .pickedUp)

        #expect(order.send(.attempt(first, .recipientUnavailable), by: mina).events.map(\.state) == [.pickedUp])
        order.send(.arrive(first), by: mina)
        #expect(order.send(.attempt(first, .noAccess), by: mina).events.map(\.state) == [.pickedUp])
        #expect(order.send(.attempt(first, .refused), by: mina).events.map(\.state) == [.returning])
        #expect(order.order.attempts == 3)
        #expect(order.send(.return(first), by: mina).events.map(\.state) == [.returned])
    }

    @Test func `Attempts before a correction count`() {
        var order = OrderUnderTest(in: .pickedUp)
        for _ in 1...3 { order.send(.attempt(first, .noAccess), by: mina) }
        order.send(.return(first), by: mina)
        order.send(.correct(to: .open, holder: nil), by: ada)
        order.send(.claim, by: jonas)
        order.send(.pickUp(order.order.fence, missing: []), by: jonas)

        #expect(order.send(.attempt(order.order.fence, .noAccess), by: jonas).events.map(\.state) == [.returning])
        #expect(order.order.attempts == 4)
    }

    @Test func `No action is later than its acceptance`() {
        var order = OrderUnderTest()
        let later = order.now + .seconds(60)

        let claim = order.send(.claim, by: mina, actionTime: later).events.first
        order.send(.reassign(to: jonas), by: ada)
        let report = order.send(.pickUp(first, missing: []), by: mina, actionTime: later).report

        #expect(claim?.actionTime == order.now)
        #expect(report?.actionTime == order.now)
    }

    @Test func `A delivery needs proofs that are stored`() {
        var order = OrderUnderTest(in: .arrived)
        order.storedProofs = []

        #expect(order.send(.deliver(first, proofs: []), by: mina).rejection == .proofRequired)
        let missing = order.send(.deliver(first, proofs: [photo]), by: mina).rejection
        #expect(missing == .proofMissing(photo))
        #expect(missing?.isFinal == false)

        order.storedProofs = [photo]
        #expect(order.send(.deliver(first, proofs: [photo]), by: mina).events.map(\.state) == [.delivered])
    }

    @Test(arguments: [OrderCommand.pickUp(first, missing: []), .arrive(first), .deliver(first, proofs: [photo]), .return(first)])
    func `A step that is repeated by its holder changes nothing`(command: OrderCommand) {
        let state: OrderState =
            switch command.action {
            case .pickUp: .pickedUp
            case .arrive: .arrived
            case .deliver: .delivered
            default: .returned
            }
        var order = OrderUnderTest(in: state)

        #expect(order.send(command, by: mina) == .accepted([]))
    }

    @Test func `A fence that the order never had, and one of another courier, are refused`() {
        var order = OrderUnderTest(in: .claimed)

        #expect(order.send(.pickUp(first.next, missing: []), by: mina).rejection == .unknownFence)
        #expect(order.send(.pickUp(first, missing: []), by: jonas).rejection == .notHolder)
        #expect(order.send(.pickUp(.initial, missing: []), by: mina).rejection == .notHolder)
    }

    @Test func `A command of another role is refused`() {
        let order = OrderUnderTest(in: .claimed).order
        let courier = OrderLifecycle.Sender(mina, role: .courier, actionTime: start)

        #expect(order.verdict(on: .cancel, from: courier, at: start) == .refused(.wrongRole(required: .dispatcher)))
        #expect(order.creation(by: courier, at: start) == .refused(.wrongRole(required: .dispatcher)))
    }

    @Test func `An order needs attention from its deadline until it has no holder`() {
        var order = OrderUnderTest(in: .pickedUp)
        #expect(!order.order.isPastDeadline(at: order.now + .seconds(12 * 3600 - 1)))
        #expect(order.order.isPastDeadline(at: order.now + .seconds(12 * 3600)))

        order.advance(by: .seconds(13 * 3600))
        order.send(.arrive(first), by: mina)
        order.send(.deliver(first, proofs: [photo]), by: mina)

        #expect(!order.order.isPastDeadline(at: order.now))
    }
}

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

            #expect(!order.order.isPastDeadline(at: order.now + .seconds(12 * 3600 - 1)))
            #expect(order.order.isPastDeadline(at: order.now + .seconds(12 * 3600)))
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
