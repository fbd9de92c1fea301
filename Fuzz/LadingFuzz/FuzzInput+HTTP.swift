import Foundation
import HTTPTypes

@testable import LadingFeeds
@testable import LadingHTTP

extension FuzzInput {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// A request, an empty line, and the response to it: what is decided about them, and what a second request gets.
    func parseFields() {
        let (request, response) = (Self.fields(lines.prefix { !$0.isEmpty }), Self.fields(lines.drop { !$0.isEmpty }))
        for line in lines {
            _ = HTTPDate(line, near: Self.now)
            _ = WebLink.links(in: line)
            _ = ContentDigest.values(in: line)
        }
        let head = ReplyHead(status: .ok, headers: response)
        parse(head)
        for audience in [CacheAudience.private, .shared] {
            let policy = CachePolicy(audience: audience)
            let query = CacheQuery(method: .get, url: Self.address, headers: request)
            guard var reply = policy.stored(head, query, Self.now, Self.now) else { continue }
            reply.length = bytes.count
            use(reply, for: query, by: policy)
        }
    }

    /// Parses the parts of a response that do not concern its freshness.
    private func parse(_ head: ReplyHead) {
        if let pause = head.headers.retryAfter(now: Self.now) { precondition(pause >= .zero, "no pause is negative") }
        precondition(head.bodyLength(asked: .get) ?? 0 >= 0, "no length is negative")
        _ = head.wholeDigest.map { ContentDigest.values(in: $0) }
        _ = FileVersion(head)
    }

    /// The first line is a range of bytes, the second one the range that a response has.
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

    /// The first line is a range that is asked for; the rest stands beside a stored body.
    func parseCacheEntry() {
        let note = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        guard let reply = StoredReply(note: Array(note), length: 100) else { return }
        let query = CacheQuery(method: .get, url: Self.address, headers: Self.fields(["Range: \(lines[0])"]))
        for audience in [CacheAudience.private, .shared] { use(reply, for: query, by: CachePolicy(audience: audience)) }
    }

    /// Checks that an answer is within the stored body.
    private func use(_ reply: StoredReply, for query: CacheQuery, by policy: CachePolicy) {
        _ = policy.plan(for: query, among: [reply], at: Self.now, canRefresh: true)
        guard let answer = policy.answer(to: query, from: reply) else { return }
        _ = reply.head(for: answer, at: Self.now, in: policy.role, CacheStatus(name: "fuzz"))
        let bytes = reply.bytes(of: answer)
        precondition(bytes.lowerBound >= 0 && bytes.upperBound <= reply.length, "the bytes lie in the stored body")
    }

    /// The first byte is the length of the chunks that the rest comes in: however it is cut, the events are the same.
    func parseEventStream() {
        guard let length = bytes.first.map({ max(1, Int($0)) }) else { return }
        let stream = Array(bytes.dropFirst())
        var parser = EventStreamParser()
        let whole = try? parser.parse(stream)
        var cut = EventStreamParser()
        var events: [ServerSentEvent] = []
        for start in stride(from: 0, to: stream.count, by: length) {
            guard let some = try? cut.parse(Array(stream[start..<min(start + length, stream.count)])) else { return }
            events += some
        }
        precondition(whole == events && parser.lastID == cut.lastID && parser.pause == cut.pause, "chunks change nothing")
    }
}
