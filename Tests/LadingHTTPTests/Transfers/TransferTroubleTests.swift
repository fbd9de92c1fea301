import Foundation
import HTTPTypes
import Testing

@testable import LadingHTTP

@Suite struct TransferTroubleTests {
    private struct Cause: Error {}

    private static let url = URL(string: "http://example.org/file")!

    @Test(
        arguments: [
            (BackendError.unreachable(url, cause: Cause()), true, nil),
            (BackendError.timedOut(url, after: .seconds(1)), true, nil),
            (BackendError.circuitOpen(url, for: .seconds(3)), true, .seconds(3)),
            (BackendError.status(503, url, headers: [.retryAfter: "7"]), true, .seconds(7)),
            (BackendError.status(400, url), false, nil),
            (Cause(), false, nil),
        ] as [(any Error, Bool, Duration?)])
    func `A token that cannot be had counts as what keeps it away`(cause: any Error, isPassing: Bool, wait: Duration?) {
        let trouble = TransferTrouble(BearerTokenInterceptor.Failure(cause: cause))

        #expect(trouble.isPassing == isPassing && trouble.keepsBytes)
        #expect(trouble.wait == wait)
        #expect(trouble.error is BearerTokenInterceptor.Failure)
    }
}
