import Foundation
import HTTPTypes
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingOutbox
import LadingTesting
import Testing
@testable import StoreFixtures

/// The code of Docs/Guides/Outbox.md, which contains the lines between the markers verbatim.
@Suite struct OutboxGuideExample {
    @Test func `The example of the guide sends its request`() async throws {
        let folder = try StoreFolder("outbox")
        let executor = ScriptedExecutor()
        let url = try #require(URL(string: "http://example.org/v1/deliveries/7/favourite"))
        executor.script(url.absoluteString, .response())
        let (client, queue, user, directory) = (BackendClient(executor: executor), BackendQueue(), "ann", folder.url)
        let (json, moment, key) = (Array(#"{"favourite":true}"#.utf8), Date(timeIntervalSince1970: 0), IdempotencyKey.unique())

        // ---- GUIDE
        let journal = try SQLiteOutboxJournal(at: directory.appending(path: "outbox.sqlite"))
        let outbox = try await Outbox(client: client, queue: queue, journal: journal, partition: user)

        let request = OutboxRequest(method: .put, url: url, headers: [.contentType: "application/json"], body: json)
        try await outbox.add(request, changing: "deliveries/7/favourite", at: moment, key: key, supersedesPrevious: true)
        // ---- GUIDE

        let events = outbox.events()
        await withDiscardingTaskGroup { group in
            group.addTask { await outbox.run() }
            for await event in events { if case .ended = event.change { break } }
            group.cancelAll()
        }
        #expect(executor.requests.map(\.url) == [url])
        #expect(executor.requests.map { $0.headers[.contentType] } == ["application/json"])
        try journal.close()
    }
}
