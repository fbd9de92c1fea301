import Foundation
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingOperations
import LadingTransfers
import Testing
import TemporaryFolders

// Docs/Guides/Firebase.md contains the code between two lines of dashes verbatim.
// ---- GUIDE
/// A grocery shop in Firebase.
nonisolated struct Shop {
    let authentication: FirebaseAuthentication
    let database: RealtimeDatabase
    let storage: FirebaseStorage

    init(_ project: FirebaseProject, executor: any BackendExecutor, streams: any BackendExecutor) {
        let client = BackendClient(executor: executor)
        authentication = FirebaseAuthentication(project, client: client)
        database = RealtimeDatabase(
            project, client: client, streamClient: BackendClient(executor: streams), authentication: authentication)
        storage = FirebaseStorage(project, client: client, authentication: authentication)
    }
}
// ---- GUIDE

// ---- GUIDE
nonisolated struct ShopOrder: Codable, Sendable {
    var title: String
    var price: Double
}

extension Shop {
    func place(_ order: ShopOrder) async throws -> String {
        let placed = try await database.reference("orders").post(order)
        try await placed.patch(["placed": .serverTime])
        return placed.path.keys.last ?? ""
    }

    func cheapest(_ count: Int) async throws -> [String: ShopOrder] {
        let query = DatabaseQuery(by: .child("price")).first(count)
        return try await database.reference("orders").get(where: query) ?? [:]
    }

    func accept(_ id: String, by courier: String) async throws -> Bool {
        let place = try database.reference("orders").child(id).child("courier")
        do {
            try await place.put(courier, ifMatch: .missing)
            return true
        } catch RealtimeDatabase.Failure.preconditionFailed {
            return false
        }
    }
}
// ---- GUIDE

// ---- GUIDE
extension Shop {
    nonisolated(nonsending) func watch(_ id: String, show: (JSONValue, _ isCurrent: Bool) -> Void) async throws {
        var order = JSONValue.null
        for try await event in try database.reference("orders").child(id).events() {
            order.apply(event)
            show(order, event != .interrupted)
        }
    }
}
// ---- GUIDE

// ---- GUIDE
extension Shop {
    func uploadReceipt(_ receipt: URL, of id: String, onSession: @escaping @Sendable (StorageUploadSession) -> Void) async throws -> Int {
        let file = try storage.reference("receipts/\(id).jpg")
        let metadata = try await file.upload(receipt, settings: .init(contentType: "image/jpeg"), onSession: onSession)
        return metadata.size
    }

    func receipts(queue: BackendQueue, client: BackendClient, journal: any TransferJournal) -> FileTransfers {
        FileTransfers(client: client, queue: queue, journal: journal, headers: storage.headers)
    }

    func order(_ id: String) throws -> BackendOperation<ShopOrder?> {
        let order = try database.reference("orders").child(id)
        return BackendOperation("order \(id)", lane: .network("database")) { try await order.get() }
    }
}
// ---- GUIDE

extension URLSessionTests {
    @Suite struct FirebaseGuideExample {
        // ---- GUIDE
        @Test func `An order is accepted once`() async throws {
            let server = try FirebaseServer()
            defer { server.stop() }
            server.addUser("ada@example.org", password: "secret words")
            server.setRules(read: { _, user in user != nil }, write: { _, user in user != nil })
            let shop = Shop(server.project, executor: URLSessionExecutor(), streams: URLSessionExecutor(readTimeout: .seconds(60)))

            try await shop.authentication.signIn(email: "ada@example.org", password: "secret words")
            let id = try await shop.place(ShopOrder(title: "Milk and bread", price: 7.5))

            #expect(try await shop.accept(id, by: "ada"))
            #expect(try await !shop.accept(id, by: "bob"))
            #expect(server.value(at: "orders/\(id)/courier") == "ada")
        }
        // ---- GUIDE

        @Test func `The remaining examples of the guide work`() async throws {
            let server = try FirebaseServer()
            defer { server.stop() }
            let shop = Shop(server.project, executor: URLSessionExecutor(), streams: URLSessionExecutor(readTimeout: .seconds(60)))
            let id = try await shop.place(ShopOrder(title: "Milk", price: 2))
            _ = try await shop.place(ShopOrder(title: "Bread", price: 3))
            let receipt = try TemporaryFile("JPEG")

            #expect(try await shop.cheapest(1).values.map(\.title) == ["Milk"])
            #expect(try await shop.uploadReceipt(receipt.url, of: id) { _ in } == 4)
            let queue = BackendQueue()
            #expect(try await queue.value(of: shop.order(id), priority: .visible)?.price == 2)

            let (couriers, seen) = AsyncStream.makeStream(of: String.self)
            let watching = Task {
                try await shop.watch(id) { order, isCurrent in seen.yield("\(order["courier"]?.string ?? "nobody"), \(isCurrent)") }
            }
            var courier = couriers.makeAsyncIterator()
            #expect(await courier.next() == "nobody, true")
            server.write("ada", at: "orders/\(id)/courier")
            #expect(await courier.next() == "ada, true")
            watching.cancel()
            await #expect(throws: CancellationError.self) { try await watching.value }
        }

        @Test func `The guide shows the code above`() throws {
            let file = URL(filePath: #filePath)
            let package = (1...3).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// ---- GUIDE\n")
            let guide = try String(contentsOf: package.appending(path: "Docs/Guides/Firebase.md"), encoding: .utf8)

            #expect(parts.count == 11)
            for index in stride(from: 1, to: parts.count - 1, by: 2) { #expect(guide.contains(Self.guideBlock(parts[index]))) }
        }

        /// Returns a part of this file as the guide shows it, without the indentation of the suite.
        private static func guideBlock(_ part: String) -> String {
            var lines = part.components(separatedBy: "\n")
            if lines.last?.allSatisfy({ $0 == " " }) ?? false { lines.removeLast() }
            let isIndented = lines.first?.hasPrefix("        ") ?? false
            let text = lines.map { isIndented ? String($0.dropFirst(8)) : $0 }.joined(separator: "\n")
            return "```swift\n\(text)\n```\n"
        }
    }
}
