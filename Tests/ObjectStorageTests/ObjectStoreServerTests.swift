import Foundation
import LadingHTTP
import LadingNIO
import ObjectStoreFixtures
import ScriptedServers
import Synchronization
import Testing

@testable import ObjectStorage

/// The client and a server that checks signatures, over sockets.
@Suite("Object store with a server", .timeLimit(.minutes(10)))
struct ObjectStoreServerTests {
    /// The executor of the program, which all tests share and which ends with them.
    private static let executor = AsyncHTTPClientExecutor()

    private func makeStore(_ address: String? = nil, variables: [String: String] = [:]) async throws -> ObjectStore {
        try await ObjectStoreServer.running().makeStore(address, variables: variables, executor: Self.executor)
    }

    @Test func `An object is stored, read, replaced and deleted`() async throws {
        let store = try await makeStore()

        try await store.check()
        #expect(try await store.get("a") == nil)
        #expect(try await store.head("a") == nil)
        try await store.put([1, 2, 3], as: "a", contentType: "image/jpeg")
        #expect(try await store.get("a") == [1, 2, 3])
        #expect(try await store.head("a") == ObjectInfo(size: 3, contentType: "image/jpeg"))
        try await store.put([4], as: "a", contentType: "image/png")
        #expect(try await store.get("a") == [4])
        #expect(try await store.head("a") == ObjectInfo(size: 1, contentType: "image/png"))
        try await store.delete("a")
        try await store.delete("a")
        #expect(try await store.get("a") == nil)
    }

    @Test func `Objects with equal keys and other prefixes are different objects`() async throws {
        let (first, second) = (try await makeStore(), try await makeStore())

        try await first.put([1], as: "a", contentType: "image/jpeg")

        #expect(try await second.get("a") == nil)
    }

    @Test(arguments: [0, 1, 256 << 10, 5 << 20])
    func `The bytes of a large object return unchanged`(size: Int) async throws {
        let store = try await makeStore()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

        try await store.put(bytes, as: "a", contentType: "application/octet-stream")

        #expect(try await store.get("a") == bytes)
        #expect(try await store.head("a")?.size == size)
    }

    @Test func `A range of an object is read, and the end of the object shortens it`() async throws {
        let store = try await makeStore()
        try await store.put(Array(0..<10), as: "a", contentType: "application/octet-stream")

        #expect(try await store.get("a", range: 2..<5) == [2, 3, 4])
        #expect(try await store.get("a", range: 8..<100) == [8, 9])
        #expect(try await store.get("a", range: 10..<11) == [])
        #expect(try await store.get("b", range: 0..<1) == nil)
    }

    @Test(arguments: ["photos/2026/a.jpg", "a b", "a+b", "a%2Fb", "Straße/🚲", "~user/-._*'()!$,:;@\"=&?#", "\\|<>^`{}[]"])
    func `Keys with any characters are signed as the server reads them`(_ key: String) async throws {
        let store = try await makeStore()

        try await store.put(Array(key.utf8), as: key, contentType: "text/plain")

        #expect(try await store.get(key) == Array(key.utf8))
        #expect(try await store.head(key)?.size == key.utf8.count)
        try await store.delete(key)
        #expect(try await store.get(key) == nil)
    }

    @Test func `A prefix with any characters is listed`() async throws {
        let address = try await ObjectStoreServer.running().makeAddress().replacing("?", with: "%20Stra%C3%9Fe+&=?")
        let store = try await makeStore(address)

        try await store.check()
    }

    @Test func `A read of more bytes than the limit fails`() async throws {
        let store = try await makeStore()
        try await store.put([UInt8](repeating: 7, count: 100_000), as: "a", contentType: "image/jpeg")

        await #expect(throws: ObjectStoreError.tooLarge(limit: 99_999)) { try await store.get("a", limit: 99_999) }
        #expect(try await store.get("a", limit: 100_000)?.count == 100_000)
    }

    @Test func `A wrong secret is refused`() async throws {
        let store = try await makeStore(variables: ["AWS_SECRET_ACCESS_KEY": "wrong"])

        let error = await #expect(throws: ObjectStoreError.self) { try await store.check() }
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        let writing = await #expect(throws: ObjectStoreError.self) { try await store.put(bytes, as: "a", contentType: "image/jpeg") }

        #expect(
            error?.description
                == "the object store does not accept the signature (SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY")
        #expect(writing?.description == error?.description)
    }

    @Test func `An unknown access key is refused`() async throws {
        let store = try await makeStore(variables: ["AWS_ACCESS_KEY_ID": "AKIAUNKNOWN"])

        let error = await #expect(throws: ObjectStoreError.self) { try await store.check() }

        #expect(error?.description == "the object store does not know the access key (InvalidAccessKeyId): check AWS_ACCESS_KEY_ID")
    }

    @Test func `Temporary credentials are accepted with their session token only`() async throws {
        let server = try await ObjectStoreServer.running()
        let store = try await makeStore(variables: server.temporary)
        let other = try await makeStore(variables: server.temporary.merging(["AWS_SESSION_TOKEN": "wrong"]) { $1 })

        try await store.put([1], as: "a", contentType: "image/jpeg")
        #expect(try await store.get("a") == [1])
        let error = await #expect(throws: ObjectStoreError.self) { try await other.get("a") }

        #expect(error?.description.contains("(InvalidToken)") == true)
    }

    @Test func `A missing bucket is reported by the check and by reads`() async throws {
        let address = try await ObjectStoreServer.running().makeAddress().replacing("s3://lading-tests", with: "s3://lading-missing")
        let store = try await makeStore(address)

        let error = await #expect(throws: ObjectStoreError.self) { try await store.check() }
        let reading = await #expect(throws: ObjectStoreError.self) { try await store.get("a") }

        #expect(
            error?.description
                == "the bucket lading-missing does not exist (NoSuchBucket): create it, or correct the address of the object store")
        #expect(reading?.description == error?.description)
    }

    @Test func `A server that does not run is unreachable`() async throws {
        let url = try ScriptedServer.unreachableURL()
        var limits = ObjectStoreLimits()
        limits.attempts = 1
        let store = try await ObjectStoreServer.running().makeStore(
            "s3://lading?endpoint=\(url.absoluteString)", limits: limits, executor: Self.executor)

        let error = await #expect(throws: ObjectStoreError.self) { try await store.check() }

        #expect(
            error?.description
                == """
                the object store at 127.0.0.1:\(url.port ?? 0) cannot be reached (Connection refused): check its address, and that it runs
                """)
    }

    @Test func `Attempts continue after connections that end before a response`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n<ListBucketResult/>"
        let server = try ScriptedServer { [requests = RequestCounter()] _ in requests.next() <= 2 ? [.reset] : [.send(answer)] }
        defer { server.stop() }
        let credentials = try ObjectStoreCredentials(environment: ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"])
        let store = ObjectStore(
            try ObjectStoreAddress("s3://lading?endpoint=\(server.url("/").absoluteString)"), credentials: credentials,
            executor: Self.executor, random: { 0 })

        try await store.check()

        #expect(server.log.requests.count == 3)
    }
}

private final class RequestCounter: Sendable {
    private let count = Atomic(0)

    /// Returns the number of the next request, from 1.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
