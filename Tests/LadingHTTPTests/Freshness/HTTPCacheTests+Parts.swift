import HTTPTypes
import LadingCaching
import LadingTesting
import Testing

@testable import LadingHTTP

// Parts of what is kept, and parts that are kept.
extension HTTPCacheTests {
    @Test func `Parts are cut out of what is kept, and HEAD needs no body`() async throws {
        stage.script("Cache-Control: max-age=60 | Content-Length: 10", "0123456789")
        _ = try await stage.get()

        let part = try await stage.reply("Range: bytes=2-4")
        let head = try await stage.reply("", Kept.url, .head)
        let behind = try await stage.reply("Range: bytes=10-")

        #expect(part.status == .partialContent && part.text == "234" && part.headers[.contentRange] == "bytes 2-4/10")
        #expect(head.body.isEmpty && head.headers[.contentLength] == "10")
        #expect(behind.status == .rangeNotSatisfiable && behind.headers[.contentRange] == "bytes */10")
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `A kept beginning is completed by its rest`() async throws {
        stage.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 0-5/10", "012345")
        _ = try await stage.get("Range: bytes=0-5")
        stage.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 6-9/10", "6789")

        let whole = try await stage.reply()
        let again = try await stage.get("Range: bytes=4-7")

        #expect(whole.status == .ok && whole.text == "0123456789" && again == "4567")
        #expect(stage.executor.requests.map { $0.headers[.range] } == ["bytes=0-5", "bytes=6-"])
        #expect(try await stage.store.usage().count == 1)
    }

    @Test func `A rest that is shorter than it says makes nothing whole`() async throws {
        stage.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 0-5/10", "012345")
        _ = try await stage.get("Range: bytes=0-5")
        stage.script(status: 206, "Cache-Control: max-age=60 | ETag: \"a\" | Content-Range: bytes 6-9/10", "678")

        await #expect(throws: HTTPCache.Truncated.self) { try await stage.get() }
        stage.script("Cache-Control: max-age=60 | ETag: \"b\"", "new")

        #expect(try await stage.get() == "new")
    }

    @Test func `Of a whole and a newer part the newer one answers`() async throws {
        stage.script("Cache-Control: max-age=600 | ETag: \"a\" | Date: 0", "AAAAA")
        _ = try await stage.get()
        stage.wait(2)
        stage.script(status: 206, "Cache-Control: max-age=600 | ETag: \"b\" | Date: 2 | Content-Range: bytes 0-1/5", "BB")
        _ = try await stage.get("Range: bytes=0-1 | Cache-Control: no-cache")

        #expect(try await stage.get("Range: bytes=0-1") == "BB")
        #expect(stage.executor.requests.count == 2)
    }
}
