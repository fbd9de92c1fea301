import LadingHTTP
import Testing
@testable import LadingOutbox

/// The meaning of statuses for a write and for its host.
@Suite struct OutboxFailureKindTests {
    @Test(arguments: [400, 402, 403, 404, 405, 406, 410, 411, 412, 413, 415, 422, 428, 431, 451, 300, 303, 304])
    func `A permanent failure status refuses the write`(status: Int) {
        #expect(OutboxFailureKind(BackendError.httpStatus(status), rejectionStatuses: OutboxLimits.standardRejectionStatuses) == .permanent)
    }

    @Test(arguments: [301, 302, 401, 407, 408, 409, 423, 425, 429, 500, 501, 502, 503, 504, 507])
    func `A transient failure status does not refuse the write`(status: Int) {
        #expect(OutboxFailureKind(BackendError.httpStatus(status), rejectionStatuses: OutboxLimits.standardRejectionStatuses) != .permanent)
    }

    @Test(arguments: [
        (400, true), (401, false), (403, true), (407, false), (408, true), (429, false), (500, true), (502, false), (503, false),
        (504, false), (505, true),
    ])
    func `Only statuses of a host that accepts nothing delay the other writes to it`(status: Int, isEntrySpecific: Bool) {
        let kind = OutboxFailureKind(BackendError.httpStatus(status), rejectionStatuses: [])

        #expect(kind == .transient(isEntrySpecific: isEntrySpecific, retryAfter: nil))
    }
}
