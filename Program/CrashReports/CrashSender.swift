package import Foundation
import HTTPFieldValues
import HTTPTypes
package import LadingHTTP

/// A sender that posts each crash report to a server until the server has accepted it once.
package struct CrashSender: Sendable {
    /// The maximum time for one report.
    static let timeLimit = Duration.seconds(20)
    /// The maximum length of a response in bytes.
    static let responseLimit = 64 << 10

    private let client: BackendClient
    private let url: URL

    package init(_ client: BackendClient, to url: URL) {
        self.client = client
        self.url = url
    }

    /// Sends unsent reports, oldest first. A report that the server does not accept with a success status is sent again at the next start.
    ///
    /// - Returns: The number of accepted reports.
    /// - Throws: The error of the first report that was not accepted; later ones are not tried.
    package func send(_ crashes: CrashDirectory) async throws -> Int {
        var count = 0
        for report in crashes.pendingReports where try await send(report) { count += 1 }
        return count
    }

    /// Sends a report. Returns false when it has been sent, cannot be opened, or is being sent by another program.
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
        // The key lets the server recognize the report if the program ends between the response and the mark.
        message.headers[.idempotencyKey] = IdempotencyKeyField.value(of: name)
        // Consent is limited to this address, so redirects are not followed.
        return BackendRequest(message, limits: ResponseLimits(bodySize: Self.responseLimit, redirects: 0, time: Self.timeLimit)) { _ in }
    }
}
