import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing
import TemporaryFolders

@Suite struct RequestBodyTests {
    // MARK: Bytes and streams

    @Test func `Bytes in memory are split into chunks of bounded size`() async throws {
        let bytes = (0..<RequestBody.chunkSize * 2 + 5).map { UInt8(truncatingIfNeeded: $0 &* 3) }

        let chunks = try await RequestBody.bytes(bytes).chunks()

        #expect(chunks.map(\.count) == [RequestBody.chunkSize, RequestBody.chunkSize, 5])
        #expect(chunks.flatMap { $0 } == bytes)
    }

    @Test func `Each iteration of a body starts at its beginning`() async throws {
        let file = try TemporaryFile("abc")
        let bodies: [RequestBody] = [[97, 98, 99], .stream { Chunks("a", "bc") }, try .file(file.url)]

        for body in bodies {
            for _ in 1...2 { #expect(try await body.collected(limit: 3) == Array("abc".utf8)) }
        }
    }

    @Test func `An empty body has no chunks`() async throws {
        #expect(try await ([] as RequestBody).chunks() == [])
        #expect(([] as RequestBody).isEmpty)
    }

    @Test(arguments: [2, 4]) func `A stream longer or shorter than announced fails`(announced: Int) async {
        let body = RequestBody.stream(length: announced) { Chunks("a", "bc") }

        await #expect { try await body.chunks() } throws: { error in
            if case RequestBodyError.wrongLength(3, announced: announced) = error { true } else { false }
        }
    }

    @Test func `A stream that ends because of a cancellation is not complete`() async throws {
        let gate = Gate()
        let body = RequestBody.stream {
            AsyncStream<[UInt8]> {
                try? await gate.wait()
                return nil
            }
        }
        let reading = Task { try await body.chunks() }
        await gate.waitForWaiters(count: 1)

        reading.cancel()

        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `Collecting a body fails beyond the limit`() async {
        await #expect(throws: RequestBodyError.tooLong(limit: 2)) {
            try await RequestBody.stream { Chunks("a", "bc") }.collected(limit: 2)
        }
    }

    // MARK: Files

    @Test func `Only the given range of a file is read`() async throws {
        let file = try TemporaryFile("0123456789")

        let body = try RequestBody.file(file.url, range: 3..<7)

        #expect(body.length == 4)
        #expect(try await body.collected(limit: 10) == Array("3456".utf8))
    }

    @Test func `A missing file, a folder and a range beyond the end are refused at once`() throws {
        let file = try TemporaryFile("0123456789")
        let path = file.url.path(percentEncoded: false)
        let folder = FileManager.default.temporaryDirectory
        let nowhere = folder.appending(path: "lading nowhere \(UUID().uuidString)")

        #expect(throws: RequestBodyError.fileNotFound(nowhere.path(percentEncoded: false))) { try RequestBody.file(nowhere) }
        #expect(throws: RequestBodyError.notRegularFile(folder.path(percentEncoded: false))) { try RequestBody.file(folder) }
        #expect(throws: RequestBodyError.outOfRange(path, size: 10)) { try RequestBody.file(file.url, range: 5..<11) }
    }

    @Test func `A file that was truncated or removed fails when it is sent`() async throws {
        let file = try TemporaryFile("0123456789")
        let path = file.url.path(percentEncoded: false)
        let body = try RequestBody.file(file.url)

        try Data("0123".utf8).write(to: file.url)
        await #expect(throws: RequestBodyError.outOfRange(path, size: 4)) { try await body.chunks() }

        try FileManager.default.removeItem(at: file.url)
        await #expect(throws: RequestBodyError.fileNotFound(path)) { try await body.chunks() }
    }

    @Test func `Bytes appended to a file after its body was made are not sent`() async throws {
        let file = try TemporaryFile("0123")
        let body = try RequestBody.file(file.url)

        try Data("0123456789".utf8).write(to: file.url)

        #expect(try await body.collected(limit: 10) == Array("0123".utf8))
    }

    // MARK: Redirects

    @Test func `A redirect with GET drops the body and its headers`() async throws {
        let executor = ScriptedExecutor()
        executor.script("http://a.org/form", .response(status: .seeOther, headers: [.location: "/done"]))
        executor.script("http://a.org/done", .response(text: "done"))
        let url = try #require(URL(string: "http://a.org/form"))

        _ = try await BackendClient(executor: executor).response(
            to: RequestMessage(method: .post, url: url, headers: [.accept: "a/b"], content: .form(["a": "b"])))

        #expect(executor.requests.map { $0.headers[.contentType] } == ["application/x-www-form-urlencoded", nil])
        #expect(executor.requests.map { $0.headers[.accept] } == ["a/b", "a/b"])
    }
}

extension RequestBody {
    /// Returns all chunks of the body.
    func chunks() async throws -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        for try await chunk in self { chunks.append(chunk) }
        return chunks
    }
}

/// A sequence of strings as chunks of bytes.
struct Chunks: AsyncSequence, AsyncIteratorProtocol {
    private var rest: ArraySlice<String>

    init(_ texts: String...) {
        rest = texts[...]
    }

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async -> [UInt8]? { rest.popFirst().map { Array($0.utf8) } }
}
