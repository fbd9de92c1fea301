import Foundation
import LadingCaching
import LadingTesting
import Testing

@testable import LadingHTTP

// Responses stored under the name that an earlier release gave their variant.
extension HTTPCacheTests {
    /// The first 128 bits of the SHA-256 of `accept-language:de;q=1000`, which was the name until the hash changed.
    private static let earlierName = "e204b2844c40f58cdab675a773847672"

    /// Stores a response and moves it to its earlier name.
    private func storeUnderEarlierName(_ line: String, _ text: String, status: Int = 200, for request: String) async throws {
        fixture.script(status: status, line, text)
        _ = try await fixture.get(request)
        let group = CacheSamples.url.absoluteString
        let blob = try #require(try await fixture.store.blobs(in: group).first)
        let prefix = blob.key.name.hasPrefix("part ") ? "part " : ""
        try await fixture.store.remove(blob)
        let writer = try await fixture.store.write(BlobKey(group: group, name: prefix + Self.earlierName), metadata: blob.metadata)
        try await writer.append(Array(text.utf8))
        _ = try await writer.finish(metadata: nil)
    }

    private var names: [String] {
        get async throws { try await fixture.store.blobs(in: CacheSamples.url.absoluteString).map(\.key.name) }
    }

    @Test func `A response stored under an earlier name is served`() async throws {
        try await storeUnderEarlierName("Cache-Control: max-age=60 | Vary: Accept-Language", "eins", for: "Accept-Language: de")

        let response = try await fixture.response("Accept-Language: de")

        #expect(response.text == "eins" && response.cacheStatus?.contains("hit") == true)
        #expect(try await names == [Self.earlierName])
    }

    @Test func `A newer response replaces the one stored under an earlier name, and no other variant`() async throws {
        let line = "Cache-Control: max-age=5 | Vary: Accept-Language"
        try await storeUnderEarlierName(line, "eins", for: "Accept-Language: de")
        fixture.script(line, "one")
        _ = try await fixture.get("Accept-Language: en")
        fixture.advance(by: 9)
        fixture.script(line, "zwei")

        let response = try await fixture.get("Accept-Language: de")
        let again = try await fixture.get("Accept-Language: de")

        #expect(response == "zwei" && again == "zwei")
        let names = try await names
        #expect(names.count == 2 && !names.contains(Self.earlierName))
    }

    @Test func `A complete response replaces a part stored under an earlier name`() async throws {
        try await storeUnderEarlierName(
            "Cache-Control: max-age=60 | Vary: Accept-Language | ETag: \"a\" | Content-Range: bytes 0-3/8", "eins", status: 206,
            for: "Accept-Language: de | Range: bytes=0-3")
        fixture.script(
            status: 206, "Cache-Control: max-age=60 | Vary: Accept-Language | ETag: \"a\" | Content-Range: bytes 4-7/8", "zwei")

        let whole = try await fixture.get("Accept-Language: de")

        #expect(whole == "einszwei")
        let names = try await names
        #expect(names.count == 1 && !names[0].hasPrefix("part "))
    }

    @Test func `A part does not replace a complete response of another name`() async throws {
        try await storeUnderEarlierName(
            "Cache-Control: max-age=600 | Vary: Accept-Language | ETag: \"a\"", "eins", for: "Accept-Language: de")
        fixture.script(
            status: 206, "Cache-Control: max-age=60 | Vary: Accept-Language | ETag: \"b\" | Content-Range: bytes 0-3/8", "zwei")

        _ = try await fixture.get("Accept-Language: de | Range: bytes=0-3 | Cache-Control: no-cache")

        let names = try await names
        #expect(names.count == 2 && names.contains(Self.earlierName))
    }
}
