import LadingTesting
@testable import PostgreSQLClient
import Testing

/// The decisions of a connection pool.
@Suite("Queue for connections")
struct ConnectionQueueTests {
    @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 3), (7, 6), (8, 6), (10, 8)])
    func `Changes and queries leave a quarter of the connections, at least one of several, to commands`(
        _ limit: Int, _ purposeLimit: Int
    ) {
        for purpose in [RequestPurpose.change, .query] {
            let queue = QueueReference(limit: limit)

            let running = (0..<limit).count { queue.request($0, for: purpose) }
            let commands = (limit..<2 * limit).count { queue.request($0, for: .command) }

            #expect(running == purposeLimit)
            #expect(commands == limit - purposeLimit)
        }
    }

    @Test func `Commands may use all connections`() {
        let queue = QueueReference(limit: 4)

        let commands = (0..<6).count { queue.request($0, for: .command) }

        #expect(commands == 4)
    }

    @Test(arguments: RequestPurpose.allCases)
    func `Requests of one purpose are served in the order of their arrival`(_ purpose: RequestPurpose) {
        let queue = QueueReference(limit: 2)
        let waiting = (0..<6).filter { !queue.request($0, for: purpose) }

        let served = waiting.map { _ in queue.release(purpose) }

        #expect(served == waiting)
        #expect(queue.release(purpose) == nil)
    }

    @Test func `A command runs at once while queries use all of their connections`() {
        let queue = QueueReference(limit: 4)
        let running = (0..<6).filter { queue.request($0, for: .query) }

        #expect(running == [0, 1, 2])
        #expect(queue.request(6, for: .command))
        #expect(!queue.request(7, for: .command))
        // The connection of a command is not lent to a query that has waited longer.
        #expect(queue.release(.command) == 7)
        #expect(queue.release(.command) == nil)
        #expect(queue.release(.query) == 3)
    }

    @Test func `A query that has waited longer than a command is served first, so that commands never starve queries`() {
        let queue = QueueReference(limit: 2)
        #expect(queue.request(0, for: .command))
        #expect(queue.request(1, for: .command))
        #expect(!queue.request(2, for: .query))
        #expect(!queue.request(3, for: .command))

        #expect(queue.release(.command) == 2)
        #expect(queue.release(.command) == 3)
    }

    @Test func `A short read runs at once while changes use all of their connections, and a change waits for another one`() {
        let queue = QueueReference(limit: 4)
        let running = (0..<6).filter { queue.request($0, for: .change) }

        #expect(running == [0, 1, 2])
        #expect(queue.request(6, for: .query))
        #expect(!queue.request(7, for: .command))
        #expect(queue.release(.query) == 7)
        #expect(queue.release(.command) == nil)
        #expect(queue.release(.change) == 3)
    }

    @Test func `A cancelled request is not served, and one that runs cannot be cancelled`() {
        let queue = QueueReference(limit: 2)
        for id in 0..<2 { #expect(queue.request(id, for: .command)) }
        for (id, purpose) in [(2, RequestPurpose.query), (3, .command), (4, .query)] { #expect(!queue.request(id, for: purpose)) }

        #expect(!queue.cancel(0))
        #expect(queue.cancel(2))
        #expect(!queue.cancel(2))
        #expect(queue.release(.command) == 3)
        #expect(queue.release(.command) == 4)
        #expect(queue.release(.command) == nil)
    }

    @Test func `A pool of one connection serves both purposes in the order of their arrival`() {
        let queue = QueueReference(limit: 1)
        let purposes: [RequestPurpose] = [.query, .command, .query, .command]

        let running = purposes.indices.filter { queue.request($0, for: purposes[$0]) }
        let served = purposes.map { queue.release($0) }

        #expect(running == [0])
        #expect(served == [1, 2, 3, nil])
    }

    @Test func `Requests that wait are forgotten when the pool is shut down`() {
        let queue = QueueReference(limit: 1)
        for id in 0..<3 { _ = queue.request(id, for: .query) }

        queue.cancelAll()

        #expect(queue.release(.query) == nil)
        #expect(queue.request(3, for: .command))
    }

    @Test func `Any sequence of requests keeps the limits, and no request waits for a connection that it may use`() throws {
        var random = SeededRandom(for: "requests for connections")
        for _ in 0..<200 {
            let limit = Int.random(in: 1...8, using: &random)
            let purposeLimit = max(1, limit - max(1, limit / 4))
            var model = QueueModel(queue: ConnectionQueue(limit: limit))

            for id in 0..<100 {
                model.step(id, using: &random)

                let isFull = model.running.count == limit
                try #require(model.running.count <= limit)
                try #require(isFull || !model.waiting.values.contains(.command))
                for purpose in [RequestPurpose.change, .query] {
                    let count = model.running.values.count { $0 == purpose }
                    try #require(count <= purposeLimit)
                    try #require(isFull || count == purposeLimit || !model.waiting.values.contains(purpose))
                }
            }
            model.finish()
            #expect(model.waiting.isEmpty)
        }
    }
}

/// A queue whose functions can be called inside of expectations.
private final class QueueReference {
    private var queue: ConnectionQueue

    init(limit: Int) { queue = ConnectionQueue(limit: limit) }

    func request(_ id: Int, for purpose: RequestPurpose) -> Bool { queue.request(id, for: purpose) }
    func release(_ purpose: RequestPurpose) -> Int? { queue.release(purpose) }
    func cancel(_ id: Int) -> Bool { queue.cancel(id) }
    func cancelAll() { queue.cancelAll() }
}

/// A queue, and what it has decided.
private struct QueueModel {
    var queue: ConnectionQueue
    private(set) var running: [Int: RequestPurpose] = [:]
    private(set) var waiting: [Int: RequestPurpose] = [:]

    init(queue: ConnectionQueue) { self.queue = queue }

    /// Adds, ends or cancels a request.
    mutating func step(_ id: Int, using random: inout some RandomNumberGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2:
            guard let purpose = RequestPurpose.allCases.randomElement(using: &random) else { return }
            if queue.request(id, for: purpose) { running[id] = purpose } else { waiting[id] = purpose }
        case 3...4: release(running.keys.sorted().randomElement(using: &random))
        default:
            guard let id = waiting.keys.sorted().randomElement(using: &random) else { return }
            if queue.cancel(id) { waiting[id] = nil }
        }
    }

    /// Ends running requests until none is left.
    mutating func finish() {
        while let id = running.keys.min() { release(id) }
    }

    private mutating func release(_ id: Int?) {
        guard let id, let purpose = running.removeValue(forKey: id), let next = queue.release(purpose) else { return }
        running[next] = waiting.removeValue(forKey: next)
    }
}
