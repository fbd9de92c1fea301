import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

@testable import Window

/// The reads of a live page, whose change feed is scripted.
@Suite("Live pages") struct LiveScreenTests {
    private static let changes = "http://a.org/api/v1/changes?after=e%3A1"
    private static let changeEvent = "event: change\nid: e:2\ndata: {\"order\":3,\"kind\":\"event\"}\n\n"

    private let backend = ScriptedExecutor()
    private let clock = ManualClock()

    private func screen(_ read: @escaping @Sendable (LiveScreen<Int>.ReadReason) async throws -> Int) throws -> LiveScreen<Int> {
        let client = BackendClient(executor: backend)
        let api = APIClient(client, streams: client, origin: try #require(URL(string: "http://a.org")))
        return LiveScreen(0, at: "e:1", from: .init(read: read), OrderService(api: api, token: "t"), clock: clock) { current in
            DetailEvent(version: current.version, state: "loaded", html: JSONText("\(current.content)"))
        }
    }

    @Test func `A read says whether a change has caused it, or the page`() async throws {
        backend.script(Self.changes, .response(headers: [.contentType: "text/event-stream"], text: Self.changeEvent))
        let (reasons, report) = AsyncStream.makeStream(of: LiveScreen<Int>.ReadReason.self)
        var iterator = reasons.makeAsyncIterator()
        let screen = try screen { reason in
            report.yield(reason)
            return 1
        }

        screen.refresh()
        #expect(await iterator.next() == .request)
        _ = await clock.nextTimer()
        clock.advance(by: .milliseconds(50))
        screen.setVisible(true)
        #expect(await iterator.next() == .change)
        screen.stop()
    }

    @Test func `Nothing is read after nobody is signed in any more`() async throws {
        let (feed, reading) = (Gate(), Gate())
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let reads = Mutex(0)
        backend.script(Self.changes, .response(status: .unauthorized), behind: feed)
        var screen: LiveScreen<Int>? = try screen { [ending = Ending(end)] _ in
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            // A second read is one too many.
            if number > 1 { end.finish() }
            try await reading.wait()
            return withExtendedLifetime(ending) { 1 }
        }
        screen?.setVisible(true)
        screen?.refresh()
        await reading.waitForWaiters(count: 1)
        screen?.refresh()
        let (reader, last) = (screen?.registerReader() ?? 0, screen?.lastEventID ?? 0)

        feed.open()
        guard case .events(let events, _)? = await screen?.nextOutput(after: last, for: reader) else {
            Issue.record("there is no event")
            return
        }
        #expect(events.map(\.name) == ["signedOut"])
        screen = nil
        reading.open()
        _ = await clock.nextTimer()
        clock.advance(by: .milliseconds(50))
        for await _ in ended {}

        #expect(reads.withLock(\.self) == 1)
    }

    /// A value of a screen, which reports the end of the screen.
    private final class Ending: Sendable {
        private let end: AsyncStream<Void>.Continuation

        init(_ end: AsyncStream<Void>.Continuation) {
            self.end = end
        }

        deinit { end.finish() }
    }
}
