import Foundation
import Testing

@testable import Origin

@Suite("Work on a disk")
struct DiskWorkTests {
    @Test func `Errors stay what they are, and so does what is done`() async throws {
        let error = await #expect(throws: POSIXError.self) {
            try await DiskWork.perform { () -> Int in throw POSIXError(.EIO) }
        }

        #expect(error?.code == .EIO)
        #expect(try await DiskWork.perform { 1 } == 1)
    }
}
