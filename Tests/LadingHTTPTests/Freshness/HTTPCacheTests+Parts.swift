import HTTPTypes
import LadingCaching
import LadingTesting
import Testing

@testable import LadingHTTP

// Ranges of stored responses, and stored partial responses.
extension HTTPCacheTests {
    @Test func `Ranges are served from a stored response, and HEAD without its body`() async throws {
        fixture.script("Cache-Control: max-age=60 | Content-Length: 10", "0123456789")
        _ = try await fixture.get()

        let part = try await fixture.response("Range: bytes=2-4")
        let head = try await fixture.response("", CacheSamples.url, .head)
        let behind = try await fixture.response("Range: bytes=10-")

        #expect(part.status == .partialContent && part.text == "234" && part.headers[.contentRange] == "bytes 2-4/10")
        #expect(head.body.isEmpty && head.headers[.contentLength] == "10")
        #expect(behind.status == .rangeNotSatisfiable && behind.headers[.contentRange] == "bytes */10")
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A partial response is completed by its continuation`() async throws {
        fixture.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 0-5/10", "012345")
        _ = try await fixture.get("Range: bytes=0-5")
        fixture.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 6-9/10", "6789")

        let whole = try await fixture.response()
        let again = try await fixture.get("Range: bytes=4-7")

        #expect(whole.status == .ok && whole.text == "0123456789" && again == "4567")
        #expect(fixture.executor.requests.map { $0.headers[.range] } == ["bytes=0-5", "bytes=6-"])
        #expect(try await fixture.store.usage().count == 1)
    }

    @Test func `A truncated continuation completes nothing`() async throws {
        fixture.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 0-5/10", "012345")
        _ = try await fixture.get("Range: bytes=0-5")
        fixture.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 6-9/10", "678")

        await #expect(throws: HTTPCache.Truncated.self) { try await fixture.get() }
        fixture.script("Cache-Control: max-age=60 | ETag: \"b\"", "new")

        #expect(try await fixture.get() == "new")
    }

    @Test func `The newer of a complete and a partial response is served`() async throws {
        fixture.script("Cache-Control: max-age=600 | ETag: \"a\" | Date: 0", "AAAAA")
        _ = try await fixture.get()
        fixture.advance(by: 2)
        fixture.script(status: 206, "Cache-Control: max-age=600 | ETag: \"b\" | Date: 2 | Content-Range: bytes 0-1/5", "BB")
        _ = try await fixture.get("Range: bytes=0-1 | Cache-Control: no-cache")

        #expect(try await fixture.get("Range: bytes=0-1") == "BB")
        #expect(fixture.executor.requests.count == 2)
    }
}
