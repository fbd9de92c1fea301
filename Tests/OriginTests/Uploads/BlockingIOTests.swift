import Foundation
import Testing

@testable import Origin

@Suite("Blocking I/O")
struct BlockingIOTests {
    @Test func `Values and errors are passed through`() async throws {
        let error = await #expect(throws: POSIXError.self) {
            try await BlockingIO.run { () -> Int in throw POSIXError(.EIO) }
        }

        #expect(error?.code == .EIO)
        #expect(try await BlockingIO.run { 1 } == 1)
    }
}
