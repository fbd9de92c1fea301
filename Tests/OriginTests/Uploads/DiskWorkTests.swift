import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Origin

@Suite("Work on a disk")
struct DiskWorkTests {
    @Test(arguments: [POSIXErrorCode.ENOSPC, .EDQUOT, .EFBIG])
    func `A disk without room is told as status 507`(code: POSIXErrorCode) async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await DiskWork.perform { () -> Int in throw POSIXError(code) }
        }

        #expect(error?.status.code == 507)
    }

    @Test func `Other errors stay what they are, and so does what is done`() async throws {
        let error = await #expect(throws: POSIXError.self) {
            try await DiskWork.perform { () -> Int in throw POSIXError(.EIO) }
        }

        #expect(error?.code == .EIO)
        #expect(try await DiskWork.perform { 1 } == 1)
    }
}
