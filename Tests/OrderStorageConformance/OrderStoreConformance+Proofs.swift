import OrderLifecycle
import OrderStorage
import Testing

extension OrderStoreConformance.Case {
    private typealias Context = OrderStoreContext

    static let proofs = [
        Self("A proof is appended in parts, and stored whole in their place") { context in
            let proof = Context.proof(of: try await context.create(), content: [1, 2, 3, 4])
            let id = proof.record.id

            try await context.store.append([1, 2], at: 0, to: id, at: Context.start)
            await #expect(throws: OrderStoreError.offsetMismatch(expected: 2)) {
                try await context.store.append([2, 3], at: 1, to: id, at: Context.start)
            }
            try await context.store.append([3, 4], at: 2, to: id, at: Context.start)
            #expect(try await context.store.upload(of: id) == ProofUpload(offset: 4, isComplete: false))
            #expect(try await context.store.appendedBytes(of: id) == [1, 2, 3, 4])
            #expect(try await context.store.proof(id) == nil)
            try await context.store.addProof(proof)
            try await context.store.addProof(proof)

            #expect(try await context.store.upload(of: id) == ProofUpload(offset: 4, isComplete: true))
            #expect(try await context.store.appendedBytes(of: id) == [])
            #expect(try await context.store.proof(id) == proof)
            #expect(try await context.store.proofs(ofOrder: id.order) == [proof.record])
        },
        Self("A discarded upload begins again") { context in
            let id = Context.proof(of: try await context.create()).record.id
            try await context.store.append([1, 2], at: 0, to: id, at: Context.start)

            try await context.store.discardUpload(of: id)

            #expect(try await context.store.upload(of: id) == ProofUpload(offset: 0, isComplete: false))
        },
        Self("Of proofs that are stored at once no more than the allowed ones succeed") { context in
            let (id, limit) = (try await context.create(), ProofID.limitPerOrder)
            let begun = Context.proof(2 * limit, of: id)
            try await context.store.append([1], at: 0, to: begun.record.id, at: Context.start)

            let results = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for number in 0..<2 * limit {
                    tasks.addTask {
                        do {
                            try await context.store.addProof(Context.proof(number, of: id))
                            return true
                        } catch OrderStoreError.tooManyProofs {
                            return false
                        }
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }

            let stored = try await context.store.proofs(ofOrder: id)
            #expect(results.count { $0 } == limit && stored.count == limit)
            await #expect(throws: OrderStoreError.tooManyProofs) { try await context.store.addProof(begun) }
            #expect(try await context.store.upload(of: begun.record.id) == ProofUpload(offset: 1, isComplete: false))
            try await context.store.addProof(Proof(record: try #require(stored.first), content: [1, 2, 3]))
            try await context.store.addProof(Context.proof(0, of: id, by: Context.jonas))
            #expect(try await context.store.proofs(ofOrder: id).count == limit + 1)
        },
        Self("Of proofs that are begun at once no more than the allowed ones have parts") { context in
            let (id, limit) = (try await context.create(), ProofID.limitPerOrder)

            let results = try await withThrowingTaskGroup(of: ProofID?.self) { tasks in
                for number in 0..<2 * limit {
                    tasks.addTask {
                        let proof = Context.proof(number, of: id).record.id
                        do {
                            try await context.store.append([1], at: 0, to: proof, at: Context.start)
                            return proof
                        } catch OrderStoreError.tooManyIncompleteProofs {
                            return nil
                        }
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }

            let begun = results.compactMap { $0 }
            let (first, other) = (try #require(begun.first), Context.proof(2 * limit, of: id).record.id)
            #expect(begun.count == limit)
            try await context.store.append([2], at: 1, to: first, at: Context.start)
            #expect(try await context.store.appendedBytes(of: first) == [1, 2])
            try await context.store.discardUpload(of: first)
            try await context.store.append([1], at: 0, to: other, at: Context.start)
            await #expect(throws: OrderStoreError.tooManyIncompleteProofs) {
                try await context.store.append([1], at: 0, to: first, at: Context.start)
            }
        },
        Self("Wrong PINs are counted for each order, and lock it, also for the right one") { context in
            let (id, other) = (try await context.create(), try await context.create("Lunch"))
            for order in [id, other] { try await context.perform(.claim, on: order, by: Context.mina) }
            func check(_ pin: String, _ order: Int) async throws -> PINCheck {
                try await context.store.checkPIN(pin, ofOrder: order, by: Context.mina, attempts: 2)
            }

            #expect(try await check("1234", id) == .right)
            #expect(try await check("0000", id) == .wrong(attemptsLeft: 1))
            #expect(try await check("1234", id) == .right)
            #expect(try await check("0001", id) == .locked)
            #expect(try await check("1234", id) == .locked)
            #expect(try await check("1234", other) == .right)
            #expect(try await check("1234", 99) == .unused)
        },
        Self("A PIN that an edit changes is not locked by wrong ones before") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)
            func check(_ pin: String) async throws -> PINCheck {
                try await context.store.checkPIN(pin, ofOrder: id, by: Context.mina, attempts: 1)
            }
            func edit(_ title: String, pin: String?) async throws {
                var content = Context.content(title)
                content.pin = pin
                try await context.send(.edit(order: id, content, version: nil), by: Context.ada)
            }
            #expect(try await check("0000") == .locked)

            try await edit("Late breakfast", pin: "1234")
            #expect(try await check("1234") == .locked)
            try await edit("Brunch", pin: "4321")
            #expect(try await check("4321") == .right)
            #expect(try await check("1234") == .locked)
            try await edit("Lunch", pin: nil)
            #expect(try await check("4321") == .unused)
            try await edit("Dinner", pin: "4321")
            #expect(try await check("4321") == .right)
        },
        Self("A PIN of somebody who does not hold the order is neither compared nor counted") { context in
            let id = try await context.create()
            func check(_ pin: String, _ person: PersonID) async throws -> PINCheck {
                try await context.store.checkPIN(pin, ofOrder: id, by: person, attempts: 2)
            }
            try await context.perform(.claim, on: id, by: Context.mina)
            try await context.perform(.release(.initial.next), on: id, by: Context.mina)
            #expect(try await check("0000", Context.mina) == .notHolder)

            try await context.perform(.claim, on: id, by: Context.jonas)
            for pin in ["0000", "0001", "0002", "1234"] { #expect(try await check(pin, Context.mina) == .notHolder) }
            #expect(try await check("0000", Context.jonas) == .wrong(attemptsLeft: 1))
            #expect(try await check("0001", Context.mina) == .notHolder)
            #expect(try await check("1234", Context.jonas) == .right)
            var content = Context.content("Brunch")
            content.pin = nil
            try await context.send(.edit(order: id, content, version: nil), by: Context.ada)
            #expect(try await check("1234", Context.mina) == .notHolder)
            #expect(try await check("1234", Context.jonas) == .unused)
            try await context.perform(.cancel, on: id, by: Context.ada)

            #expect(try await check("0000", Context.jonas) == .notHolder)
        },
        Self("Of guesses that run at once no more than the allowed ones are compared") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina)

            let results = try await withThrowingTaskGroup(of: PINCheck.self) { tasks in
                for guess in 0..<40 {
                    tasks.addTask { try await context.store.checkPIN("\(2_000 + guess)", ofOrder: id, by: Context.mina, attempts: 5) }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }

            #expect(results.count { if case .wrong = $0 { true } else { false } } == 4)
            #expect(results.count { $0 == .locked } == 36)
        },
    ]

    static let maintenance = [
        Self("Pruning deletes old verdicts, changes, positions and the bytes of proofs, and keeps events") { context in
            try await context.store.addPerson(Person(id: Context.mina, name: "Mina", role: .courier, creationTime: Context.start))
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina, key: "k")
            try await context.store.addProof(Context.proof(of: id))
            let place = try #require(Coordinate(latitude: 1, longitude: 1))
            try await context.store.addPositions(
                [CourierPosition(time: Context.start, coordinate: place)], of: Context.mina, at: Context.start)
            let position = try await context.store.position()
            let old = ChangePosition(epoch: position.epoch, number: 0)
            let (soon, late) = (Context.start + .seconds(3_600), Context.start + .seconds(100 * 86_400))

            try await context.prune(until: soon)
            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) != nil)
            #expect(try await context.store.changes(after: old, limit: 10).changes.count == 2)
            #expect(try await context.store.lastPositions().count == 1)
            #expect(try await context.store.proofs(ofOrder: id).map(\.isDeleted) == [false])
            try await context.prune(until: late)

            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) == nil)
            await #expect(throws: OrderStoreError.positionExpired(current: position)) {
                try await context.store.changes(after: old, limit: 10)
            }
            #expect(try await context.store.position() == position)
            #expect(try await context.store.lastPositions().isEmpty)
            #expect(try await context.store.proofs(ofOrder: id).map(\.isDeleted) == [true])
            #expect(try await context.store.history(of: id)?.events.count == 2)
        },
        Self("Pruning erases the names of people who were revoked long ago") { context in
            let mina = Person(id: Context.mina, name: "Mina", role: .courier, creationTime: Context.start)
            let jonas = Person(id: Context.jonas, name: "Jonas", role: .courier, creationTime: Context.start)
            try await context.store.addPerson(mina)
            try await context.store.addPerson(jonas)
            try await context.store.revoke(mina.id, at: Context.start)

            let day = Duration.seconds(86_400)
            try await context.prune(OrderRetention(people: day * 20), until: Context.start + day * 20)
            #expect(try await context.store.people().map(\.name) == ["Jonas", "Mina"])
            try await context.prune(OrderRetention(people: day * 20), until: Context.start + day * 21)

            #expect(try await context.store.people().map(\.name) == ["Jonas", nil])
        },
        Self("A pruning by a clock that is months ahead deletes no more than one a day later") { context in
            let (day, token) = (Duration.seconds(86_400), SecretHash(ofSecret: "token"))
            try await context.store.addPerson(Person(id: Context.mina, name: "Mina", role: .courier, creationTime: Context.start))
            try await context.store.addToken(token, of: Context.mina, expires: Context.start + day * 90)
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina, key: "k")
            try await context.store.addProof(Context.proof(of: id))

            for (time, isComplete) in [(Context.start + day * 400, false), (Context.start, true), (Context.start + day * 400, false)] {
                #expect(try await context.store.prune(OrderRetention(), at: time) == isComplete)
            }

            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) != nil)
            #expect(try await context.store.proofs(ofOrder: id).map(\.isDeleted) == [false])
            #expect(try await context.store.person(withToken: token, at: Context.start, expires: Context.start) != nil)
            let first = ChangePosition(epoch: try await context.store.position().epoch, number: 0)
            #expect(try await context.store.changes(after: first, limit: 10).changes.count == 2)
        },
        Self("A pruning by a clock that is decades behind delays the next ones by a day at most") { context in
            let (day, hour) = (Duration.seconds(86_400), Duration.seconds(3_600))
            _ = try await context.create()
            let now = Context.start + day * 10
            try await context.prune(until: now)

            #expect(try await context.store.prune(OrderRetention(), at: Timestamp(milliseconds: 0)))
            #expect(try await !context.store.prune(OrderRetention(), at: now + hour))

            #expect(try await context.store.prune(OrderRetention(), at: now + hour * 2))
        },
        Self("A clock that is decades behind at the first start does not delay the deletion of later data") { context in
            let past = Timestamp(milliseconds: 0)
            try await context.store.addPerson(Person(id: Context.ada, name: "Ada", role: .dispatcher, creationTime: past))
            #expect(try await context.store.prune(OrderRetention(), at: past))
            _ = try await context.create()

            #expect(try await context.store.prune(OrderRetention(), at: Context.start + .seconds(3_600)))
        },
        Self("A clock that is a year ahead deletes no valid token after a month without changes") { context in
            let (day, token) = (Duration.seconds(86_400), SecretHash(ofSecret: "token"))
            try await context.store.addPerson(Person(id: Context.mina, name: "Mina", role: .courier, creationTime: Context.start))
            try await context.store.addToken(token, of: Context.mina, expires: Context.start + day * 90)
            _ = try await context.create()
            let (now, ahead) = (Context.start + day * 31, Context.start + day * 396)
            try await context.prune(until: now)

            try await context.send(.create(Context.content("Lunch"), externalID: nil), by: Context.ada, at: ahead)
            #expect(try await !context.store.prune(OrderRetention(), at: ahead))

            #expect(try await context.store.person(withToken: token, at: now, expires: now) != nil)
        },
        Self("A clock that is a year ahead deletes no verdict of the last month without changes") { context in
            let day = Duration.seconds(86_400)
            _ = try await context.create()
            try await context.perform(.claim, on: 99, by: Context.mina, key: "k", at: Context.start + day * 20)
            let ahead = Context.start + day * 396
            try await context.prune(until: Context.start + day * 31)

            try await context.send(.create(Context.content("Lunch"), externalID: nil), by: Context.ada, at: ahead)
            #expect(try await !context.store.prune(OrderRetention(), at: ahead))

            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) != nil)
        },
        Self("Tokens alone do not advance the time of a pruning") { context in
            let (day, token) = (Duration.seconds(86_400), SecretHash(ofSecret: "token"))
            try await context.store.addPerson(Person(id: Context.mina, name: "Mina", role: .courier, creationTime: Context.start))
            try await context.store.addToken(token, of: Context.mina, expires: Context.start + day * 90)

            #expect(try await context.store.prune(OrderRetention(), at: Context.start))
            #expect(try await !context.store.prune(OrderRetention(), at: Context.start + day * 400))

            #expect(try await context.store.person(withToken: token, at: Context.start, expires: Context.start) != nil)
        },
        Self("An incomplete proof is deleted as a whole, after its last part") { context in
            let (proof, day) = (Context.proof(of: try await context.create()).record.id, Duration.seconds(86_400))
            try await context.store.append([1, 2], at: 0, to: proof, at: Context.start)
            try await context.store.append([3], at: 2, to: proof, at: Context.start + day * 3)

            try await context.prune(until: Context.start + day * 16)
            #expect(try await context.store.upload(of: proof).offset == 3)
            #expect(try await context.store.appendedBytes(of: proof) == [1, 2, 3])
            try await context.prune(until: Context.start + day * 19)

            #expect(try await context.store.upload(of: proof).offset == 0)
        },
        Self("After the clock was set back the feed has no gap") { context in
            let day = Duration.seconds(86_400)
            let id = try await context.create("One")
            let position = try await context.store.position()
            try await context.perform(.claim, on: id, by: Context.mina, at: Context.start + day * 2)
            let later = try await context.store.position()
            _ = try await context.create("Two")
            let end = try await context.store.position()

            try await context.prune(until: Context.start + day * 31)

            for start in [position, later] {
                await #expect(throws: OrderStoreError.positionExpired(current: end)) {
                    try await context.store.changes(after: start, limit: 10)
                }
            }
            #expect(try await context.store.changes(after: end, limit: 10).changes.isEmpty)
        },
    ]
}
