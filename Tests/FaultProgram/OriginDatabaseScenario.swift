#if DEBUG
    import Foundation
    import GRDB
    import HTTPFieldValues
    import HTTPTypes
    import OrderStorage
    import OrderStorageSQLite

    @testable import Origin

    /// A scenario that changes orders and favourites of an origin after a kill.
    struct OriginDatabaseScenario: FaultScenario {
        private static let date = Date(timeIntervalSince1970: 1_800_000_000)
        private static let (initialOrders, changedOrders) = (DemoOrders(count: 5, seed: 1), DemoOrders(count: 9, seed: 1))

        private let folder: URL
        private var haveOrdersChanged = false
        /// The deliveries whose favourite was to be set, and those for which it was confirmed.
        private var attempted: Set<Int> = []
        private var confirmed: Set<Int> = []

        init(folder: URL) {
            self.folder = folder
        }

        mutating func prepare() async throws {
            let database = try OriginDatabase(in: folder.stagingDirectory)
            _ = try await database.fill(with: Self.initialOrders, now: Self.date)
            for number in 0..<3 { try await setFavourite(number, in: database) }
            try folder.stagingDirectory.copyContents(to: folder)
            try database.close()
        }

        mutating func run() async {
            guard let database = try? OriginDatabase(in: folder) else { return }
            for number in 3..<5 { try? await setFavourite(number, in: database) }
            haveOrdersChanged = (try? await database.fill(with: Self.changedOrders, now: Self.date)) != nil
            for number in 5..<7 { try? await setFavourite(number, in: database) }
            try? database.close()
        }

        private mutating func setFavourite(_ number: Int, in database: OriginDatabase) async throws {
            attempted.insert(number)
            _ = try await Self.setFavourite(number, to: true, in: database)
            confirmed.insert(number)
        }

        /// Returns the stored state if the key of the number is known, and otherwise sets the favourite.
        private static func setFavourite(_ number: Int, to isFavourite: Bool, in database: OriginDatabase) async throws -> Bool {
            let action = FavouriteAction(isFavourite: isFavourite, timestamp: ActionTimestamp(date))
            let key = try IdempotencyKey([.idempotencyKey: "write-\(number)"])
            let request = FavouriteRequest(action: action, delivery: number, key: key, fingerprint: "\(number)")
            return try await database.perform(request, at: date).isFavourite
        }

        func problems() async throws -> [String] {
            let database = try OriginDatabase(in: folder)
            defer { try? database.close() }
            return try await orderProblems(in: database) + favouriteProblems(in: database)
        }

        private func orderProblems(in database: OriginDatabase) async throws -> [String] {
            let ids = try await database.writer.read { try Int.fetchAll($0, sql: "SELECT id FROM orders ORDER BY id") }
            let demos = haveOrdersChanged ? [Self.changedOrders] : [Self.initialOrders, Self.changedOrders]
            guard let demo = demos.first(where: { Array($0.ids) == ids }) else { return ["the orders are \(ids)"] }
            var problems: [String] = []
            for id in ids {
                let stored = try await database.orders().order(id).map { Order(id: id, $0.content) }
                if stored != demo.order(id) { problems.append("order \(id) is not as it was stored") }
            }
            return problems
        }

        private func favouriteProblems(in database: OriginDatabase) async throws -> [String] {
            var problems: [String] = []
            for number in attempted.sorted() {
                let isFavourite = try await database.favourite(ofDelivery: number).isFavourite
                let isKeyKnown = try await Self.setFavourite(number, to: false, in: database)
                if confirmed.contains(number), !isFavourite { problems.append("favourite \(number) is gone") }
                if isFavourite != isKeyKnown { problems.append("favourite \(number) and its key are not stored together") }
            }
            return problems
        }
    }
#endif
