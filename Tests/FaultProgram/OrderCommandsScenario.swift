#if DEBUG
    import Digests
    import Foundation
    import LadingConformance
    import OrderLifecycle
    import OrderStorage
    import OrderStorageSQLite
    import SQLiteFiles

    @testable import Origin

    /// A scenario that creates an order, delivers it with a proof and imports two orders after a kill.
    struct OrderCommandsScenario: FaultScenario {
        /// The actions on the order: each is a command and adds an event.
        private static let actions: [OrderAction] = [.create, .claim, .pickUp, .arrive, .deliver]
        private static let importedTitles = ["imported 1", "imported 2"]
        private static let photo = BlobGenerator.body(1, count: 20_000)

        private let folder: URL
        /// The time of the commands. A repeated command has the verdict of its first time.
        private var now = Timestamp(milliseconds: 1_800_000_000_000)
        private var isCourierConfirmed = false
        private var isImportAccepted = false
        private var verdicts: [OrderAction: StoredVerdict] = [:]
        private var upload = ProofUpload(offset: 0, isComplete: false)
        /// The confirmed writes that were not found when they were repeated.
        private var losses: [String] = []

        init(folder: URL) {
            self.folder = folder
        }

        mutating func prepare() async throws {
            let database = try OriginDatabase(in: folder.stagingDirectory)
            try folder.stagingDirectory.copyContents(to: folder)
            try database.close()
        }

        mutating func run() async {
            guard let database = try? OriginDatabase(in: folder) else { return }
            let store = database.orders()
            let courier = Person(id: Self.person(.courier), name: "Mina", role: .courier, creationTime: now)
            isCourierConfirmed = (try? await store.addPerson(courier)) != nil
            // A client without an answer sends its commands again.
            for _ in 0..<2 { try? await deliver(in: store) }
            _ = try? await importOrders("first", into: store)
            try? database.close()
        }

        mutating func problems() async throws -> [String] {
            let database = try OriginDatabase(in: folder)
            defer { try? database.close() }
            let store = database.orders()
            let report = OriginCheck.report(on: folder.appending(path: OriginDatabase.fileName))
            var problems = report.problems + [report.obstacle].compactMap { $0 }
            if isCourierConfirmed, try await store.person(Self.person(.courier)) == nil { problems.append("the courier is gone") }
            try await deliver(in: store)
            problems += try await importProblems(in: store)
            problems += try await eventProblems(in: store)
            return problems + losses
        }

        /// Imports the file again, which creates only the orders that are missing: all or none.
        private mutating func importProblems(in store: SQLiteOrderStore) async throws -> [String] {
            for id in try await store.unfinishedImports() { _ = try await store.continueImport(id, limit: 10, at: now) }
            let wasAccepted = isImportAccepted
            let created = try await importOrders("second", into: store)
            let titles = try await store.orders(BoardQuery(.open)).orders.map(\.content.title)
            if titles != Self.importedTitles { return ["the imported orders are \(titles)"] }
            return created == 0 || created == titles.count && !wasAccepted ? [] : ["\(created) imported orders were gone"]
        }

        /// Compares the events of the order with its commands, and the change feed with the events of all orders.
        private func eventProblems(in store: SQLiteOrderStore) async throws -> [String] {
            let events = try await store.history(of: order)?.events ?? []
            let start = ChangePosition(epoch: try await store.position().epoch, number: 0)
            let changes = try await store.changes(after: start, limit: 100).changes
            let orderChanges = changes.filter { $0.order == order }.map(\.content)
            let outcomes = Self.actions.compactMap { verdicts[$0]?.outcome }
            let expectedOutcomes = events.map { StoredVerdict.Outcome.accepted(events: [$0.number]) }
            var problems = events.map(\.action) == Self.actions ? [] : ["the events are \(events.map(\.action))"]
            if outcomes != expectedOutcomes { problems.append("the verdicts and the events differ: \(outcomes)") }
            if orderChanges != events.map(OrderChange.Content.event) || changes.count != events.count + Self.importedTitles.count {
                problems.append("the change feed and the events differ")
            }
            if try await store.proof(proof)?.content != Self.photo { problems.append("the proof is torn") }
            return problems
        }
    }

    extension OrderCommandsScenario {
        /// The id of the order; 0 until its creation is confirmed.
        private var order: Int { verdicts[.create]?.order ?? 0 }

        private var proof: ProofID {
            ProofID(order: order, person: Self.person(.courier), digest: ProofDigest(rawValue: SHA256.hash(data: Self.photo).hexString)!)
        }

        private static func person(_ role: Role) -> PersonID { PersonID(rawValue: role.rawValue) }

        /// Sends all commands with their keys, and uploads the proof before the delivery. The stored ones have no effect again.
        private mutating func deliver(in store: SQLiteOrderStore) async throws {
            now = now + .seconds(60)
            for action in Self.actions {
                if action == .deliver { try await uploadProof(to: store) }
                let verdict = try await store.perform(command(action), at: now).verdict
                let confirmed = verdicts.updateValue(verdict, forKey: action)
                if let confirmed, confirmed != verdict { losses.append("the verdict of \(action) is gone") }
            }
        }

        private func command(_ action: OrderAction) -> OrderStoreCommand {
            let fence = Fence.initial.next
            let change: OrderStoreCommand.Change =
                switch action {
                case .claim: .lifecycle(order: order, .claim)
                case .pickUp: .lifecycle(order: order, .pickUp(fence, missing: []))
                case .arrive: .lifecycle(order: order, .arrive(fence))
                case .deliver: .lifecycle(order: order, .deliver(fence, proofs: [proof.digest]))
                default: .create(Self.content("created"), externalID: nil)
                }
            let sender = OrderLifecycle.Sender(Self.person(action.role), role: action.role, actionTime: now)
            return OrderStoreCommand(change, from: sender, key: action.rawValue, fingerprint: action.rawValue)
        }

        /// Appends the missing bytes of the proof, and stores it whole in their place.
        private mutating func uploadProof(to store: SQLiteOrderStore) async throws {
            let found = try await store.upload(of: proof)
            if found.offset < upload.offset || upload.isComplete && !found.isComplete { losses.append("bytes of the proof are gone") }
            guard !found.isComplete else { return upload = found }
            try await store.append(Array(Self.photo[found.offset...]), at: found.offset, to: proof, at: now)
            upload = ProofUpload(offset: Self.photo.count, isComplete: false)
            let content = try await store.appendedBytes(of: proof)
            let record = ProofRecord(
                id: proof, kind: .photo, mediaType: "image/jpeg", length: content.count, contentDigest: proof.digest, storedTime: now)
            try await store.addProof(Proof(record: record, content: content))
            upload = ProofUpload(offset: content.count, isComplete: true)
        }

        /// Imports a file of two orders, the second without an external id, and returns the number of orders that it has created.
        private mutating func importOrders(_ id: String, into store: SQLiteOrderStore) async throws -> Int {
            let orders = zip(["1", nil], Self.importedTitles).map { StagedOrder(externalID: $0, content: Self.content($1)) }
            try await store.stage(orders, inImport: id, at: now)
            try await store.acceptImport(id, count: orders.count, digest: "digest", by: Self.person(.dispatcher), at: now)
            isImportAccepted = true
            while true {
                let progress = try await store.continueImport(id, limit: 1, at: now)
                if progress.isFinished { return progress.created }
            }
        }

        private static func content(_ title: String) -> OrderContent {
            let place = OrderContent.Destination(address: "1 Quay Street", coordinate: Coordinate(latitude: 40.7, longitude: -74))
            return OrderContent(title: title, price: "42.50", currency: "EUR", destination: place)
        }
    }
#endif
