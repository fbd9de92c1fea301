import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

/// Replies that are handed over as they arrive.
@Suite struct StreamedExchangeTests {
    private let executor = ScriptedExecutor()
    private let client: BackendClient
    private let url = URL(string: "http://example.org/file")!

    init() {
        client = BackendClient(executor: executor)
    }

    private func sizes(of url: URL) async throws -> (status: Int, chunks: [Int], url: URL) {
        try await client.exchange(RequestMessage(url: url)) { head, body, url in
            var chunks: [Int] = []
            for try await chunk in body { chunks.append(chunk.count) }
            return (head.status.code, chunks, url)
        }
    }

    @Test func `Chunks are handed over as they come`() async throws {
        executor.script(url.absoluteString, .chunks([[1, 2], [3], [4, 5, 6]]))

        #expect(try await sizes(of: url).chunks == [2, 1, 3])
    }

    @Test func `Redirects are followed, and whoever answers in the end is named`() async throws {
        executor.script(url.absoluteString, .reply(status: .temporaryRedirect, headers: [.location: "/other"]))
        executor.script("http://example.org/other", .reply(body: [1]))

        let reply = try await sizes(of: url)

        #expect(reply.status == 200 && reply.url.absoluteString == "http://example.org/other")
    }

    @Test func `Redirects without an end are given up`() async throws {
        executor.script(url.absoluteString, .reply(status: .found, headers: [.location: "/file"]))

        await #expect { try await sizes(of: url) } throws: { error in
            if case BackendError.tooManyRedirects(_, limit: 5) = error { true } else { false }
        }
        #expect(executor.requests.count == 6)
    }

    @Test func `Other schemes are not opened, and a stranger leads to no private address`() async throws {
        executor.script(url.absoluteString, .reply(status: .found, headers: [.location: "http://127.0.0.1/"]))

        await #expect { try await sizes(of: URL(filePath: "/etc/passwd")) } throws: { error in
            if case BackendError.refused(_, .scheme) = error { true } else { false }
        }
        await #expect { try await sizes(of: url) } throws: { error in
            if case BackendError.refused(_, .privateAddress) = error { true } else { false }
        }
    }

    @Test func `What reading throws is passed on`() async throws {
        struct Enough: Error {}
        executor.script(url.absoluteString, .chunks([[1], [2]]))

        await #expect(throws: Enough.self) {
            try await client.exchange(RequestMessage(url: url)) { _, body, _ in
                for try await _ in body { throw Enough() }
            }
        }
    }
}
