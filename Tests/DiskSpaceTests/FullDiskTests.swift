import Foundation
import Testing

@testable import DiskSpace

@Suite struct FullDiskTests {
    private static let fullDisks: [any Error] = [
        POSIXError(.ENOSPC), POSIXError(.EDQUOT), POSIXError(.EFBIG), CocoaError(.fileWriteOutOfSpace),
        CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EDQUOT)]),
        NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC)),
        NSError(domain: NSCocoaErrorDomain, code: CocoaError.Code.fileWriteOutOfSpace.rawValue),
    ]

    @Test(arguments: fullDisks.indices) func `A full disk and a used up quota are recognized`(index: Int) {
        #expect(FullDisk.isCause(of: Self.fullDisks[index]))
    }

    private static let otherErrors: [any Error] = [
        POSIXError(.EIO), POSIXError(.EACCES), CocoaError(.fileWriteNoPermission), CancellationError(),
        NSError(domain: NSPOSIXErrorDomain, code: Int(EIO)), NSError(domain: "other", code: Int(ENOSPC)),
    ]

    @Test(arguments: otherErrors.indices) func `Other errors are not recognized as a full disk`(index: Int) {
        #expect(!FullDisk.isCause(of: Self.otherErrors[index]))
    }

    @Test func `An error of SQLite means a full disk where a small file cannot be written`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "space-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(FullDisk.isCause(ofSQLite: 13, in: folder))
        #expect(!FullDisk.isCause(ofSQLite: 10, in: folder) && !FullDisk.isCause(ofSQLite: 14, in: folder))
        #expect(!FullDisk.isCause(ofSQLite: 11, in: folder))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(!FullDisk.isFull(folder.appending(path: "none")))
    }
}
