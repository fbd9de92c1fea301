import Digests
import OrderLifecycle
import OrderStorage
import Testing

extension OrderStoreConformance.Case {
    private typealias Context = OrderStoreContext
    private static let fence = Fence.initial.next

    static let commands = [
        Self("A created order is read with its content and version") { context in
            let id = try await context.create()

            let record = try #require(try await context.store.order(id))
            #expect(record.content == Context.content("Breakfast"))
            #expect(record.state == .open)
            #expect(record.version == OrderVersion(fence: .initial, eventCount: 1))
            #expect(record.holder == nil)
        },
        Self("A claimed order has a holder and a lease, and is taken for others") { context in
            let id = try await context.create()

            try await context.perform(.claim, on: id, by: Context.mina)
            let other = try await context.perform(.claim, on: id, by: Context.jonas)

            let record = try #require(try await context.store.order(id))
            #expect(record.holder == Context.mina)
            #expect(record.leaseEnd == Context.start + .seconds(1_800))
            #expect(other.outcome == .refused(.taken(by: Context.mina, since: Context.start)))
        },
        Self("Of concurrent claims one is accepted") { context in
            let id = try await context.create()

            let outcomes = try await withThrowingTaskGroup(of: StoredVerdict.Outcome.self) { tasks in
                for person in [Context.mina, Context.jonas] {
                    for number in 0..<10 {
                        tasks.addTask {
                            try await context.perform(.claim, on: id, by: person, key: "claim-\(number)").outcome
                        }
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }

            #expect(outcomes.count { $0 == .accepted(events: [2]) } == 1)
            #expect(try await context.store.order(id)?.version.eventCount == 2)
        },
        Self("A repeated key has the same verdict, and changes nothing again") { context in
            let id = try await context.create()
            let change = OrderStoreCommand.Change.lifecycle(order: id, .claim)

            let first = try await context.send(change, by: Context.mina, key: "k")
            try await context.perform(.release(Self.fence), on: id, by: Context.mina)
            let second = try await context.send(change, by: Context.mina, key: "k", at: Context.start + .seconds(60))

            #expect(second.verdict == first.verdict)
            #expect([first.isRepeated, second.isRepeated] == [false, true])
            #expect(try await context.state(of: id) == .open)
            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) == first.verdict)
            #expect(try await context.store.verdict(forKey: "k", of: Context.jonas) == nil)
        },
        Self("A key with another request is refused, and the same key of another person is not") { context in
            let id = try await context.create()
            try await context.send(.lifecycle(order: id, .claim), by: Context.mina, key: "k", fingerprint: "one")

            await #expect(throws: OrderStoreError.keyReused) {
                try await context.send(.lifecycle(order: id, .claim), by: Context.mina, key: "k", fingerprint: "two")
            }
            let other = try await context.send(.lifecycle(order: id, .claim), by: Context.jonas, key: "k", fingerprint: "two")
            #expect(!other.isRepeated)
        },
        Self("A final refusal is stored under its key; a missing proof is not") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.pickUp(Self.fence, missing: []), on: id, by: Context.mina)
            try await context.perform(.arrive(Self.fence), on: id, by: Context.mina)
            let delivery = OrderCommand.deliver(Self.fence, proofs: [Context.photo])

            let early = try await context.perform(delivery, on: id, by: Context.mina, key: "deliver")
            try await context.store.addProof(Context.proof(of: id))
            let late = try await context.perform(delivery, on: id, by: Context.mina, key: "deliver")

            #expect(early.outcome == .refused(.proofMissing(Context.photo)))
            #expect(late.outcome == .accepted(events: [5]))
            #expect(try await context.state(of: id) == .delivered)
        },
        Self("A proof of another person or order proves nothing") { context in
            let (id, other) = (try await context.create(), try await context.create("Lunch"))
            try await context.store.addProof(Context.proof(of: other))
            try await context.store.addProof(Context.proof(of: id, by: Context.jonas))
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.pickUp(Self.fence, missing: []), on: id, by: Context.mina)
            try await context.perform(.arrive(Self.fence), on: id, by: Context.mina)

            let verdict = try await context.perform(.deliver(Self.fence, proofs: [Context.photo]), on: id, by: Context.mina)

            #expect(verdict.outcome == .refused(.proofMissing(Context.photo)))
        },
        Self("A stale pick-up is a report, which a dispatcher can accept") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)

            let verdict = try await context.perform(.pickUp(Self.fence, missing: ["3"]), on: id, by: Context.mina)

            #expect(verdict.outcome == .reported(number: 1, .staleFence))
            #expect(try await context.store.order(id)?.openReports == 1)
            #expect(try await context.titles(BoardQuery(.attention(at: Context.start))) == ["Breakfast"])
            for number in [2, 0, Int.min] {
                let unknown = try await context.send(.accept(order: id, report: number), by: Context.ada).verdict
                #expect(unknown.outcome == .reportUnknown)
            }
            let accepted = try await context.send(.accept(order: id, report: 1), by: Context.ada).verdict
            #expect(accepted.state == .pickedUp)
            let history = try #require(try await context.store.history(of: id))
            #expect(history.record.holder == Context.mina)
            #expect(history.events.last?.missingItems == ["3"])
            #expect(history.reports.map(\.isSettled) == [true])
            #expect(history.record.openReports == 0)
        },
        Self("An accepted report settles those before it, and later ones can still be accepted") { context in
            let ids = [try await context.create("One"), try await context.create("Two")]
            for id in ids {
                try await context.store.addProof(Context.proof(of: id))
                try await context.perform(.claim, on: id, by: Context.mina)
                try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)
                try await context.perform(.pickUp(Self.fence, missing: []), on: id, by: Context.mina)
                let delivery = try await context.perform(.deliver(Self.fence, proofs: [Context.photo]), on: id, by: Context.mina)
                #expect(delivery.outcome == .reported(number: 2, .staleFence))
            }
            func settled(_ id: Int) async throws -> [Bool] {
                let history = try await context.store.history(of: id)
                let reports = history?.reports.map(\.isSettled) ?? []
                #expect(history?.record.openReports == reports.count { !$0 })
                return reports
            }

            #expect(try await context.send(.accept(order: ids[0], report: 1), by: Context.ada).verdict.state == .pickedUp)
            #expect(try await settled(ids[0]) == [true, false])
            #expect(try await context.titles(BoardQuery(.attention(at: Context.start))) == ["One", "Two"])
            #expect(try await context.send(.accept(order: ids[0], report: 2), by: Context.ada).verdict.state == .delivered)
            #expect(try await settled(ids[0]) == [true, true])
            #expect(try await context.send(.accept(order: ids[1], report: 2), by: Context.ada).verdict.state == .delivered)
            #expect(try await settled(ids[1]) == [true, true])
            #expect(try await context.titles(BoardQuery(.attention(at: Context.start))) == [])
        },
        Self("A decision that accepts no report settles all of an order, and an edit none") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)
            for reason in [AttemptReason.noAccess, .other] {
                try await context.perform(.attempt(Self.fence, reason), on: id, by: Context.mina)
            }

            try await context.send(.edit(order: id, Context.content("Brunch"), version: nil), by: Context.ada)
            #expect(try await context.store.order(id)?.openReports == 2)
            try await context.perform(.cancel, on: id, by: Context.ada)

            #expect(try await context.store.order(id)?.openReports == 0)
            #expect(try await context.store.history(of: id)?.reports.map(\.isSettled) == [true, true])
        },
        Self("A repeated report is the first one, and others are refused while many of their courier are not settled") { context in
            let (id, limit) = (try await context.create(), OrderReport.limitPerPerson)
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)
            let pickUp = { (item: Int, key: String?) async throws -> StoredVerdict.Outcome in
                try await context.perform(.pickUp(Self.fence, missing: ["\(item)"]), on: id, by: Context.mina, key: key).outcome
            }

            for number in 1...limit { #expect(try await pickUp(number, nil) == .reported(number: number, .staleFence)) }
            #expect(try await pickUp(3, "another device") == .reported(number: 3, .staleFence))
            #expect(try await pickUp(limit + 1, nil) == .refused(.tooManyReports))

            #expect(try await context.store.order(id)?.openReports == limit)
            #expect(try await context.store.history(of: id)?.reports.count == limit)
            #expect(try await context.perform(.pickUp(Self.fence.next, missing: []), on: id, by: Context.jonas).state == .pickedUp)
            try await context.perform(.reassign(to: Context.mina), on: id, by: Context.ada)
            #expect(try await pickUp(3, "later") == .reported(number: limit + 1, .staleFence))
        },
        Self("Each attempt is a report of its own") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)

            for number in 1...3 {
                let attempt = OrderCommand.attempt(Self.fence, .noAccess)
                let verdict = try await context.perform(attempt, on: id, by: Context.mina, key: "attempt-\(number)")
                #expect(verdict.outcome == .reported(number: number, .staleFence))
            }
        },
        Self("A settled report is not accepted any more") { context in
            let (id, karl) = (try await context.create(), PersonID(rawValue: "karl"))
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)
            try await context.perform(.pickUp(Self.fence, missing: []), on: id, by: Context.mina)
            try await context.perform(.reassign(to: karl), on: id, by: Context.ada)
            let order = try #require(try await context.store.order(id))

            let verdict = try await context.send(.accept(order: id, report: 1), by: Context.ada).verdict

            #expect(verdict.outcome == .changed(current: order.version))
            #expect(order.holder == karl)
            #expect(try await context.store.order(id) == order)
        },
        Self("Of acceptances of one report with different keys one takes effect") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.reassign(to: Context.jonas), on: id, by: Context.ada)
            try await context.perform(.attempt(Self.fence, .noAccess), on: id, by: Context.mina)

            let outcomes = try await withThrowingTaskGroup(of: StoredVerdict.Outcome.self) { tasks in
                for number in 0..<4 {
                    tasks.addTask {
                        try await context.send(.accept(order: id, report: 1), by: Context.ada, key: "accept-\(number)").verdict.outcome
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }

            #expect(outcomes.count { if case .accepted = $0 { true } else { false } } == 1)
            #expect(outcomes.count { if case .changed = $0 { true } else { false } } == 3)
            #expect(try await context.store.order(id)?.attempts == 1)
        },
        Self("A dispatcher corrects a returning order whose courier is gone") { context in
            let ids = [try await context.create("One"), try await context.create("Two")]
            for id in ids {
                try await context.perform(.claim, on: id, by: Context.mina)
                try await context.perform(.pickUp(Self.fence, missing: []), on: id, by: Context.mina)
                try await context.perform(.cancel, on: id, by: Context.ada)
            }

            try await context.perform(.correct(to: .returned, holder: nil), on: ids[0], by: Context.ada)
            try await context.perform(.correct(to: .pickedUp, holder: Context.jonas), on: ids[1], by: Context.ada)

            #expect(try await context.state(of: ids[0]) == .returned)
            #expect(try await context.titles(BoardQuery(.held(by: Context.jonas))) == ["Two"])
            let late = try await context.perform(.return(Self.fence), on: ids[1], by: Context.mina)
            #expect(late.outcome == .reported(number: 1, .staleFence))
        },
        Self("An edit of an old version is refused with the current one") { context in
            let id = try await context.create()
            let read = OrderVersion(fence: .initial, eventCount: 1)
            let (first, second) = (Context.content("Late breakfast"), Context.content("Brunch"))

            let edit = try await context.send(.edit(order: id, first, version: read), by: Context.ada)
            let stale = try await context.send(.edit(order: id, second, version: read), by: Context.ada)

            #expect(edit.verdict.outcome == .accepted(events: [2]))
            #expect(stale.verdict.outcome == .changed(current: OrderVersion(fence: .initial, eventCount: 2)))
            #expect(try await context.store.order(id)?.content.title == "Late breakfast")
            #expect(try await context.titles(BoardQuery(.open, text: "late")) == ["Late breakfast"])
        },
        Self("An external id is given once") { context in
            let first = try await context.send(.create(Context.content("One"), externalID: "shop-7"), by: Context.ada).verdict
            let second = try await context.send(.create(Context.content("Two"), externalID: "shop-7"), by: Context.ada).verdict

            let order = try #require(first.order)
            #expect(second.outcome == .externalIDTaken(order: order))
            #expect(try await context.store.openOrderIDs(demoOnly: false) == [order])
        },
        Self("A command to an order that does not exist is refused") { context in
            let verdict = try await context.perform(.claim, on: 99, by: Context.mina)

            #expect(verdict.outcome == .orderUnknown)
        },
        Self("A lease ends at its time, unless a command or a position has renewed it") { context in
            let ids = [try await context.create("One"), try await context.create("Two"), try await context.create("Three")]
            for (id, person) in zip(ids, [Context.mina, Context.jonas, Context.mina]) {
                try await context.perform(.claim, on: id, by: person)
            }
            let (later, end) = (Context.start + .seconds(600), Context.start + .seconds(1_800))
            try await context.perform(.claim, on: ids[1], by: Context.jonas, key: "again", at: later)

            #expect(try await context.store.expireLeases(at: later, limit: 10) == 0)
            #expect(try await context.store.expireLeases(at: end, limit: 10) == 2)

            #expect(try await context.store.openOrderIDs(demoOnly: false) == [ids[0], ids[2]])
            #expect(try await context.store.history(of: ids[0])?.events.last?.action == .expire)
            try await context.store.addPerson(Person(id: Context.jonas, name: "Jonas", role: .courier, creationTime: Context.start))
            let position = CourierPosition(time: end, coordinate: try #require(Coordinate(latitude: 1, longitude: 2)), accuracy: 5)
            try await context.store.addPositions([position], of: Context.jonas, at: end)
            #expect(try await context.store.order(ids[1])?.leaseEnd == end + .seconds(1_800))
            #expect(try await context.store.lastPositions() == [Context.jonas: position])
            await #expect(throws: OrderStoreError.holdsNoOrder) {
                try await context.store.addPositions([position], of: Context.mina, at: end)
            }
        },
        Self("A late pick-up after the lease is accepted until somebody else claims the order") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            _ = try await context.store.expireLeases(at: Context.start + .seconds(1_800), limit: 10)

            let late = try await context.perform(
                .pickUp(Self.fence, missing: []), on: id, by: Context.mina, at: Context.start + .seconds(2_000))

            #expect(late.outcome == .accepted(events: [4]))
            #expect(try await context.store.order(id)?.holder == Context.mina)
        },
    ]
}

extension OrderStoreContext {
    /// Returns a proof whose digest is a number less than 256.
    static func proof(_ number: Int, of order: Int, by person: PersonID = mina) -> Proof {
        let digest = ProofDigest(rawValue: String(repeating: "0", count: number < 16 ? 63 : 62) + String(number, radix: 16))!
        let record = ProofRecord(
            id: ProofID(order: order, person: person, digest: digest), kind: .photo, mediaType: "image/jpeg", length: 3,
            contentDigest: Self.digest(of: [1, 2, 3]), storedTime: start)
        return Proof(record: record, content: [1, 2, 3])
    }

    static func proof(of order: Int, by person: PersonID = mina, content: [UInt8] = [1, 2, 3]) -> Proof {
        Proof(
            record: ProofRecord(
                id: ProofID(order: order, person: person, digest: photo), kind: .photo, mediaType: "image/jpeg", length: content.count,
                contentDigest: Self.digest(of: content), storedTime: start), content: content)
    }

    private static func digest(of content: [UInt8]) -> ProofDigest { ProofDigest(rawValue: SHA256.hash(data: content).hexString)! }
}
