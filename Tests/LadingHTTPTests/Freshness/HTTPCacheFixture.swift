import Foundation
import HTTPTypes
import LadingCaching
import LadingOperations
import LadingTesting
import Synchronization

@testable import LadingHTTP

/// A client with a cache over a scripted origin, and a manual clock.
final class HTTPCacheFixture: Sendable {
    let executor = ScriptedExecutor()
    let store = MemoryBlobStore(byteLimit: 1 << 20)
    let queue = BackendQueue()
    let clock = ManualClock()
    let cache: HTTPCache
    let client: BackendClient
    private let time: TimeOfDay

    private final class TimeOfDay: Sendable {
        let seconds = Mutex(0.0)
    }

    init(_ audience: CacheScope = .private, canRefresh: Bool = true, retries: RetryControl? = nil, defaultLifetime: Duration? = nil) {
        let time = TimeOfDay()
        self.time = time
        cache = HTTPCache(
            store: store, audience: audience, defaultLifetime: defaultLifetime, refreshQueue: canRefresh ? queue : nil, clock: clock
        ) {
            CacheSamples.at(time.seconds.withLock { $0 })
        }
        client = BackendClient(executor: executor, retries: retries, cache: cache)
    }

    func advance(by seconds: Double) { time.seconds.withLock { $0 += seconds } }

    func script(
        at url: String = CacheSamples.url.absoluteString, status: Int = 200, _ line: String, _ text: String = "", behind gate: Gate? = nil
    ) {
        executor.script(url, .response(status: .init(code: status), headers: CacheSamples.fields(line), text: text), behind: gate)
    }

    /// Returns the text of a response.
    func get(_ line: String = "", _ url: URL = CacheSamples.url, partition: String = "") async throws -> String {
        try await response(line, url, partition: partition).text
    }

    func response(
        _ line: String = "", _ url: URL = CacheSamples.url, _ method: HTTPRequest.Method = .get, partition: String = ""
    ) async throws -> BackendResponse {
        try await client.response(to: RequestMessage(method: method, url: url, headers: CacheSamples.fields(line)), partition: partition)
    }
}

extension BackendResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    var cacheStatus: String? { headers[.cacheStatus] }
}
