import Foundation
import HTTPFieldValues
import HTTPTypes
@testable import LadingHTTP
@testable import LadingRecords
@testable import LadingTransfers

extension FuzzInput {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Parses a request, an empty line and its response, and serves a second request from the stored response.
    func parseFields() {
        let (request, response) = (Self.fields(lines.prefix { !$0.isEmpty }), Self.fields(lines.drop { !$0.isEmpty }))
        for line in lines {
            _ = HTTPDate(line, near: Self.now)
            _ = WebLink.links(in: line)
            _ = ContentDigest.values(in: line)
        }
        let head = ResponseHead(status: .ok, headers: response)
        parse(head)
        for audience in [CacheScope.private, .shared] {
            let policy = CachePolicy(audience: audience)
            let query = CacheQuery(method: .get, url: Self.address, headers: request)
            guard var storedResponse = policy.storedResponse(head, query, Self.now, Self.now) else { continue }
            storedResponse.length = bytes.count
            checkAnswer(from: storedResponse, for: query, by: policy)
        }
    }

    /// Parses the parts of a response that do not concern its freshness.
    private func parse(_ head: ResponseHead) {
        if let pause = head.headers.retryAfter(now: Self.now) { precondition(pause >= .zero, "no pause is negative") }
        precondition(head.bodyLength(for: .get) ?? 0 >= 0, "no length is negative")
        _ = head.representationDigest.map { ContentDigest.values(in: $0) }
        _ = FileVersion(head)
    }

    /// Parses a range of bytes from the first line, and the range of a response from the second one.
    func parseRange() {
        if let range = ByteRange(lines[0]) {
            for total in [0, 1, 10, Int.max] {
                guard let bytes = range.resolved(in: total) else { continue }
                precondition(!bytes.isEmpty && bytes.lowerBound >= 0 && bytes.upperBound <= total, "the bytes lie in the whole")
            }
        }
        guard let line = lines.dropFirst().first, case .bytes(let bytes, let total)? = ContentRange(line) else { return }
        precondition(!bytes.isEmpty && bytes.lowerBound >= 0 && bytes.upperBound <= total ?? .max, "the bytes lie in the whole")
    }

    /// Parses a requested range from the first line, and the metadata of a stored body from the rest.
    func parseCacheEntry() {
        let metadata = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        guard let storedResponse = StoredResponse(metadata: Array(metadata), length: 100) else { return }
        let query = CacheQuery(method: .get, url: Self.address, headers: Self.fields(["Range: \(lines[0])"]))
        for audience in [CacheScope.private, .shared] {
            checkAnswer(from: storedResponse, for: query, by: CachePolicy(audience: audience))
        }
    }

    /// Checks that the served content is within the stored body.
    private func checkAnswer(from storedResponse: StoredResponse, for query: CacheQuery, by policy: CachePolicy) {
        _ = policy.plan(for: query, among: [storedResponse], at: Self.now, canRefresh: true)
        guard let content = policy.servedContent(for: query, from: storedResponse) else { return }
        _ = storedResponse.head(for: content, at: Self.now, in: policy.role, CacheStatus(name: "fuzz"))
        let bytes = storedResponse.bytes(of: content)
        precondition(bytes.lowerBound >= 0 && bytes.upperBound <= storedResponse.length, "the bytes lie in the stored body")
    }

    /// Parses events in chunks, whose length is the first byte; the events are the same for any length.
    func parseEventStream() {
        guard let length = bytes.first.map({ max(1, Int($0)) }) else { return }
        let stream = Array(bytes.dropFirst())
        var parser = EventStreamParser()
        let whole = try? parser.parse(stream)
        var chunkedParser = EventStreamParser()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: stream.count, by: length) {
            guard let some = try? chunkedParser.parse(Array(stream[start..<min(start + length, stream.count)])) else { return }
            events += some
        }
        precondition(
            whole == events && parser.lastEventID == chunkedParser.lastEventID && parser.reconnectionTime == chunkedParser.reconnectionTime,
            "chunks change nothing")
    }
}
