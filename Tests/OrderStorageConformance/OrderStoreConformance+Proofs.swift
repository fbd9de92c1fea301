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
        Self("Wrong PINs are counted for each order") { context in
            let (id, other) = (try await context.create(), try await context.create("Lunch"))

            #expect(try await context.store.countWrongPIN(ofOrder: id) == 1)
            #expect(try await context.store.countWrongPIN(ofOrder: id) == 2)

            #expect(try await context.store.wrongPINs(ofOrder: id) == 2)
            #expect(try await context.store.wrongPINs(ofOrder: other) == 0)
            await #expect(throws: OrderStoreError.orderUnknown(99)) { try await context.store.countWrongPIN(ofOrder: 99) }
        },
    ]

    static let upkeep = [
        Self("Pruning deletes old verdicts, changes, positions and the bytes of proofs, and keeps events") { context in
            let id = try await context.create()
            try await context.perform(.claim, on: id, by: Context.mina, key: "k")
            try await context.store.addProof(Context.proof(of: id))
            let place = try #require(Coordinate(latitude: 1, longitude: 1))
            try await context.store.addPositions(
                [CourierPosition(time: Context.start, coordinate: place)], of: Context.mina, at: Context.start)
            let position = try await context.store.position()
            let old = ChangePosition(epoch: position.epoch, number: 0)
            let (soon, late) = (Context.start + .seconds(3_600), Context.start + .seconds(100 * 86_400))

            try await context.store.prune(OrderRetention(), at: soon)
            #expect(try await context.store.verdict(forKey: "k", of: Context.mina) != nil)
            #expect(try await context.store.changes(after: old, limit: 10).changes.count == 2)
            #expect(try await context.store.lastPositions().count == 1)
            #expect(try await context.store.proofs(ofOrder: id).map(\.isDeleted) == [false])
            try await context.store.prune(OrderRetention(), at: late)

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

            try await context.store.prune(OrderRetention(), at: Context.start + .seconds(800 * 86_400))

            #expect(try await context.store.people().map(\.name) == ["Jonas", nil])
        },
    ]
}
