import Foundation
import HTTPFieldValues
import HTTPTypes
import Testing

@testable import LadingHTTP

extension CachePolicyActionTests {
    /// Fields with digests of the coded body.
    private var digests: String {
        "Content-Digest: sha-256=:YQ==: | Repr-Digest: sha-256=:YQ==: | Digest: sha-256=YQ== | Content-MD5: YQ=="
    }

    private func digestCount(_ response: StoredResponse) -> Int {
        response.headers.filter { $0.name.canonicalName.contains("digest") || $0.name.canonicalName.contains("md5") }.count
    }

    @Test func `A decoded body has the entity tag of the origin, and is never combined`() throws {
        let policy = CachePolicy(audience: .private, isDecoded: true)
        let head = ResponseHead(
            status: .ok, headers: CacheSamples.fields("Content-Encoding: gzip | ETag: \"a\" | Content-Length: 5 | \(digests)"))

        var response = try #require(policy.storedResponse(head, CacheSamples.query(), CacheSamples.at(0), CacheSamples.at(0)))
        response.length = 10

        func tag(of content: ServedContent) -> String? {
            response.head(for: content, at: CacheSamples.at(1), in: policy.role, CacheStatus(name: "Lading")).headers[.eTag]
        }
        #expect(response.headers[.contentEncoding] == nil && response.headers[.contentLength] == nil && digestCount(response) == 0)
        #expect(response.isDecoded && !response.hasStrongEntityTag)
        #expect(tag(of: .full) == "\"a\"" && tag(of: .notModified) == "\"a\"" && tag(of: .partial(2..<5)) == "W/\"a\"")
        let range = CacheSamples.query(.get, "Range: bytes=2-4 | If-Range: \"a\"")
        #expect(policy.servedContent(for: range, from: response) == .full)
    }

    @Test func `A 304 and a response to HEAD leave the entity tag of a decoded body unchanged`() throws {
        let policy = CachePolicy(audience: .private, isDecoded: true)
        var stored = CacheSamples.response("Cache-Control: max-age=5 | ETag: \"a\"")
        stored.isDecoded = true
        guard
            case .forward(let originRequest) = policy.plan(
                for: CacheSamples.query(), among: [stored], at: CacheSamples.at(10), canRefresh: false)
        else { return #expect(Bool(false)) }
        let head = ResponseHead(status: .notModified, headers: CacheSamples.fields("ETag: \"a\" | \(digests)"))

        let action = policy.action(
            for: head, to: CacheSamples.query(), originRequest, among: [stored], requestTime: CacheSamples.at(10),
            now: CacheSamples.at(10))
        let effect = policy.effect(
            of: ResponseHead(status: .ok, headers: CacheSamples.fields("Content-Encoding: gzip | Content-Length: 5 | ETag: \"a\"")),
            on: stored, CacheSamples.query(.head), requestTime: CacheSamples.at(10), now: CacheSamples.at(10))

        #expect(originRequest.summary == "forward stale if-none-match=\"a\"")
        guard case .freshen(_, let fresh, .full, _) = action, case .replace(let updated) = effect else { return #expect(Bool(false)) }
        for response in [fresh, updated] {
            #expect(response.headers[.eTag] == "\"a\"" && response.isDecoded && digestCount(response) == 0)
        }
    }

    @Test func `A decoded body that an earlier release stored with a weak entity tag is validated by the strong one`() {
        let policy = CachePolicy(audience: .private, isDecoded: true)
        let stored = CacheSamples.response("Cache-Control: max-age=5 | ETag: W/\"a\"")
        guard
            case .forward(let originRequest) = policy.plan(
                for: CacheSamples.query(), among: [stored], at: CacheSamples.at(10), canRefresh: false)
        else { return #expect(Bool(false)) }

        let action = policy.action(
            for: ResponseHead(status: .notModified, headers: CacheSamples.fields("ETag: \"a\"")), to: CacheSamples.query(), originRequest,
            among: [stored], requestTime: CacheSamples.at(10), now: CacheSamples.at(10))

        guard case .freshen(0, let fresh, .full, _) = action else { return #expect(Bool(false)) }
        #expect(fresh.headers[.eTag] == "W/\"a\"")
    }
}
