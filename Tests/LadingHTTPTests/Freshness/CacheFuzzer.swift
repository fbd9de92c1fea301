import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingCaching
import LadingTesting
import Synchronization
@testable import LadingHTTP

/// An origin with changing resources, which can be made unreachable.
final class ChangingOrigin: BackendExecutor {
    struct Resource {
        var version = 0
        var control = "max-age=10"
    }

    struct State {
        var resources: [String: Resource] = [:]
        var isDown = false
        /// The conditions of the requests since the last time they were cleared; nil for a request without any.
        var conditions: [String?] = []
    }

    struct Down: Error {}

    let state = Mutex(State())

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let (status, resource) = try state.withLock { state in
            guard !state.isDown else { throw BackendError.unreachable(message.url, cause: Down()) }
            state.conditions.append(message.headers[.ifNoneMatch])
            var resource = state.resources[message.url.path] ?? Resource()
            if message.method == .put { resource.version += 1 }
            state.resources[message.url.path] = resource
            let tags = message.headers.members(of: .ifNoneMatch)
            return (tags.contains { $0 == "\"\(resource.version)\"" } ? 304 : 200, resource)
        }
        let headers: HTTPFields = [.cacheControl: resource.control, .eTag: "\"\(resource.version)\""]
        var text: [UInt8]? = status == 200 ? Array("\(resource.version)".utf8) : nil
        return try await receive(ResponseHead(status: .init(code: status), headers: headers), ResponseBody { text.take() })
    }
}

/// A fuzzer that sends random requests to a cache, and compares it with a simple model.
struct CacheFuzzer {
    /// A stored response in the model.
    private struct Entry {
        var version: Int
        var control: String
        var since: Double
    }

    private static let controls = [
        "max-age=10", "max-age=3", "max-age=0", "no-cache", "max-age=10, no-store", "max-age=5, must-revalidate",
    ]

    private var random: SeededRandom
    private let origin = ChangingOrigin()
    private let client: BackendClient
    private let clock: Clock
    private var entries: [String: Entry] = [:]
    private(set) var violations: [String] = []
    private(set) var hits = 0

    private final class Clock: Sendable {
        let seconds = Mutex(0.0)
    }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let time = Clock()
        self.clock = time
        let cache = HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20)) { CacheSamples.at(time.seconds.withLock { $0 }) }
        client = BackendClient(executor: origin, cache: cache)
    }

    mutating func run(rounds: Int) async {
        for _ in 0..<rounds {
            let path = "/\(Int.random(in: 0..<3, using: &random))"
            switch Int.random(in: 0..<12, using: &random) {
            case 0: change(path)
            case 1: await put(path)
            case 2: origin.state.withLock { $0.isDown.toggle() }
            case 3...5: clock.seconds.withLock { $0 += Double(Int.random(in: 1...4, using: &random)) }
            default: await get(path)
            }
        }
    }

    /// Changes a resource on the origin.
    private mutating func change(_ path: String) {
        let control = Self.controls.randomElement(using: &random)!
        let isNew = Bool.random(using: &random)
        origin.state.withLock { state in
            state.resources[path, default: .init()].control = control
            if isNew { state.resources[path, default: .init()].version += 1 }
        }
    }

    private mutating func put(_ path: String) async {
        let isDown = origin.state.withLock { $0.isDown }
        _ = try? await client.response(to: RequestMessage(method: .put, url: url(path)))
        if !isDown { entries[path] = nil }
        origin.state.withLock { $0.conditions = [] }
    }

    private mutating func get(_ path: String) async {
        let response = try? await client.response(to: RequestMessage(url: url(path)))
        let (conditions, isDown, resource) = origin.state.withLock { state in
            defer { state.conditions = [] }
            return (state.conditions, state.isDown, state.resources[path] ?? .init())
        }
        let expected = expect(path, resource, isDown: isDown)
        if response.map({ Int($0.text) ?? -1 }) != expected.version {
            violations.append("\(path): \(response?.text ?? "none"), not \(expected)")
        }
        if conditions != expected.conditions { violations.append("\(path): requested \(conditions), not \(expected.conditions)") }
        if conditions.isEmpty { hits += 1 }
    }

    /// Returns the expected version and conditions of a GET, and updates the model.
    private mutating func expect(_ path: String, _ resource: ChangingOrigin.Resource, isDown: Bool) -> (
        version: Int?, conditions: [String?]
    ) {
        let now = clock.seconds.withLock { $0 }
        let entry = entries[path]
        if let entry, isFresh(entry, at: now) { return (entry.version, []) }
        guard !isDown else {
            let isServed = entry.map { $0.control != "no-cache" && !$0.control.contains("must-revalidate") } ?? false
            return (isServed ? entry?.version : nil, [])
        }
        if !resource.control.contains("no-store") {
            entries[path] = Entry(version: resource.version, control: resource.control, since: now)
        } else {
            // A response that must not be stored evicts the stored one, whether it validates or replaces it.
            entries[path] = nil
        }
        return (resource.version, [entry.map { "\"\($0.version)\"" }])
    }

    private func isFresh(_ entry: Entry, at now: Double) -> Bool {
        guard !entry.control.contains("no-"),
            let seconds = entry.control.split(separator: ",")[0].split(separator: "=").last.flatMap({ Double($0) })
        else { return false }
        return now - entry.since < seconds
    }

    private func url(_ path: String) -> URL { URL(string: "http://example.org\(path)")! }
}
