import Foundation
import HTTPTypes
import Testing
@testable import LadingHTTP
@testable import LadingTransfers

@Suite struct AttemptFailureTests {
    private struct Cause: Error {}

    private static let url = URL(string: "http://example.org/file")!

    @Test(
        arguments: [
            (BackendError.unreachable(url, cause: Cause()), true, nil),
            (BackendError.timedOut(url, after: .seconds(1)), true, nil),
            (BackendError.circuitOpen(url, retryAfter: .seconds(3)), true, .seconds(3)),
            (BackendError.status(503, url, headers: [.retryAfter: "7"]), true, .seconds(7)),
            (BackendError.status(400, url), false, nil),
            (Cause(), false, nil),
        ] as [(any Error, Bool, Duration?)])
    func `A token failure is classified by its cause`(cause: any Error, isTransient: Bool, wait: Duration?) {
        let failure = AttemptFailure(BearerTokenInterceptor.Failure(cause: cause))

        #expect(failure.isTransient == isTransient && failure.retainsPartialData)
        #expect(failure.retryAfter == wait)
        #expect(failure.error is BearerTokenInterceptor.Failure)
    }

    @Test(arguments: [POSIXError(.EIO), POSIXError(.EMFILE), POSIXError(.EACCES), POSIXError(.ENOSPC)])
    func `An error of the disk retains the received data`(cause: POSIXError) {
        let error = PartFile.transferError(cause, target: URL(filePath: "/tmp/file"))

        #expect(AttemptFailure(error).retainsPartialData)
    }
}
