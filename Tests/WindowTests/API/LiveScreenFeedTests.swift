import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@testable import Window

/// The connections of a live page to the change feed, which is scripted.
@Suite("Change feed of live pages", .timeLimit(.minutes(10))) struct LiveScreenFeedTests {
    private static let changes = "http://a.org/api/v1/changes"

    private let backend = ScriptedExecutor()
    private let clock = ManualClock()

    @Test(arguments: [
        ScriptedExecutor.Response.response(headers: [.contentType: "text/html"], text: "Back soon"), .response(status: .noContent),
        .response(headers: [.contentType: "text/event-streams"]),
    ])
    func `A response that is no event stream is a failure, after which the delay grows`(response: ScriptedExecutor.Response) async throws {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        backend.script("\(Self.changes)?after=1", response)
        let following = Task { [clock] in await OrderService(api: api, token: "t").followChanges(after: "1", on: clock) { _ in } }

        for delay in [Duration.seconds(2), .seconds(10), .seconds(10)] {
            let now = clock.now
            #expect(await clock.nextTimer() == now.advanced(by: delay))
            clock.advance(by: delay)
        }

        following.cancel()
        #expect(await following.value == nil)
    }

    @Test func `A position that cannot be read after the old one has expired is read again, until the page is closed`() async throws {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        let (reads, report) = AsyncStream.makeStream(of: Void.self)
        let source = LiveScreen<Int>.Source(read: { _ in
            report.yield()
            return 1
        })
        let screen = LiveScreen(0, at: "1", from: source, OrderService(api: api, token: "t"), clock: clock) { current in
            DetailEvent(version: current.version, state: "loaded", html: JSONText("\(current.content)"))
        }
        let following = Gate()
        backend.script("\(Self.changes)?after=1", .response(status: .gone))
        backend.script(Self.changes, .response(status: .badGateway), .response(status: .badGateway), .response(text: #"{"position":"9"}"#))
        backend.script("\(Self.changes)?after=9", .response(), behind: following)

        screen.setVisible(true)
        for delay in [Duration.milliseconds(500), .seconds(2)] {
            let now = clock.now
            #expect(await clock.nextTimer() == now.advanced(by: delay))
            clock.advance(by: delay)
        }

        // The content is read again, and the feed is followed from there.
        _ = await reads.first { _ in true }
        await following.waitForWaiters(count: 1)
        screen.stop()
        #expect(following.waiterCount == 0)
        _ = await clock.nextTimer()
        clock.advance(by: .milliseconds(50))
    }
}
