import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

/// Tests of streamed responses.
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

    @Test func `Chunks are received as they arrive`() async throws {
        executor.script(url.absoluteString, .chunks([[1, 2], [3], [4, 5, 6]]))

        #expect(try await sizes(of: url).chunks == [2, 1, 3])
    }

    @Test func `Redirects are followed, and the final URL is reported`() async throws {
        executor.script(url.absoluteString, .response(status: .temporaryRedirect, headers: [.location: "/other"]))
        executor.script("http://example.org/other", .response(body: [1]))

        let response = try await sizes(of: url)

        #expect(response.status == 200 && response.url.absoluteString == "http://example.org/other")
    }

    @Test func `A redirect loop ends at the redirect limit`() async throws {
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: "/file"]))

        await #expect { try await sizes(of: url) } throws: { error in
            if case BackendError.tooManyRedirects(_, limit: 5) = error { true } else { false }
        }
        #expect(executor.requests.count == 6)
    }

    @Test func `Other schemes and private addresses of another host are policy violations`() async throws {
        executor.script(url.absoluteString, .response(status: .found, headers: [.location: "http://127.0.0.1/"]))

        await #expect { try await sizes(of: URL(filePath: "/etc/passwd")) } throws: { error in
            if case BackendError.policyViolation(_, .unsupportedScheme) = error { true } else { false }
        }
        await #expect { try await sizes(of: url) } throws: { error in
            if case BackendError.policyViolation(_, .privateAddress) = error { true } else { false }
        }
    }

    @Test func `An error of the receiver is rethrown`() async throws {
        struct StopReading: Error {}
        executor.script(url.absoluteString, .chunks([[1], [2]]))

        await #expect(throws: StopReading.self) {
            try await client.exchange(RequestMessage(url: url)) { _, body, _ in
                for try await _ in body { throw StopReading() }
            }
        }
    }
}
