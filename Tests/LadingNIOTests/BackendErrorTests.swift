import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore
import Testing

@testable import LadingNIO

/// The mapping of network errors to errors of the exchange.
@Suite struct BackendErrorTests {
    private func error(_ cause: any Error, hasReceivedHead: Bool = false) -> any Error {
        let limits = ExchangeTimeouts(head: .seconds(1), read: .seconds(2), connect: .seconds(3))
        return backendError(
            cause, of: RequestMessage(url: URL(string: "http://example.org/a")!), limits, hasReceivedHead: hasReceivedHead)
    }

    @Test(
        arguments: [
            ChannelError.ioOnClosedChannel, IOError(errnoCode: ECONNRESET, reason: "write"), IOError(errnoCode: EPIPE, reason: "write"),
            HTTPClientError.remoteConnectionClosed,
        ] as [any Error])
    func `A broken connection is reported as interrupted, so that a safe request can be retried`(cause: any Error) {
        for hasReceivedHead in [false, true] {
            guard case BackendError.interrupted = error(cause, hasReceivedHead: hasReceivedHead) else {
                Issue.record("\(cause) is reported as \(error(cause, hasReceivedHead: hasReceivedHead))")
                continue
            }
        }
    }

    @Test(arguments: [0, 99, 1_000, .max] as [UInt]) func `An invalid status code is reported as a malformed response`(code: UInt) throws {
        let url = try #require(URL(string: "http://example.org/a"))
        let fields: [(name: String, value: String)] = [(name: "Content-Type", value: "text/plain")]

        #expect { try ResponseHead(code: code, fields: fields, from: url) } throws: { error in
            if case BackendError.malformedResponse(url, _) = error { true } else { false }
        }
        for code: UInt in [100, 204, 999] { _ = try ResponseHead(code: code, fields: fields, from: url) }
    }

    @Test(
        arguments: [
            IOError(errnoCode: ECONNREFUSED, reason: "connect"), ChannelError.connectTimeout(.seconds(1)), HTTPClientError.connectTimeout,
        ] as [any Error])
    func `A connection that cannot be established is reported as unreachable`(cause: any Error) {
        guard case BackendError.unreachable = error(cause) else {
            Issue.record("\(cause) is reported as \(error(cause))")
            return
        }
    }
}
