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

    @Test(arguments: [true, false]) func `A courier who has had an order many times cannot claim it again`(isReleased: Bool) {
        var order = OrderUnderTest()
        for _ in 1...OrderLifecycle.claimLimit {
            #expect(order.send(.claim, by: mina).events.last?.holder == mina)
            if isReleased { order.send(.release(order.order.fence), by: mina) } else { order.advance(by: .seconds(31 * 60)) }
        }

        #expect(order.send(.claim, by: mina).rejection == .tooManyClaims)
        #expect(order.events.count <= 1 + 2 * OrderLifecycle.claimLimit)
        #expect(order.send(.claim, by: jonas).events.last?.holder == jonas)
        #expect(order.send(.claim, by: mina).rejection == .taken(by: jonas, since: order.now))
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

    @Test func `The deadline of an order is measured from its pick-up, and nobody holds the order after its delivery`() {
        var order = OrderUnderTest(in: .pickedUp)
        let deadline = order.now + .seconds(12 * 3600)
        #expect(order.order.deadline == deadline)

        order.advance(by: .seconds(13 * 3600))
        order.send(.arrive(first), by: mina)
        #expect(order.order.deadline == deadline)
        order.send(.deliver(first, proofs: [photo]), by: mina)

        #expect(order.order.state?.hasHolder == false)
    }
}
