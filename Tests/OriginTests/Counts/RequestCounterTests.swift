import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import Origin

@Suite("Request counter", .timeLimit(.minutes(1)))
struct RequestCounterTests {
    @Test func `Requests are counted by what they ask for`() async throws {
        let origin = try await makeOrigin()
        for name in ["orders.plist", "items.plist", "order-1.xml", "order-2.xml", "order-999.xml", "item-1.xml", "item-1.svg"] {
            _ = try await origin.answer("/swift-concurrency/\(name)")
        }

        let answer = try await origin.answer("/-/counts")

        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(
            answer.text == """
                {"completed":7,"cutOff":0,"hungUp":0,"requests":{"items":1,"lists":2,"orders":3,"pictures":1}}
                """)
    }

    @Test func `What is no document is not counted, nor is HEAD, nor are the counts`() async throws {
        let origin = try await makeOrigin()
        for path in ["/health", "/-/counts", "/nothing", "/swift-concurrency/nothing"] { _ = try await origin.answer(path) }
        _ = try await origin.answer("/swift-concurrency/order-1.xml", method: .head)

        #expect(origin.tally.counts == RequestCounts())
    }

    @Test func `DELETE begins anew`() async throws {
        let origin = try await makeOrigin()
        _ = try await origin.answer("/swift-concurrency/order-1.xml")

        let answer = try await origin.answer("/-/counts", method: .delete)

        #expect(answer.status == .noContent)
        #expect(origin.tally.counts == RequestCounts())
    }

    @Test func `Counts cannot be written`() async throws {
        let answer = try await makeOrigin().answer("/-/counts", method: .post)

        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD, DELETE")
    }

    @Test(arguments: [(65_536, 1, 0), (65_537, 0, 1)])
    func `A long body that its client does not take to the end is cut off`(length: Int, completed: Int, cutOff: Int) async throws {
        let tally = RequestTally()
        let response = try await response(of: ByteBuffer(repeating: 1, count: length), through: RequestCounter(tally: tally))

        try? await response.body.write(BrokenWriter())

        #expect((tally.counts.completed, tally.counts.cutOff) == (completed, cutOff))
        #expect(response.headers[.contentLength] == "\(length)")
    }

    @Test func `A long body that is taken to the end is completed`() async throws {
        let tally = RequestTally()
        let body = ByteBuffer(repeating: 1, count: 100_000)
        let response = try await response(of: body, through: RequestCounter(tally: tally))
        #expect(tally.counts.completed == 0)

        let taken = try await response.body.collected()

        #expect(taken == body)
        #expect(tally.counts.completed == 1)
    }

    @Test func `A client that stops reading in the middle is counted as cut off`() async throws {
        let origin = try await RunningOrigin(orders: 100_000)

        _ = try await origin.run { try await Socket.answer(of: $0, to: "/swift-concurrency/orders.plist", upTo: 1_000) }

        #expect((origin.counts.completed, origin.counts.cutOff) == (0, 1))
    }

    private func response(of body: ByteBuffer, through counter: RequestCounter) async throws -> Response {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/swift-concurrency/orders.plist")
        let context = BasicRequestContext(source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: quiet))
        return try await counter.handle(Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context) { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
    }
}

/// The way to a client that is gone.
private struct BrokenWriter: ResponseBodyWriter {
    func write(_ buffer: ByteBuffer) async throws { throw ChannelError.ioOnClosedChannel }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
