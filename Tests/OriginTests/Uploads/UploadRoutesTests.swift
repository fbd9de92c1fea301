import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PostgreSQLFixtures
import Synchronization
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Uploads to an origin", .timeLimit(.minutes(10)))
struct UploadRoutesTests {
    private let text = "The quick brown fox jumps over the lazy dog."

    private func send(
        _ client: some TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:], _ body: String = ""
    ) async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: method, headers: fields, body: ByteBuffer(string: body))
    }

    private func patch(
        _ client: some TestClientProtocol, _ path: String, at offset: Int, _ body: String, isEnd: Bool
    ) async throws -> TestResponse {
        let fields: HTTPFields = [
            .contentType: "application/partial-upload", .uploadOffset: "\(offset)", .uploadComplete: isEnd ? "?1" : "?0",
        ]
        return try await send(client, .patch, path, fields, body)
    }

    /// Creates an upload and returns its location.
    private func create(_ client: some TestClientProtocol, length: Int? = nil) async throws -> String {
        var fields: HTTPFields = [.uploadComplete: "?0"]
        if let length { fields[.uploadLength] = "\(length)" }
        let response = try await send(client, .post, "/uploads/fox.txt", fields)
        #expect(response.status == .created)
        return try #require(response.headers[.location])
    }

    /// Runs a test with an origin that stores files in a directory, and then with one that stores them in a shared database.
    ///
    /// - Parameter storage: Nil for both; otherwise only this one.
    private func withClient(
        limit: Int = 1_000, storage: OriginConfiguration.Storage? = nil,
        _ test: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        for database in storage == nil ? [nil, try await PostgreSQLServer.makeDatabase()] : [nil] {
            var configuration = OriginConfiguration(storage: storage ?? .inMemory, orderCount: 1, deliveryCount: 0)
            configuration.uploadSizeLimit = limit
            configuration.sharedDatabase = database
            let origin = try await OriginServer(configuration, logger: silentLogger, now: { demoDate })
            try await origin.application.test(.router) { try await test($0) }
        }
    }

    // MARK: Whole files

    @Test(arguments: [HTTPRequest.Method.put, .post]) func `A file is uploaded in one request and served back`(method: HTTPRequest.Method)
        async throws
    {
        try await withClient { client in
            let upload = try await send(client, method, "/uploads/fox.txt", [:], text)
            let served = try await send(client, .get, "/uploads/fox.txt")

            #expect(upload.status == .created && upload.headers[.location] == "/uploads/fox.txt")
            #expect(served.status == .ok && served.text == text)
            #expect(served.headers[.acceptRanges] == "bytes" && served.headers[.eTag]?.hasPrefix("\"") == true)
            #expect(served.headers[.contentDisposition] == "attachment" && served.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test func `A second upload replaces the file and changes its tag`() async throws {
        try await withClient { client in
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let first = try await send(client, .get, "/uploads/fox.txt")
            let replaced = try await send(client, .put, "/uploads/fox.txt", [:], String(text.reversed()))
            let second = try await send(client, .get, "/uploads/fox.txt")

            #expect(replaced.status == .ok && replaced.headers[.location] == "/uploads/fox.txt")
            #expect(second.text == String(text.reversed()) && first.headers[.eTag] != second.headers[.eTag])
        }
    }

    @Test(arguments: [HTTPFields(), [.uploadComplete: "?1"]])
    func `An upload in one request leaves no record`(fields: HTTPFields) async throws {
        let directory = try TemporaryFolder()
        try await withClient(storage: .directory(directory.url)) { client in
            let taken = try await send(client, .put, "/uploads/fox.txt", fields, text)

            #expect(taken.status == .created)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: "uploads/parts").path) == [])
        }
    }

    @Test func `A PUT with Content-Range is refused`() async throws {
        try await withClient { client in
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let part = try await send(client, .put, "/uploads/fox.txt", [.contentRange: "bytes 40-43/44"], "dog.")

            #expect(part.status == .badRequest)
            #expect(try await send(client, .get, "/uploads/fox.txt").text == text)
        }
    }

    @Test func `A file is replaced only if the preconditions hold`() async throws {
        try await withClient { client in
            let first = try await send(client, .put, "/uploads/fox.txt", [.ifMatch: "*"], text)
            let new = try await send(client, .put, "/uploads/fox.txt", [.ifNoneMatch: "*"], text)
            let tag = try #require(try await send(client, .head, "/uploads/fox.txt").headers[.eTag])
            let again = try await send(client, .put, "/uploads/fox.txt", [.ifNoneMatch: "*"], "again")
            let other = try await send(client, .put, "/uploads/fox.txt", [.ifMatch: "\"other\""], "other")
            let older = try await send(client, .put, "/uploads/fox.txt", [.ifUnmodifiedSince: Self.past], "older")
            let before = try await send(client, .get, "/uploads/fox.txt")
            let same = try await send(client, .put, "/uploads/fox.txt", [.ifMatch: tag], "same")

            #expect([first, again, other, older].map(\.status) == Array(repeating: .preconditionFailed, count: 4))
            #expect(new.status == .created && before.text == text)
            #expect(same.status == .ok)
            #expect(try await send(client, .get, "/uploads/fox.txt").text == "same")
        }
    }

    @Test func `Preconditions are checked again when the upload completes`() async throws {
        try await withClient { client in
            let begun = try await send(client, .post, "/uploads/fox.txt", [.uploadComplete: "?0", .ifNoneMatch: "*"])
            let part = try #require(begun.headers[.location])
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let last = try await patch(client, part, at: 0, "abc", isEnd: true)

            #expect(last.status == .preconditionFailed)
            #expect(try await send(client, .get, "/uploads/fox.txt").text == text)
        }
    }

    @Test func `A file is served only in the required version`() async throws {
        try await withClient { client in
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let tag = try #require(try await send(client, .head, "/uploads/fox.txt").headers[.eTag])
            let other = try await send(client, .get, "/uploads/fox.txt", [.ifMatch: "\"other\""])
            let weak = try await send(client, .get, "/uploads/fox.txt", [.ifMatch: "W/\(tag)"])
            let older = try await send(client, .get, "/uploads/fox.txt", [.ifUnmodifiedSince: Self.past])
            let same = try await send(client, .get, "/uploads/fox.txt", [.ifMatch: tag, .ifUnmodifiedSince: Self.past])

            #expect([other, weak, older].map(\.status) == Array(repeating: .preconditionFailed, count: 3))
            #expect(other.text.isEmpty && other.headers[.eTag] == tag)
            #expect(same.status == .ok && same.text == text)
        }
    }

    private static let past = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(arguments: [
        "/uploads/.hidden", "/uploads/..", "/uploads/%2e%2e", "/uploads/a%2Fb", "/uploads/a%00b", "/uploads/%C3%A4", "/uploads/a%20b",
        "/uploads/\(String(repeating: "a", count: 129))",
    ])
    func `An unsafe file name is refused`(path: String) async throws {
        try await withClient { client in
            let response = try await send(client, .put, path, [:], text)

            #expect(response.status == .badRequest)
        }
    }

    @Test func `A file beyond the size limit is refused by announced and by actual length`() async throws {
        try await withClient(limit: 10) { client in
            let whole = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let announced = try await send(client, .post, "/uploads/fox.txt", [.uploadComplete: "?0", .uploadLength: "11"])
            let part = try await create(client)
            let more = try await patch(client, part, at: 0, text, isEnd: false)

            #expect([whole, announced, more].map(\.status) == [.contentTooLarge, .contentTooLarge, .contentTooLarge])
            #expect(announced.headers[.uploadLimit] == "max-size=10")
            #expect(try await send(client, .get, "/uploads/fox.txt").status == .notFound)
        }
    }

    @Test func `Pages of other sites may not upload`() async throws {
        try await withClient { client in
            let other = try await send(client, .post, "/uploads/a", [.origin: "https://evil.example"], text)
            let framed = try await send(client, .put, "/uploads/a", [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"], text)

            #expect([other.status, framed.status] == [.forbidden, .forbidden])
        }
    }

    // MARK: Resumable uploads

    @Test func `OPTIONS reports the upload limits`() async throws {
        try await withClient { client in
            let options = try await send(client, .options, "/uploads/fox.txt")

            #expect(options.status == .noContent)
            #expect(options.headers[.acceptPatch] == "application/partial-upload")
            #expect(options.headers[.uploadLimit] == "max-size=1000, max-age=604800")
        }
    }

    @Test func `A file uploaded in parts is available after the last one`() async throws {
        try await withClient { client in
            let part = try await create(client, length: text.utf8.count)
            let first = try await patch(client, part, at: 0, String(text.prefix(10)), isEnd: false)
            let before = try await send(client, .get, "/uploads/fox.txt")
            let status = try await send(client, .head, part)
            let last = try await patch(client, part, at: 10, String(text.dropFirst(10)), isEnd: true)
            let after = try await send(client, .head, part)

            #expect(first.status == .noContent && first.headers[.uploadComplete] == "?0")
            #expect(before.status == .notFound)
            #expect(status.status == .noContent && status.headers[.uploadOffset] == "10" && status.headers[.uploadComplete] == "?0")
            #expect(status.headers[.uploadLength] == "\(text.utf8.count)" && status.headers[.cacheControl] == "no-store")
            #expect(last.status == .created && last.headers[.uploadComplete] == "?1")
            #expect(after.headers[.uploadOffset] == "\(text.utf8.count)" && after.headers[.uploadComplete] == "?1")
            #expect(try await send(client, .get, "/uploads/fox.txt").text == text)
        }
    }

    @Test func `A wrong offset is refused with the expected one`() async throws {
        try await withClient { client in
            let part = try await create(client)
            _ = try await patch(client, part, at: 0, "abc", isEnd: false)
            let response = try await patch(client, part, at: 1, "xyz", isEnd: false)

            #expect(response.status == .conflict && response.headers[.uploadOffset] == "3")
            #expect(response.headers[.contentType] == "application/problem+json")
            #expect(
                response.text.contains("#mismatching-upload-offset\"")
                    && response.text.contains("\"expected-offset\":3,\"provided-offset\":1"))
        }
    }

    @Test func `A changed length is refused and excess content ends the upload`() async throws {
        try await withClient { client in
            let part = try await create(client, length: 5)
            let inconsistent = try await patch(client, part, at: 0, "abc", isEnd: true)
            let more = try await patch(client, part, at: 0, "abcdefgh", isEnd: false)

            #expect(inconsistent.status == .badRequest && inconsistent.text.contains("#inconsistent-upload-length"))
            #expect(more.status == .badRequest)
            #expect(try await send(client, .head, part).status == .notFound)
        }
    }

    @Test func `A complete upload accepts no more content`() async throws {
        try await withClient { client in
            let part = try await create(client)
            _ = try await patch(client, part, at: 0, "abc", isEnd: true)
            let response = try await patch(client, part, at: 3, "d", isEnd: true)

            #expect(response.status == .badRequest && response.text.contains("#completed-upload"))
            #expect(try await send(client, .get, "/uploads/fox.txt").text == "abc")
        }
    }

    @Test func `A part without type, offset or completeness is refused`() async throws {
        try await withClient { client in
            let part = try await create(client)
            let untyped = try await send(client, .patch, part, [.uploadOffset: "0", .uploadComplete: "?0"], "a")
            let type = "application/partial-upload"
            let unflagged = try await send(client, .patch, part, [.contentType: type, .uploadOffset: "0", .uploadComplete: "1"], "a")
            let nowhere = try await send(client, .patch, part, [.contentType: type, .uploadOffset: "-1", .uploadComplete: "?0"], "a")

            #expect([untyped.status, unflagged.status, nowhere.status] == [.unsupportedMediaType, .badRequest, .conflict])
        }
    }

    @Test func `A deleted upload is gone and an unknown one gets 404`() async throws {
        try await withClient { client in
            let part = try await create(client)

            #expect(try await send(client, .delete, part).status == .noContent)
            #expect(try await send(client, .head, part).status == .notFound)
            for path in ["/uploads/parts/..", "/uploads/parts/x", "/uploads/parts/\(String(repeating: "0", count: 32))"] {
                #expect(try await send(client, .head, path).status == .notFound)
            }
        }
    }

    @Test func `A request whose upload expires before its bytes arrive gets 404`() async throws {
        let date = Mutex(demoDate)
        let configuration = OriginConfiguration(storage: .inMemory, orderCount: 1, deliveryCount: 0)
        let origin = try await OriginServer(configuration, logger: silentLogger, now: { date.withLock { $0 } })
        try await origin.application.test(.router) { client in
            let part = try await create(client)
            let chunks = Mutex([ByteBuffer(string: "abc")])
            let content = AsyncStream<ByteBuffer> {
                guard let chunk = chunks.withLock({ $0.popLast() }) else { return nil }
                date.withLock { $0 += UploadRecord.emptyLifetime }
                _ = try? await client.executeRequest(uri: "/uploads/other", method: .post, headers: [.uploadComplete: "?0"], body: nil)
                return chunk
            }

            let status = try await origin.append(content, to: part)

            #expect(status == .notFound)
            #expect(try await send(client, .head, part).status == .notFound)
        }
    }

    @Test func `Uploads resume after a restart of the origin`() async throws {
        let directory = try TemporaryFolder()
        let part = Box("")
        try await withClient(storage: .directory(directory.url)) { client in
            part.value = try await create(client)
            _ = try await patch(client, part.value, at: 0, "abc", isEnd: false)
            _ = try await send(client, .put, "/uploads/whole", [:], "whole")
        }

        try await withClient(storage: .directory(directory.url)) { client in
            let status = try await send(client, .head, part.value)
            let last = try await patch(client, part.value, at: 3, "def", isEnd: true)
            let files = [try await send(client, .get, "/uploads/fox.txt"), try await send(client, .get, "/uploads/whole")]

            #expect(status.headers[.uploadOffset] == "3" && last.status == .created)
            #expect(files.map(\.text) == ["abcdef", "whole"])
        }
    }

    /// A value shared between the closures of a test.
    private final class Box: @unchecked Sendable {  // Proof: the closures run one after the other.
        var value: String
        init(_ value: String) { self.value = value }
    }

    // MARK: Ranges

    @Test(arguments: [
        ("bytes=4-8", 206, "quick"), ("bytes=40-", 206, "dog."), ("bytes=-4", 206, "dog."), ("bytes=0-999", 206, nil),
        ("bytes=44-", 416, ""),
        ("bytes=-0", 416, ""), ("bytes=1-2,4-5", 200, nil), ("pages=1-2", 200, nil), ("bytes=8-4", 200, nil), ("bytes=a-b", 200, nil),
        ("bytes=99999999999999999999-", 200, nil),
    ])
    func `A range request gets the requested part`(range: String, status: Int, part: String?) async throws {
        try await withClient { client in
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let response = try await send(client, .get, "/uploads/fox.txt", [.range: range])

            #expect(response.status.code == status)
            #expect(response.text == part ?? text)
            #expect((response.headers[.contentRange] != nil) == (status != 200))
        }
    }

    @Test func `If-Range with another version gets the whole file`() async throws {
        try await withClient { client in
            _ = try await send(client, .put, "/uploads/fox.txt", [:], text)
            let tag = try #require(try await send(client, .head, "/uploads/fox.txt").headers[.eTag])
            let same = try await send(client, .get, "/uploads/fox.txt", [.range: "bytes=40-", .ifRange: tag])
            let other = try await send(client, .get, "/uploads/fox.txt", [.range: "bytes=40-", .ifRange: "\"other\""])
            let known = try await send(client, .get, "/uploads/fox.txt", [.ifNoneMatch: tag])

            #expect(same.status == .partialContent && same.headers[.contentRange] == "bytes 40-43/44")
            #expect(other.status == .ok && other.text == text)
            #expect(known.status == .notModified)
        }
    }
}
