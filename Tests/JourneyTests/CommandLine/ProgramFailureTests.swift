import Foundation
import Testing

@testable import LadingCommand

/// The messages of failures.
@Suite struct ProgramFailureTests {
    private static let fileErrors: [(any Error, String)] = [
        (POSIXError(.ENOSPC), "the disk is full: free up space"),
        (NSError(domain: NSCocoaErrorDomain, code: CocoaError.Code.fileWriteOutOfSpace.rawValue), "the disk is full: free up space"),
        (CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOTDIR)]), "Not a directory"),
        (
            NSError(
                domain: NSCocoaErrorDomain, code: CocoaError.Code.fileReadUnknown.rawValue,
                userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EISDIR))]), "Is a directory"
        ),
    ]

    @Test(arguments: fileErrors.indices) func `An error of a file has the reason of the system, and no domain`(index: Int) {
        let (error, reason) = Self.fileErrors[index]

        #expect(ProgramFailure(error).message == reason)
        #expect(ProgramFailure.cannotWrite(URL(filePath: "/srv/a b"), error).message == "cannot write /srv/a b: \(reason)")
    }

    private struct OtherError: Error, CustomStringConvertible { let description = "the server is busy" }

    @Test func `Another error describes itself`() {
        #expect(ProgramFailure(OtherError()).message == "the server is busy")
        #expect(ProgramFailure.systemReason(of: OtherError()) == nil)
    }
}
