package import Foundation
import HTTPTypes
package import LadingHTTP

/// Sends reports of crashes to a server, each until the server has taken it, and then never again.
package struct CrashSender: Sendable {
    /// How long one report may take.
    static let timeLimit = Duration.seconds(20)
    /// The longest reply that is read, in bytes.
    static let responseLimit = 64 << 10

    private let client: BackendClient
    private let url: URL

    package init(_ client: BackendClient, to url: URL) {
        self.client = client
        self.url = url
    }

    /// Sends what is unsent, oldest first; what the server does not take with a status of success is sent at the next start.
    ///
    /// - Returns: How many it took.
    /// - Throws: What the first one failed with that it did not take: the others would fare no better.
    package func send(_ crashes: CrashDirectory) async throws -> Int {
        var count = 0
        for report in crashes.unsentReports where try await send(report) { count += 1 }
        return count
    }

    /// Whether the server took it; false as well when another program is sending it.
    private func send(_ report: URL) async throws -> Bool {
        let file = open(report.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0, !CrashDirectory.isSent(report) else { return false }
        let text = try Data(contentsOf: report)
        _ = try await client.value(of: request(with: text, named: report.deletingPathExtension().lastPathComponent))
        try CrashDirectory.markSent(report)
        return true
    }

    private func request(with text: Data, named name: String) -> BackendRequest<Void> {
        var message = RequestMessage(method: .post, url: url, body: .bytes(text))
        message.headers[.contentType] = "text/plain; charset=utf-8"
        // Should the program die between the server's answer and the mark, the server can tell that it has this one.
        message.headers[.idempotencyKey] = "\"\(name)\""
        // Consent is for this address and no other.
        return BackendRequest(message, limits: ResponseLimits(bodySize: Self.responseLimit, redirects: 0, time: Self.timeLimit)) { _ in }
    }
}

extension HTTPField.Name {
    /// draft-ietf-httpapi-idempotency-key-header.
    fileprivate static let idempotencyKey = Self("Idempotency-Key")!
}
